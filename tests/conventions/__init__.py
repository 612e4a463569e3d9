"""Tests of `irmetrics_edu.conventions`."""
