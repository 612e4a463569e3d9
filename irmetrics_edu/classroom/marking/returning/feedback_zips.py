"""Zips of feedback, as Canvas and Moodle import them.

Canvas finds the student of a feedback by the first two numbers of the file's name, and shows it
under that name: so it is what the name says, a notebook for .ipynb. Of a group Canvas gives one
file, under the id of one member, and shows the comment to all. Moodle goes by the number after the
student's name in the name of a folder, and of a group gives the number of the group, which it would
take back for that of a participant: there each member has a folder of their own.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.returning import feedback
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.writing import zipped

_FLAT = re.compile(r"([^_]+_\d+_assignsubmission_[a-z]+_)[^/]*", re.DOTALL)
# In the name that Canvas makes for a file of a student's, to which a comment can go.
OF_A_FILE = re.compile(r"(_\d+|anon_[A-Za-z0-9]{5})_\d+_")
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
CANVAS = "Canvas"

# A file of a zip: its name, and what is in it.
ZipEntry = tuple[str, str]


def as_notebook(row: Row) -> str:
    """The feedback as a notebook with one cell of text."""
    source = feedback.markdown(row).splitlines(keepends=True)
    cell = {
        "cell_type": "markdown",
        "id": "feedback",
        "metadata": {},
        "source": source,
    }
    book = {
        "cells": [cell],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


# What can hold feedback, by the end of its name: as a notebook, as a page, as Markdown.
_WRITTEN: Mapping[str, Callable[[Row], str]] = {
    ".ipynb": as_notebook,
    ".html": feedback.as_html,
    ".htm": feedback.as_html,
    ".txt": feedback.markdown,
    ".md": feedback.markdown,
    ".py": feedback.markdown,
    ".json": feedback.markdown,
    "": feedback.markdown,
}


def moodle_folder(person: Person) -> str:
    """The folder of a student's files in Moodle's zips; `_` in a name would be no part of it."""
    name = re.sub(r"[_/\\\0]", " ", person.name or person.student)
    return f"{name}_{person.moodle}_assignsubmission_file"


def _of_canvas(path: str, row: Row) -> ZipEntry | None:
    """The feedback in Canvas's zip; None if it can't go back.

    A text that was typed into Canvas has no number of a file, and can have no comment so.
    """
    name = path.rpartition("/")[2]
    write = _WRITTEN.get(Path(name).suffix.lower())
    if write is None or not OF_A_FILE.search(name):
        return None
    return name, write(row)


def _of_moodle(path: str, row: Row, submission: Submission) -> ZipEntry | None:
    """The feedback in Moodle's zip; None if it can't go back."""
    file = f"feedback-{row.stem}.html"
    number = row.person.moodle
    if row.group or (number and number != submission.who.number):
        if not number:
            return None
        return f"{moodle_folder(row.person)}/{file}", feedback.as_html(row)
    if not submission.who.student or not submission.who.number:
        return None  # what is nobody's may be a group's, with the number of the group
    if "/" in path:
        return f"{path.partition('/')[0]}/{file}", feedback.as_html(row)
    match = _FLAT.fullmatch(path)
    return (f"{match[1]}{file}", feedback.as_html(row)) if match else None


def archives(
    rows: Sequence[Row], hand_ins: Sequence[HandIn]
) -> tuple[dict[str, bytes], dict[str, list[str]]]:
    """The zips with feedback by file name, and the submissions in none of them by reason."""
    submissions = {one.submission.path: one.submission for one in hand_ins}
    entries: dict[str, dict[str, str]] = {}
    shown, apart = _as_shown(rows, submissions)
    without: dict[str, list[str]] = {OWN_MARKS: apart} if apart else {}
    for row in shown:
        path = row.result.path if row.result else ""
        platform = submissions[path].who.platform if path in submissions else ""
        if not platform:
            continue
        entry = _entry(row, path, platform, submissions)
        if entry is not None:
            name, text = entry
            entries.setdefault(f"feedback-{platform.lower()}.zip", {})[name] = text
            continue
        why = CANT_HOLD if platform == CANVAS else NO_NUMBER
        who = f": {row.student}" if row.group else ""
        without.setdefault(why, []).append(f"{path}{who}")
    zips = {}
    for name, files in sorted(entries.items()):
        zips[name] = zipped(files)
    return zips, without


def _entry(
    row: Row,
    path: str,
    platform: str,
    submissions: Mapping[str, Submission],
) -> ZipEntry | None:
    """The feedback beside one of the student's files, of which another will do, too."""
    places = [path, *reversed(row.others)]
    places.sort(key=lambda place: submissions[place].who.number != row.person.canvas)
    for place in places:
        if platform == CANVAS:
            entry = _of_canvas(place, row)
        else:
            entry = _of_moodle(place, row, submissions[place])
        if entry is not None:
            return entry
    return None


def _as_shown(
    rows: Sequence[Row], submissions: Mapping[str, Submission]
) -> tuple[list[Row], list[str]]:
    """The rows, with one row for a group that Canvas shows one file, and the groups without one.

    Where Canvas marks the members one by one, it gives the group's file under each of their ids.
    """
    units: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        units.setdefault((row.unit, row.exercise), []).append(row)
    shown: list[Row] = []
    apart: list[str] = []
    for rows_of_unit in units.values():
        numbers = _canvas_numbers(rows_of_unit, submissions)
        group = rows_of_unit[0].group
        if not group or not numbers or {row.person.canvas for row in rows_of_unit} <= numbers:
            shown += rows_of_unit
            continue
        of_group = [replace(row, person=Person(row.group)) for row in rows_of_unit]
        if len(set(map(feedback.markdown, of_group))) == 1:
            shown.append(of_group[0])
        else:
            apart.append(group)
    return shown, apart


def _canvas_numbers(rows: Sequence[Row], submissions: Mapping[str, Submission]) -> set[str]:
    """The numbers of students in the names that Canvas gave to the files of these rows."""
    numbers = set()
    for row in rows:
        paths = [*row.others, row.result.path if row.result else ""]
        for path in paths:
            if path and submissions[path].who.platform == CANVAS:
                numbers.add(submissions[path].who.number)
    return numbers
