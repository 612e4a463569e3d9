"""Faults of a source that show without running it: tags, marks of solutions, data, numbers.

Each would go into all copies, and show in the class: a cell that is nobody's, a model answer that
is handed out, data by which nobody is marked.
"""

import ast
import re

from irmetrics_edu.classroom.exercises.computed_question import Question, like
from irmetrics_edu.classroom.exercises.source import (
    BEGIN,
    END,
    Cell,
    ExerciseSource,
    GivenProblem,
    given_in,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded

TAGS = ("spec", "setup", "check")
_HEADER = "# %%"
_ODD_HEADER = re.compile(r"\s*#+\s*%%")
_MARK = re.compile(r"#+\s*(BEGIN|END)\s+SOLUTION", re.IGNORECASE)


def refuse_faults(source: ExerciseSource) -> None:
    """InputError, with the line and the cell, for the first fault of a source."""
    _refuse_other_number(source)
    _refuse_lines_of_no_cell(source)
    for cell in source.cells:
        _refuse_unknown_tag(source, cell)
        _refuse_odd_marks(source, cell)
    _refuse_without_setup(source)
    _refuse_data_of_its_own(source)


def _refuse_other_number(source: ExerciseSource) -> None:
    """InputError if the spec has another number than the file's name: work is found by both."""
    number = source.exercise.number
    if source.stem.partition("_")[0] != number:
        raise InputError(
            f"{source.path}: the spec is of exercise {number!r}, and the name of the file begins "
            f"with {source.stem.partition('_')[0]!r}; give both one number of two digits"
        )


def _refuse_lines_of_no_cell(source: ExerciseSource) -> None:
    """InputError for code above the first cell, and for a header that begins no cell."""
    text = decoded(source.path.read_bytes(), source.path).replace("\r\n", "\n")
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if _ODD_HEADER.match(line) and not line.startswith(_HEADER):
            raise InputError(
                f"{source.path}, line {number}: {line!r} begins no cell; write {_HEADER}, with one "
                "space, at the start of the line"
            )
    first = next(n for n, line in enumerate(lines) if line.startswith(_HEADER))
    try:
        above = ast.parse("\n".join(lines[:first])).body
    except SyntaxError as error:
        raise InputError(_above(source, error.lineno or 1)) from None
    for node in above:
        text_alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not text_alone:
            raise InputError(_above(source, node.lineno))


def _above(source: ExerciseSource, line: int) -> str:
    return (
        f"{source.path}, line {line}: code above the first cell is in no copy; begin a cell above "
        f"it with {_HEADER}"
    )


def _refuse_unknown_tag(source: ExerciseSource, cell: Cell) -> None:
    """InputError for a tag that means nothing: it is a slip, or one of another tool's."""
    words = [*TAGS, *(question.name for question in source.exercise.every)]
    for tag in cell.tags:
        if tag not in words:
            raise InputError(
                f"{source.place(cell, 0)}: the tag {tag!r} is not known; give one of "
                f"{', '.join(words)}, or none{like(tag, words)}"
            )


def _refuse_odd_marks(source: ExerciseSource, cell: Cell) -> None:
    """InputError for a mark of a solution that is none: what it encloses would be handed out."""
    marks = []
    for number, line in enumerate(cell.text.split("\n"), 1):
        if line.strip() in (BEGIN, END):
            marks.append(line.strip())
        elif _MARK.search(line):
            raise InputError(
                f"{source.place(cell, number)}: {line.strip()!r} is no mark of a solution; write "
                f"{BEGIN} or {END}, alone in its line"
            )
    if marks != [BEGIN, END] * (len(marks) // 2):
        raise InputError(
            f"{source.place(cell)}: each {BEGIN} needs one {END} after it, and no other between"
        )


def _refuse_without_setup(source: ExerciseSource) -> None:
    """InputError unless one cell is the first to run: it gets the copy's inputs."""
    tagged = [cell for cell in source.cells if "setup" in cell.tags and not cell.markdown]
    if len(tagged) != 1:
        raise InputError(
            f'{source.path}: {len(tagged)} cells of code are tagged "setup"; tag the first cell '
            "that runs, which imports begin, check and hint"
        )


def _refuse_data_of_its_own(source: ExerciseSource) -> None:
    """InputError for a value question whose data are not those of each student's copy."""
    read: set[str] = set()
    for cell in source.cells:
        if cell.markdown or "spec" in cell.tags:
            continue
        try:
            read |= {statement.question for statement in given_in(cell.text)}
        except GivenProblem as problem:
            raise InputError(f"{source.place(cell, problem.line)}: {problem}") from None
    for question in source.exercise.questions:
        if question.kind == "value" and question.name not in read:
            names = _names(question)
            call = f'spec.given("{question.name}")'
            raise InputError(
                f"{_where_typed(source, names) or source.place_of(question.name)}: no cell reads "
                f"{call}, so the data of each copy are not those by which question "
                f"{question.name} is marked; write them as {', '.join(names)} = {call}"
            )


def _names(question: Question) -> list[str]:
    """The names of a question's inputs, as a cell assigns them."""
    return list(question.sample)


def _where_typed(source: ExerciseSource, names: list[str]) -> str:
    """The place of the first cell that assigns one of these names; "" if none does."""
    for cell in source.cells:
        if cell.markdown or "spec" in cell.tags:
            continue
        for number, line in enumerate(cell.text.split("\n"), 1):
            if any(re.match(rf"{name}\b[^=]*=[^=]", line) for name in names):
                return source.place(cell, number)
    return ""
