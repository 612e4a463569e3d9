"""Builds notebooks from the source of an exercise: the students' copies, solved, for nbgrader.

`irmetrics-edu exercises` writes them. The build is deterministic.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.exercises import other_graders
from irmetrics_edu.classroom.exercises.checking import text_of
from irmetrics_edu.classroom.exercises.computed_question import Inputs
from irmetrics_edu.classroom.exercises.source import (
    Cell,
    ExerciseSource,
    GivenProblem,
    identified,
    lines_with_data,
    unsolved,
)
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.writing import write

# Jupyter shows these lines, too, if the import above them fails.
NEEDS = (
    "# If irmetrics_edu is missing, run: %pip install irmetrics-edu\n"
    "# Which questions check() asks, and the data of this copy:"
)
# What each kernel writes: without it, tools that convert notebooks don't know that this is Python.
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
# The tag by which nbconvert and Jupyter Book know a folded cell.
HIDDEN = "hide-input"


@dataclass(frozen=True)
class WrittenCell:
    """A cell of a copy: its id, the cell of the source, and its lines, each with where it is from.

    A line of the copy that comes from no line of the source has the last one before it.
    """

    id: str
    cell: Cell
    lines: Sequence[tuple[int, str]]

    @property
    def text(self) -> str:
        """The text of the cell."""
        return "\n".join(line for _, line in self.lines)


def cells_written(
    source: ExerciseSource,
    variant: Variant,
    form: Callable[[str, str], str],
) -> list[WrittenCell]:
    """The cells of a copy; `form` makes a text of a cell with a solution, and of its question."""
    exercise = source.exercise
    values = {
        q.name: variant.trial(exercise.number, q) for q in exercise.questions if q.kind == "value"
    }
    trials = {**source.tried, **values}
    inputs = {name: trial.general[0] for name, trial in trials.items()}
    written = []
    opened = opening(text_of(exercise, trials, source.topic, variant))
    for name, cell in identified(source):
        lines = list(enumerate(cell.text.split("\n"), 1))
        if not cell.markdown:
            lines = _lines_with_data(source, cell, inputs)
        if source.question_of(cell):
            lines = _formed(source, cell, lines, form)
        if "setup" in cell.tags:
            at = len(lines)
            lines += [(at, line) for line in ["", *opened.split("\n")]]
        written.append(WrittenCell(name, cell, lines))
    return written


def _formed(
    source: ExerciseSource,
    cell: Cell,
    lines: list[tuple[int, str]],
    form: Callable[[str, str], str],
) -> list[tuple[int, str]]:
    """The lines of a cell with a solution, in the form that is asked for."""
    whole = "\n".join(line for _, line in lines)
    text = form(whole, "" if cell.markdown else source.question_of(cell))
    return lines if text == whole else list(enumerate(text.split("\n"), 1))


def _lines_with_data(
    source: ExerciseSource, cell: Cell, inputs: Mapping[str, Inputs]
) -> list[tuple[int, str]]:
    """The lines of a cell with the copy's data; InputError names the place in the source."""
    try:
        return lines_with_data(cell.text, inputs)
    except GivenProblem as problem:
        raise InputError(f"{source.place(cell, problem.line)}: {problem}") from None


def notebook(
    source: ExerciseSource,
    variant: Variant = GENERAL,
    form: Callable[[str, str], str] = unsolved,
) -> Any:
    """The notebook that a student gets; `form` makes another of the cells with a solution."""
    nbformat = extra("nbformat", what="a copy of an exercise")
    exercise = source.exercise
    made = []
    for written in cells_written(source, variant, form):
        if written.cell.markdown:
            made.append(nbformat.v4.new_markdown_cell(written.text, id=written.id))
            continue
        new = nbformat.v4.new_code_cell(written.text, id=written.id)
        if "setup" in written.cell.tags:
            fold(new)
        made.append(new)
    book = nbformat.v4.new_notebook(cells=made)
    book.metadata = {
        "irmetrics_edu": {"exercise": exercise.number, "copy": variant.fingerprint},
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": dict(LANGUAGE),
    }
    book.nbformat, book.nbformat_minor = 4, 5
    return book


def fold(cell: Any) -> None:
    """Fold the code of a cell: in JupyterLab, in Colab, and for tools that convert notebooks."""
    tags = [*cell.metadata.get("tags", ()), HIDDEN]
    cell.metadata["cellView"] = "form"
    cell.metadata["jupyter"] = {"source_hidden": True}
    cell.metadata["tags"] = list(dict.fromkeys(tags))


def as_text(book: Any) -> str:
    """A notebook as it stands in its file."""
    return str(extra("nbformat", what="a copy of an exercise").writes(book, version=4)) + "\n"


def opening(text: str) -> str:
    """The call of `begin` with the text of a copy."""
    return f'{NEEDS}\nbegin(r"""\n{text}\n""")'


def write_copies(
    source: ExerciseSource,
    students: list[str],
    key: bytes,
    folder: Path,
) -> list[Path]:
    """Write a copy for each student into a folder of that name; "" is the one copy for all."""
    written = []
    folders = folders_of(students)
    for student in students:
        target = folder / folders[student] / f"{source.stem}.ipynb"
        variant = Variant(student, key) if student else GENERAL
        write(target, as_text(notebook(source, variant)))
        written.append(target)
    return written


def folders_of(students: Sequence[str]) -> dict[str, str]:
    """The folder of each student: the name, with _ for what the name of no folder can hold.

    >>> folders_of(["Ann", "a/b", "a_b", ".."])
    {'Ann': 'Ann', 'a/b': 'a_b_', 'a_b': 'a_b', '..': '__'}
    """
    taken = set(students)
    folders: dict[str, str] = {}
    for student in students:
        name = re.sub(r"[/\\\0]", "_", student)
        if name in {".", ".."}:
            name = "_" * len(name)
        while name != student and name in taken:
            name += "_"
        taken.add(name)
        folders[student] = name
    return folders


def write_nbgrader(source: ExerciseSource, folder: Path, key: bytes) -> Path:
    """Write the source form of nbgrader: FOLDER/source/NN_topic/NN_topic.ipynb; return its path."""
    target = folder / "source" / source.stem / f"{source.stem}.ipynb"
    book = other_graders.for_nbgrader(source, notebook(source, form=lambda text, _: text), key)
    write(target, as_text(book))
    return target


def write_otter(source: ExerciseSource, folder: Path, key: bytes) -> list[Path]:
    """Write the copy for all and Otter's test files into FOLDER/NN_topic; return the paths."""
    place = folder / source.stem
    written = write_copies(source, [""], b"", place)
    for name, text in other_graders.for_otter(source, key).items():
        written.append(place / "tests" / name)
        write(written[-1], text)
    return written
