"""Tests of running students' code out of process."""
