"""Times of submissions from a learning platform, never from file times.

    student,exercise,time,file              file may be left out
    ann,04,2026-11-20 23:41,ann/hw-2.ipynb

Moodle's grading worksheet is read as it comes, by its column "Last modified (submission)". Times
without an offset are of the zone that the table of lateness names.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from pathlib import Path

from irmetrics_edu.classroom.marking.lateness import in_zone, moment
from irmetrics_edu.classroom.marking.owner_names import Person, folded, members, misread, normal
from irmetrics_edu.classroom.marking.ownership import Work
from irmetrics_edu.classroom.marking.rosters import Roster
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import table

HEADS = ({"student", "exercise", "time"}, {"student", "exercise", "time", "file"})
CLOCK = "the table of times"
SUBMITTED = "Last modified (submission)"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
# As Moodle writes it in English: Friday, 20 November 2026, 11:59 PM
_MOODLE = re.compile(
    rf"\w+, (?P<day>\d\d?) (?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}}), "
    r"(?P<hour>\d\d?):(?P<minute>\d\d)(?: (?P<half>AM|PM))?"
)

# Student, exercise and file, "" where a time is for any; the time, and what says so.
Times = Mapping[tuple[str, str, str], tuple[datetime, str]]


def read(path: Path, zone: tzinfo | None, people: Iterable[Person]) -> Times:
    """The times in a table; InputError names the file and the line."""
    known = {folded(person.student): person.student for person in people}
    given = table(path, known.values())
    head = [cell.strip().lower() for cell in given.head]
    if set(head) not in HEADS:
        raise InputError(f"{path}, line 1: the head must be student,exercise,time or with file")
    found: dict[tuple[str, str, str], tuple[datetime, str]] = {}
    for number, line in given.rows:
        cells = dict(zip(head, [normal(cell) for cell in line], strict=False))
        where = f"{path}, line {number}"
        name = cells.get("student", "")
        student = known.get(folded(name))
        if student is None:
            hint = misread(name, known)
            raise InputError(f"{where}: student {name!r} is nobody of the class{hint}")
        at = student, cells.get("exercise", "").zfill(2), cells.get("file", "")
        if at in found:
            raise InputError(f"{where}: {' '.join(filter(None, at))} a second time")
        found[at] = moment(cells.get("time", ""), zone, where), CLOCK
    return found


def of_worksheet(roster: Roster, exercise: str, zone: tzinfo | None) -> Times:
    """The times in Moodle's grading worksheet, which is of one exercise."""
    found: dict[tuple[str, str, str], tuple[datetime, str]] = {}
    for person, line, cells in roster.lines:
        text = cells.get(SUBMITTED, "").strip()
        if text not in {"", "-"}:
            where = f"{roster.path}, line {line}"
            found[person.student, exercise, ""] = _moodle(text, zone, where), "Moodle's worksheet"
    return found


def _moodle(text: str, zone: tzinfo | None, where: str) -> datetime:
    match = _MOODLE.fullmatch(normal(text))
    if not match:
        raise InputError(
            f"{where}: time {text!r}; set Moodle's language to English and download the worksheet "
            "again, or give the times with --times"
        )
    hour, month = int(match["hour"]), _MONTHS.index(match["month"]) + 1
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "PM" else 0)
    try:
        when = datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001 -- of a zone below
    except ValueError as error:
        raise InputError(f"{where}: time {text!r}: {error}") from None
    return in_zone(when, zone, text, where)


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
