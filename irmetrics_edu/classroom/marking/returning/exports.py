"""Tables of marks for the teacher and for programs.

Marks that are not known are left empty, which no platform takes for 0.
"""

import json
from collections.abc import Collection, Sequence

from irmetrics_edu.classroom.marking.results import Json, MarkEntry, as_csv
from irmetrics_edu.classroom.marking.returning.feedback import notices, parts, total
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row

# Before any penalty, the penalty, and what is left: side by side wherever marks are.
_SIDE = ("raw marks", "penalty", "marks")


def marks(rows: Sequence[Row]) -> str:
    """marks.csv: a line for each student and exercise, with the marks of each question."""
    names: dict[tuple[str, str], None] = {}
    for row in rows:
        for line in row.lines:
            names[row.exercise, line.question.name] = None
    grouped = any(row.group for row in rows)
    head: list[object] = [
        "student",
        "name",
        "section",
        *(["group"] if grouped else []),
        "exercise",
        "status",
        "late",
        *_SIDE,
        "out of",
        "remedy",
        *(f"{number} {name}" for number, name in names),
    ]
    return as_csv([head, *(_line(row, list(names), grouped=grouped) for row in rows)])


def _line(row: Row, names: Sequence[tuple[str, str]], *, grouped: bool) -> list[object]:
    """The cells of a row; `names` are the questions of all exercises."""
    each = {(row.exercise, line.question.name): line.marks for line in row.lines}
    remedy = ""
    if row.result and row.result.why:
        remedy = f"{row.result.why}. {row.result.remedy}"
    cells: list[object] = [row.student, row.person.name, row.person.section]
    if grouped:
        cells.append(row.person.group)
    cells += [row.exercise, row.status, row.late]
    cells += [
        row.raw,
        row.penalty,
        row.marks,
        row.out_of or None,
    ]
    cells.append(remedy)
    cells += [each.get(name) for name in names]
    return cells


def brief(row: Row) -> list[str]:
    """The whole feedback in lines of plain text: the total, notices, and a line a question."""
    if row.result is None:
        return [f"{row.status}."]
    lines = [f"{total(row)}.", *notices(row)]
    for part in parts(row):
        sentences = " ".join(part.sentences)
        lines.append(f"{part.heading} ({part.marks}): {sentences}".rstrip(": "))
    return lines


def of_exercises(rows: Sequence[Row], numbers: Collection[str]) -> list[Row]:
    """The rows of some exercises."""
    return [row for row in rows if row.exercise in numbers]


def as_data(rows: Sequence[Row]) -> list[MarkEntry]:
    """marks.json: the content of marks.csv for programs; unknown marks are null."""
    return [_entry(row) for row in rows]


def _entry(row: Row) -> MarkEntry:
    entry: MarkEntry = {
        "student": row.student,
        "exercise": row.exercise,
        "status": row.status,
        "file": row.result.path if row.result else "",
        "late": row.late,
        "raw": row.raw,
        "penalty": row.penalty,
        "marks": row.marks,
        "out of": row.out_of or None,
        "questions": {line.question.name: line.marks for line in row.lines},
    }
    if row.group:
        entry["group"] = row.group
    return entry


def gradescope(row: Row) -> str:
    """results.json as Gradescope's autograder reads it: a test for each question, with feedback.

    Where the total is not known, nothing has a score: Gradescope would add up those of the tests,
    and take the sum for the total. Then the texts say the marks.
    """
    tests: list[Json] = []
    for line, part in zip(row.lines, parts(row), strict=True):
        test: dict[str, Json] = {"name": part.heading, "max_score": line.question.out_of}
        sentences = list(part.sentences)
        if row.marks is None:
            sentences.insert(0, f"{part.marks}.")
        elif line.marks is not None:
            test["score"] = line.marks
        test["output"] = "\n".join(sentences)
        test["visibility"] = "visible"
        tests.append(test)
    whole: dict[str, Json] = {
        "output": "\n".join([f"{total(row)}.", *notices(row)]),
        "visibility": "visible",
    }
    if row.marks is not None:
        whole["score"] = row.marks
    whole["tests"] = tests
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
