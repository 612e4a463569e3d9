"""Builds notebooks from the source of an exercise: the students' copies, solved, for nbgrader.

`irmetrics-edu exercises` writes them. The build is deterministic.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.exercises import other_graders
from irmetrics_edu.classroom.exercises.checking import packed
from irmetrics_edu.classroom.exercises.source import (
    SOLUTIONS,
    Source,
    identified,
    paths_in,
    solved,
    unsolved,
    with_data,
)
from irmetrics_edu.classroom.exercises.spec import Exercise, Question
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.course import translated
from irmetrics_edu.course.build import as_text, chosen
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.writing import write

WIDTH = 96


def sources(names: list[str] | None = None, folder: Path = SOLUTIONS) -> list[Path]:
    """The sources of the exercises, or those whose names begin with one of the given texts."""
    return chosen(paths_in(folder), names or ())


def notebook(
    source: Source,
    variant: Variant = GENERAL,
    language: str = "",
    form: Callable[[str, str], str] = unsolved,
) -> Any:
    """The notebook that a student gets; `form` makes another of the cells with a solution."""
    nbformat = extra("nbformat", what="a copy of an exercise")
    exercise = source.exercise
    translate = translated.translator(language, source.stem) if language else str
    values = {
        q.name: variant.trial(exercise.number, q) for q in exercise.questions if q.kind == "value"
    }
    trials = {**source.tried, **values}
    inputs = {name: trial.general[0] for name, trial in trials.items()}
    made = []
    for name, cell in identified(source):
        text = cell.text
        question = source.question_of(cell)
        if cell.markdown:
            # The grader knows an answer that is still blank by its English words.
            own = form(text, "") if question else ""
            text = own or translated.cell(text, translate, markdown=True)
            made.append(nbformat.v4.new_markdown_cell(text, id=name))
            continue
        text = with_data(text, inputs)
        if question:
            text = form(text, question)
        if "setup" in cell.tags:
            shown = in_language(exercise, lambda said, _: translate(said))
            text = f"{text}\n\n{_begin(packed(shown, trials), language)}"
        new = nbformat.v4.new_code_cell(text, id=name)
        if "setup" in cell.tags:
            new.metadata["jupyter"] = {"source_hidden": True}
        made.append(new)
    book = nbformat.v4.new_notebook(cells=made)
    book.metadata = {
        "irmetrics_edu": {"exercise": exercise.number, "copy": variant.fingerprint},
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    book.nbformat, book.nbformat_minor = 4, 5
    return book


def _begin(text: str, language: str) -> str:
    lines = "\n".join(text[i : i + WIDTH] for i in range(0, len(text), WIDTH))
    spoken = f', language="{language}"' if language else ""
    return f'# The inputs that check() tries, and the hints.\nbegin("""\n{lines}\n"""{spoken})'


def solution(source: Source, variant: Variant = GENERAL) -> Any:
    """The solved notebook, not yet run."""
    return notebook(source, variant, form=lambda text, _: solved(text))


def write_general(source: Source, folder: Path, language: str = "") -> Path:
    """Write the one copy for all into a folder; return its path."""
    target = folder / f"{source.stem}.ipynb"
    write(target, as_text(notebook(source, language=language)))
    return target


def write_copies(
    source: Source, students: list[str], key: bytes, folder: Path, language: str = ""
) -> list[Path]:
    """Write a copy for each student into a folder of that name; return the paths."""
    written = []
    for student in students:
        if student in {"", ".", ".."} or set(student) & set("/\\\0"):
            raise InputError(f"student {student!r} can't name a folder")
        target = folder / student / f"{source.stem}.ipynb"
        write(target, as_text(notebook(source, Variant(student, key), language)))
        written.append(target)
    return written


def in_language(exercise: Exercise, translate: Callable[[str, str], str]) -> Exercise:
    """An exercise with the texts that its notebook shows translated."""

    def one(question: Question) -> Question:
        about = f"question {question.name}"
        return replace(
            question,
            column=translate(question.column, f"{about}: a column"),
            line=translate(question.line, f"{about}: what a line is called"),
            hints=[translate(hint, f"{about}: a hint") for hint in question.hints],
            wrongs=[
                replace(
                    wrong,
                    says=translate(wrong.says, f"{wrong.label}: Your values equal those of ..."),
                    why=translate(wrong.why, f"{wrong.label}: why it is wrong"),
                )
                for wrong in question.wrongs
            ],
        )

    title = translate(exercise.title, "the title of the exercise")
    return replace(exercise, title=title, questions=[one(q) for q in exercise.questions])


def write_nbgrader(source: Source, folder: Path, key: bytes) -> Path:
    """Write the source form of nbgrader: FOLDER/source/NN_topic/NN_topic.ipynb; return its path."""
    target = folder / "source" / source.stem / f"{source.stem}.ipynb"
    book = other_graders.for_nbgrader(source, notebook(source, form=lambda text, _: text), key)
    write(target, as_text(book))
    return target


def write_otter(source: Source, folder: Path, key: bytes) -> list[Path]:
    """Write the copy for all and Otter's test files into FOLDER/NN_topic; return the paths."""
    place = folder / source.stem
    written = [write_general(source, place)]
    for name, text in other_graders.for_otter(source, key).items():
        written.append(place / "tests" / name)
        write(written[-1], text)
    return written
