"""Marks that the teacher gives: a table for any question, and a page for those with a rubric.

    manual.csv              student,exercise,question,marks,comment: they replace computed marks
    by-hand/marking.html    all answers, to be marked in a browser (marking_page.py)

Points belong to the answer that they were given for: when the student hands in another answer, that
one is to be marked.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from irmetrics_edu.classroom.exercises.source import BLANK, ExerciseSource
from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.class_tables import entries, points
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook, clean
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.matching.added_cells import (
    elsewhere,
    handed_out,
    placed,
    squeezed,
)
from irmetrics_edu.classroom.marking.results import write
from irmetrics_edu.errors import InputError

FOLDER = "by-hand"
MANUAL = ("student", "exercise", "question", "marks", "comment")
MARKED = "marked"
OPEN = "to be marked"
NONE = "no answer"
DIFFER = "markers differ"
LOST = "its cell is gone, look into the notebook"
LONGEST = 50_000


@dataclass(frozen=True)
class Manual:
    """The teacher's entry by hand: marks that replace the computed ones, a comment, or both."""

    marks: float | None = None
    comment: str = ""


# The teacher's entries by student, exercise and question; "" is for the whole exercise.
ManualMarks = Mapping[tuple[str, str, str], Manual]


def read_manual(
    path: Path, questions: Mapping[str, Mapping[str, float]], people: Sequence[Person]
) -> ManualMarks:
    """The marks in manual.csv, by student, exercise and question; InputError names the line.

    `questions` are the marks that can be had, by exercise and question. A line without a question
    is for the whole exercise, and one for a group is for all members without a line of their own.
    Where there is no file, one with its head alone is made.
    """
    if not path.exists():
        write(path, ",".join(MANUAL) + "\r\n")
        return {}
    manual: dict[tuple[str, str, str], Manual] = {}
    for where, cells in entries(
        path,
        people,
        MANUAL,
        once=MANUAL[:3],
        questions=questions,
    ):
        student = cells["student"]
        exercise = cells["exercise"]
        question = cells["question"]
        if not student:
            raise InputError(f"{where}: name a student")
        most = questions[exercise][question] if question else sum(questions[exercise].values())
        marks = points(cells["marks"], most, f"{where}: marks")
        manual[student, exercise, question] = Manual(marks, cells["comment"])
    groups = members(people)
    for (name, exercise, question), entry in list(manual.items()):
        for student in groups.get(name, ()):
            manual.setdefault((student, exercise, question), entry)
    return manual


@dataclass(frozen=True)
class HandAnswer:
    """A student's answer to a question that is marked by hand; no text if there is none.

    `look` says where the answer may stand if it is not in its cell.
    """

    student: str
    text: str
    look: str = ""

    @property
    def id(self) -> str:
        """The id of an answer; spaces at line ends make no difference to it.

        An answer that stands elsewhere in the notebook is the student's own.
        """
        text = "\n".join(line.rstrip() for line in self.text.splitlines())
        if self.look and not text:
            text = f"{self.student}\0{self.look}"
        return "a-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


class SavedMark(TypedDict):
    """The points of an answer by criterion, None for missing ones, and a comment."""

    points: list[float | None]
    comment: str


@dataclass(frozen=True)
class Saved:
    """A file of the page: who marked, and the points and the comment by question and answer id."""

    path: Path
    marker: str
    marks: Mapping[str, Mapping[str, SavedMark]]


@dataclass(frozen=True)
class HandMark:
    """The teacher's points for an answer, per criterion; None for missing points.

    `state` is marked, to be marked, no answer, or that markers differ, whose points are in the
    `note`.
    """

    question: ByHand
    state: str
    points: tuple[float | None, ...] = ()
    comment: str = ""
    note: str = ""

    @property
    def marks(self) -> float | None:
        """The total points; None if some are missing, or markers differ."""
        if self.state == NONE:
            return 0.0
        filled_in = [p for p in self.points if p is not None]
        return round(sum(filled_in), 4) if self.state == MARKED else None

    @property
    def each(self) -> list[tuple[Criterion, float]]:
        """Each criterion with its points, if none is missing."""
        if self.state != MARKED:
            return []
        pairs = zip(self.question.rubric, self.points, strict=True)
        return [(criterion, p) for criterion, p in pairs if p is not None]


def answer(
    source: ExerciseSource,
    question: ByHand,
    student: str,
    book: Notebook,
) -> HandAnswer:
    """A student's answer: the cell that was handed out for it, and those added below it.

    If that cell is gone, it is the cells with its first line.
    """
    name = source.id_of(question.name)
    blank = handed_out(source)[name]
    first = blank.split("\n")[0].strip()
    texts = [cell.text for cell in placed(source, book) if cell.id == name]
    if not texts and first not in {"", BLANK}:
        texts = [text for text in book.texts if first in text]
    written = [text.strip() for text in texts if squeezed(text) != squeezed(blank)]
    whole = "\n\n".join(written)
    look = ""
    if not whole:
        there = texts or name in book.ids
        look = elsewhere(source, book) if there else LOST
    return HandAnswer(student, clean(whole, LONGEST), look)


@dataclass(frozen=True)
class _Given:
    """What one marker gave for an answer: the points by criterion, and a comment."""

    marker: str
    points: tuple[float | None, ...]
    comment: str

    @property
    def empty(self) -> bool:
        """Whether there is neither a point nor a comment."""
        return not self.comment and all(one is None for one in self.points)

    def __str__(self) -> str:
        return f"{self.marker} {' '.join(map(_point, self.points))}"


def marks(
    name: str,
    question: ByHand,
    answers: Sequence[HandAnswer],
    saved: Sequence[Saved],
) -> dict[str, HandMark]:
    """The points of each student, as they were given in the browser by the answer's id."""
    marked = {}
    for hand_answer in answers:
        if hand_answer.text or hand_answer.look:
            marked[hand_answer.student] = _marked(question, _given(name, hand_answer, saved))
        else:
            marked[hand_answer.student] = HandMark(question, NONE)
    return marked


def _given(name: str, hand_answer: HandAnswer, saved: Sequence[Saved]) -> list[_Given]:
    """What the markers gave for an answer, each who gave anything."""
    by_markers = []
    for file in saved:
        mark = file.marks.get(name, {}).get(hand_answer.id)
        if mark:
            one = _Given(file.marker, tuple(mark["points"]), mark["comment"].strip())
            if not one.empty:
                by_markers.append(one)
    return by_markers


def _marked(question: ByHand, by_markers: Sequence[_Given]) -> HandMark:
    """The points of an answer: those of the markers if they agree."""
    if not by_markers:
        return HandMark(question, OPEN)
    if len({one.points for one in by_markers}) > 1:
        return HandMark(question, DIFFER, note=", ".join(map(str, by_markers)))
    last = by_markers[-1].points
    comments = dict.fromkeys(one.comment for one in by_markers if one.comment)
    state = OPEN if None in last else MARKED
    return HandMark(
        question,
        state,
        points=last,
        comment="; ".join(comments),
    )


def _point(points: float | None) -> str:
    return "-" if points is None else f"{points:g}"
