"""The classroom: exercises, the sandbox that runs them, marking, and questions for exams.

Start with `exercises/__init__.py`.
"""
