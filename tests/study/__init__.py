"""Tests of the study of diversity metrics."""
