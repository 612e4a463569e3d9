"""A rehearsal of an exercise before its copies are written: as a student runs it, solved and empty.

A wrong solution, a call of `check` for a question that there is not, data that are not the copy's
own, or an edge case on which the right answer fails would otherwise show in a class.
"""

import contextlib
import io
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from irmetrics_edu.classroom import exercises
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.exercises.source import (
    Cell,
    ExerciseSource,
    given_in,
    solved,
    unsolved,
    with_data,
)
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.cell_runner import Cells, Commands
from irmetrics_edu.errors import InputError

# Whose copy is rehearsed: nobody's, so that data which are not drawn for each student show.
NOBODY = Variant("rehearsal", b"a key for the rehearsal alone")
_IMPORTS = {"ImportError", "ModuleNotFoundError"}


def refuse_what_fails(source: ExerciseSource) -> str:
    """InputError, with the line, if the exercise can't be solved as its source says.

    Returns why it could not be tried: a package that it needs is not there. Else "".
    """
    _refuse_data_of_its_own(source)
    _refuse_edges_without_answer(source)
    right, errors = _run(source, empty=False)
    for error in errors:
        if error["type"] in _IMPORTS:
            return str(error["message"])
    for error in errors:
        cell = source.cells[error["cell"] - 1]
        where = f"{source.path}, line {cell.at + error['line']}"
        raise InputError(
            f"{where}: {error['type']}: {error['message']}; correct the cell, so that the solved "
            "copy runs"
        )
    for question in source.exercise.questions:
        said = right.get(question.name)
        if said is not None and not said.right:
            raise InputError(
                f"{source.path}: check does not accept the solution of question {question.name}: "
                f"{said.text}; correct the solution, or `expected` in the spec"
            )
    right, _ = _run(source, empty=True)
    for name, said in right.items():
        if said.right:
            raise InputError(
                f"{source.path}: check accepts question {name} in an empty copy; put the answer "
                "between ### BEGIN SOLUTION and ### END SOLUTION"
            )
    return ""


def _refuse_data_of_its_own(source: ExerciseSource) -> None:
    """InputError for a value question whose data are not those of each student's copy."""
    given = {name for cell in source.cells if not cell.markdown for name in given_in(cell.text)}
    for question in source.exercise.questions:
        if question.kind == "value" and question.name not in given:
            raise InputError(
                f'{source.path}: no cell reads spec.given("{question.name}"), so the data of each '
                f"copy are not those by which question {question.name} is marked; write them as "
                f'{_names(question)} = spec.given("{question.name}")'
            )


def _refuse_edges_without_answer(source: ExerciseSource) -> None:
    """InputError for an edge case that has no right answer: no answer to it could be judged."""
    for question in source.exercise.questions:
        for edge in question.edges:
            try:
                question.right(edge)
            except Exception as error:  # noqa: BLE001 -- whatever the expression raises
                raise InputError(
                    f"{source.path}, question {question.name}: the edge case {dict(edge)} has no "
                    f"right answer ({type(error).__name__}: {error}); leave it out, or change it"
                ) from None


def _run(
    source: ExerciseSource, *, empty: bool
) -> tuple[dict[str, checking.Feedback], list[dict[str, Any]]]:
    """What check says last of each question, and the errors of the cells."""
    exercise = source.exercise
    trials = {q.name: NOBODY.trial(exercise.number, q) for q in exercise.questions}
    inputs = {name: trial.general[0] for name, trial in trials.items()}
    said: dict[str, checking.Feedback] = {}

    def check(name: str, answer: object) -> checking.Feedback:
        said[name] = checking.check(name, answer)
        return said[name]

    cells = Cells({"__name__": "__main__", "get_ipython": Commands(), "display": print})
    with _opened(checking.packed(exercise, trials), check):
        for number, cell in enumerate(source.cells, 1):
            if not cell.markdown and "spec" not in cell.tags:
                cells.run(
                    number,
                    _text(
                        source,
                        cell,
                        inputs,
                        empty=empty,
                    ),
                )
    return said, cells.report()


def _names(question: Question) -> str:
    """The names of a question's inputs, as a cell assigns them."""
    return ", ".join(question.draw(Random(0)))


def _text(
    source: ExerciseSource,
    cell: Cell,
    inputs: Mapping[str, Inputs],
    *,
    empty: bool,
) -> str:
    """A cell as the student's copy has it, with or without its solution."""
    try:
        text = with_data(cell.text, inputs)
    except (InputError, KeyError) as error:
        known = ", ".join(inputs)
        what = f"question {error} is not in the exercise; it has {known}"
        what = str(error) if isinstance(error, InputError) else what
        raise InputError(f"{source.path}, line {cell.at + 1}: {what}") from None
    question = source.question_of(cell)
    if not question:
        return text
    return unsolved(text, question) if empty else solved(text)


@contextlib.contextmanager
def _opened(packed: str, check: Any) -> Iterator[None]:
    """The exercise is open, as the first cell of a copy opens it, and `check` is this one."""
    usual = exercises.check
    exercises.check = check
    try:
        with checking.opened(packed), contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        exercises.check = usual
