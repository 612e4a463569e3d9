"""Lateness: what a table says, worked by hand, and the same whatever machine and file system."""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.matching import lateness
from irmetrics_edu.classroom.marking.matching.lateness import read
from irmetrics_edu.errors import InputError
from tests.marking.test_grade import by_student

PEOPLE = [Person("ann", "Ann Lee", "101"), Person("ben", "Ben Li", login="bli"), Person("Zoë May")]
TABLE = """\
rule,exercise,student,value
zone,,,Europe/Vienna
due,04,,2026-10-24 23:59
due,,,2026-12-01 12:00
grace,04,,15 min
penalty,,,10 % per day
cap,,,25 %
late mark,,,20 %
extension,04,101,2 d
extension,,BLI,2 d
"""


def table(tmp_path, text=TABLE):
    """The rules of a table."""
    path = tmp_path / "late.csv"
    path.write_text(text, encoding="utf-8")
    return read(path, ["04", "05"], PEOPLE)


def local(text, offset):
    """A time with an offset."""
    return datetime.fromisoformat(f"{text}{offset}")


# The clocks of Vienna go from +02:00 to +01:00 on 25 October 2026, at 3:00.
@pytest.mark.parametrize(
    ("student", "exercise", "when", "words", "percent"),
    [
        ("Zoë May", "04", local("2026-10-24T23:59:00", "+02:00"), "", 0),
        ("Zoë May", "04", local("2026-10-25T00:14:00", "+02:00"), "", 0),
        ("Zoë May", "04", local("2026-10-25T00:14:01", "+02:00"), "0 h 15 min", 10),
        ("Zoë May", "04", local("2026-10-24T22:14:01", "+00:00"), "0 h 15 min", 10),
        # 25 hours, and one day on the wall.
        ("Zoë May", "04", local("2026-10-25T23:59:00", "+01:00"), "1 d 1 h", 10),
        ("Zoë May", "04", local("2026-10-25T23:59:01", "+01:00"), "1 d 1 h", 20),
        ("Zoë May", "04", local("2027-10-25T23:59:01", "+01:00"), "366 d 1 h", 25),
        ("ann", "04", local("2026-10-26T23:59:00", "+01:00"), "", 0),
        ("ann", "04", local("2026-10-27T00:30:00", "+01:00"), "0 h 31 min", 10),
        ("ben", "04", local("2026-10-26T23:59:00", "+01:00"), "", 0),
        ("ben", "04", local("2026-10-27T00:14:01", "+01:00"), "0 h 15 min", 10),
        # No grace for 05.
        ("ann", "05", local("2026-12-01T12:00:30", "+01:00"), "30 s", 10),
    ],
)
def test_the_penalty_is_that_of_the_table(tmp_path, student, exercise, when, words, percent):
    """Deadlines, grace, steps, the cap and extensions, worked by hand from the calendar."""
    found = table(tmp_path).of(student, exercise, when, clock="the stamp")
    assert found.said == (f"late by {words}, by the stamp" if words else "")
    assert found.share == Fraction(percent, 100)


def test_a_platforms_mark_alone_has_a_penalty_of_its_own(tmp_path):
    """20 % by the rule; without the rule nobody knows, and without penalties it costs nothing."""
    rules = table(tmp_path)
    assert rules.of("Zoë May", "04", None, clock="Canvas's mark", marked=True).share == Fraction(
        1, 5
    )
    assert rules.of("ann", "04", None, marked=False).share == 0
    rules = table(tmp_path, TABLE.replace("late mark,,,20 %\n", ""))
    found = rules.of("Zoë May", "04", None, clock="Canvas's mark", marked=True)
    assert found.share is None
    assert found.said == "late, by Canvas's mark; how late is not known"
    # Ann has an extension here, of which Canvas knows nothing.
    assert table(tmp_path).of("ann", "04", None, marked=True).share is None
    # A time alone, without a deadline, says nothing against the mark.
    bare = table(tmp_path, "rule,exercise,student,value\nlate mark,,,20 %\n")
    assert bare.of("ann", "04", datetime(2026, 1, 1, tzinfo=UTC), marked=True).share == Fraction(
        1, 5
    )
    bare = table(tmp_path, "rule,exercise,student,value\ndue,,,2026-10-24T23:59Z\n")
    assert bare.of("ann", "04", None, marked=True).share == 0


@given(st.integers(0, 40 * 86400), st.integers(0, 100))
def test_later_never_costs_less(tmp_path_factory, seconds, cap):
    """A second more takes off as much or more, and never more than the cap."""
    text = f"rule,exercise,student,value\nzone,,,UTC\ndue,,,2026-10-24 23:59\ncap,,,{cap} %\n"
    rules = table(tmp_path_factory.mktemp("late"), text + "penalty,,,7.5 % per day\n")
    due = datetime(2026, 10, 24, 23, 59, tzinfo=UTC)
    now, then = (
        rules.of("ann", "04", due + timedelta(seconds=s)).share for s in (seconds, seconds + 1)
    )
    assert 0 <= now <= then <= Fraction(cap, 100)
    begun = next(n for n in range(1000) if n * 86400 >= seconds)
    assert now == min(Fraction(75, 1000) * begun, Fraction(cap, 100))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("deadline,,,2026-10-24 23:59", "rule 'deadline'; give one of zone"),
        ("due,06,,2026-10-24 23:59", "exercise 06; known are 04, 05"),
        ("due,,ann,2026-10-24 23:59", "leave that field empty"),
        ("due,04,,24.10.2026 23:59", "write it as 2026-11-20"),
        ("due,04,,2026-10-24", "write it as"),
        ("due,04,,2026-02-30 12:00", "write it as"),
        ("due,04,,2026-10-25 02:30", "twice or never"),
        ("due,04,,2026-03-29 02:30", "twice or never"),
        ("due,05,,", "write it as"),
        ("due,05,,0001-01-01 00:00", "give a year from 1970 to 2999"),
        ("due,05,,9999-12-31T23:59-05:00", "give a year from 1970 to 2999"),
        ("zone,,,Vienna", "zone 'Vienna' is not known"),
        ("zone,,,../etc/passwd", "is not known"),
        ("zone,,,", "is not known"),
        ("grace,,,quarter", "15 min"),
        ("penalty,,,ten", "10 % per day"),
        ("penalty,,,1 % per hour", "10 % per day"),
        ("penalty,,,110 % per day", "from 0 % to 100 %"),
        ("cap,,,-5 %", "write it as 10 %"),
        ("cap,,,0.5", "write it as 10 %"),
        ("extension,04,eve,2 d", "'eve' is nobody of the class; give the class with --roster"),
        ("extension,04,ana,2 d", "'ana' is nobody of the class; most like it: ann"),
        ("extension,04,,2 d", "names a student"),
        ("extension,04,ann,2026-12-01 12:00", "15 min, 2 h, 1 d or 1 w"),
        ("cap,04,,50 %", "for the whole class"),
        ("cap,,,50 %,x", "5 fields"),
    ],
)
def test_a_bad_table_is_refused(tmp_path, line, words):
    """The message names the file and the line, and what to write instead."""
    rule = line.partition(",")[0]
    head = "rule,exercise,student,value\n" + ("" if rule == "zone" else "zone,,,Europe/Vienna\n")
    with pytest.raises(InputError, match=words) as caught:
        table(tmp_path, f"{head}\n{line}\n")
    assert f"late.csv, line {3 if rule == 'zone' else 4}" in str(caught.value)


def test_what_is_said_twice_or_without_a_zone_or_head_is_refused(tmp_path):
    """Two deadlines for one exercise; a time of nowhere; another table; two students of one id."""
    with pytest.raises(InputError, match="line 11: due 04 a second time"):
        table(tmp_path, TABLE + "due,4,,2026-10-25 23:59\n")
    with pytest.raises(InputError, match="line 2: time '2026-10-24 23:59' says no time zone"):
        table(tmp_path, "rule,exercise,student,value\ndue,,,2026-10-24 23:59\n")
    with pytest.raises(InputError, match="line 1: the head must be"):
        table(tmp_path, "due,2026-10-24\n")
    path = tmp_path / "two.csv"
    path.write_text("rule,exercise,student,value\nextension,,7,2 d\n")
    with pytest.raises(InputError, match="line 2: student '7' may mean a or b"):
        read(path, ["04"], [Person("a", id="7"), Person("b", login="7")])


def test_a_time_without_a_zone_is_refused(a_class, capsys):
    """It would be another time on another machine."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    times = a_class.folder / "times.csv"
    for when, words in (
        ("2026-01-01T00:00", "says no time zone"),
        ("9999-12-31T23:59Z", "times.csv, line 2: time '9999"),
    ):
        times.write_text(f"student,exercise,time\nann,77,{when}\n")
        assert a_class.grade("--times", str(times)) == 2
        assert words in capsys.readouterr().err


RULES = """\
rule,exercise,student,value
zone,,,Europe/Vienna
due,77,,2026-11-20 23:59
penalty,,,10 % per day
cap,,,50 %
extension,,ben,2 d
"""
ALONE = RULES.replace("extension,,ben,2 d\n", "")


def hand_in_attempts(a_class, student, *attempts):
    """An attempt at a time; which of both questions are answered says the solved flag."""
    for number, (_, solved) in enumerate(attempts, 1):
        a_class.hand_in(f"{student}/77_two-{number}.ipynb", a_class.copy(student, solved=solved))
    return "".join(
        f"{student},77,{when},{student}/77_two-{number}.ipynb\n"
        for number, (when, _) in enumerate(attempts, 1)
    )


@pytest.mark.slow
def test_raw_marks_penalty_and_final_marks_stand_side_by_side(a_class):
    """In the table, the data, the feedback and the report; ben has two days more than ann."""
    late, times = a_class.folder / "late.csv", a_class.folder / "times.csv"
    late.write_text(RULES)
    lines = hand_in_attempts(a_class, "ann", ("2026-11-22 10:00", True))
    lines += hand_in_attempts(a_class, "ben", ("2026-11-22 10:00", True))
    lines += hand_in_attempts(a_class, "cy", ("2026-12-24 10:00", False))
    a_class.hand_in("di/77_two.ipynb", a_class.copy("di"))
    times.write_text("student,exercise,time,file\n" + lines)
    options = "--late", str(late), "--times", str(times)
    assert a_class.grade(*options) == 0
    found = by_student(a_class)
    side = {n: (r["raw marks"], r["penalty"], r["marks"]) for n, r in found.items()}
    # Two days have begun: 20 % of 5. Nothing is less than nothing. Nobody knows when di's came.
    assert side == {
        "ann": ("5", "1", "4"), "ben": ("5", "0", "5"), "cy": ("0", "0", "0"), "di": ("5", "0", "5")
    }  # fmt: skip
    assert found["ann"]["late"] == "late by 1 d 10 h, by the table of times"
    assert found["cy"]["late"].startswith("late by 33 d")
    data = {row["student"]: row for row in json.loads(a_class.written()["marks.json"])}
    assert [data["ann"][k] for k in ("raw", "penalty", "marks")] == [5, 1, 4]
    words = b"Marks before that: 5; taken off: 1; left: 4."
    assert words in a_class.written()["feedback/ann/77_two.html"]
    report = a_class.report()
    assert "late by 1 d 10 h, by the table of times: 1 taken off 5" in report
    assert "no platform says when it was handed in" in report
    # The same on a machine in another zone, whose files have other times.
    before = a_class.written()
    for path in a_class.work.rglob("*.ipynb"):
        os.utime(path, (1, 1))
    zone = os.environ.get("TZ")
    try:
        os.environ["TZ"] = "Pacific/Auckland"
        time.tzset()
        assert a_class.grade(*options) == 0
    finally:
        os.environ.pop("TZ") if zone is None else os.environ.update(TZ=zone)
        time.tzset()
    assert a_class.written() == before
    # What the teacher sets for the whole is final.
    by_hand = a_class.out / "manual.csv"
    by_hand.write_text(by_hand.read_text() + "ann,77,,4.5,as agreed\n")
    a_class.grade(*options)
    row = by_student(a_class)["ann"]
    assert (row["raw marks"], row["penalty"], row["marks"]) == ("4.5", "0", "4.5")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attempt", "marks", "file"),
    [("last", "0", "-3"), ("first", "1", "-1"), ("best", "2.5", "-2")],
)
def test_the_last_first_or_best_attempt_counts(a_class, attempt, marks, file):
    """The best is the best after penalties: by hand 1, 5 - 2.5, 0 of an empty copy."""
    (a_class.folder / "late.csv").write_text(ALONE)
    empty = a_class.copy("ann", solved=False)
    one = a_class.copy("ann", solved=False)
    for cell in one.cells:
        if cell.id == "77-total":
            cell.source = "total = sum(grades)"
    lines = "".join(
        f"ann,77,{when},ann/77_two-{n}.ipynb\n"
        for n, when in ((1, "2026-11-20 10:00"), (2, "2026-12-20 10:00"), (3, "2026-12-21 10:00"))
    )
    (a_class.folder / "times.csv").write_text("student,exercise,time,file\n" + lines)
    for number, book in ((1, one), (2, a_class.copy("ann")), (3, empty)):
        a_class.hand_in(f"ann/77_two-{number}.ipynb", book)
    options = [w for n in ("late", "times") for w in (f"--{n}", str(a_class.folder / f"{n}.csv"))]
    assert a_class.grade(*options, "--attempt", attempt) == 0
    assert by_student(a_class)["ann"]["marks"] == marks
    [data] = json.loads(a_class.written()["marks.json"])
    assert data["file"] == f"ann/77_two{file}.ipynb"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("eve,77,2026-11-20 10:00", "line 3: student 'eve'"),
        ("ben,77,20.11.2026", "line 3: time '20.11.2026'"),
        ("ann,77,2026-11-20 11:00", "line 3: ann 77 a second time"),
    ],
)
def test_a_bad_table_of_times_is_refused(a_class, capsys, line, words):
    """With its file and line."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ben"))
    (a_class.folder / "late.csv").write_text(ALONE)
    (a_class.folder / "times.csv").write_text(
        f"student,exercise,time\nann,77,2026-11-20 10:00\n{line}\n"
    )
    given_ = [w for n in ("late", "times") for w in (f"--{n}", str(a_class.folder / f"{n}.csv"))]
    assert a_class.grade(*given_) == 2
    said = capsys.readouterr().err
    assert "times.csv" in said
    assert words in said


@pytest.mark.slow
def test_nbgraders_stamp_is_a_time_that_counts(a_class):
    """A day late by timestamp.txt, in the stamp's own zone."""
    a_class.hand_in("submitted/ann/77_two/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("submitted/ann/77_two/timestamp.txt", "2026-11-21 17:58:23.948203 UTC")
    (a_class.folder / "late.csv").write_text(ALONE)
    assert a_class.grade("--late", str(a_class.folder / "late.csv")) == 0
    row = by_student(a_class)["ann"]
    assert row["late"] == "late by 18 h 59 min, by timestamp.txt"
    assert (row["raw marks"], row["penalty"], row["marks"]) == ("5", "0.5", "4.5")


@pytest.mark.parametrize(
    ("text", "when"),
    [
        # Vienna is an hour before UTC in November, and 2026-11-20 23:30 there is 22:30 UTC.
        ("2026-11-20 23:30:00", "2026-11-20T22:30"),
        ("2026-11-20 23:30", "2026-11-20T22:30"),
        ("2026-11-20T23:30:00.123456789", "2026-11-20T22:30"),
        ("2026-11-20 23:30:00 Europe/Vienna", "2026-11-20T22:30"),
        ("2026-11-20 22:30:00 UTC", "2026-11-20T22:30"),
        ("2026-11-20 22:30:00Z", "2026-11-20T22:30"),
        ("2026-11-20 22:30:00.5 GMT", "2026-11-20T22:30"),
        ("2026-11-20 23:30:00+01:00", "2026-11-20T22:30"),
        ("2026-11-20 23:30:00 +0100", "2026-11-20T22:30"),
        ("2026-11-20 17:30:00 America/New_York", "2026-11-20T22:30"),
    ],
)
def test_a_stamp_and_a_table_of_times_are_read_alike(tmp_path, text, when):
    """Each form of a time is one moment, wherever it stands; without a zone it is of the rule's."""
    zone = lateness.zone_of("Europe/Vienna")
    wanted = datetime.fromisoformat(when).replace(tzinfo=UTC)
    assert lateness.of_stamp(text, zone) == (wanted, "")
    (tmp_path / "times.csv").write_text(f"student,exercise,time\nann,77,{text}\n")
    [(found, _)] = lateness.read_times(tmp_path / "times.csv", zone, [Person("ann")]).values()
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "zone", "when", "note"),
    [
        ("2026-11-20 22:30:00", "", "2026-11-20T22:30", lateness.AS_UTC),
        # 02:30 is twice on this day, an hour apart; the earlier one costs the student nothing.
        ("2026-10-25 02:30:00", "Europe/Vienna", "2026-10-25T00:30", lateness.TWICE),
        ("2026-11-20 22:30 Europe/Nowhere", "UTC", "", lateness.NO_STAMP),
        ("9999-12-31 23:59:00 UTC", "UTC", "", lateness.NO_STAMP),
        ("2026-13-20 22:30", "UTC", "", lateness.NO_STAMP),
        ("yesterday", "UTC", "", lateness.NO_STAMP),
        ("(empty)", "UTC", "", lateness.NO_STAMP),
    ],
)
def test_a_stamp_that_is_not_certain_is_said(text, zone, when, note):
    """No stamp stops the class; what had to be decided stands in the report."""
    found = lateness.of_stamp(text, lateness.zone_of(zone) if zone else None)
    assert found == (datetime.fromisoformat(when).replace(tzinfo=UTC) if when else None, note)


@pytest.mark.slow
def test_a_stamp_without_a_zone_is_of_the_rules_zone(a_class):
    """Two who handed in at the same minute are both in time; a stamp elsewhere is not believed."""
    for name, zone in (("ann", ""), ("jo", " Europe/Vienna")):
        a_class.hand_in(f"submitted/{name}/77_two/77_two.ipynb", a_class.copy(name))
        a_class.hand_in(f"submitted/{name}/77_two/timestamp.txt", f"2026-11-20 23:30:00{zone}")
    (a_class.folder / "late.csv").write_text(ALONE)
    assert "Europe/Vienna" in ALONE
    assert a_class.grade("--late", str(a_class.folder / "late.csv")) == 0
    assert {r["late"] for r in by_student(a_class).values()} == {""}
    (a_class.work / "submitted").rename(a_class.work / "others")
    a_class.work = a_class.work / "others"
    a_class.grade("--late", str(a_class.folder / "late.csv"))
    assert "only one in nbgrader's folder submitted is believed" in a_class.report()


@given(st.datetimes(), st.booleans())
def test_moodles_english_is_read_without_the_locale(when, in_halves):
    """As strptime reads it where the locale is English; what is spoilt is refused."""
    form = "%A, %d %B %Y, %I:%M %p" if in_halves else "%A, %d %B %Y, %H:%M"
    text = when.strftime(form.replace("%Y", f"{when.year:04}"))
    assert lateness._english(text) == when.replace(second=0, microsecond=0)
    for spoilt in (text + "x", text.replace(",", ""), text.replace(":", ":9"), f"x{text}"):
        assert lateness._english(spoilt) is None
