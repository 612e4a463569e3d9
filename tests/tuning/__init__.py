"""Tests of `irmetrics_edu.lab.tuning`."""
