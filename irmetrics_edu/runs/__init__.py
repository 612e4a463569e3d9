"""Whole runs: evaluated, compared, summarised, with notes on what the numbers don't show.

Start with `evaluation.py`.
"""
