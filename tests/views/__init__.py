"""Tests of `irmetrics_edu.views`."""
