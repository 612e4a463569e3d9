"""Grading: what students hand in is run out of process, and judged outside.

Imports errors. Start with `sandbox.py`.
"""
