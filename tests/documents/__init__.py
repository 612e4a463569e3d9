"""Tests of `irmetrics_edu.course.documents`."""
