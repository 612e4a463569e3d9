"""Errors of students' code in words, with what a student can do about them."""

import re

from irmetrics_edu.classroom.exercises.spec import Question
from irmetrics_edu.classroom.grading.outcome import Raised
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.notebook import clean

IMPORTS = {"ModuleNotFoundError", "ImportError"}
_PACKAGE = re.compile(r"(?:named|from) '(\w+)")
_NAME = re.compile(r"name '(\w+)' is not defined")


def absent(error: Raised) -> str:
    """A note to the teacher about an import that failed."""
    what = clean(error.message, 200).rstrip(".")
    return f"code cell {error.cell}, line {error.line}: {what}; the rest of the cell was run"


def for_another(error: Raised, question: Question, paper: Paper) -> bool:
    """Whether an import failed that another question of the exercise allows: it is no error."""
    found = _PACKAGE.search(error.message) if error.type in IMPORTS else None
    allowed = {package for other in paper.questions for package in other.packages}
    return found is not None and found[1] in allowed - {*question.packages}


def told(error: Raised, question: Question, absent: str = "") -> str:
    """An error as the student sees it, with a remedy if there is one."""
    message = clean(error.message, 300).rstrip(".")
    text = f"{clean(error.type, 100)}: {message}." if message else f"{clean(error.type, 100)}."
    if error.line:
        text += f" It comes from code cell {error.cell}, line {error.line}"
        text += f": {clean(error.text, 120)}." if error.text else "."
    unknown = _NAME.search(error.message) if error.type == "NameError" else None
    if error.type in IMPORTS or (unknown and re.search(rf"\b{unknown[1]}\b", absent)):
        given = ", ".join(["the standard library", *question.packages])
        text += f" The grader has only {given}: write this part yourself."
    return text
