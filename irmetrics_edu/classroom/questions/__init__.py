"""A bank of questions for quizzes and exams, drawn from the specs of the exercises.

A question is drawn once and written in several forms: for Moodle, for Canvas, on paper.
What is right comes from the expression of the spec, every wrong answer from one of its mistakes.

Start with `question.py`.
"""

from irmetrics_edu.classroom.questions.bank import Bank, drawn
from irmetrics_edu.classroom.questions.question import DrawnQuestion, Option

__all__ = ["Bank", "DrawnQuestion", "Option", "drawn"]
