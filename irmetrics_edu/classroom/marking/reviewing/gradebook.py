"""The book of marks: a row for each student and exercise; every report is a view of it."""

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property

from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.lateness import Lateness, LatenessRules
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result
from irmetrics_edu.classroom.marking.reviewing.copied_values import CopiedValues
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandMark, Manual, ManualMarks
from irmetrics_edu.numbers import as_fraction

MISSING = "nothing handed in"
ATTEMPTS = ("last", "first", "best")
UNTIMED = "no platform says when it was handed in: no penalty was taken"
UNBELIEVED = (
    "a student can hand in a timestamp.txt, so only one in nbgrader's folder submitted is believed"
)
NAMELESS = "names are hidden: whether the student has an extension is not known"
BY_NAME = "no times are known: of several files, the last by name counts"
NO_STEP = (
    "the platform does not say how late it is: give the time with --times, or a rule 'late mark'"
)


@dataclass(frozen=True)
class QuestionLine:
    """One question in a row: the computed marks, and the teacher's marks if there are any.

    `hand` belongs to a question with a rubric, which is not marked by the program. `regraded` are
    the marks after the teacher's table of changes, and `said` is its comment.
    """

    question: QuestionMark
    manual: Manual | None = None
    hand: HandMark | None = None
    regraded: float | None = None
    said: str = ""

    @property
    def marks(self) -> float | None:
        """The marks that count; None if there are none yet."""
        if self.manual and self.manual.marks is not None:
            return self.manual.marks
        if self.regraded is not None:
            return self.regraded
        if self.hand:
            return self.hand.marks
        return self.question.marks if self.question.judged else None

    @property
    def without_manual(self) -> float | None:
        """The marks that would count without the teacher's entry in manual.csv."""
        return replace(self, manual=None).marks

    @property
    def overruled(self) -> bool:
        """Whether the teacher's tables decide the marks, whatever a program or a rubric says."""
        return self.regraded is not None or bool(self.manual and self.manual.marks is not None)


@dataclass(frozen=True)
class Row:
    """The result of a student for an exercise.

    `lateness` names the clock and the cost. `copied` is for the teacher: whose numbers the answers
    are, by question, and notes that depend on other submissions. `others` are submissions of the
    same student that do not count. `times` holds notes about times. `group` is the group that
    handed in for the student. `anonymous` says that a platform hides the student's name.
    """

    person: Person
    exercise: str
    stem: str
    title: str
    out_of: float
    status: str
    result: Result | None = None
    lines: tuple[QuestionLine, ...] = ()
    manual: Manual | None = None
    lateness: Lateness = field(default_factory=Lateness)
    copied: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    group: str = ""
    anonymous: bool = False

    @property
    def unit(self) -> str:
        """The unit that handed in: the group, or else the student."""
        return self.group or self.student

    @property
    def student(self) -> str:
        """The student's name, under which copies are made."""
        return self.person.student

    @property
    def late(self) -> str:
        """How late the submission is, in words; "" if it is in time."""
        return self.lateness.said

    @property
    def raw(self) -> float | None:
        """All marks before any penalty; None if some are unknown, since unknown is not 0."""
        if self.by_hand is not None:
            return self.by_hand
        each = [line.marks for line in self.lines]
        if not each or None in each:
            return None
        return round(sum(m for m in each if m is not None), 4)

    @property
    def by_hand(self) -> float | None:
        """The total marks that the teacher set; they are final, however late the submission is."""
        return self.manual.marks if self.manual else None

    @property
    def beaten(self) -> tuple[float, float] | None:
        """A mark by hand for the whole that is below what the questions have, and what they have.

        Open questions count nothing, and lateness costs what it costs.
        """
        if self.by_hand is None:
            return None
        marks = [line.marks for line in self.lines if line.marks is not None]
        share = as_fraction(self.out_of) * (self.lateness.share or 0)
        total = round(float(sum(map(as_fraction, marks), -share)), 4)
        return (self.by_hand, total) if self.by_hand < total else None

    @property
    def penalty(self) -> float | None:
        """The penalty for lateness, at most the marks themselves; None if it is unknown."""
        share = Fraction(0) if self.by_hand is not None else self.lateness.share
        if share is None or self.raw is None:
            return None
        return round(float(min(as_fraction(self.out_of) * share, as_fraction(max(0, self.raw)))), 4)

    @property
    def marks(self) -> float | None:
        """The final marks after the penalty; None if they are unknown."""
        if self.raw is None or self.penalty is None:
            return None
        return round(self.raw - self.penalty, 4)


@dataclass(frozen=True)
class GradeBook:
    """What makes rows of the results of a class, by path of the submission.

    `manual` are the teacher's marks by student, exercise and question, and `attempt` says which of
    several submissions counts: the last, the first or the best.
    """

    results: Mapping[str, Result]
    answer_keys: Mapping[str, AnswerKey]
    manual: ManualMarks
    people: Sequence[Person]
    rules: LatenessRules
    attempt: str

    @cached_property
    def persons(self) -> Mapping[str, Person]:
        """The students of the roster by name."""
        return {person.student: person for person in self.people}

    @cached_property
    def groups(self) -> Mapping[str, Sequence[str]]:
        """The members of each group."""
        return members(self.people)

    def rows(self, hand_ins: Sequence[HandIn]) -> list[Row]:
        """The rows, by student and exercise; a group's submission gives a row for each member."""
        attempts = self._attempts(hand_ins)
        copied = CopiedValues(hand_ins, self.answer_keys)
        rows = []
        for (student, *_), attempts_of_student in attempts.items():
            made = []
            for hand_in in sorted(attempts_of_student, key=_order):
                row = self._row(hand_in, student, copied)
                if row is not None:
                    made.append((row, hand_in))
            if made:
                rows.append(_counting(made, self.attempt))
        rows += self._missing(hand_ins, attempts.keys())
        return in_order(rows)

    def _attempts(
        self, hand_ins: Sequence[HandIn]
    ) -> Mapping[tuple[str, str, str], Sequence[HandIn]]:
        """The submissions of each student for each exercise.

        Files of an unknown exercise may be of several: none of them stands for another.
        """
        attempts: dict[tuple[str, str, str], list[HandIn]] = {}
        for hand_in in hand_ins:
            apart = "" if hand_in.number else hand_in.submission.path
            for student in self.groups.get(hand_in.student, [hand_in.student]):
                at = student, hand_in.number, apart
                attempts.setdefault(at, []).append(hand_in)
        return attempts

    def _missing(
        self, hand_ins: Sequence[HandIn], handed_in: Container[tuple[str, str, str]]
    ) -> Iterator[Row]:
        """A row for each exercise that a student of the roster did not hand in.

        Where names are hidden, who of the named ones handed in is not known.
        """
        numbers = sorted({hand_in.number for hand_in in hand_ins if not hand_in.stray} - {""})
        hidden = {one.number for one in hand_ins if one.submission.who.anonymous}
        for person in self.people:
            if person.test:
                continue
            for number in numbers:
                can_be_told = person.blind or number not in hidden
                if can_be_told and (person.student, number, "") not in handed_in:
                    yield replace(self._blank(person, number, MISSING), anonymous=person.blind)

    def _blank(
        self,
        person: Person,
        number: str,
        status: str,
    ) -> Row:
        """A row without marks."""
        row = Row(
            person=person,
            exercise=number,
            stem="unknown",
            title="unknown exercise",
            out_of=0.0,
            status=status,
        )
        manual = self.manual.get((person.student, number, ""))
        if not number:
            return replace(row, manual=manual)
        source = self.answer_keys[number].source
        return replace(
            row,
            stem=source.stem,
            title=source.exercise.title,
            out_of=source.exercise.marks,
            manual=manual,
        )

    def _row(
        self,
        hand_in: HandIn,
        student: str,
        copied: CopiedValues,
    ) -> Row | None:
        """The row of a student for a submission; None if it has no result."""
        number = hand_in.number
        result = self.results.get(hand_in.submission.path)
        if result is None:
            return None
        late, times = _lateness(hand_in, student, self.rules)
        lines = []
        for question in result.questions:
            manual = self.manual.get((student, number, question.name))
            lines.append(QuestionLine(question, manual))
        person = self.persons.get(student, Person(student))
        blank = self._blank(person, number, result.status)
        return replace(
            blank,
            out_of=self._out_of(number, result, blank),
            result=result,
            lines=tuple(lines),
            lateness=late,
            copied=(*copied.notes(hand_in, result), *hand_in.notes),
            times=times,
            group=hand_in.student if hand_in.student in self.groups else "",
            anonymous=hand_in.submission.who.anonymous,
        )

    def _out_of(self, number: str, result: Result, blank: Row) -> float:
        """The marks that can be had.

        A result that is kept counts by the marks of its own questions, though the source may give
        others by now; marks by hand are given by the source as it is.
        """
        if not number or not result.questions:
            return blank.out_of
        of_program = [question.out_of for question in result.questions if not question.bonus]
        exercise = self.answer_keys[number].source.exercise
        of_hand = [question.marks for question in exercise.by_hand]
        return float(sum(map(as_fraction, [*of_program, *of_hand])))


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The rows by exercise and student."""
    return sorted(rows, key=lambda row: (row.exercise, row.student, row.status))


def _counting(every: Sequence[tuple[Row, HandIn]], attempt: str) -> Row:
    """The row of the submission that counts; it names those that don't count."""
    # One that can be read comes before one that can't, whatever the time.
    readable = [one for one in every if one[1].ready is not None] or every
    if attempt == "best":
        chosen, counting = max(readable, key=_marks_of)
    elif attempt == "first":
        chosen, counting = readable[0]
    else:
        chosen, counting = readable[-1]
    others = [hand_in.submission.path for _, hand_in in every if hand_in is not counting]
    times = chosen.times
    untimed = any(hand_in.submission.handed_in is None for _, hand_in in readable)
    if len(readable) > 1 and untimed and attempt == "last":
        times = (*times, BY_NAME)
    return replace(chosen, others=tuple(others), times=times)


def _marks_of(one: tuple[Row, HandIn]) -> float:
    marks = one[0].marks
    return -math.inf if marks is None else marks


def _order(hand_in: HandIn) -> tuple[datetime, list[tuple[int, str]], int]:
    """The order of attempts: by the platform's times, else by the numbers in file names."""
    name = hand_in.submission.path.removesuffix(".ipynb")
    numbered = _NUMBERED.fullmatch(name)
    stem, number = numbered.groups() if numbered else (name, None)
    parts = [_as_ordered(part) for part in re.split(r"(\d+)", stem)]
    when = hand_in.submission.handed_in or datetime.min.replace(tzinfo=UTC)
    return when, parts, int(number or 0)


def _as_ordered(part: str) -> tuple[int, str]:
    """A part of a name as it is ordered: numbers by their values."""
    return (int(part), "") if part.isdecimal() else (0, part)


_NUMBERED = re.compile(r"(.*?)(?:[ _-]+\(?(\d{1,3})\)?)?", re.DOTALL)


def _lateness(
    hand_in: HandIn, student: str, rules: LatenessRules
) -> tuple[Lateness, tuple[str, ...]]:
    """How late a submission is, and notes to the teacher about its times."""
    submission = hand_in.submission
    number = hand_in.number
    if not number and not submission.who.late:
        return Lateness(), ()
    # The extension that applies is the student's own, else the group's.
    extended = rules.extensions.keys() & {(student, number), (student, "")}
    late = rules.of(
        student if extended else hand_in.student,
        number,
        submission.handed_in,
        clock=submission.clock,
        marked=submission.who.late,
    )
    if late.share is None:
        return late, (NO_STEP,)
    if late.said and submission.who.anonymous and rules.extensions:
        return late, (NAMELESS,)
    if number and rules.deadline(hand_in.student, number):
        return late, _untimed(submission)
    return late, ()


def _untimed(submission: Submission) -> tuple[str, ...]:
    """Notes on a submission with a deadline of which no platform says when it was handed in."""
    if submission.handed_in is not None or submission.who.late is not None:
        return ()
    if submission.stamp and not submission.believed:
        return (UNTIMED, UNBELIEVED)
    return (UNTIMED,)


PENDING = "to be marked by hand"


def with_status(row: Row) -> Row:
    """The row with its status by the marks that it has: whether it waits for a marker."""
    if row.result is None or row.result.status != GRADED:
        return row
    waits = any(line.hand and line.marks is None for line in row.lines) and row.by_hand is None
    return replace(row, status=PENDING if waits else GRADED)
