"""Whole runs: evaluated, compared, summarised, and what is to be said beside the numbers."""
