"""Tests of `irmetrics_edu.joining`."""
