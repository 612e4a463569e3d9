"""A bank of questions for quizzes and exams, drawn from the specs of the exercises.

A question is drawn once and written in several forms: for Moodle, for Canvas, as QTI 2.1, on paper.
What is right comes from the expression of the spec, every wrong answer from one of its mistakes.

Imports errors, near_ties, writing, views, documents, exercises. Start with `asked.py`.
"""

from irmetrics_edu.questions.asked import Asked, Option
from irmetrics_edu.questions.bank import Bank, drawn

__all__ = ["Asked", "Bank", "Option", "drawn"]
