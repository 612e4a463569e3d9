"""Tests of the assertions and of the pytest plugin."""
