"""Tests of `irmetrics_edu.runs.joining`."""
