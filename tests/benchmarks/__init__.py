"""Tests of the benchmark: that it runs and tells what it saw, never how fast."""
