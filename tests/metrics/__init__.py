"""Tests of the metrics, a file per family."""
