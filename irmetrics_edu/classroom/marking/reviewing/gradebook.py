"""The book of marks: a row for each student and exercise; every report is a view of it."""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path

from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import unpack
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, members
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.lateness import Lateness, LatenessRules
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import GRADED, QuestionMark, Result, write
from irmetrics_edu.classroom.marking.reviewing import hand_marks, marking_page
from irmetrics_edu.classroom.marking.reviewing.hand_marks import FOLDER, HandMark, Manual
from irmetrics_edu.errors import InputError
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


def rows(
    hand_ins: Sequence[HandIn],
    results: Mapping[str, Result],
    answer_keys: Mapping[str, AnswerKey],
    by_hand: Mapping[tuple[str, str, str], Manual],
    people: Sequence[Person],
    rules: LatenessRules,
    attempt: str,
) -> list[Row]:
    """The rows, by student and exercise; of several submissions the last, first or best counts.

    The submission of a group gives a row for each member.
    """
    persons = {p.student: p for p in people}
    together = members(people)
    groups: dict[tuple[str, str, str], list[HandIn]] = {}
    for hand_in in hand_ins:
        # Files of an unknown exercise may be of several: none stands for another.
        apart = "" if hand_in.number else hand_in.submission.path
        for student in together.get(hand_in.student, [hand_in.student]):
            groups.setdefault((student, hand_in.number, apart), []).append(hand_in)
    copied = _copied(hand_ins, answer_keys)

    def blank(person: Person, number: str, status: str) -> Row:
        about = "unknown", "unknown exercise", 0.0
        if number:
            source = answer_keys[number].source
            about = source.stem, source.exercise.title, source.exercise.marks
        manual = by_hand.get((person.student, number, ""))
        return Row(person, number, *about, status, manual=manual)

    def row(hand_in: HandIn, student: str) -> Row | None:
        number = hand_in.number
        result = results.get(hand_in.submission.path)
        if result is None:
            return None
        late, times = _lateness(hand_in, student, rules)
        return replace(
            blank(persons.get(student, Person(student)), number, result.status),
            result=result,
            lines=tuple(
                QuestionLine(q, by_hand.get((student, number, q.name))) for q in result.questions
            ),
            lateness=late,
            copied=(*copied(hand_in, result), *hand_in.notes),
            times=times,
            group=hand_in.student if hand_in.student in together else "",
            anonymous=hand_in.submission.who.anonymous,
        )

    found = []
    for (student, *_), own in groups.items():
        made = [
            (one, hand_in) for hand_in in sorted(own, key=_order) if (one := row(hand_in, student))
        ]
        if made:
            found.append(_counting(made, attempt))
    numbers = sorted({number for _, number, _ in groups} - {""})
    hidden = {hand_in.number for hand_in in hand_ins if hand_in.submission.who.anonymous}
    for person in (p for p in people if not p.test):
        found += [
            replace(blank(person, n, MISSING), anonymous=person.blind)
            for n in numbers
            # Who of the named ones handed in is not known where names are hidden.
            if (person.student, n, "") not in groups and (person.blind or n not in hidden)
        ]
    return sorted(found, key=lambda row: (row.exercise, row.student, row.status))


def _counting(every: Sequence[tuple[Row, HandIn]], attempt: str) -> Row:
    """The row of the submission that counts; it names those that don't count."""
    # One that can be read comes before one that can't, whatever the time.
    made = [m for m in every if m[1].ready is not None] or every
    if attempt == "best":
        chosen, hand_in = max(made, key=lambda m: -1.0 if m[0].marks is None else m[0].marks)
    else:
        chosen, hand_in = made[0 if attempt == "first" else -1]
    others = tuple(w.submission.path for _, w in every if w is not hand_in)
    untimed = any(w.submission.handed_in is None for _, w in made)
    by_name = (BY_NAME,) if len(made) > 1 and untimed and attempt == "last" else ()
    return replace(chosen, others=others, times=(*chosen.times, *by_name))


def _order(hand_in: HandIn) -> tuple[datetime, list[tuple[int, str]], int]:
    """The order of attempts: by the platform's times, else by the numbers in file names."""
    stem, number = _NUMBERED.fullmatch(hand_in.submission.path.removesuffix(".ipynb")).groups()  # type: ignore[union-attr]  # its path was matched before
    parts = [(int(p), "") if p.isdecimal() else (0, p) for p in re.split(r"(\d+)", stem)]
    when = hand_in.submission.handed_in or datetime.min.replace(tzinfo=UTC)
    return when, parts, int(number or 0)


_NUMBERED = re.compile(r"(.*?)(?:[ _-]+\(?(\d{1,3})\)?)?", re.DOTALL)


def _lateness(
    hand_in: HandIn, student: str, rules: LatenessRules
) -> tuple[Lateness, tuple[str, ...]]:
    """How late a submission is, and notes to the teacher about its times."""
    submission = hand_in.submission
    if not hand_in.number and not submission.who.late:
        return Lateness(), ()
    # The extension that applies is the student's own, else the group's.
    own = rules.extensions.keys() & {(student, hand_in.number), (student, "")}
    late = rules.of(
        student if own else hand_in.student,
        hand_in.number,
        submission.handed_in,
        clock=submission.clock,
        marked=submission.who.late,
    )
    if late.share is None:
        return late, (NO_STEP,)
    if late.said and submission.who.anonymous and rules.extensions:
        return late, (NAMELESS,)
    asked = hand_in.number and rules.deadline(hand_in.student, hand_in.number)
    unknown = submission.handed_in is None and submission.who.late is None
    if not (asked and unknown):
        return late, ()
    return late, (UNTIMED, UNBELIEVED) if submission.stamp and not submission.believed else (
        UNTIMED,
    )


def _copied(
    hand_ins: Sequence[HandIn], answer_keys: Mapping[str, AnswerKey]
) -> Callable[[HandIn, Result], tuple[str, ...]]:
    """What says whose numbers the wrong answers of a submission are, by "value" questions."""
    students = {w.student: w.ready.whose for w in hand_ins if w.ready and not w.ready.general}

    @cache
    def right(number: str, name: str) -> dict[str, object]:
        """What is right for each student's own numbers."""
        exercise, key = answer_keys[number].source.exercise, answer_keys[number].key
        question = exercise[name]
        return {
            student: question.right(Variant(copy, key).trial(number, question).general[0])
            for student, copy in sorted(students.items())
        }

    def found(hand_in: HandIn, result: Result) -> tuple[str, ...]:
        said = []
        for mark in result.questions if hand_in.ready else ():
            if mark.answer is None or (mark.right and not mark.carried):
                continue
            answer = unpack(mark.answer)
            values = right(hand_in.number, mark.name)
            tolerance = answer_keys[hand_in.number].source.exercise[mark.name].tolerance
            others = {
                student: value
                for student, value in values.items()
                if student != hand_in.student and value != values.get(hand_in.student)
            }
            if whose := [who for who, value in others.items() if same(answer, value, tolerance)]:
                said.append(f"{mark.name}: right for {'; '.join(whose)}, not for {hand_in.student}")
        return tuple(said)

    return found


PENDING = "to be marked by hand"


def with_hand_marks(
    rows: Sequence[Row],
    hand_ins: Sequence[HandIn],
    answer_keys: Mapping[str, AnswerKey],
    out: Path,
    by_hand: Mapping[tuple[str, str, str], Manual],
) -> tuple[list[Row], list[str]]:
    """The rows with marks by hand, and how far markers agree; writes the page.

    All that was saved in a browser is read before. InputError for a table of an earlier version.
    """
    books = {w.submission.path: w.submission.notebook for w in hand_ins}
    # The submissions that count, by exercise and unit: a group has one line.
    counting = {
        (row.exercise, row.unit): row.result.path for row in rows if row.lines and row.result
    }
    asked = {
        f"{n}-{q.name}": (n, q)
        for n in sorted({row.exercise for row in rows} - {""})
        for q in answer_keys[n].source.exercise.by_hand
    }
    by_name = {name: question for name, (_, question) in asked.items()}
    saved = marking_page.read_saved(out / FOLDER, by_name)
    given: dict[tuple[str, str], list[HandMark]] = defaultdict(list)
    pages = []
    for name, (number, question) in asked.items():
        _refuse_old_table(out / FOLDER / f"{name}.csv")
        answers = [
            hand_marks.answer(answer_keys[number].source, question, unit, book)
            for (exercise, unit), path in sorted(counting.items())
            if exercise == number and (book := books.get(path))
        ]
        found = hand_marks.marks(name, question, answers, saved)
        for unit, mark in found.items():
            given[number, unit].append(mark)
        pages.append(marking_page.question_data(name, question, answers, found))
    if pages:
        page = out / FOLDER / marking_page.NAME
        write(page, marking_page.as_html(pages, marking_page.own_word(page)))
    made = [
        _marked(row, given[row.exercise, row.unit], by_hand) if row.lines else row for row in rows
    ]
    return made, marking_page.agreement(saved, by_name) if len(saved) > 1 else []


def _refuse_old_table(path: Path) -> None:
    """InputError for a table of points, which is no longer read: its points would be lost."""
    if path.exists():
        raise InputError(
            f"{path}: points are no longer read from this table; give them in "
            f"{marking_page.NAME} beside it, and move the table away"
        )


def _marked(
    row: Row, given: Sequence[HandMark], by_hand: Mapping[tuple[str, str, str], Manual]
) -> Row:
    lines = []
    for hand in given:
        q = hand.question
        mark = QuestionMark(q.name, q.title or q.name, q.marks, judged=False)
        lines.append(QuestionLine(mark, by_hand.get((row.student, row.exercise, q.name)), hand))
    return with_status(replace(row, lines=(*row.lines, *lines)))


def with_status(row: Row) -> Row:
    """The row with its status by the marks that it has: whether it waits for a marker."""
    if row.result is None or row.result.status != GRADED:
        return row
    waits = any(line.hand and line.marks is None for line in row.lines) and row.by_hand is None
    return replace(row, status=PENDING if waits else GRADED)
