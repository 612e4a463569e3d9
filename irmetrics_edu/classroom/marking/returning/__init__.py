"""The book goes back as feedback for students, tables for platforms, a report for the teacher.

Start with `exports.py`.
"""
