"""Tests of `irmetrics_edu.documents`."""
