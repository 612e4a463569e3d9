"""The worked solution of a question, read off the workings behind its expression."""

import ast
from collections.abc import Iterator
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.questions.question import paragraph
from irmetrics_edu.course.expressions import evaluate, working_behind
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.explanation import Explanation

MOST = 12  # lines of single scores, such as the AP of each query
_NO_WORKING = (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def solution(
    question: Question,
    inputs: Inputs,
    answer: str,
    place: int | None = None,
) -> tuple[str, str]:
    """How the right value comes about, or the one at a place of a list, as text and as HTML.

    The workings of the values are whole; of those within a comprehension the first line is shown.
    """
    space = {**question.own, **inputs}
    whole: dict[str, Explanation] = {}
    single: dict[str, None] = {}
    for value in _values(question, place):
        explained = _explained(value, space)
        if explained:
            whole[_first(explained)] = explained
        for node in ast.walk(value):
            if isinstance(node, ast.ListComp):
                single.update(dict.fromkeys(map(_first, _within(node, space))))
    lines = [line for line in single if line not in whole][:MOST]
    if not whole and not lines:
        lines = list(question.hints)
    texts = []
    html: list[str] = []
    if lines:
        texts.append("\n".join(map(escaping.visible, lines)))
        html += map(paragraph, lines)
    for explanation in whole.values():
        texts.append(explanation.text)
        html.append(explanation.html())
    return "\n\n".join([*texts, answer]), "\n".join([*html, paragraph(answer)])


def _values(question: Question, place: int | None) -> list[ast.expr]:
    """The expressions of the values of a list, or the one at a place, or of the one value."""
    tree = ast.parse(question.expected, mode="eval").body
    values = tree.elts if isinstance(tree, ast.List) else [tree]
    if place is not None and len(values) > 1:
        return [values[place]]
    return values


def _first(explanation: Explanation) -> str:
    return explanation.sections[0].equation


def _within(comprehension: ast.ListComp, space: dict[str, Any]) -> Iterator[Explanation]:
    """The workings of a comprehension's element, for each value of its one variable."""
    loop, *more = comprehension.generators
    if more or not isinstance(loop.target, ast.Name):
        return
    try:
        values = list(evaluate(ast.unparse(loop.iter), space))
    except _NO_WORKING:
        return
    for value in values[:MOST]:
        explained = _explained(comprehension.elt, {**space, loop.target.id: value})
        if explained:
            yield explained


def _explained(node: ast.expr, space: dict[str, Any]) -> Explanation | None:
    try:
        working = working_behind(ast.unparse(node), space, None)
        return None if working is None else Explanation(working)
    except _NO_WORKING:
        return None
