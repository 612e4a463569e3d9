"""The book of marks: a row for each student and exercise, of which every report is a view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from irmetrics_edu.exercises.judging import same
from irmetrics_edu.exercises.variants import Variant
from irmetrics_edu.grading.values import unpack
from irmetrics_edu.marking.names import Person
from irmetrics_edu.marking.paper import Paper
from irmetrics_edu.marking.result import QuestionMark, Result
from irmetrics_edu.marking.store import Manual
from irmetrics_edu.marking.whose import Work

MISSING = "nothing handed in"


@dataclass(frozen=True)
class Line:
    """One question in a row: the machine's marks, and the teacher's where given."""

    question: QuestionMark
    manual: Manual | None = None

    @property
    def marks(self) -> float | None:
        """The marks that count; None while there are none."""
        if self.manual and self.manual.marks is not None:
            return self.manual.marks
        return self.question.marks if self.question.judged else None


@dataclass(frozen=True)
class Row:
    """What a student has for an exercise.

    `late` says by which clock; `copied` is for the teacher's eyes: by question, whose numbers the
    answers are, and what hangs on others' submissions; `others` are submissions that do not count,
    as a later one does.
    """

    person: Person
    exercise: str
    stem: str
    title: str
    out_of: float
    status: str
    result: Result | None = None
    lines: tuple[Line, ...] = ()
    manual: Manual | None = None
    late: str = ""
    copied: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def student(self) -> str:
        """The student's name, as copies are made under."""
        return self.person.student

    @property
    def marks(self) -> float | None:
        """All marks; None while some are not known, for they are not 0."""
        if self.manual and self.manual.marks is not None:
            return self.manual.marks
        each = [line.marks for line in self.lines]
        if not each or None in each:
            return None
        return round(sum(m for m in each if m is not None), 4)


def rows(
    works: Sequence[Work], results: Mapping[str, Result], papers: Mapping[str, Paper],
    by_hand: Mapping[tuple[str, str, str], Manual], people: Sequence[Person] = (),
    due: datetime | None = None,
) -> list[Row]:  # fmt: skip
    """The rows, by student and exercise; of several submissions the last one counts."""
    persons = {p.student: p for p in people}
    groups: dict[tuple[str, str], list[Work]] = {}
    for work in works:
        groups.setdefault((work.student, work.number), []).append(work)
    copies = _Copies(works, papers)
    found = []
    for (student, number), handed_in in groups.items():
        # One that can be read comes before one that can't, whatever the time.
        handed_in.sort(key=lambda w: (w.script is not None, _when(w), w.submission.path))
        *earlier, work = handed_in
        result = results.get(work.submission.path)
        if result is None:
            continue
        lines = tuple(Line(q, by_hand.get((student, number, q.name))) for q in result.questions)
        exercise = papers[number].source if number else None
        found.append(
            Row(
                persons.get(student, Person(student)),
                number,
                exercise.stem if exercise else "unknown",
                exercise.exercise.title if exercise else "unknown exercise",
                exercise.exercise.marks if exercise else 0.0,
                result.status,
                result,
                lines,
                by_hand.get((student, number, "")),
                _late(work, due),
                (*copies.of(work, result), *work.notes),
                tuple(w.submission.path for w in earlier),
            )
        )
    numbers = sorted({number for _, number in groups} - {""})
    for person in people:
        found += [
            Row(person, n, papers[n].source.stem, papers[n].source.exercise.title,
                papers[n].source.exercise.marks, MISSING,
                manual=by_hand.get((person.student, n, "")))
            for n in numbers
            if (person.student, n) not in groups
        ]  # fmt: skip
    return sorted(found, key=lambda row: (row.exercise, row.student, row.status))


def _when(work: Work) -> float:
    return work.submission.handed_in.timestamp() if work.submission.handed_in else 0.0


def _late(work: Work, due: datetime | None) -> str:
    when = work.submission.handed_in
    if due is None or when is None or when <= due:
        return ""
    seconds = (when - due).total_seconds()
    days, hours, minutes = int(seconds // 86400), int(seconds // 3600 % 24), int(seconds // 60 % 60)
    by = f"{days} d {hours} h" if days else f"{hours} h {minutes} min"
    return f"late by {by}, by {work.submission.clock}"


class _Copies:
    """Whose numbers an answer is that is not right for one's own: only "value" questions tell.

    It says what `variants.copied_from` says, with each student's numbers computed once.
    """

    def __init__(self, works: Sequence[Work], papers: Mapping[str, Paper]) -> None:
        self.papers = papers
        self.students = sorted({w.student for w in works if w.script and not w.script.general})
        self.known: dict[tuple[str, str], dict[str, object]] = {}

    def of(self, work: Work, result: Result) -> tuple[str, ...]:
        if work.script is None:
            return ()
        found = []
        for mark in result.questions:
            if mark.answer is None or mark.marks:
                continue
            question = self.papers[work.number].source.exercise[mark.name]
            answer = unpack(mark.answer)
            right = self._right(work.number, mark.name)
            whose = [
                student
                for student, value in right.items()
                if student != work.student
                and value != right.get(work.student)
                and same(answer, value, question.tolerance)
            ]
            if whose:
                found.append(f"{mark.name}: right for {', '.join(whose)}, not for {work.student}")
        return tuple(found)

    def _right(self, number: str, name: str) -> dict[str, object]:
        at = number, name
        if at not in self.known:
            paper = self.papers[number]
            exercise = paper.source.exercise
            question = exercise[name]
            self.known[at] = {
                s: question.right(Variant(s, paper.key).trial(exercise, question).general[0])
                for s in self.students
            }
        return self.known[at]
