"""Marks that the teacher gives: a table for any question, and one for each question with a rubric.

    manual.csv              student,exercise,question,marks,comment: they replace computed marks
    by-hand/77-why.csv      a line for each student: points for each criterion, and a comment
    by-hand/marking.html    all answers, to be marked in a browser (marking_page.py)

A table is read before it is written anew, and no line in it is ever dropped. Points belong to the
answer whose id stands in their line: when the student hands in another answer, they do not count
until the teacher has looked at it and written the new id there.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irmetrics_edu.classroom.exercises.source import BLANK, Source
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.added_cells import (
    elsewhere,
    handed_out,
    id_of,
    placed,
    squeezed,
)
from irmetrics_edu.classroom.marking.class_tables import entries, ids, points, student_of
from irmetrics_edu.classroom.marking.notebook import Notebook, clean
from irmetrics_edu.classroom.marking.owner_names import Person, folded, normal
from irmetrics_edu.classroom.marking.results import write
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import Table, table
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import csv_table

FOLDER = "by-hand"
MANUAL = ("student", "exercise", "question", "marks", "comment")
MARKED, OPEN, NONE = "marked", "to be marked", "no answer"
CHANGED, GONE, DIFFER = "answer changed", "no such answer now", "markers differ"
LOST = "its cell is gone, look into the notebook"
LONGEST, IN_TABLE = 50_000, 5_000


@dataclass(frozen=True)
class Manual:
    """The teacher's entry by hand: marks that replace the computed ones, a comment, or both."""

    marks: float | None = None
    comment: str = ""


def read_manual(
    path: Path, questions: Mapping[str, Mapping[str, float]], students: Iterable[str]
) -> dict[tuple[str, str, str], Manual]:
    """The marks in manual.csv, by student, exercise and question; InputError names the line.

    `questions` are the marks that can be had, by exercise and question. A line without a question
    is for the whole exercise. Where there is no file, one with its head alone is made.
    """
    if not path.exists():
        write(path, ",".join(MANUAL) + "\r\n")
        return {}
    known = ids(Person(student) for student in students)
    found: dict[tuple[str, str, str], Manual] = {}
    for where, cells in entries(path, {s for own in known.values() for s in own}, MANUAL):
        student = student_of(cells["student"], known, where)
        exercise, question = cells["exercise"].zfill(2), cells["question"]
        if exercise not in questions:
            raise InputError(f"{where}: exercise {exercise!r}; known are {sorted(questions)}")
        if question and question not in questions[exercise]:
            raise InputError(
                f"{where}: question {question!r}; exercise {exercise} has "
                f"{', '.join(questions[exercise])}"
            )
        most = questions[exercise][question] if question else sum(questions[exercise].values())
        at = student, exercise, question
        if at in found:
            raise InputError(f"{where}: {student}, exercise {exercise}, {question} a second time")
        found[at] = Manual(points(cells["marks"], most, f"{where}: marks"), cells["comment"])
    return found


@dataclass(frozen=True)
class Answer:
    """A student's answer to a question that is marked by hand; no text if there is none.

    `look` says where the answer may stand if it is not in its cell.
    """

    student: str
    text: str
    look: str = ""

    @property
    def id(self) -> str:
        """The id of an answer; spaces at line ends make no difference to it."""
        text = "\n".join(line.rstrip() for line in self.text.splitlines())
        return "a-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True)
class Marked:
    """What a marker gave to an answer in the browser."""

    marker: str
    points: tuple[float | None, ...]
    comment: str


@dataclass(frozen=True)
class HandMark:
    """The teacher's points for an answer, per criterion; None for missing points.

    `state` is marked, to be marked, no answer, that the answer changed after it was marked, or that
    markers differ, whose points are in the `note`.
    """

    question: ByHand
    state: str
    points: tuple[float | None, ...] = ()
    comment: str = ""
    id: str = ""
    note: str = ""

    @property
    def marks(self) -> float | None:
        """The total points; None if some are missing or were given for another answer."""
        if self.state == NONE:
            return 0.0
        known = [p for p in self.points if p is not None]
        return round(sum(known), 4) if self.state == MARKED else None

    @property
    def each(self) -> list[tuple[Criterion, float]]:
        """Each criterion with its points, if none is missing."""
        if self.state != MARKED:
            return []
        pairs = zip(self.question.rubric, self.points, strict=True)
        return [(criterion, p) for criterion, p in pairs if p is not None]


def answer(source: Source, question: ByHand, student: str, book: Notebook) -> Answer:
    """A student's answer: the cell that was handed out for it, and those added below it.

    If that cell is gone, it is the cells with its first line.
    """
    name = id_of(source, question.name)
    given = handed_out(source)[name]
    first = given.split("\n")[0].strip()
    texts = [cell.text for cell in placed(source, book) if cell.id == name]
    if not texts and first not in {"", BLANK}:
        texts = [text for text in book.texts if first in text]
    text = "\n\n".join(t.strip() for t in texts if squeezed(t) != squeezed(given))
    look = ""
    if not text:
        found = texts or name in book.ids
        look = elsewhere(source, book, question.name) if found else LOST
    return Answer(student, clean(text, LONGEST), look)


def head(question: ByHand) -> list[str]:
    """The columns of the table."""
    points = [f"{c.name} (0 to {c.points:g})" for c in question.rubric]
    return ["student", "answer id", "state", *points, "comment", "answer"]


def name_of(number: str, question: ByHand) -> str:
    """The name of the table and of the page, without their ends."""
    return f"{number}-{question.name}"


def marks(
    path: Path, question: ByHand, answers: Sequence[Answer]
) -> tuple[dict[str, HandMark], list[list[str]]]:
    """The points given so far, and the lines of students who have no answer now.

    InputError names the file and the line of an invalid entry; then nothing is written.
    """
    by_name = {folded(str(escaping.csv(a.student))): a for a in answers}
    found = {
        a.student: HandMark(question, OPEN if a.text or a.look else NONE, id=a.id) for a in answers
    }
    if not path.exists():
        return found, []
    given, wanted = table(path, [a.student for a in answers]), head(question)
    if [normal(c) for c in given.head] != [normal(c) for c in wanted]:
        raise InputError(
            f"{path}, line 1: the head must be {','.join(wanted)}; if the rubric has changed, "
            "change the columns to its criteria"
        )
    seen: set[str] = set()
    left = []
    for number, row in given.rows:
        where = f"{path}, line {number}"
        if len(row) > len(wanted):
            raise InputError(f"{where}: {len(row)} fields; quote a comment with commas")
        cells = [normal(cell) for cell in row] + [""] * (len(wanted) - len(row))
        student, id_, _, *middle, comment, _ = cells
        given_points = tuple(
            points(text, c.points, f"{where}: {c.name}")
            for text, c in zip(middle, question.rubric, strict=True)
        )
        if folded(student) in seen:
            raise InputError(f"{where}: student {student!r} a second time")
        seen.add(folded(student))
        own = by_name.get(folded(student))
        if own is None:
            _renamed(student, id_, answers, given, where)
            left.append([student, id_, GONE, *middle, comment, row[-1] if len(row) > 1 else ""])
        else:
            found[own.student] = _merged(found[own.student], id_, given_points, comment)
    return found, left


def with_saved(
    found: Mapping[str, HandMark], answers: Sequence[Answer], saved: Mapping[str, Sequence[Marked]]
) -> dict[str, HandMark]:
    """The marks with those that were given in the browser, by the answer's id; they come first."""
    made = dict(found)
    for own in answers:
        given = [m for m in saved.get(own.id, ()) if set(m.points) - {None} or m.comment]
        if not given or not (own.text or own.look):
            continue
        last = replace(
            made[own.student], points=given[-1].points, comment=given[-1].comment, id=own.id
        )
        if len({m.points for m in given}) > 1:
            note = ", ".join(f"{m.marker} {' '.join(map(_point, m.points))}" for m in given)
            made[own.student] = replace(last, state=DIFFER, points=(), comment="", note=note)
        else:
            said = "; ".join(dict.fromkeys(m.comment for m in given if m.comment))
            done = all(p is not None for p in last.points)
            made[own.student] = replace(last, state=MARKED if done else OPEN, comment=said)
    return made


def _point(points: float | None) -> str:
    return "-" if points is None else f"{points:g}"


def _renamed(student: str, id_: str, answers: Sequence[Answer], given: Table, where: str) -> None:
    """InputError if an unknown name is a student's, spoilt on the way through a spreadsheet."""
    listed = {folded(row[0]) for _, row in given.rows}
    for own in answers:
        name = str(escaping.csv(own.student))
        if own.id == id_ and folded(name) not in listed and _bare(name) == _bare(student):
            raise InputError(
                f"{where}: nobody is called {student!r}, and the answer is that of "
                f"{own.student!r}; open the table as UTF-8, and correct the names"
            )


def _bare(name: str) -> str:
    """What no encoding changes in a name."""
    return re.sub(r"[^\x21-\x7e]|\?", "", name)


def _merged(
    now: HandMark, id_: str, points: tuple[float | None, ...], comment: str
) -> HandMark:  # fmt: skip
    """The given mark, if it belongs to the student's current answer."""
    given = replace(now, points=points, comment=comment)
    started = any(p is not None for p in points) or bool(comment)
    if id_ != now.id and started:
        return replace(given, state=CHANGED, id=id_)
    if points and all(p is not None for p in points):
        return replace(given, state=MARKED)
    return replace(given, state=OPEN if set(points) - {None} else now.state)


def sheet(
    question: ByHand, answers: Sequence[Answer], given: Mapping[str, HandMark],
    left: Sequence[Sequence[str]],
) -> str:  # fmt: skip
    """The table with the teacher's entries and the new lines."""
    lines: list[Sequence[object]] = [head(question)]
    for own in sorted(answers, key=lambda a: a.student):
        mark = given[own.student]
        points = mark.points or (None,) * len(question.rubric)
        state = mark.state
        if state == CHANGED:
            state = f"{CHANGED}: look again, then write {own.id} as the answer id"
        elif state == DIFFER:
            state = f"{DIFFER}: {mark.note}"
        elif state == OPEN and own.look:
            state = f"{OPEN}: {own.look}"
        shown = ["" if p is None else f"{p:g}" for p in points]
        text = clean(own.text, IN_TABLE)
        lines.append([own.student, mark.id, state, *shown, mark.comment, text])
    return csv_table([*lines, *left], end="\r\n")
