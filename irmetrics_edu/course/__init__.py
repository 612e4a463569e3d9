"""What the notebooks of the course are made of: predictions, tables, figures, quizzes, terms.

Everything shown has three faces: HTML for the notebook and the book, plain text for readers of
the file and for validation, and nothing that needs a running kernel to be understood.

Start with `prompts.py`.
"""

from irmetrics_edu.course.figures import figure, slider
from irmetrics_edu.course.prompts import predict, quiz, quote, reveal, table, terms, verbatim

__all__ = ["figure", "predict", "quiz", "quote", "reveal", "slider", "table", "terms", "verbatim"]
