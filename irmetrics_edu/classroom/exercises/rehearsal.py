"""A rehearsal of an exercise before its copies are written: as a student runs it, solved and empty.

A wrong solution, a call of `check` for a question that there is not, data that are not the copy's
own, or an edge case on which the right answer fails would otherwise show in a class.
"""

import ast
import contextlib
import io
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from irmetrics_edu.classroom import exercises
from irmetrics_edu.classroom.exercises import checking
from irmetrics_edu.classroom.exercises.build import WrittenCell, cells_written
from irmetrics_edu.classroom.exercises.checking import Feedback
from irmetrics_edu.classroom.exercises.computed_question import Question, literal
from irmetrics_edu.classroom.exercises.source import ExerciseSource, unsolved
from irmetrics_edu.classroom.exercises.source_faults import refuse_faults
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.cell_runner import Cells, Commands
from irmetrics_edu.errors import InputError

# Whose copy is rehearsed: nobody's, so that data which are not drawn for each student show.
NOBODY = Variant("rehearsal", b"a key for the rehearsal alone")
_IMPORTS = {"ImportError", "ModuleNotFoundError"}
_SEED = 3
_CORRECT = "correct the solution, or `expected` in the spec"


def refuse_what_fails(source: ExerciseSource) -> str:
    """InputError, with the line, if the exercise can't be solved as its source says.

    Returns why it could not be tried: a package that it needs is not there. Else "".
    """
    for question in source.exercise.questions:
        _refuse_unfit_inputs(source, question)
    refuse_faults(source)
    for question in source.exercise.questions:
        _refuse_edges_without_answer(source, question)
        _refuse_undrawn(source, question)
    ran = _Run(source, lambda text, _: text)
    if ran.missing:
        return ran.missing
    ran.refuse_errors()
    for question in source.exercise.questions:
        ran.refuse_wrong(question)
    empty = _Run(source, unsolved)
    for name, feedback in empty.said.items():
        if feedback.right:
            raise InputError(
                f"{source.place_of(name)}: check accepts question {name} in an empty copy; put the "
                "answer between ### BEGIN SOLUTION and ### END SOLUTION"
            )
    return ""


def _refuse_unfit_inputs(source: ExerciseSource, question: Question) -> None:
    """InputError for inputs that can't be written into a copy, or are not drawn from `rng`."""
    where = _where(source, question)
    inputs = question.draw(Random(_SEED))
    again = question.draw(Random(_SEED))
    for name, value in inputs.items():
        if not _is_written_whole(value):
            kind = type(value).__name__
            raise InputError(
                f"{where}: the input {name} has the type {kind}, or holds one, that can't be "
                f"written into a copy: {value!r}; use lists, dicts, numbers and text, of an array "
                ".tolist()"
            )
    if literal(inputs) != literal(again):
        raise InputError(
            f"{where}: one seed draws {literal(inputs)} and {literal(again)}, so the data of a "
            "copy can't be drawn again when it is marked; draw with `rng` alone"
        )


def _is_written_whole(value: Any) -> bool:
    """Whether the text of a value makes the same value again, without any import."""
    try:
        return bool(ast.literal_eval(literal(value)) == value)
    except (ValueError, SyntaxError):
        return literal(value) == "set()"


def _refuse_edges_without_answer(source: ExerciseSource, question: Question) -> None:
    """InputError for an edge case that has no right answer: no answer to it could be judged."""
    where = _where(source, question)
    names = list(question.sample)
    for edge in question.edges:
        if set(edge) != set(names):
            raise InputError(
                f"{where}: the edge case {dict(edge)} has the inputs {', '.join(edge)}; give "
                f"{', '.join(names)}"
            )
        try:
            question.right(edge)
        except Exception as error:  # noqa: BLE001 -- whatever the expression raises
            raise InputError(
                f"{where}: the edge case {dict(edge)} has no right answer ({_said(error)}); leave "
                "it out, or change it"
            ) from None


def _refuse_undrawn(source: ExerciseSource, question: Question) -> None:
    """InputError if no inputs can be drawn for a copy, or for marking it."""
    where = _where(source, question)
    if question.prefix and not isinstance(question.sample.get(question.prefix), list):
        raise InputError(
            f"{where}: prefix={question.prefix!r} is no input that is a list; there are "
            f"{', '.join(question.sample)}"
        )
    try:
        NOBODY.trial(source.exercise.number, question)
        NOBODY.trial(source.exercise.number, question, hidden=True)
    except InputError as error:
        raise InputError(f"{source.place_of(question.name)}: {error}") from None
    except Exception as error:  # noqa: BLE001 -- whatever the expressions raise
        raise InputError(
            f"{where}: `expected`, or the value of a mistake, can't be computed: {_said(error)}"
        ) from None


def _where(source: ExerciseSource, question: Question) -> str:
    """The place of a question in its file, as errors begin with it."""
    return f"{source.place_of(question.name)}, question {question.name}"


def _said(error: Exception) -> str:
    """An error as Python names it; one of the package's own by its text."""
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"


class _Run:
    """A copy that has been run: what `check` said last of each question, names, errors."""

    def __init__(self, source: ExerciseSource, form: Callable[[str, str], str]) -> None:
        self.source = source
        self.said: dict[str, Feedback] = {}
        self.answers: dict[str, object] = {}
        self.cells: list[WrittenCell] = cells_written(source, NOBODY, form)
        space = {"__name__": "__main__", "get_ipython": Commands(), "display": print}
        running = Cells(space)
        with _closed(self.check):
            for number, cell in enumerate(self.cells, 1):
                if not cell.cell.markdown:
                    running.run(number, cell.text)
        self.names = running.namespace
        self.errors = running.report()
        self.missing = ""
        for error in self.errors:
            if error["type"] in _IMPORTS and error["name"].partition(".")[0] != "irmetrics_edu":
                self.missing = str(error["message"])

    def check(self, name: str, answer: object) -> Feedback:
        """What check says, which is kept."""
        self.answers[name] = answer
        self.said[name] = checking.check(name, answer)
        return self.said[name]

    def refuse_errors(self) -> None:
        """InputError for the first error of a cell, with its place in the source."""
        for error in self.errors:
            written = self.cells[error["cell"] - 1]
            line = written.lines[max(0, error["line"] - 1)][0]
            raise InputError(
                f"{self.source.place(written.cell, line)}: {error['type']}: {error['message']}; "
                "correct the cell, so that the solved copy runs"
            )

    def refuse_wrong(self, question: Question) -> None:
        """InputError if the solution is not accepted: by check, and on inputs that give marks."""
        where = self.source.place_of_answer(question.name)
        feedback = self.said.get(question.name)
        if feedback is None and question.name not in self.names:
            raise InputError(
                f"{where}: there is nothing called {question.name} after the solved copy has run; "
                "give the answer the name of its question"
            )
        if feedback is not None and not feedback.right:
            raise InputError(
                f"{where}: check does not accept the solution of question {question.name}: "
                f"{feedback.text}; {_CORRECT}"
            )
        if feedback is not None and question.kind == "value":
            return
        answer = self.answers.get(question.name, self.names.get(question.name))
        trial = NOBODY.trial(self.source.exercise.number, question, hidden=True)
        packed = checking.packed(self.source.exercise, {question.name: trial})
        _, verdict = checking.judged(question.name, answer, packed)
        if not verdict.right:
            raise InputError(
                f"{where}: the solution of question {question.name} is not right for inputs by "
                f"which it is marked: {verdict.text}; {_CORRECT}"
            )


@contextlib.contextmanager
def _closed(check: Any) -> Iterator[None]:
    """No exercise is open, as where a notebook begins, and `check` is this one."""
    usual = exercises.check
    exercises.check = check
    try:
        with checking.closed(), contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        exercises.check = usual
