"""Tests of the judging loop."""
