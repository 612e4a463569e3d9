"""Tables of marks: a general one, and those that Canvas and Moodle import.

Canvas (gradebook import): Student, ID, SIS User ID, SIS Login ID, Section, then a column for each
assignment, and a second line with the points possible. Moodle (grade import): columns that are
mapped to user fields and grade items on import, a grade and a feedback column for each item, as a
feedback imported alone takes the grade away. Marks that are not known are left empty in both,
which neither takes for 0.
"""

import json
import re
from collections.abc import Iterable, Sequence

from irmetrics_edu.classroom.marking.feedback import notices, parts, total
from irmetrics_edu.classroom.marking.gradebook import Row
from irmetrics_edu.classroom.marking.notebook import clean
from irmetrics_edu.views.formatting import csv_table


def _csv(lines: Iterable[Sequence[object]]) -> str:
    return csv_table(([_cell(value) for value in line] for line in lines), end="\r\n")


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, int | float) else clean(value, 5_000)


# Before any penalty, the penalty, and what is left: side by side wherever marks are.
_SIDE = ("raw marks", "penalty", "marks")


def marks(rows: Sequence[Row]) -> str:
    """marks.csv: a line for each student and exercise, with the marks of each question."""
    names = list(dict.fromkeys((r.exercise, x.question.name) for r in rows for x in r.lines))
    grouped = ["group"] if any(row.group for row in rows) else []
    head = ["student", "name", "section", *grouped, "exercise", "status", "late", *_SIDE, "out of",
            "remedy"]  # fmt: skip
    lines: list[list[object]] = [[*head, *(f"{number} {name}" for number, name in names)]]
    for row in rows:
        each = {(row.exercise, line.question.name): line.marks for line in row.lines}
        result = row.result
        remedy = f"{result.why}. {result.remedy}" if result and result.why else ""
        in_group = [row.person.group] if grouped else []
        who = [row.student, row.person.name, row.person.section, *in_group, row.exercise]
        got = [row.raw, row.penalty, row.marks, row.out_of or None]
        lines.append([*who, row.status, row.late, *got, remedy, *(each.get(n) for n in names)])
    return _csv(lines)


def _exercises(rows: Sequence[Row]) -> list[tuple[str, str, float]]:
    """Number, title and marks of the exercises that appear."""
    found = {(r.exercise, r.title, r.out_of) for r in rows if r.exercise}
    return sorted(found)


def _by_student(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each student; a platform's gradebook has no line for students without a name."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if not row.anonymous:
            found.setdefault(row.student, []).append(row)
    return dict(sorted(found.items()))


def canvas(rows: Sequence[Row], columns: Sequence[str] = ()) -> str:
    """canvas.csv: the file for Canvas's gradebook import.

    `columns` are those of a gradebook that was given: an exercise whose column is among them, as
    "Exercise 04: Title (8123)", goes there, so that Canvas makes no new assignment of it.
    """
    exercises = _exercises(rows)
    names = [_canvas_column(number, title, columns) for number, title, _ in exercises]
    head: list[object] = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
    points: list[object] = ["    Points Possible", "", "", "", "", *(m for _, _, m in exercises)]
    lines = [head, points]
    for student, own in _by_student(rows).items():
        person = own[0].person
        got = {row.exercise: row.marks for row in own}
        login = person.login or ("" if person.canvas else student)
        who = [person.name or student, person.canvas, person.id, login, person.section]
        lines.append([*who, *(got.get(number) for number, _, _ in exercises)])
    return _csv(lines)


def _canvas_column(number: str, title: str, columns: Sequence[str]) -> str:
    own = f"Exercise {number}: {title}"
    known = {
        own.casefold(),
        title.casefold(),
        f"exercise {number}",
        f"exercise {number.lstrip('0')}",
    }
    for column in columns:
        if re.sub(r" *\(\d+\) *$", "", column).strip().casefold() in known:
            return column
    return own


def moodle(rows: Sequence[Row]) -> str:
    """moodle.csv: the file for Moodle's grade import."""
    exercises = _exercises(rows)
    head: list[object] = ["Username", "ID number", "Email address"]
    for number, title, _ in exercises:
        head += [f"Exercise {number}: {title} ({kind})" for kind in ("Real", "Feedback")]
    lines = [head]
    for student, own in _by_student(rows).items():
        person = own[0].person
        line: list[object] = [person.login or student, person.id, person.email]
        found = {row.exercise: row for row in own}
        for number, _, _ in exercises:
            row = found.get(number)
            line += [row.marks, brief(row)] if row else [None, ""]
        lines.append(line)
    return _csv(lines)


def brief(row: Row) -> str:
    """The feedback in one paragraph of plain text."""
    if row.result is None:
        return f"{row.status}."
    said = [f"{total(row)}.", *notices(row)]
    for part in parts(row):
        first = next(iter(part.sentences), "")
        said.append(f"{part.heading} ({part.marks}): {first}")
    return " ".join(said)


def as_data(rows: Sequence[Row]) -> str:
    """marks.json: the content of marks.csv for programs; unknown marks are null."""
    found = [
        {
            "student": row.student, "exercise": row.exercise, "status": row.status,
            "file": row.result.path if row.result else "", "late": row.late, "raw": row.raw,
            "penalty": row.penalty, "marks": row.marks, "out of": row.out_of or None,
            "questions": {line.question.name: line.marks for line in row.lines},
            **({"group": row.group} if row.group else {}),
        }
        for row in rows
    ]  # fmt: skip
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def mistakes(rows: Sequence[Row]) -> str:
    """mistakes.csv: how many students made which mistake."""
    from irmetrics_edu.classroom.marking.class_report import mistakes as counted

    return _csv([["exercise", "question", "mistake", "what it is", "students"], *counted(rows)])
