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
    tree = ast.parse(question.expected, mode="eval").body
    values = tree.elts if isinstance(tree, ast.List) else [tree]
    if place is not None and len(values) > 1:
        values = [values[place]]
    whole: dict[str, Explanation] = {}
    single: dict[str, None] = {}
    for value in values:
        explained = _explained(value, space)
        if explained:
            whole[_first(explained)] = explained
        for node in ast.walk(value):
            if isinstance(node, ast.ListComp):
                single.update((_first(within), None) for within in _within(node, space))
    lines = [line for line in single if line not in whole][:MOST]
    if not whole and not lines:
        lines = list(question.hints)
    said = "\n".join(map(escaping.visible, lines))
    text = "\n\n".join([*([said] if lines else []), *(e.text for e in whole.values()), answer])
    html = [*map(paragraph, lines), *(e.html() for e in whole.values()), paragraph(answer)]
    return text, "\n".join(html)


def _first(explanation: Explanation) -> str:
    return explanation.sections[0].equation


def _within(comprehension: ast.ListComp, space: dict[str, Any]) -> Iterator[Explanation]:
    """The workings of a comprehension's element, for each value of its one variable."""
    (loop, *more), element = comprehension.generators, comprehension.elt
    if more or not isinstance(loop.target, ast.Name):
        return
    try:
        values = list(evaluate(ast.unparse(loop.iter), space))
    except _NO_WORKING:
        return
    for value in values[:MOST]:
        if found := _explained(element, {**space, loop.target.id: value}):
            yield found


def _explained(node: ast.expr, space: dict[str, Any]) -> Explanation | None:
    try:
        working = working_behind(ast.unparse(node), space, None)
        return None if working is None else Explanation(working)
    except _NO_WORKING:
        return None
