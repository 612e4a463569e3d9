"""Tests of `irmetrics_edu.tuning`."""
