"""Files for Canvas and Moodle: feedback as a zip, marks in the worksheet that was given.

Canvas reads the first two numbers of a file's name (the student, the student's file), and shows
the comment under the name of the student's file. So the feedback has that name, and is what the
name says: a notebook with the feedback in its text for .ipynb. Moodle reads the number after the
student's name in the name of the folder or file, and takes any file there.

Of a group Canvas gives one file, under the id of one member, and shows a comment on it to all. In
Moodle's name of a group's folder stands the number of the group, which Moodle would take back for
that of a participant: there each member has a folder, by the member's number in the worksheet.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from irmetrics_edu.classroom.marking import feedback
from irmetrics_edu.classroom.marking.gradebook import Row
from irmetrics_edu.classroom.marking.mark_tables import brief
from irmetrics_edu.classroom.marking.owner_names import Person
from irmetrics_edu.classroom.marking.ownership import Work
from irmetrics_edu.classroom.marking.rosters import Roster
from irmetrics_edu.classroom.marking.submissions import Submission
from irmetrics_edu.classroom.marking.times import SUBMITTED
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import csv_table
from irmetrics_edu.writing import zipped

_FLAT = re.compile(r"([^_]+_\d+_assignsubmission_[a-z]+_)[^/]*", re.DOTALL)
_OF_A_FILE = re.compile(r"(_\d+|anon_[A-Za-z0-9]{5})_\d+_")
CANT_HOLD = (
    "Canvas gives feedback back under the names of the students' files, and these can't hold any:"
)
NO_NUMBER = (
    "Moodle gives feedback back by the participants' numbers; give its grading worksheet "
    "(--roster), which has those of:"
)
OWN_MARKS = (
    "Canvas shows a group's feedback to all members, and these have marks of their own; send them "
    "what is in the folder feedback:"
)
_TEXTS = {".txt", ".md", ".py", ".json", ""}


def as_notebook(row: Row) -> str:
    """The feedback as a notebook with one cell of text."""
    source = feedback.markdown(row).splitlines(keepends=True)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": source}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _written_as(name: str) -> Callable[[Row], str] | None:
    """The feedback as the content of such a file; None if the file can't hold feedback."""
    end = "." + name.rpartition(".")[2].lower() if "." in name else ""
    if end == ".ipynb":
        return as_notebook
    if end in {".html", ".htm"}:
        return feedback.as_html
    return feedback.markdown if end in _TEXTS else None


def _of_canvas(path: str, row: Row) -> tuple[str, str] | None:
    """Name and content of the feedback in Canvas's zip; None if it can't go back."""
    name = path.rpartition("/")[2]
    # A text that was typed into Canvas has no number of a file, and can have no comment so.
    write = _written_as(name) if _OF_A_FILE.search(name) else None
    return (name, write(row)) if write else None


def _of_moodle(path: str, row: Row, submission: Submission) -> tuple[str, str] | None:
    """Name and content of the feedback in Moodle's zip; None if it can't go back."""
    own, number = f"feedback-{row.stem}.html", row.person.moodle
    if row.group or (number and number != submission.number):
        name = re.sub(r"[_/\\\0]", " ", row.person.name or row.student)
        where = f"{name}_{number}_assignsubmission_file"
        return (f"{where}/{own}", feedback.as_html(row)) if number else None
    if not submission.named or not submission.number:
        return None  # what is nobody's may be a group's, with the number of the group
    if "/" in path:
        return f"{path.partition('/')[0]}/{own}", feedback.as_html(row)
    match = _FLAT.fullmatch(path)
    return (f"{match[1]}{own}", feedback.as_html(row)) if match else None


def archives(
    rows: Sequence[Row], works: Sequence[Work], *, several: bool = False
) -> tuple[dict[str, bytes], dict[str, list[str]]]:
    """The zips with feedback by file name, and the submissions in none of them by reason."""
    handed_in = {w.submission.path: w.submission for w in works}
    entries: dict[str, dict[str, str]] = {}
    shown, apart = _as_shown(rows, handed_in)
    without: dict[str, list[str]] = {OWN_MARKS: apart} if apart else {}
    for row in shown:
        path = row.result.path if row.result else ""
        platform = handed_in[path].platform if path in handed_in else ""
        if not platform:
            continue
        places = [path, *reversed(row.others)]  # another file of the student's will do
        places.sort(key=lambda p: handed_in[p].number != row.person.canvas)
        for place in places:
            download, rest = place.split("/", 1) if several else ("", place)
            canvas = platform == "Canvas"
            if found := (
                _of_canvas(rest, row) if canvas else _of_moodle(rest, row, handed_in[place])
            ):
                name = f"feedback-{platform.lower()}{f'-{download}' if download else ''}.zip"
                entries.setdefault(name, {})[found[0]] = found[1]
                break
        else:
            why = CANT_HOLD if platform == "Canvas" else NO_NUMBER
            without.setdefault(why, []).append(f"{path}{f': {row.student}' if row.group else ''}")
    return {name: zipped(own) for name, own in sorted(entries.items())}, without


def _as_shown(
    rows: Sequence[Row], handed_in: Mapping[str, Submission]
) -> tuple[list[Row], list[str]]:
    """The rows, with one row for a group that Canvas shows one file, and the groups without one.

    Where Canvas marks the members one by one, it gives the group's file under each of their ids.
    """
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.unit, row.exercise), []).append(row)
    made: list[Row] = []
    apart: list[str] = []
    for own in found.values():
        paths = [path for r in own for path in (*r.others, r.result.path if r.result else "")]
        numbers = {handed_in[p].number for p in paths if p and handed_in[p].platform == "Canvas"}
        if not own[0].group or not numbers or {r.person.canvas for r in own} <= numbers:
            made += own
            continue
        all_ = [replace(row, person=Person(row.group)) for row in own]
        if len(set(map(feedback.markdown, all_))) == 1:
            made.append(all_[0])
        else:
            apart.append(own[0].group)
    return made, apart


def worksheet(roster: Roster, rows: Sequence[Row], exercise: str) -> str:
    """Moodle's grading worksheet as it was given, with the marks and the comments filled in.

    Marks that are not known stay as they were; Moodle skips a line whose grade is empty.
    """
    by_student = {row.student: row for row in rows if row.exercise == exercise}
    comment = next((c for c in roster.head if c.strip().lower() == "feedback comments"), "")
    head = [*roster.head, *([] if comment else ["Feedback comments"])]
    lines: list[list[object]] = [list(head)]
    for person, _, given in roster.lines:
        cells = dict(given)
        row = by_student.get(person.student)
        for name in (SUBMITTED, "Last modified (grade)"):
            cells[name] = "" if cells.get(name, "").strip() == "-" else cells.get(name, "")
        if row and row.marks is not None:
            cells[_grade(head)] = f"{row.marks:g}"
        if row and row.result:
            cells[comment or "Feedback comments"] = escaping.html(
                brief(row)
            )  # which Moodle takes for HTML
        lines.append([cells.get(name, "") for name in head])
    return csv_table(lines, end="\r\n")


def _grade(head: Sequence[str]) -> str:
    return next(name for name in head if name.strip().lower() == "grade")
