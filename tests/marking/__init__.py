"""Tests of the grader that a teacher runs."""
