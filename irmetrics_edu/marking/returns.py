"""What goes back to Canvas and Moodle: feedback as a zip, marks as the worksheet that was given.

Canvas reads the first two numbers of a file's name (the student, the student's file), and shows
the comment under the name of the student's file. So the feedback has that name, and is what the
name says: a notebook with the feedback in its text for .ipynb. Moodle reads the number after the
student's name in the name of the folder or file, and takes any file there.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence

from irmetrics_edu.marking import feedback
from irmetrics_edu.marking.book import Row
from irmetrics_edu.marking.rosters import Roster
from irmetrics_edu.marking.tables import brief
from irmetrics_edu.marking.times import SUBMITTED
from irmetrics_edu.marking.whose import Work
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import csv_table

_FIRST = (1980, 1, 1, 0, 0, 0)  # the time of every entry: the same bytes on every run
_FLAT = re.compile(r"([^_]+_\d+_assignsubmission_[a-z]+_)[^/]*", re.DOTALL)
_TEXTS = {".txt", ".md", ".py", ".json", ""}


def as_notebook(row: Row) -> str:
    """The feedback as a notebook with one cell of text."""
    source = feedback.markdown(row).splitlines(keepends=True)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": source}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _written_as(name: str) -> Callable[[Row], str] | None:
    """What a file of this name has to hold; None if feedback can't be such a file."""
    end = "." + name.rpartition(".")[2].lower() if "." in name else ""
    if end == ".ipynb":
        return as_notebook
    if end in {".html", ".htm"}:
        return feedback.as_html
    return feedback.markdown if end in _TEXTS else None


def _entry(platform: str, path: str, row: Row) -> tuple[str, str] | None:
    """Name and content of the feedback in the zip for a platform; None if it can't go back."""
    if platform == "Canvas":
        name = path.rpartition("/")[2]
        # A text that was typed into Canvas has no number of a file, and can have no comment so.
        write = _written_as(name) if re.search(r"_\d+_\d+_", name) else None
        return (name, write(row)) if write else None
    own = f"feedback-{row.stem}.html"
    if "/" in path:
        return f"{path.partition('/')[0]}/{own}", feedback.as_html(row)
    match = _FLAT.fullmatch(path)
    return (f"{match[1]}{own}", feedback.as_html(row)) if match else None


def archives(
    rows: Sequence[Row], works: Sequence[Work], *, several: bool = False
) -> tuple[dict[str, bytes], list[str]]:
    """The zips with feedback, by the name of their file, and the files that have none in them."""
    platforms = {w.submission.path: w.submission.platform for w in works}
    entries: dict[str, dict[str, str]] = {}
    without = []
    for row in rows:
        path = row.result.path if row.result else ""
        platform = platforms.get(path, "")
        if not platform:
            continue
        for place in (path, *reversed(row.others)):  # another file of the student's will do
            download, rest = place.split("/", 1) if several else ("", place)
            if found := _entry(platform, rest, row):
                name = f"feedback-{platform.lower()}{f'-{download}' if download else ''}.zip"
                entries.setdefault(name, {})[found[0]] = found[1]
                break
        else:
            without.append(path)
    return {name: _zip(own) for name, own in sorted(entries.items())}, without


def _zip(entries: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # not compressed: zlib's versions differ
        for name, text in sorted(entries.items()):
            info = zipfile.ZipInfo(name, _FIRST)
            info.external_attr = 0o644 << 16
            archive.writestr(info, text.encode("utf-8", "replace"))
    return out.getvalue()


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
