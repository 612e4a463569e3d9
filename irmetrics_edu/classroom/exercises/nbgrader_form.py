"""The source form of nbgrader: cells marked as solutions or as tests, with their points.

A test cell shows the student `check`. Its hidden part tries the hidden inputs and gives the marks,
or a share of them. nbgrader removes the hidden part from the copies that it releases.
"""

from typing import Any

from irmetrics_edu.classroom.exercises.checking import judged, packed
from irmetrics_edu.classroom.exercises.source import Source
from irmetrics_edu.classroom.exercises.variants import Variant

SCHEMA = 3


def marked(source: Source, book: Any, key: bytes) -> Any:
    """The notebook with nbgrader's marks: a test cell after each cell with a solution."""
    import nbformat

    exercise = source.exercise
    number = exercise.number
    answers = {f"{number}-{q.name.replace('_', '-')}": q for q in exercise.questions}
    by_hand = {f"{number}-{q.name.replace('_', '-')}": q.marks for q in exercise.by_hand}
    cells = []
    variant = Variant("", key)
    for cell in book.cells:
        if cell.id.startswith(f"{number}-check-"):
            continue
        cells.append(cell)
        question = answers.get(cell.id)
        if points := by_hand.get(cell.id):
            _mark(cell, cell.id, solution=True, grade=True, locked=False, points=points)
            continue
        _mark(cell, cell.id, solution=question is not None, locked=question is None)
        if question is None:
            continue
        hidden = {question.name: variant.trial(exercise, question, hidden=True)}
        if question.kind == "value":  # the data is in the notebook, which is the general copy
            hidden = {question.name: Variant().trial(exercise, question)}
        test = nbformat.v4.new_code_cell(
            f'check("{question.name}", {question.name})\n'
            "### BEGIN HIDDEN TESTS\n"
            "from irmetrics_edu.classroom.exercises.nbgrader_form import marks\n"
            f'marks("{question.name}", {question.name}, "{packed(exercise, hidden)}")\n'
            "### END HIDDEN TESTS",
            id=f"{number}-test-{question.name.replace('_', '-')}",
        )
        _mark(test, test.id, grade=True, points=question.marks)
        cells.append(test)
    book.cells = cells
    book.metadata.pop("irmetrics_edu")
    return book


def _mark(
    cell: Any, grade_id: str, *, solution: bool = False, grade: bool = False, locked: bool = True,
    points: float | None = None,
) -> None:  # fmt: skip
    cell.metadata["nbgrader"] = {
        "schema_version": SCHEMA,
        "grade_id": grade_id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
    } | ({} if points is None else {"points": points})


def marks(name: str, answer: Any, hidden: str) -> float:
    """The marks for an answer on the hidden inputs; AssertionError with the feedback if none."""
    question, verdict = judged(name, answer, hidden)
    if not verdict.share:
        raise AssertionError(verdict.text)
    return round(verdict.share * question.marks, 4)
