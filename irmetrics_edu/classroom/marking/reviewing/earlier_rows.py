"""The rows of earlier rounds that stand: of students and exercises without a file in this round.

    rows.json       the rows of the last round, with the answers that are marked by hand

A student who hands in late, or the next exercise, may be graded into the folder of the class. It
changes its own rows alone. All others stay as they were, lateness and changes of marks included;
`manual.csv` and the marks by hand are read anew, as they are of the whole folder.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.matching.lateness import Lateness
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import QuestionMark, Result, as_stored, write
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row, with_status
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    HandAnswer,
    HandMark,
    Manual,
    ManualMarks,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import restored, stored

NAME = "rows.json"
_SHARE = re.compile(r"-?[0-9]{1,500}(/[0-9]{1,500})?")


@dataclass(frozen=True)
class EarlierRow:
    """A row of an earlier round, with its answers to the questions that are marked by hand."""

    row: Row
    answers: Mapping[str, HandAnswer] = field(default_factory=dict)

    @property
    def by_hand(self) -> list[ByHand]:
        """The questions that are marked by hand."""
        return [line.hand.question for line in self.row.lines if line.hand]

    def with_marks(self, marks: Mapping[str, HandMark], manual: ManualMarks) -> Row:
        """The row with the marks that were given by hand since; `marks` are by question."""
        row = self.row
        lines = []
        for line in row.lines:
            name = line.question.name
            marks_by_table = manual.get((row.student, row.exercise, name))
            hand = marks.get(name, line.hand) if line.hand else None
            lines.append(replace(line, manual=marks_by_table, hand=hand))
        whole = manual.get((row.student, row.exercise, ""))
        return with_status(replace(row, lines=tuple(lines), manual=whole))


def read(folder: Path) -> list[EarlierRow]:
    """The rows of the last round; InputError if they can't be read, as marks would be lost."""
    path = folder / NAME
    if not path.exists():
        return []
    try:
        return [_earlier(one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise InputError(
            f"{path}: it is damaged, and it has the marks of those without a file here; move it "
            "away, and grade the whole class again"
        ) from None


def save(
    folder: Path,
    rows: Sequence[Row],
    answers: Mapping[tuple[str, str], Mapping[str, HandAnswer]],
) -> None:
    """Keep the rows of this round; `answers` are by unit and exercise, and then by question."""
    kept = []
    for row in rows:
        of_row = answers.get((row.unit, row.exercise), {})
        data = asdict(replace(row, result=None))  # which is stored in its own way
        share = row.lateness.share
        data["lateness"]["share"] = None if share is None else str(share)
        data["lateness"]["words"] = stored(row.lateness.said)
        data["result"] = as_stored(row.result) if row.result else None
        data["answers"] = {name: asdict(answer) for name, answer in of_row.items()}
        kept.append(data)
    write(folder / NAME, json.dumps(kept, ensure_ascii=True) + "\n")


def standing(
    earlier: Sequence[EarlierRow], hand_ins: Sequence[HandIn], people: Sequence[Person]
) -> list[EarlierRow]:
    """The rows that stand, as this round has nothing in their place.

    A file that counts for another student now, as its name or the roster has changed, is not there
    twice.
    """
    now = _ThisRound(hand_ins, people)
    kept = []
    for one in earlier:
        if not now.replaces(one.row):
            person = now.listed.get(one.row.student, one.row.person)
            kept.append(replace(one, row=replace(one.row, person=person)))
    return kept


class _ThisRound:
    """Who hands in what in this round."""

    def __init__(self, hand_ins: Sequence[HandIn], people: Sequence[Person]) -> None:
        groups = members(people)
        self.listed = {person.student: person for person in people}
        self.handed_in: set[tuple[str, str]] = set()
        self.files: set[str] = set()
        for hand_in in hand_ins:
            self.files.add(hand_in.submission.digest)
            for student in groups.get(hand_in.student, [hand_in.student]):
                self.handed_in.add((student, hand_in.number))
        self.students = {student for student, _ in self.handed_in}
        self.exercises = {number for _, number in self.handed_in}

    def replaces(self, row: Row) -> bool:
        """Whether this round has something in the place of an earlier row."""
        if (row.student, row.exercise) in self.handed_in:
            return True
        is_listed = row.student in self.listed
        if row.result is None:
            return row.exercise in self.exercises or (bool(self.listed) and not is_listed)
        if not row.exercise and row.student in self.students:
            return True
        return bool(row.result.file) and not is_listed and row.result.file in self.files


def _earlier(data: dict[str, Any]) -> EarlierRow:
    answers = {name: HandAnswer(**answer) for name, answer in data["answers"].items()}
    share = data["lateness"]["share"]
    row = Row(
        person=Person(**data["person"]),
        exercise=data["exercise"],
        stem=data["stem"],
        title=data["title"],
        out_of=data["out_of"],
        status=data["status"],
        result=Result.from_data(data["result"]) if data["result"] else None,
        lines=tuple(map(_line, data["lines"])),
        lateness=Lateness(
            restored(data["lateness"].get("words", data["lateness"]["said"])),
            None if share is None else _share(share),
        ),
        copied=tuple(data["copied"]),
        others=tuple(data["others"]),
        times=tuple(data["times"]),
        group=data["group"],
        anonymous=data["anonymous"],
    )
    return EarlierRow(row, answers)


def _share(text: str) -> Fraction:
    """A share as `save` writes it; ValueError for others: 1e999999999 would take hours."""
    if not _SHARE.fullmatch(text):
        raise ValueError(f"{text!r:.50} is no share")
    return Fraction(text)


def _line(data: dict[str, Any]) -> QuestionLine:
    return QuestionLine(
        QuestionMark.from_data(data["question"]),
        Manual(**data["manual"]) if data["manual"] else None,
        _hand(data["hand"]) if data["hand"] else None,
        data["regraded"],
        data["said"],
    )


def _hand(data: dict[str, Any]) -> HandMark:
    question = data["question"]
    rubric = tuple(Criterion(**criterion) for criterion in question["rubric"])
    return HandMark(
        question=ByHand(question["name"], question["title"], rubric),
        state=data["state"],
        points=tuple(data["points"]),
        comment=data["comment"],
        note=data["note"],
    )
