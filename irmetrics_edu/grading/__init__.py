"""Grading: students' code runs in a separate process, and its answers are judged outside.

Imports errors. Start with `sandbox.py`.
"""
