"""Exercises: a source from which every copy is built, and checks inside the notebook.

A student's notebook uses three functions: `begin` (in its first cell), `check` and `hint`.

Start with `spec.py`.
"""

from irmetrics_edu.classroom.exercises.checking import Feedback, begin, check, hint

__all__ = ["Feedback", "begin", "check", "hint"]

#: What a student's notebook imports from here; without effect where it is graded.
NAMES = ("begin", "check", "hint")
