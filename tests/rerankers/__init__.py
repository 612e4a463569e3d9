"""Tests of the re-rankers."""
