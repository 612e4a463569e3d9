"""Tables of marks and zips of feedback: for the teacher, and as Canvas and Moodle import them.

Marks that are not known are left empty, which neither platform takes for 0. Moodle has a feedback
column beside each grade, as a feedback imported alone takes the grade away.

Canvas finds the student of a feedback by the first two numbers of the file's name, and shows it
under that name: so it is what the name says, a notebook for .ipynb. Of a group Canvas gives one
file, under the id of one member, and shows the comment to all. Moodle goes by the number after the
student's name in the name of a folder, and of a group gives the number of the group, which it would
take back for that of a participant: there each member has a folder of their own.

In the same way each student gets a copy of an exercise: as a feedback file of Moodle, and as a
comment of Canvas on a notebook that the student handed in.
"""

import json
import math
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.marking.collecting.owner_names import Person, named
from irmetrics_edu.classroom.marking.collecting.rosters import Roster
from irmetrics_edu.classroom.marking.collecting.submissions import Submission
from irmetrics_edu.classroom.marking.matching.lateness import SUBMITTED
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import as_csv
from irmetrics_edu.classroom.marking.returning import feedback
from irmetrics_edu.classroom.marking.returning.feedback import notices, parts, total
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import as_fraction
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import csv_table
from irmetrics_edu.writing import zipped

# Before any penalty, the penalty, and what is left: side by side wherever marks are.
_SIDE = ("raw marks", "penalty", "marks")


def marks(rows: Sequence[Row]) -> str:
    """marks.csv: a line for each student and exercise, with the marks of each question."""
    names = list(dict.fromkeys((r.exercise, x.question.name) for r in rows for x in r.lines))
    grouped = ["group"] if any(row.group for row in rows) else []
    head = [
        "student",
        "name",
        "section",
        *grouped,
        "exercise",
        "status",
        "late",
        *_SIDE,
        "out of",
        "remedy",
    ]
    lines: list[list[object]] = [[*head, *(f"{number} {name}" for number, name in names)]]
    for row in rows:
        each = {(row.exercise, line.question.name): line.marks for line in row.lines}
        result = row.result
        remedy = f"{result.why}. {result.remedy}" if result and result.why else ""
        in_group = [row.person.group] if grouped else []
        who = [row.student, row.person.name, row.person.section, *in_group, row.exercise]
        got = [row.raw, row.penalty, row.marks, row.out_of or None]
        lines.append([*who, row.status, row.late, *got, remedy, *(each.get(n) for n in names)])
    return as_csv(lines)


def maximum(text: str) -> Fraction | None:
    """The maximum that stands in a platform's table, such as 100.00 or 7,5; None if none does."""
    match = re.fullmatch(r"\s*(\d{1,6})(?:[.,](\d{1,6}))?\s*", text)
    return (Fraction(f"{match[1]}.{match[2] or 0}") or None) if match else None


def scaled(marks: float, most: Fraction | None, out_of: float) -> float:
    """The platform's points for marks; bonus marks may lead beyond its maximum.

    Marks are scaled by the ratio of the maximum and the exercise's own total, and rounded to two
    decimals, a half up. Where the two are equal, or there is no maximum, marks stay as they are.

    >>> scaled(2.5, Fraction(100), 7), scaled(2.3333, Fraction(7), 7.0), scaled(2.5, None, 7)
    (35.71, 2.3333, 2.5)
    """
    total = as_fraction(out_of)
    if most is None or most == total or not total:
        return marks
    points = as_fraction(marks) * most / total
    return math.floor(points * 100 + Fraction(1, 2)) / 100


def canvas(
    rows: Sequence[Row], book: Roster | None = None, named: Mapping[str, str] | None = None
) -> tuple[str, list[str]]:
    """canvas.csv: the file for Canvas's gradebook import, and what to say of it.

    An exercise goes into its column of the gradebook that was given, so that Canvas makes no new
    assignment of it: the column that `named` says by its name or its id, else that of its title or
    number, as "Exercise 04: Title (8123)". Marks are scaled to the points possible there.

    An empty cell would delete a grade that Canvas has. So a student or an exercise without marks
    has no line and no column here, and a single cell without marks keeps what the gradebook has.
    """
    every = sorted({(r.exercise, r.title, r.out_of) for r in rows if r.exercise})
    columns = _columns(every, book, named or {})
    # A platform's gradebook has no line for students without a name.
    shown = [row for row in rows if row.exercise and not row.anonymous]
    known = {row.exercise for row in shown if row.marks is not None}
    exercises = [one for one in every if one[0] in known]
    head: list[object] = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    points: list[object] = ["    Points Possible", "", "", "", ""]
    most: dict[str, Fraction | None] = {}
    said = _without_marks(shown, every) if book else []
    for number, title, out_of in exercises:
        column = columns.get(number, "")
        given = book.points.get(column, "") if book and column else ""
        most[number] = maximum(given)
        head.append(column or f"Exercise {number}: {title}")
        points.append(given if most[number] else out_of)
        if book and not column:
            said.append(
                f"canvas.csv: no column of {book.path.name} is exercise {number}, so Canvas makes "
                f"a new assignment; name the column with --column {number}=NAME"
            )
    lines, excused = _canvas_lines(shown, most, _present_grades(book, columns))
    if excused:
        said.append(f"canvas.csv: stay excused, as in the gradebook: {'; '.join(excused)}")
    for number in most:
        own_rows = [row for row in rows if row.exercise == number and row.marks is not None]
        more = [row.student for row in own_rows if (row.marks or 0.0) > row.out_of]
        said += [f"canvas.csv: above the points possible, by a bonus: {s}" for s in more]
    return as_csv([head, points, *lines]), said


def _canvas_lines(
    rows: Sequence[Row],
    most: Mapping[str, Fraction | None],
    present: Mapping[tuple[str, str], str],
) -> tuple[list[list[object]], list[str]]:
    """A line for each student with marks, and who stays excused; `most` has the exercises' order.

    Where a student has no marks, the cell keeps what the gradebook has.
    """
    lines: list[list[object]] = []
    excused: list[str] = []
    ordered = sorted(rows, key=lambda row: row.student)
    for student, group in groupby(ordered, key=lambda row: row.student):
        own = {row.exercise: row for row in group}
        known = {number: row for number, row in own.items() if row.marks is not None}
        if not known:
            continue
        cells: list[object] = []
        for number in most:
            before = present.get((student, number), "")
            row = known.get(number)
            if row is None or row.marks is None:
                cells.append(before)
            elif before.upper() == EXCUSED:
                cells.append(before)
                excused.append(f"{student}, exercise {number}")
            else:
                cells.append(scaled(row.marks, most[number], row.out_of))
        lines.append([*_who(next(iter(own.values())).person, student), *cells])
    return lines, excused


EXCUSED = "EX"
APART = (
    "some students have marks for a part of the exercises alone, so each exercise has a file "
    "canvas-NN.csv; with Canvas's gradebook (--roster) there is one file"
)


def canvas_files(
    rows: Sequence[Row], book: Roster | None = None, named: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[str]]:
    """The files for Canvas's gradebook import by their names, and what to say of them.

    It is canvas.csv alone. But where a student has marks for one exercise and none for another,
    and no gradebook says what Canvas has there, each exercise has a file canvas-NN.csv.
    """
    if book is not None or not _has_gaps(rows):
        text, said = canvas(rows, book, named)
        return {"canvas.csv": text}, said
    every = sorted({(r.exercise, r.title, r.out_of) for r in rows if r.exercise})
    _columns(every, book, named or {})  # a name that fits none is an error here, too
    files: dict[str, str] = {}
    said = [APART]
    for number, _, _ in every:
        own = [row for row in rows if row.exercise == number]
        if any(row.marks is not None and not row.anonymous for row in own):
            files[f"canvas-{number}.csv"], more = canvas(own)
            said += more
    return files, said


def _has_gaps(rows: Sequence[Row]) -> bool:
    """Whether a student has marks for one exercise and none for another that has marks."""
    by_student: dict[str, set[str]] = {}
    for row in rows:
        if row.exercise and row.marks is not None and not row.anonymous:
            by_student.setdefault(row.student, set()).add(row.exercise)
    every = set().union(*by_student.values())
    return any(own != every for own in by_student.values())


def _without_marks(rows: Sequence[Row], every: Sequence[tuple[str, str, float]]) -> list[str]:
    """Which exercises and students are not exported, as nothing is known of them."""
    marked = [row for row in rows if row.marks is not None]
    if not marked:
        return ["canvas.csv: no marks are known yet, so it has no lines"]
    said = []
    left = sorted({row.student for row in rows} - {row.student for row in marked})
    if left:
        more = f"; and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        names = "; ".join(left[:MOST_NAMED])
        said.append(
            f"canvas.csv: no line for {len(left)} students without marks, so Canvas keeps what it "
            f"has of them: {names}{more}"
        )
    known = {row.exercise for row in marked}
    for number, _, _ in every:
        if number not in known:
            said.append(f"canvas.csv: no column for exercise {number}, of which no marks are known")
    return said


MOST_NAMED = 20


def _present_grades(book: Roster | None, columns: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """The grades that the gradebook has already, by student and exercise."""
    found: dict[tuple[str, str], str] = {}
    for person, _, cells in book.lines if book else ():
        for number, column in columns.items():
            found[person.student, number] = cells.get(column, "").strip()
    return found


def _who(person: Person, student: str) -> list[object]:
    """The cells of a line that tell Canvas who the student is."""
    login = person.login or ("" if person.canvas else student)
    return [person.name or student, person.canvas, person.id, login, person.section]


def _columns(
    exercises: Sequence[tuple[str, str, float]], book: Roster | None, named: Mapping[str, str]
) -> dict[str, str]:
    """The gradebook's column of each exercise; InputError for a name that fits none or several."""
    numbers = [number for number, _, _ in exercises]
    if unknown := [n for n in named if n not in numbers and (n or len(numbers) != 1)]:
        raise InputError(
            f"--column {named[unknown[0]]}: write it as NN=NAME; exercises are {', '.join(numbers)}"
        )
    bare = {c: _ID.sub("", c).strip().casefold() for c in (book.head if book else ())}
    found: dict[str, str] = {}
    for number, title, _ in exercises:
        short = {f"exercise {n}" for n in (number, number.lstrip("0"))}
        known = {title.casefold(), *short, *(f"{s}: {title.casefold()}" for s in short)}
        fits = [c for c, own in bare.items() if own in known]
        fits = fits or [c for c, own in bare.items() if own.partition(":")[0] in short]
        if name := named.get(number, named.get("", "")):
            wanted = {name.casefold(), name.strip("()")}
            ids = {c: match[1] for c in bare if (match := _ID.search(c))}
            fits = [c for c in bare if wanted & {c.casefold(), bare[c], ids.get(c, c)}]
            if len(fits) != 1:
                there = "; ".join(ids) or "unknown without it (--roster)"
                what = "several columns are" if fits else "no column is"
                raise InputError(
                    f"--column {name}: {what} called so in Canvas's gradebook; its assignments are "
                    f"{there}"
                )
        if len(fits) == 1:
            found[number] = fits[0]
    return found


_ID = re.compile(r" *\((\d+)\) *$")


def brief(row: Row) -> str:
    """The feedback in one paragraph of plain text."""
    if row.result is None:
        return f"{row.status}."
    said = [f"{total(row)}.", *notices(row)]
    for part in parts(row):
        first = next(iter(part.sentences), "")
        said.append(f"{part.heading} ({part.marks}): {first}")
    return " ".join(said)


def as_data(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """marks.json: the content of marks.csv for programs; unknown marks are null."""
    return [
        {
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
            **({"group": row.group} if row.group else {}),
        }
        for row in rows
    ]


def gradescope(row: Row) -> str:
    """results.json as Gradescope's autograder reads it: a test for each question, with feedback.

    A question without marks has no score, and a total that is not known is left out.
    """
    tests = [
        {
            "name": part.heading,
            "max_score": line.question.out_of,
            **({} if line.marks is None else {"score": line.marks}),
            "output": "\n".join(part.sentences),
            "visibility": "visible",
        }
        for line, part in zip(row.lines, parts(row), strict=True)
    ]
    found = {
        "output": "\n".join([f"{total(row)}.", *notices(row)]),
        "visibility": "visible",
        **({} if row.marks is None else {"score": row.marks}),
        "tests": tests,
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


_FLAT = re.compile(r"([^_]+_\d+_assignsubmission_[a-z]+_)[^/]*", re.DOTALL)
# In the name that Canvas makes for a file of a student's, to which a comment can go.
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


def as_notebook(row: Row) -> str:
    """The feedback as a notebook with one cell of text."""
    source = feedback.markdown(row).splitlines(keepends=True)
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": source}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


# What can hold feedback, by the end of its name: as a notebook, as a page, as Markdown.
_WRITTEN: Mapping[str, Callable[[Row], str]] = {
    ".ipynb": as_notebook,
    **dict.fromkeys((".html", ".htm"), feedback.as_html),
    **dict.fromkeys((".txt", ".md", ".py", ".json", ""), feedback.markdown),
}


def moodle_folder(person: Person) -> str:
    """The folder of a student's files in Moodle's zips; `_` in a name would be no part of it."""
    name = re.sub(r"[_/\\\0]", " ", person.name or person.student)
    return f"{name}_{person.moodle}_assignsubmission_file"


def _of_canvas(path: str, row: Row) -> tuple[str, str] | None:
    """Name and content of the feedback in Canvas's zip; None if it can't go back."""
    name = path.rpartition("/")[2]
    # A text that was typed into Canvas has no number of a file, and can have no comment so.
    end = Path(name).suffix.lower()
    write = _WRITTEN.get(end) if _OF_A_FILE.search(name) else None
    return (name, write(row)) if write else None


def _of_moodle(path: str, row: Row, submission: Submission) -> tuple[str, str] | None:
    """Name and content of the feedback in Moodle's zip; None if it can't go back."""
    own = f"feedback-{row.stem}.html"
    number = row.person.moodle
    if row.group or (number and number != submission.who.number):
        where = moodle_folder(row.person)
        return (f"{where}/{own}", feedback.as_html(row)) if number else None
    if not submission.who.student or not submission.who.number:
        return None  # what is nobody's may be a group's, with the number of the group
    if "/" in path:
        return f"{path.partition('/')[0]}/{own}", feedback.as_html(row)
    match = _FLAT.fullmatch(path)
    return (f"{match[1]}{own}", feedback.as_html(row)) if match else None


def archives(
    rows: Sequence[Row], hand_ins: Sequence[HandIn]
) -> tuple[dict[str, bytes], dict[str, list[str]]]:
    """The zips with feedback by file name, and the submissions in none of them by reason."""
    handed_in = {w.submission.path: w.submission for w in hand_ins}
    entries: dict[str, dict[str, str]] = {}
    shown, apart = _as_shown(rows, handed_in)
    without: dict[str, list[str]] = {OWN_MARKS: apart} if apart else {}
    for row in shown:
        path = row.result.path if row.result else ""
        platform = handed_in[path].who.platform if path in handed_in else ""
        if not platform:
            continue
        places = [path, *reversed(row.others)]  # another file of the student's will do
        places.sort(key=lambda p: handed_in[p].who.number != row.person.canvas)
        for place in places:
            canvas = platform == "Canvas"
            found = _of_canvas(place, row) if canvas else _of_moodle(place, row, handed_in[place])
            if found:
                entries.setdefault(f"feedback-{platform.lower()}.zip", {})[found[0]] = found[1]
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
        numbers = {
            handed_in[p].who.number for p in paths if p and handed_in[p].who.platform == "Canvas"
        }
        if not own[0].group or not numbers or {r.person.canvas for r in own} <= numbers:
            made += own
            continue
        all_ = [replace(row, person=Person(row.group)) for row in own]
        if len(set(map(feedback.markdown, all_))) == 1:
            made.append(all_[0])
        else:
            apart.append(own[0].group)
    return made, apart


def worksheet(roster: Roster, exercise: str, rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Moodle's grading worksheet as it was given, filled in, and what to say of it.

    Marks are scaled to the maximum grade of each line. Moodle takes nothing above it, so marks
    beyond it by a bonus become the maximum. Marks that are not known stay as they were; Moodle
    skips a line whose grade is empty.
    """
    by_student = {row.student: row for row in rows if row.exercise == exercise}
    comment = _column(roster.head, "feedback comments") or "Feedback comments"
    head = list(dict.fromkeys([*roster.head, comment]))
    lines: list[list[object]] = [list(head)]
    said = []
    for person, _, given in roster.lines:
        cells = dict(given)
        row = by_student.get(person.student)
        for name in (SUBMITTED, "Last modified (grade)"):
            cells[name] = "" if cells.get(name, "").strip() == "-" else cells.get(name, "")
        if row and row.marks is not None:
            most = maximum(given.get(_column(head, "maximum grade"), ""))
            points = scaled(row.marks, most, row.out_of)
            if most is not None and points > most:
                said.append(
                    f"moodle-worksheet.csv: {row.student} has {points:g}, and Moodle takes at most "
                    f"{float(most):g}: that is written"
                )
                points = float(most)
            cells[_column(head, "grade")] = f"{points:g}"
        if row and row.result:
            cells[comment] = escaping.html(brief(row))  # which Moodle takes for HTML
        lines.append([cells.get(name, "") for name in head])
    return csv_table(lines, end="\r\n"), said


def _column(head: Sequence[str], name: str) -> str:
    return next((own for own in head if own.strip().lower() == name), "")


# -- the copies that students get


def handed_out(
    written: Sequence[Path], people: Sequence[Person], asked: Path | None = None
) -> tuple[dict[str, bytes], list[str]]:
    """The zips of the copies by platform, and who gets none on Canvas.

    `asked` is Canvas's zip of what students handed in. InputError if it has no student's notebook.
    """
    copies = {path.parent.name: path for path in written}
    moodle = {
        f"{moodle_folder(p)}/{copy.name}": copy
        for p in people
        if p.moodle and (copy := copies.get(p.student))
    }
    canvas = _for_canvas(copies, people, asked) if asked else {}
    zips = {
        platform: zipped({name: path.read_text("utf-8") for name, path in sorted(files.items())})
        for platform, files in (("moodle", moodle), ("canvas", canvas))
        if files
    }
    return zips, sorted(copies.keys() - {p.parent.name for p in canvas.values()}) if asked else []


def _for_canvas(
    copies: Mapping[str, Path], people: Sequence[Person], handed_in: Path
) -> dict[str, Path]:
    """Each student's copy under the name of a notebook that the student handed in."""
    try:
        with zipfile.ZipFile(handed_in) as archive:
            names = sorted(Path(name).name for name in archive.namelist())
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"--canvas {handed_in}: it is no zip of Canvas's ({error})") from None
    alone = [replace(p, group="") for p in people]  # a group's file has the number of a member
    found: dict[str, str] = {}
    for name in names:
        if _OF_A_FILE.search(name) and name.endswith(".ipynb"):
            found.setdefault(named(name, [], alone, folder=False).student, name)
    if not found.keys() & copies.keys():
        raise InputError(
            f"--canvas {handed_in}: no notebook in it is of a student of the roster; let students "
            "hand in the copy for all first, and download the submissions"
        )
    return {name: copies[owner] for owner, name in found.items() if owner in copies}
