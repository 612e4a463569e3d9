"""Marking: submissions are read, run question by question in the sandbox, and judged here.

Imports errors, writing, views, grading, exercises. Start with `marking.py`.
"""
