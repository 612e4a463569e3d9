"""Whole runs: evaluated, compared, summarised, and what is to be said beside the numbers.

Imports errors, numbers, checks, near_ties, conventions, working, views, reading, rows, metrics,
libraries, joining. Start with `evaluation.py`.
"""
