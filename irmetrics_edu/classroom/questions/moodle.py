"""Questions as Moodle XML, which the question bank of Moodle imports.

A numeric question has an answer for each mistake: no marks, and its own feedback.
"""

from collections.abc import Sequence

from irmetrics_edu.classroom.questions.question import NUMERIC, DrawnQuestion, Option, paragraph
from irmetrics_edu.classroom.questions.xml import Element, exact, put, root, written

FULL, NONE = "100", "0"


def xml(questions: Sequence[DrawnQuestion], title: str) -> str:
    """A file of questions, in a category for each chapter."""
    document = root("quiz")
    chapter = ""
    for asked in sorted(questions, key=lambda q: q.chapter):
        if asked.chapter != chapter:
            chapter = asked.chapter
            # A slash would begin a category within a category.
            name = f"$course$/top/{title.replace('/', '//')}/{chapter}"
            category = put(document, "question", _type="category")
            put(put(category, "category"), "text", name)
        _question(document, asked)
    return written(document)


def _question(root: Element, asked: DrawnQuestion) -> None:
    numeric = asked.kind == NUMERIC
    question = put(root, "question", _type="numerical" if numeric else "multichoice")
    put(put(question, "name"), "text", asked.title)
    _html(question, "questiontext", asked.html)
    _html(question, "generalfeedback", asked.solution_html)
    put(question, "defaultgrade", "1")
    put(question, "penalty", "0.3333333")
    put(question, "hidden", "0")
    put(question, "idnumber", asked.ident)
    if not numeric:
        put(question, "single", "true")
        put(question, "shuffleanswers", "true")
        put(question, "answernumbering", "abc")
    for option in asked.options:
        _answer(question, option, asked)


def _answer(question: Element, option: Option, asked: DrawnQuestion) -> None:
    fraction = FULL if option.right else NONE
    if asked.kind == NUMERIC:
        answer = put(
            question,
            "answer",
            fraction=fraction,
            format="moodle_auto_format",
        )
        put(answer, "text", exact(option.value))
    else:
        answer = put(
            question,
            "answer",
            fraction=fraction,
            format="html",
        )
        put(answer, "text", paragraph(option.text))
    _html(answer, "feedback", paragraph(option.feedback))
    if asked.kind == NUMERIC:
        put(answer, "tolerance", exact(asked.tolerance))


def _html(parent: Element, tag: str, html: str) -> None:
    put(put(parent, tag, format="html"), "text", html)
