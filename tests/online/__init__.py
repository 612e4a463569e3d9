"""Tests of the evaluation with users."""
