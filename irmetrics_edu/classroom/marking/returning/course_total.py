"""The total of a course: weights, what is dropped, bands, and the history of each student.

The total is the weighted mean of the shares of the marks. Lowest and best are by that share; of
equal ones the later exercise is dropped. All is computed in fractions, so no letter hangs on
rounding. `docs/grading.md` explains the teacher's table of rules.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.marking import results
from irmetrics_edu.classroom.marking.collecting.class_tables import entries
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.collecting.owner_names import folded
from irmetrics_edu.classroom.marking.reviewing.gradebook import MISSING
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import as_fraction
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import html_table
from irmetrics_edu.views.page import page

HEAD = ("rule", "of", "value")
RULES = ("weight", "drop", "best", "missing", "band")
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
    found: dict[tuple[str, str], Fraction] = {}
    for where, cells in entries(path, (), HEAD, rules=RULES):
        rule = cells["rule"]
        of = cells["of"]
        value = cells["value"]
        if bool(of) != (rule in {"weight", "band"}):
            what = "names an exercise or a letter in `of`" if not of else "leaves `of` empty"
            raise InputError(f"{where}: {rule} {what}")
        of = of.zfill(2) if rule == "weight" else of
        if rule == "weight" and of not in exercises:
            raise InputError(f"{where}: exercise {of!r}; known are {', '.join(exercises)}")
        if (rule, of) in found:
            raise InputError(f"{where}: {f'{rule} {of}'.strip()} a second time")
        found[rule, of] = _number(value, rule, where)
    if ("drop", "") in found and ("best", "") in found:
        raise InputError(f"{path}: give drop or best, not both")
    bands = [(name, least) for (rule, name), least in found.items() if rule == "band"]
    if len({least for _, least in bands}) < len(bands):
        raise InputError(f"{path}: two bands begin at one share")
    return CourseRules(
        {of: value for (rule, of), value in found.items() if rule == "weight"},
        int(found.get(("drop", ""), 0)),
        int(found.get(("best", ""), 0)),
        found.get(("missing", "")),
        tuple(sorted(bands, key=lambda band: -band[1])),
    )


def _number(text: str, rule: str, where: str) -> Fraction:
    shown = text.replace(",", ".").removesuffix("%").strip()
    percent = text.endswith("%") or rule == "band"
    known = shown.replace(".", "", 1).isascii() and shown.replace(".", "", 1).isdigit()
    value = Fraction(shown) / (100 if percent else 1) if known else Fraction(-1)
    if value < 0 or (rule in {"drop", "best"} and value.denominator > 1) or len(shown) > 8:
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


def totals(graded: Iterable[Mapping[str, Any]], rules: CourseRules) -> list[Total]:
    """The totals of all students; `graded` are the entries of marks.json, of any exercises.

    An exercise of which a student has several entries, as by two platforms, is refused.
    """
    rows = [row for row in graded if row["exercise"]]
    exercises = sorted({row["exercise"] for row in rows})
    names: dict[str, str] = {}
    by_student: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        if (who := folded(row["student"])) in TEST:
            continue
        names.setdefault(who, row["student"])
        own = by_student.setdefault(who, {})
        before = own.get(row["exercise"])
        if before and not (_blank(before) or _blank(row)):
            raise InputError(
                f"{row['student']} has marks for exercise {row['exercise']} twice, for "
                f"{before['file']!r} and {row['file']!r}; leave one of them out"
            )
        if before is None or _blank(before):
            own[row["exercise"]] = row
    return [_total(names[who], by_student[who], exercises, rules) for who in sorted(by_student)]


def _blank(row: Mapping[str, Any]) -> bool:
    return row["status"] == MISSING and row["marks"] is None


def _total(
    student: str,
    own: Mapping[str, Mapping[str, Any]],
    exercises: Sequence[str],
    rules: CourseRules,
) -> Total:
    history = tuple(_entry(number, own.get(number), rules) for number in exercises)
    weighing = [e for e in history if rules.weights.get(e.exercise, Fraction(1))]
    left = tuple(e.exercise for e in weighing if e.share is None)
    if left:
        return Total(student=student, history=history, share=None, letter="", dropped=(), open=left)
    ordered = sorted(weighing, key=lambda e: (-(e.share or 0), e.exercise))
    kept = rules.best or len(ordered) - rules.drop
    counting = ordered[: max(kept, 0)]
    weights = [rules.weights.get(e.exercise, Fraction(1)) for e in counting]
    if not weights:
        raise InputError(f"{student}: no exercise counts; drop fewer of the {len(weighing)}")
    parts = (weight * (e.share or 0) for weight, e in zip(weights, counting, strict=True))
    share = sum(parts, Fraction(0)) / sum(weights)
    dropped = tuple(sorted(e.exercise for e in ordered[max(kept, 0) :]))
    letter = next((name for name, least in rules.bands if share >= least), "")
    return Total(
        student=student,
        history=history,
        share=share,
        letter=letter,
        dropped=dropped,
        open=(),
    )


def _entry(number: str, row: Mapping[str, Any] | None, rules: CourseRules) -> ExerciseMark:
    if row is None or _blank(row):
        return ExerciseMark(
            exercise=number,
            status=MISSING,
            late="",
            marks=None,
            out_of=(row or {}).get("out of") or 0.0,
            share=rules.missing,
        )
    marks = row["marks"]
    out_of = row["out of"]
    share = as_fraction(marks) / as_fraction(out_of) if marks is not None and out_of else None
    return ExerciseMark(
        exercise=number,
        status=row["status"],
        late=row["late"],
        marks=marks,
        out_of=out_of or 0.0,
        share=share,
    )


def graded_in(folder: Path) -> list[dict[str, Any]]:
    """The entries of a folder's marks.json; InputError for a folder that has none."""
    path = folder / "marks.json"
    try:
        found: list[dict[str, Any]] = json.loads(decoded(path.read_bytes(), path))
        _ = [(r["student"], r["exercise"], r["status"], r["marks"], r["out of"]) for r in found]
    except OSError:
        raise InputError(f"{folder}: no marks.json; name what an earlier `grade` wrote") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: it is not what `grade` writes; grade again") from None
    return found


def as_csv(found: Sequence[Total]) -> str:
    """course.csv: a line for each student, the marks of each exercise, the total and its letter."""
    numbers = [e.exercise for e in found[0].history] if found else []
    lines: list[list[object]] = [["student", *numbers, "dropped", "open", "total %", "letter"]]
    for total in found:
        ends = ["; ".join(total.dropped), "; ".join(total.open), total.percent, total.letter]
        lines.append([total.student, *(e.marks for e in total.history), *ends])
    return results.as_csv(lines)


def as_html(found: Sequence[Total]) -> str:
    """course.html: the totals, and each student's history."""
    esc = escaping.html
    lines = [[clean(t.student, 200), t.percent or _open(t), t.letter] for t in found]
    body = ['<main class="wide"><h1>The course</h1>']
    body += ["<section><h2>Totals</h2>", html_table(("student", "total %", "letter"), lines)]
    body.append("</section><section><h2>The history of each student</h2>")
    head = ("exercise", "marks", "out of", "share %", "status", "late", "counts")
    for t in found:
        shown = [_shown(e, t) for e in t.history]
        what = f"{clean(t.student, 200)}: {t.percent or _open(t)} {t.letter}".strip()
        body += [f"<details><summary>{esc(what)}</summary>", html_table(head, shown), "</details>"]
    return page("The course", [*body, "</section></main>"])


def _shown(entry: ExerciseMark, total: Total) -> list[str]:
    e = entry
    share = "" if entry.share is None else f"{round(float(entry.share) * 100, 2):g}"
    if e.exercise in total.dropped:
        counts = "dropped"
    elif e.share is None:
        counts = "open"
    else:
        counts = "yes"
    marks = "" if e.marks is None else f"{e.marks:g}"
    return [e.exercise, marks, f"{e.out_of:g}" if e.out_of else "", share, e.status, e.late, counts]


def _open(total: Total) -> str:
    return f"open: {', '.join(total.open)}"
