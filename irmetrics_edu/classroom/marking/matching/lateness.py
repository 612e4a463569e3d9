"""The cost of lateness, from the teacher's tables of rules and times (see docs/grading.md).

Percentages are of the full marks. Each day that has begun counts, by the local clock of the zone,
so a day is a day even when summer time ends. A submission within the grace period is not late;
after it, lateness counts from the deadline. When something was handed in says a learning platform,
never the time of a file. Times without an offset are of the zone that the table of rules names.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from irmetrics_edu.classroom.marking.collecting.class_tables import entries
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, normal
from irmetrics_edu.classroom.marking.collecting.rosters import Roster
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import noted, worded

HEAD = ("rule", "exercise", "student", "value")
ONCE = ("zone", "cap", "penalty", "late mark")
RULES = (*ONCE, "due", "grace", "extension")
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_SPAN = re.compile(r"(\d{1,4}) ?(min|h|d|w)")
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,4})?) ?%")
# A time, and the zone that it names: none, an offset, or a name such as UTC or Europe/Vienna.
_TIME = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?)(\.\d+)? ?"
    r"(?P<zone>[+-]\d\d:?\d\d|[A-Za-z][\w/+-]*)?"
)
FIRST = 1970
LAST = 2999
MARK = noted("the platform's mark")
TIME = "write it as 2026-11-20 23:59"


@dataclass(frozen=True)
class Lateness:
    """The lateness of a submission in words, and the share of the marks that it costs.

    `share` is None if the platform says "late" but not how late.
    """

    said: str = ""
    share: Fraction | None = Fraction(0)


@dataclass(frozen=True)
class LatenessRules:
    """The rules of lateness of a course; an exercise or student "" stands for all."""

    zone: tzinfo | None = None
    due: Mapping[str, datetime] = field(default_factory=dict)
    grace: Mapping[str, timedelta] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)
    penalty: Fraction = Fraction(0)
    cap: Fraction = Fraction(1)
    late_mark: Fraction | None = None

    def deadline(self, student: str, exercise: str) -> datetime | None:
        """A student's deadline, including the student's extension."""
        due = self.due.get(exercise, self.due.get(""))
        longer = self.extensions.get((student, exercise), self.extensions.get((student, "")))
        return due + longer if due and longer else due

    def of(
        self,
        student: str,
        exercise: str,
        when: datetime | None,
        *,
        clock: str = "",
        marked: bool | None = None,
    ) -> Lateness:
        """The lateness, by a known time, else by the platform's mark, if there is one."""
        due = self.deadline(student, exercise)
        if when is None or due is None:
            return self._by_mark(student, exercise, clock) if marked else Lateness()
        grace = self.grace.get(exercise, self.grace.get("", timedelta(0)))
        if _after(when, due) <= grace:
            return Lateness()
        share = min(self.penalty * _begun(when, due), self.cap)
        span = _words(_after(when, due))
        words = worded("late by {span}, by {clock}", span=span, clock=_clock(clock))
        return Lateness(words, share)

    def _by_mark(
        self,
        student: str,
        exercise: str,
        clock: str,
    ) -> Lateness:
        """The lateness of which a platform says no more than that it is."""
        words = worded("late, by {clock}; how late is not known", clock=_clock(clock or MARK))
        share = self.late_mark
        if share is None and not self.penalty:
            share = Fraction(0)
        extended = self.extensions.keys() & {(student, exercise), (student, "")}
        if share and extended:
            share = None  # the platform knows nothing of an extension that is given here
        return Lateness(words, None if share is None else min(share, self.cap))


def _clock(clock: str) -> str:
    """What says when something was handed in: the platform's mark has words, a file its name."""
    return worded(MARK) if clock == MARK else clock


def _after(when: datetime, due: datetime) -> timedelta:
    return when.astimezone(UTC) - due.astimezone(UTC)


def _begun(when: datetime, due: datetime) -> int:
    """The number of days begun since the deadline, by the local clock."""
    span = when.astimezone(due.tzinfo).replace(tzinfo=None) - due.replace(tzinfo=None)
    return max(1, -(-span // timedelta(days=1)))


def _words(span: timedelta) -> str:
    hours = span.seconds // 3600
    minutes = span.seconds // 60 % 60
    if span.days:
        return f"{span.days} d {hours} h"
    return f"{hours} h {minutes} min" if hours or minutes else f"{span.seconds} s"


@dataclass(frozen=True)
class _RuleCell:
    """The value of a rule, and where it stands."""

    value: str
    where: str


class _RuleTable:
    """The lines of the teacher's table, by rule, and by exercise and student."""

    def __init__(self) -> None:
        self.cells: dict[str, dict[tuple[str, str], _RuleCell]] = {rule: {} for rule in RULES}

    def only(self, rule: str) -> _RuleCell | None:
        """The value of a rule that is there once; None if it is not."""
        cells = list(self.cells[rule].values())
        return cells[0] if cells else None

    def share(self, rule: str, read_as: Callable[[str, str], Fraction]) -> Fraction | None:
        """The share of a rule that is there once."""
        cell = self.only(rule)
        return read_as(cell.value, cell.where) if cell else None


def read(path: Path, exercises: Iterable[str], people: Iterable[Person]) -> LatenessRules:
    """The rules in a table; InputError names the file and the line of an invalid rule."""
    table = _RuleTable()
    numbers = sorted(set(exercises))
    for where, cells in entries(
        path,
        people,
        HEAD,
        once=HEAD[:3],
        rules=RULES,
    ):
        _refuse_misplaced(cells, numbers, where)
        at = cells["exercise"], cells["student"]
        table.cells[cells["rule"]][at] = _RuleCell(cells["value"], where)
    zone = None
    named = table.only("zone")
    if named:
        zone = _zone(named.value, named.where)
    due = {}
    for (exercise, _), cell in table.cells["due"].items():
        due[exercise] = moment(cell.value, zone, cell.where)
    grace = {}
    for (exercise, _), cell in table.cells["grace"].items():
        grace[exercise] = _span(cell.value, cell.where)
    extensions = {}
    for (exercise, student), cell in table.cells["extension"].items():
        extensions[student, exercise] = _span(cell.value, cell.where)
    penalty = table.share("penalty", _per_day)
    cap = table.share("cap", _percent)
    return LatenessRules(
        zone=zone,
        due=due,
        grace=grace,
        extensions=extensions,
        penalty=Fraction(0) if penalty is None else penalty,
        cap=Fraction(1) if cap is None else cap,
        late_mark=table.share("late mark", _percent),
    )


def _refuse_misplaced(cells: Mapping[str, str], numbers: Sequence[str], where: str) -> None:
    """InputError for a rule that is given for what it can't be for."""
    rule = cells["rule"]
    exercise = cells["exercise"]
    student = cells["student"]
    if (exercise and rule in ONCE) or (student and rule != "extension"):
        raise InputError(f"{where}: {rule} is for the whole class; leave that field empty")
    if exercise and exercise not in numbers:
        raise InputError(f"{where}: exercise {exercise}; known are {', '.join(numbers)}")
    if rule == "extension" and not student:
        raise InputError(f"{where}: an extension names a student")


def zone_of(name: str) -> ZoneInfo | None:
    """A time zone by its name; None if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def _zone(name: str, where: str) -> ZoneInfo:
    zone = zone_of(name)
    if zone is None or not name:
        raise InputError(f"{where}: zone {name!r} is not known; give one such as Europe/Vienna")
    return zone


def moment(text: str, zone: tzinfo | None, where: str) -> datetime:
    """A time with its zone, the same on every machine; InputError if the zone is unknown."""
    when, written_zone = _parts_of_time(text, where)
    return in_zone(when, written_zone or zone, text, where)


def _parts_of_time(text: str, where: str) -> tuple[datetime, tzinfo | None]:
    """The time on the clock and the zone that the text names, if it names one."""
    match = _TIME.fullmatch(text.strip())
    if not match:
        raise InputError(f"{where}: time {text!r}; {TIME}")
    named = match["zone"] or ""
    try:
        when = datetime.fromisoformat(match["time"])
        if named[:1] in {"+", "-"}:
            return when, datetime.fromisoformat(match["time"] + named).tzinfo
    except ValueError as error:
        raise InputError(f"{where}: time {text!r}: {error}; {TIME}") from None
    if not named:
        return when, None
    zone = zone_of("UTC" if named == "Z" else named)
    if zone is None:
        raise InputError(
            f"{where}: time {text!r}: time zone {named!r} is not known; write it as "
            "2026-11-20 23:59 Europe/Vienna"
        )
    return when, zone


STAMP = "timestamp.txt"
NO_STAMP = "timestamp.txt can't be read as a time"
AS_UTC = "timestamp.txt names no time zone, and neither does a rule zone: it was taken for UTC"
TWICE = (
    "timestamp.txt has a time that is twice or never, as the clock is changed: the earlier counts"
)


def of_stamp(text: str, zone: tzinfo | None) -> tuple[datetime | None, str]:
    """The time in a timestamp.txt, and a note to the teacher if the time is not certain.

    A stamp without a zone is of the zone that the rules name. Without such a rule it is UTC, as
    nbgrader takes it.

    >>> of_stamp("2026-11-20 22:30:00", zone_of("Europe/Vienna"))[0].isoformat()
    '2026-11-20T22:30:00+01:00'
    >>> of_stamp("soon", None)
    (None, "timestamp.txt can't be read as a time")
    """
    try:
        when, written_zone = _parts_of_time(text, STAMP)
        sensible(when, text, STAMP)
    except InputError:
        return None, NO_STAMP
    note = "" if written_zone or zone else AS_UTC
    written_zone = written_zone or zone or UTC
    first = when.replace(tzinfo=written_zone, fold=0)
    second = when.replace(tzinfo=written_zone, fold=1)
    if first.utcoffset() != second.utcoffset():
        return min(first.astimezone(UTC), second.astimezone(UTC)), TWICE
    return first, note


def sensible(when: datetime, text: str, where: str) -> datetime:
    """The time, if it can be compared and computed with in every zone; else InputError."""
    if not FIRST <= when.year <= LAST:
        raise InputError(f"{where}: time {text!r}: give a year from {FIRST} to {LAST}")
    return when


def in_zone(
    when: datetime,
    zone: tzinfo | None,
    text: str,
    where: str,
) -> datetime:
    """A local time in a zone; InputError for no zone, or a skipped or repeated time."""
    if zone is None:
        raise InputError(
            f"{where}: time {text!r} says no time zone; write 2026-11-20T23:59+01:00, or give a "
            "table with a rule zone (--late)"
        )
    sensible(when, text, where)
    first = when.replace(tzinfo=zone, fold=0)
    second = when.replace(tzinfo=zone, fold=1)
    if first.utcoffset() != second.utcoffset():
        raise InputError(
            f"{where}: time {text!r} is twice or never in {zone}, as the clock is changed then; "
            "give another time, or write it with its offset, as 02:30+01:00"
        )
    return first


def _span(text: str, where: str) -> timedelta:
    match = _SPAN.fullmatch(text)
    if not match:
        raise InputError(f"{where}: {text!r}; write it as 15 min, 2 h, 1 d or 1 w")
    return int(match[1]) * _UNITS[match[2]]


def _percent(text: str, where: str) -> Fraction:
    match = _PERCENT.fullmatch(text)
    share = Fraction(match[1].replace(",", ".")) / 100 if match else Fraction(-1)
    if not 0 <= share <= 1:
        raise InputError(f"{where}: {text!r}; write it as 10 %, from 0 % to 100 %")
    return share


def _per_day(text: str, where: str) -> Fraction:
    share, day, rest = text.partition(" per day")
    if not day or rest:
        raise InputError(f"{where}: penalty {text!r}; write it as 10 % per day")
    return _percent(share, where)


TIMES = (("student", "exercise", "time"), ("student", "exercise", "time", "file"))
CLOCK = "the table of times"
SUBMITTED = "Last modified (submission)"
# As Moodle writes it in English: Friday, 20 November 2026, 11:59 PM, or 23:59. strptime would read
# the names of the locale that a program has set.
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MOODLE = re.compile(
    rf"(?:{'|'.join(_DAYS)}),\s+(?P<day>\d\d?)\s+(?P<month>{'|'.join(_MONTHS)})\s+(?P<year>\d{{4}}),"
    r"\s+(?P<hour>\d\d?):(?P<minute>\d\d?)(?:\s+(?P<half>am|pm))?",
    re.ASCII | re.IGNORECASE,
)

# Student, exercise and file, "" where a time is for any; the time, and what says so.
Times = Mapping[tuple[str, str, str], tuple[datetime, str]]


@dataclass(frozen=True)
class Worksheet:
    """Moodle's grading worksheet, and the exercise that it is of; "" if nothing was handed in."""

    roster: Roster
    exercise: str


def known_times(
    worksheet: Worksheet | None,
    table: Path | None,
    zone: tzinfo | None,
    people: Iterable[Person],
) -> Times:
    """The times of Moodle's worksheet and of the teacher's table, which counts before it."""
    times: dict[tuple[str, str, str], tuple[datetime, str]] = {}
    if worksheet:
        times.update(times_of_worksheet(worksheet, zone))
    if table:
        times.update(read_times(table, zone, people))
    return times


def read_times(path: Path, zone: tzinfo | None, people: Iterable[Person]) -> Times:
    """The times in a table; InputError names the file and the line."""
    times: dict[tuple[str, str, str], tuple[datetime, str]] = {}
    for where, cells in entries(
        path,
        people,
        *TIMES,
        once=("student", "exercise", "file"),
    ):
        if not cells["student"]:
            raise InputError(f"{where}: name a student")
        at = cells["student"], cells["exercise"], cells.get("file", "")
        times[at] = moment(cells["time"], zone, where), CLOCK
    return times


def times_of_worksheet(worksheet: Worksheet, zone: tzinfo | None) -> Times:
    """The times in Moodle's grading worksheet, which is of one exercise."""
    times: dict[tuple[str, str, str], tuple[datetime, str]] = {}
    for person, line, cells in worksheet.roster.lines:
        text = cells.get(SUBMITTED, "").strip()
        if text not in {"", "-"}:
            where = f"{worksheet.roster.path}, line {line}"
            at = person.student, worksheet.exercise, ""
            times[at] = _moodle(text, zone, where), "Moodle's worksheet"
    return times


def _moodle(text: str, zone: tzinfo | None, where: str) -> datetime:
    when = _english(normal(text))
    if when is None:
        raise InputError(
            f"{where}: time {text!r}; set Moodle's language to English and download the worksheet "
            "again, or give the times with --times"
        )
    return in_zone(when, zone, text, where)


def _english(text: str) -> datetime | None:
    """The time on the clock as Moodle writes it in English; None for another text."""
    match = _MOODLE.fullmatch(text)
    if not match:
        return None
    hour = int(match["hour"])
    half = (match["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    month = _MONTHS.index(match["month"].lower()) + 1
    with suppress(ValueError):
        return datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001 -- of a zone above
    return None
