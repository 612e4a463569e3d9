"""Grading: students' code runs in a separate process, and its answers are judged outside.

Start with `sandbox.py`.
"""
