"""Whole runs: evaluated, compared, summarised, with notes on what the numbers don't show.

Imports errors, numbers, checks, near_ties, conventions, working, views, reading, rows, metrics,
libraries, joining. Start with `evaluation.py`.
"""
