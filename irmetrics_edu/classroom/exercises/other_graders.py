"""Exercises as nbgrader and Otter-Grader have them: a test of each question on hidden inputs.

nbgrader gives a share of a test's points. It removes the hidden part of a test cell from the copies
that it releases. Otter gives a test case all its points or none, so a question has a test case for
each half mark.
"""

from typing import Any

from irmetrics_edu.classroom.exercises.checking import judged, packed
from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.source import ExerciseSource
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant

SCHEMA = 3  # of nbgrader's metadata
STEP = 0.5
_HEAD = '''"""What {name} is tried on; `otter generate` puts this file into the autograder's zip."""

from otter.test_files import test_case

from irmetrics_edu.classroom.exercises.other_graders import earns

OK_FORMAT = False
name = "{name}"
points = None
HIDDEN = "{hidden}"
'''
_CASE = """

@test_case(points={step:g}, hidden=True)
def test_{number}(env):
    earns("{name}", env.get("{name}"), HIDDEN, {least:g})
"""


def _hidden(source: ExerciseSource, question: Question, key: bytes) -> str:
    """The packed inputs of a test; the data of a value are in the notebook, the general copy."""
    owner = GENERAL if question.kind == "value" else Variant("", key)
    trial = owner.trial(source.exercise.number, question, hidden=True)
    return packed(source.exercise, {question.name: trial})


def for_nbgrader(source: ExerciseSource, book: Any, key: bytes) -> Any:
    """The notebook with nbgrader's marks: a test cell after each cell with a solution."""
    import nbformat

    number = source.exercise.number
    answers = {source.id_of(q.name): q for q in source.exercise.every}
    cells = []
    for cell in book.cells:
        if cell.id.startswith(f"{number}-check-"):
            continue
        cells.append(cell)
        question = answers.get(cell.id)
        if question is not None and not isinstance(question, Question):
            _mark(
                cell,
                solution=True,
                grade=True,
                locked=False,
                points=question.marks,
            )
            continue
        _mark(cell, solution=question is not None, locked=question is None)
        if question is None:
            continue
        test = nbformat.v4.new_code_cell(
            f'check("{question.name}", {question.name})\n'
            "### BEGIN HIDDEN TESTS\n"
            "from irmetrics_edu.classroom.exercises.other_graders import marks\n"
            f'marks("{question.name}", {question.name}, "{_hidden(source, question, key)}")\n'
            "### END HIDDEN TESTS",
            id=source.id_of(f"test-{question.name}"),
        )
        _mark(test, grade=True, points=question.marks)
        cells.append(test)
    book.cells = cells
    book.metadata.pop("irmetrics_edu")
    return book


def _mark(
    cell: Any,
    *,
    solution: bool = False,
    grade: bool = False,
    locked: bool = True,
    points: float | None = None,
) -> None:
    cell.metadata["nbgrader"] = {
        "schema_version": SCHEMA,
        "grade_id": cell.id,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
    } | ({} if points is None else {"points": points})


def marks(name: str, answer: Any, hidden: str) -> float:
    """Nbgrader's marks for an answer on hidden inputs; AssertionError with the feedback if none."""
    question, verdict = judged(name, answer, hidden)
    if not verdict.share:
        raise AssertionError(verdict.text)
    return round(verdict.share * question.marks, 4)


def for_otter(source: ExerciseSource, key: bytes) -> dict[str, str]:
    """Otter's test file of each question that a program marks, by its name."""
    files = {}
    for q in source.exercise.questions:
        cases = [
            _CASE.format(
                step=STEP,
                number=n,
                name=q.name,
                least=n * STEP,
            )
            for n in range(1, round(q.marks / STEP) + 1)
        ]
        head = _HEAD.format(name=q.name, hidden=_hidden(source, q, key))
        files[f"{q.name}.py"] = "".join([head, *cases])
    return files


def earns(
    name: str,
    answer: Any,
    hidden: str,
    least: float,
) -> None:
    """AssertionError with the feedback unless an answer earns so many marks: a case of Otter's."""
    question, verdict = judged(name, answer, hidden)
    if round(verdict.share * question.marks, 4) < least:
        raise AssertionError(verdict.text)
