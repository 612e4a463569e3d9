"""The total of a course: weights, what is dropped, bands, and the history of each student.

The total is the weighted mean of the shares of the marks. Lowest and best are by that share; of
equal ones the one of greater weight is dropped, so that the total is the greatest, and of equal
weights the later one. All is computed in fractions, so no letter hangs on
rounding. `docs/grading.md` explains the teacher's table of rules.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from irmetrics_edu.classroom.marking.collecting.class_tables import entries
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.collecting.owner_names import folded
from irmetrics_edu.classroom.marking.results import MarkEntry
from irmetrics_edu.classroom.marking.results import as_csv as csv_of
from irmetrics_edu.classroom.marking.reviewing.gradebook import MISSING
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import as_fraction
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import html_table
from irmetrics_edu.views.page import page

HEAD = ("rule", "of", "value")
RULES = ("weight", "drop", "best", "missing", "band")
LONGEST_NUMBER = 8
TEST = {"student, test", "test student"}  # how Canvas calls the account of Student View


@dataclass(frozen=True)
class CourseRules:
    """How exercises become a total; `bands` are letters with the share from which they count."""

    weights: Mapping[str, Fraction] = field(default_factory=dict)
    drop: int = 0
    best: int = 0
    missing: Fraction | None = None
    bands: tuple[tuple[str, Fraction], ...] = ()


def read_rules(path: Path, exercises: Sequence[str]) -> CourseRules:
    """The rules in a table; InputError names the line of one that can't be."""
    values: dict[tuple[str, str], Fraction] = {}
    for where, cells in entries(
        path,
        (),
        HEAD,
        rules=RULES,
    ):
        rule = cells["rule"]
        name = _named(rule, cells["of"], exercises, where)
        if (rule, name) in values:
            raise InputError(f"{where}: {f'{rule} {name}'.strip()} a second time")
        values[rule, name] = _number(cells["value"], rule, where)
    if ("drop", "") in values and ("best", "") in values:
        raise InputError(f"{path}: give drop or best, not both")
    weights: dict[str, Fraction] = {}
    bands: list[tuple[str, Fraction]] = []
    for (rule, name), value in values.items():
        if rule == "weight":
            weights[name] = value
        elif rule == "band":
            bands.append((name, value))
    if len({least for _, least in bands}) < len(bands):
        raise InputError(f"{path}: two bands begin at one share")
    return CourseRules(
        weights=weights,
        drop=int(values.get(("drop", ""), 0)),
        best=int(values.get(("best", ""), 0)),
        missing=values.get(("missing", "")),
        bands=tuple(sorted(bands, key=lambda band: -band[1])),
    )


def _named(
    rule: str,
    name: str,
    exercises: Sequence[str],
    where: str,
) -> str:
    """The exercise or the letter that a rule is for; "" for one of the whole course."""
    if bool(name) != (rule in {"weight", "band"}):
        what = "leaves `of` empty" if name else "names an exercise or a letter in `of`"
        raise InputError(f"{where}: {rule} {what}")
    if rule != "weight":
        return name
    number = name.zfill(2)
    if number not in exercises:
        raise InputError(f"{where}: exercise {number!r}; known are {', '.join(exercises)}")
    return number


def _number(text: str, rule: str, where: str) -> Fraction:
    shown = text.replace(",", ".").removesuffix("%").strip()
    digits = shown.replace(".", "", 1)
    value = Fraction(-1)
    if digits.isascii() and digits.isdigit():
        value = Fraction(shown)
        if text.endswith("%") or rule == "band":
            value /= 100
    counts = rule in {"drop", "best"}
    if value < 0 or (counts and value.denominator > 1) or len(shown) > LONGEST_NUMBER:
        how = {"band": "90 %", "weight": "2 or 0.5", "missing": "0"}.get(rule, "1")
        raise InputError(f"{where}: {rule} {text!r}; write it as {how}")
    return value


@dataclass(frozen=True)
class ExerciseMark:
    """One exercise of a student: its status, marks, the share of the marks; None if unknown."""

    exercise: str
    status: str
    late: str
    marks: float | None
    out_of: float
    share: Fraction | None


@dataclass(frozen=True)
class Total:
    """The total of a student: the exact share, its letter, and which exercises do not count.

    `share` is None while exercises are `open`, that is, without marks.
    """

    student: str
    history: tuple[ExerciseMark, ...]
    share: Fraction | None
    letter: str
    dropped: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def percent(self) -> str:
        """The share in percent, with two decimals, a half up; "" while it is open."""
        if self.share is None:
            return ""
        return f"{math.floor(self.share * 10_000 + Fraction(1, 2)) / 100:g}"


def totals(graded: Iterable[MarkEntry], rules: CourseRules) -> list[Total]:
    """The totals of all students; `graded` are the entries of marks.json, of any exercises.

    An exercise of which a student has several entries, as by two platforms, is refused.
    """
    listed = [entry for entry in graded if entry["exercise"]]
    exercises = sorted({entry["exercise"] for entry in listed})
    names: dict[str, str] = {}
    by_student: dict[str, dict[str, MarkEntry]] = {}
    for entry in listed:
        student = folded(entry["student"])
        if student in TEST:
            continue
        names.setdefault(student, entry["student"])
        entry_of = by_student.setdefault(student, {})
        before = entry_of.get(entry["exercise"])
        if before is not None:
            _refuse_second(before, entry)
        if before is None or _blank(before):
            entry_of[entry["exercise"]] = entry
    students = []
    for student in sorted(by_student):
        entry_of = by_student[student]
        history = [_entry(number, entry_of.get(number), rules) for number in exercises]
        students.append(_total(names[student], history, rules))
    return students


def _refuse_second(before: MarkEntry, entry: MarkEntry) -> None:
    """InputError if two entries of a student for one exercise both have something in them."""
    if not (_blank(before) or _blank(entry)):
        raise InputError(
            f"{entry['student']} has marks for exercise {entry['exercise']} twice, for "
            f"{before['file']!r} and {entry['file']!r}; leave one of them out"
        )


def _blank(entry: MarkEntry) -> bool:
    return entry["status"] == MISSING and entry["marks"] is None


def _total(student: str, history: Sequence[ExerciseMark], rules: CourseRules) -> Total:
    weighing = _weighing(history, rules)
    left = tuple(one.exercise for one in weighing if one.share is None)
    if left:
        return Total(
            student,
            tuple(history),
            share=None,
            letter="",
            dropped=(),
            open=left,
        )
    ordered = sorted(weighing, key=_Weighing.order)
    kept = max(rules.best or len(ordered) - rules.drop, 0)
    counting = ordered[:kept]
    if not counting:
        raise InputError(f"{student}: no exercise counts; drop fewer of the {len(weighing)}")
    weights = sum((one.weight for one in counting), Fraction(0))
    share = sum((one.worth for one in counting), Fraction(0)) / weights
    letters = [name for name, least in rules.bands if share >= least]
    return Total(
        student=student,
        history=tuple(history),
        share=share,
        letter=letters[0] if letters else "",
        dropped=tuple(sorted(one.exercise for one in ordered[kept:])),
        open=(),
    )


def _weighing(history: Sequence[ExerciseMark], rules: CourseRules) -> list["_Weighing"]:
    """The exercises that weigh something."""
    weighing = []
    for mark in history:
        weight = rules.weights.get(mark.exercise, Fraction(1))
        if weight:
            weighing.append(_Weighing(mark.exercise, weight, mark.share))
    return weighing


@dataclass(frozen=True)
class _Weighing:
    """An exercise that weighs something in the total."""

    exercise: str
    weight: Fraction
    share: Fraction | None

    @property
    def worth(self) -> Fraction:
        """What it adds to the total, before it is divided by all weights."""
        return self.weight * (self.share or 0)

    def order(self) -> tuple[Fraction, Fraction, str]:
        """The order in which exercises count: the best first, of equal ones the lighter."""
        return -(self.share or Fraction(0)), self.weight, self.exercise


def _entry(number: str, entry: MarkEntry | None, rules: CourseRules) -> ExerciseMark:
    if entry is None or _blank(entry):
        return ExerciseMark(
            exercise=number,
            status=MISSING,
            late="",
            marks=None,
            out_of=(entry["out of"] or 0.0) if entry else 0.0,
            share=rules.missing,
        )
    marks = entry["marks"]
    out_of = entry["out of"]
    share = None
    if marks is not None and out_of:
        share = as_fraction(marks) / as_fraction(out_of)
    return ExerciseMark(
        exercise=number,
        status=entry["status"],
        late=entry["late"],
        marks=marks,
        out_of=out_of or 0.0,
        share=share,
    )


NEEDED = ("student", "exercise", "status", "marks", "out of")


def graded_in(folder: Path) -> list[MarkEntry]:
    """The entries of a folder's marks.json; InputError for a folder that has none."""
    path = folder / "marks.json"
    try:
        listed: list[MarkEntry] = json.loads(decoded(path.read_bytes(), path))
        _require_entries(listed)
    except OSError:
        raise InputError(f"{folder}: no marks.json; name what an earlier `grade` wrote") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path}: it is not what `grade` writes; grade again") from None
    return listed


def _require_entries(listed: object) -> None:
    """TypeError or KeyError if these are no entries of marks.json."""
    if not isinstance(listed, list):
        raise TypeError("no list of entries")
    for entry in listed:
        if not isinstance(entry, dict):
            raise TypeError("an entry that is no object")
        for name in NEEDED:
            if name not in entry:
                raise KeyError(name)
        for name in ("marks", "out of"):
            if type(entry[name]) not in (int, float, type(None)):
                raise TypeError(f"{name} that are no number")


def as_csv(course_totals: Sequence[Total]) -> str:
    """course.csv: a line for each student, the marks of each exercise, the total and its letter."""
    numbers = [e.exercise for e in course_totals[0].history] if course_totals else []
    lines: list[list[object]] = [
        [
            "student",
            *numbers,
            "dropped",
            "open",
            "total %",
            "letter",
        ]
    ]
    for total in course_totals:
        ends = [
            "; ".join(total.dropped),
            "; ".join(total.open),
            total.percent,
            total.letter,
        ]
        lines.append([total.student, *(e.marks for e in total.history), *ends])
    return csv_of(lines)


def as_html(course_totals: Sequence[Total]) -> str:
    """course.html: the totals, and each student's history."""
    lines = []
    histories = []
    head = ("exercise", "marks", "out of", "share %", "status", "late", "counts")
    for total in course_totals:
        student = clean(total.student, 200)
        shown = total.percent or _open(total)
        lines.append([student, shown, total.letter])
        what = escaping.html(f"{student}: {shown} {total.letter}".strip())
        history = html_table(head, [_shown(mark, total) for mark in total.history])
        histories += [f"<details><summary>{what}</summary>", history, "</details>"]
    body = [
        '<main class="wide"><h1>The course</h1>',
        "<section><h2>Totals</h2>",
        html_table(("student", "total %", "letter"), lines),
        "</section><section><h2>The history of each student</h2>",
        *histories,
        "</section></main>",
    ]
    return page("The course", body)


def _shown(mark: ExerciseMark, total: Total) -> list[str]:
    share = ""
    if mark.share is not None:
        share = f"{round(float(mark.share) * 100, 2):g}"
    if mark.exercise in total.dropped:
        counts = "dropped"
    elif mark.share is None:
        counts = "open"
    else:
        counts = "yes"
    return [
        mark.exercise,
        "" if mark.marks is None else f"{mark.marks:g}",
        f"{mark.out_of:g}" if mark.out_of else "",
        share,
        mark.status,
        mark.late,
        counts,
    ]


def _open(total: Total) -> str:
    return f"open: {', '.join(total.open)}"
