"""Marking: submissions are read, run question by question in the sandbox, and judged here.

Start with `mark_class.py`.
"""
