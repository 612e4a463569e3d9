"""The teacher's input to the grader: rosters, times and rules of lateness."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from irmetrics_edu.classroom.marking import lateness, rosters
from irmetrics_edu.classroom.marking.lateness import Rules, Times
from irmetrics_edu.classroom.marking.owner_names import Person, members
from irmetrics_edu.classroom.marking.ownership import Work
from irmetrics_edu.classroom.marking.rosters import Roster
from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Desk:
    """The facts about the students: who they are, and when their work was due."""

    rosters: tuple[Roster, ...] = ()
    rules: Rules | None = None
    times: Times = field(default_factory=dict)

    @property
    def people(self) -> list[Person]:
        """The students of all rosters."""
        return rosters.everybody(self.rosters)

    def worksheets(self) -> list[Roster]:
        """The rosters that are Moodle's grading worksheets."""
        return [r for r in self.rosters if r.kind == rosters.WORKSHEET]

    def gradebook(self) -> Roster | None:
        """Canvas's gradebook, if it is among the rosters."""
        return next((r for r in self.rosters if r.kind == rosters.CANVAS), None)


def desk(
    found: Sequence[Roster], works: Sequence[Work], exercises: Sequence[str], *,
    due: str = "", rules: Path | None = None, handed_in: Path | None = None,
) -> Desk:  # fmt: skip
    """The desk; it reads rules and times after the roster, because they name students."""
    if due and rules:
        raise InputError("--due and --late: give the deadline in the table of --late alone")
    listed = rosters.everybody(found)
    names = {p.student for p in listed}
    others = sorted(({w.student for w in works} | set(members(listed))) - names)
    class_ = [*listed, *(Person(name) for name in others)]
    made = lateness.due_at(due) if due else None
    if rules:
        made = lateness.read(rules, exercises, class_)
    zone = made.zone if made else None
    when: Times = {}
    own = Desk(tuple(found), made)
    if made and (sheets := own.worksheets()):
        number = exercise_of_worksheet(works, sheets)
        when = lateness.times_of_worksheet(sheets[0], number, zone)
    if handed_in:
        when = {**when, **lateness.read_times(handed_in, zone, class_)}
    return replace(own, times=when)


def exercise_of_worksheet(works: Sequence[Work], sheets: Sequence[Roster]) -> str:
    """The one exercise that a worksheet is of; InputError if there are several."""
    numbers = sorted({w.number for w in works} - {""})
    if len(numbers) > 1 or len(sheets) > 1:
        raise InputError(
            f"{sheets[0].path}: Moodle's worksheet is of one assignment, and exercises "
            f"{', '.join(numbers)} were handed in; grade them one by one"
        )
    return numbers[0] if numbers else ""


def timed(works: Sequence[Work], times: Times, people: Sequence[Person] = ()) -> list[Work]:
    """The submissions with the platform's times, if it has any."""
    return [_timed(work, times, members(people).get(work.student, [])) for work in works]


def _timed(work: Work, times: Times, group: Sequence[str]) -> Work:
    """The submission with its time: of the file, or of any file; a group has its latest time."""
    for file in (work.submission.path, ""):
        given = [times.get((who, work.number, file)) for who in (work.student, *group)]
        if found := [one for one in given if one]:
            when, clock = max(found)
            return replace(work, submission=replace(work.submission, handed_in=when, clock=clock))
    return work
