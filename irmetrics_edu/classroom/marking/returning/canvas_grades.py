"""Marks for Canvas's gradebook: a column for each exercise, a line for each student.

An empty cell would delete a grade that Canvas has. So a student or an exercise without marks has no
line and no column here, and a single cell without marks keeps what the gradebook has.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.classroom.marking.collecting.rosters import Roster
from irmetrics_edu.classroom.marking.results import as_csv
from irmetrics_edu.classroom.marking.returning.platform_points import maximum, scaled
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import as_fraction

EXCUSED = "EX"
APART = (
    "some students have marks for a part of the exercises alone, so each exercise has a file "
    "canvas-NN.csv; with Canvas's gradebook (--roster) there is one file"
)
MOST_NAMED = 20
HEAD = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_ID = re.compile(r" *\((\d+)\) *$")


@dataclass(
    frozen=True,
    order=True,
)
class GradedExercise:
    """An exercise as its column is called: number, title and marks that can be had."""

    number: str
    title: str
    out_of: float


def exercises_of(rows: Sequence[Row]) -> list[GradedExercise]:
    """The exercises of the rows, each once, in order.

    Rows that are kept from an earlier source may be out of fewer marks, or of more: the most count.
    """
    exercises: dict[str, GradedExercise] = {}
    for row in rows:
        if not row.exercise:
            continue
        one = GradedExercise(row.exercise, row.title, row.out_of)
        before = exercises.get(row.exercise, one)
        exercises[row.exercise] = max(before, one, key=lambda exercise: exercise.out_of)
    return sorted(exercises.values())


def canvas(
    rows: Sequence[Row],
    book: Roster | None = None,
    named: Mapping[str, str] | None = None,
) -> tuple[str, list[str]]:
    """canvas.csv: the file for Canvas's gradebook import, and what to say of it.

    An exercise goes into its column of the gradebook that was given, so that Canvas makes no new
    assignment of it: the column that `named` says by its name or its id, else that of its title or
    number, as "Exercise 04: Title (8123)". Marks are scaled to the points possible there.
    """
    every = exercises_of(rows)
    columns = columns_of(
        every,
        book,
        named or {},
    )
    shown, absent = _in_the_gradebook(rows, book)
    head: list[object] = list(HEAD)
    points: list[object] = [
        "    Points Possible",
        "",
        "",
        "",
        "",
    ]
    most: dict[str, Fraction] = {}
    remarks = absent
    if book:
        remarks += _without_marks(shown, every)
    for exercise in _with_marks(shown, every):
        number = exercise.number
        column = columns.get(number, "")
        possible = _points_possible(book, column)
        stated = maximum(possible)
        most[number] = stated or as_fraction(exercise.out_of)
        head.append(column or f"Exercise {number}: {exercise.title}")
        points.append(possible if stated else exercise.out_of)
        if book and not column:
            remarks.append(
                f"canvas.csv: no column of {book.path.name} is exercise {number}, so Canvas makes "
                f"a new assignment; name the column with --column {number}=NAME"
            )
    lines, excused = _lines(
        shown,
        most,
        _present_grades(book, columns),
    )
    if excused:
        remarks.append(f"canvas.csv: stay excused, as in the gradebook: {'; '.join(excused)}")
    remarks += _above(rows, most)
    return as_csv([head, points, *lines]), remarks


def _in_the_gradebook(rows: Sequence[Row], book: Roster | None) -> tuple[list[Row], list[str]]:
    """The rows of students whom the gradebook can have, and who with marks is not in it.

    It has no line for students without a name. Without a gradebook nobody is known to be absent.
    """
    named = [row for row in rows if row.exercise and not row.anonymous]
    if book is None:
        return named, []
    listed = {person.student for person, _, _ in book.lines}
    absent = {row.student for row in named if row.marks is not None} - listed
    shown = [row for row in named if row.student in listed]
    if not absent:
        return shown, []
    remark = f"canvas.csv: not in {book.path.name}, and so without a line: {_listed(absent)}"
    return shown, [remark]


def _listed(names: Collection[str]) -> str:
    """Names in order; of many the first alone, and how many more there are."""
    shown = "; ".join(sorted(names)[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        shown += f"; and {len(names) - MOST_NAMED} more"
    return shown


def _with_marks(rows: Sequence[Row], every: Sequence[GradedExercise]) -> list[GradedExercise]:
    """The exercises that have marks."""
    numbers = {row.exercise for row in rows if row.marks is not None}
    return [exercise for exercise in every if exercise.number in numbers]


def _points_possible(book: Roster | None, column: str) -> str:
    """The points possible in a column of the gradebook; "" if it is not known."""
    return book.points.get(column, "") if book else ""


def _above(rows: Sequence[Row], numbers: Iterable[str]) -> Iterator[str]:
    """Who has more than the points possible, in one line."""
    above: dict[str, None] = {}
    for number in numbers:
        for row in rows:
            if row.exercise == number and row.marks is not None and row.marks > row.out_of:
                above[row.student] = None
    if above:
        yield f"canvas.csv: above the points possible, by a bonus: {'; '.join(above)}"


def _lines(
    rows: Sequence[Row],
    most: Mapping[str, Fraction],
    present: Mapping[tuple[str, str], str],
) -> tuple[list[list[object]], list[str]]:
    """A line for each student with marks, and who stays excused; `most` has the exercises' order.

    Where a student has no marks, the cell keeps what the gradebook has.
    """
    lines: list[list[object]] = []
    excused: list[str] = []
    ordered = sorted(rows, key=lambda row: row.student)
    for student, group in groupby(ordered, key=lambda row: row.student):
        row_of = {row.exercise: row for row in group}
        if all(row.marks is None for row in row_of.values()):
            continue
        first = next(iter(row_of.values()))
        line = _who(first.person, student)
        for number in most:
            before = present.get((student, number), "")
            row = row_of.get(number)
            if row is None or row.marks is None:
                line.append(before)
            elif before.upper() == EXCUSED:
                line.append(before)
                excused.append(f"{student}, exercise {number}")
            else:
                line.append(
                    scaled(
                        row.marks,
                        most[number],
                        row.out_of,
                    )
                )
        lines.append(line)
    return lines, excused


def canvas_files(
    rows: Sequence[Row],
    book: Roster | None = None,
    named: Mapping[str, str] | None = None,
) -> tuple[dict[str, str], list[str]]:
    """The files for Canvas's gradebook import by their names, and what to say of them.

    It is canvas.csv alone. But where a student has marks for one exercise and none for another,
    and no gradebook says what Canvas has there, each exercise has a file canvas-NN.csv.
    """
    if book is not None or not _has_gaps(rows):
        text, remarks = canvas(
            rows,
            book,
            named,
        )
        return {"canvas.csv": text}, remarks
    every = exercises_of(rows)
    columns_of(
        every,
        book,
        named or {},
    )  # a name that fits none is an error here, too
    files: dict[str, str] = {}
    remarks = [APART]
    for exercise in every:
        rows_of_exercise = [row for row in rows if row.exercise == exercise.number]
        if any(row.marks is not None and not row.anonymous for row in rows_of_exercise):
            files[f"canvas-{exercise.number}.csv"], more = canvas(rows_of_exercise)
            remarks += more
    return files, remarks


def _has_gaps(rows: Sequence[Row]) -> bool:
    """Whether a student has marks for one exercise and none for another that has marks."""
    by_student: dict[str, set[str]] = {}
    for row in rows:
        if row.exercise and row.marks is not None and not row.anonymous:
            by_student.setdefault(row.student, set()).add(row.exercise)
    every = set().union(*by_student.values())
    return any(exercises != every for exercises in by_student.values())


def _without_marks(rows: Sequence[Row], every: Sequence[GradedExercise]) -> list[str]:
    """Which exercises and students are not exported, as nothing is known of them."""
    marked = [row for row in rows if row.marks is not None]
    if not marked:
        return ["canvas.csv: no marks are known yet, so it has no lines"]
    remarks = []
    left = {row.student for row in rows} - {row.student for row in marked}
    if left:
        remarks.append(
            f"canvas.csv: no line for {len(left)} students without marks, so Canvas keeps what it "
            f"has of them: {_listed(left)}"
        )
    numbers = {row.exercise for row in marked}
    for number in [one.number for one in every if one.number not in numbers]:
        remarks += [f"canvas.csv: no column for exercise {number}, of which no marks are known"]
    return remarks


def _present_grades(book: Roster | None, columns: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """The grades that the gradebook has already, by student and exercise."""
    grades: dict[tuple[str, str], str] = {}
    for person, _, cells in book.lines if book else ():
        for number, column in columns.items():
            grades[person.student, number] = cells.get(column, "").strip()
    return grades


def _who(person: Person, student: str) -> list[object]:
    """The cells of a line that tell Canvas who the student is."""
    login = person.login or ("" if person.canvas else student)
    return [
        person.name or student,
        person.canvas,
        person.id,
        login,
        person.section,
    ]


def columns_of(
    exercises: Sequence[GradedExercise],
    book: Roster | None,
    named: Mapping[str, str],
) -> dict[str, str]:
    """The gradebook's column of each exercise; InputError for a name that fits none or several."""
    _refuse_unknown(exercises, named)
    assignments = {column: _ID.sub("", column).strip() for column in (book.head if book else ())}
    columns: dict[str, str] = {}
    for exercise in exercises:
        name = named.get(exercise.number, named.get("", ""))
        if name:
            columns[exercise.number] = _called(name, assignments)
            continue
        fits = _fitting(exercise, assignments)
        if len(fits) == 1:
            columns[exercise.number] = fits[0]
    return columns


def _refuse_unknown(exercises: Sequence[GradedExercise], named: Mapping[str, str]) -> None:
    """InputError for a column of an exercise that is not there."""
    numbers = [exercise.number for exercise in exercises]
    for number, name in named.items():
        if number not in numbers and (number or len(numbers) != 1):
            raise InputError(
                f"--column {name}: write it as NN=NAME; exercises are {', '.join(numbers)}"
            )


def _fitting(exercise: GradedExercise, assignments: Mapping[str, str]) -> list[str]:
    """The columns that are called as an exercise is; if none is, those that begin as it does."""
    title = exercise.title.casefold()
    numbers = {exercise.number, exercise.number.lstrip("0")}
    short = {f"exercise {number}" for number in numbers}
    titles = {title, *short, *(f"{one}: {title}" for one in short)}
    whole = []
    begun = []
    for column, assignment in assignments.items():
        name = assignment.casefold()
        if name in titles:
            whole.append(column)
        if name.partition(":")[0] in short:
            begun.append(column)
    return whole or begun


def _called(name: str, assignments: Mapping[str, str]) -> str:
    """The one column that a teacher's name or id means; InputError if none or several do."""
    wanted = {name.casefold(), name.strip("()")}
    fits = []
    numbered = []
    for column, assignment in assignments.items():
        match = _ID.search(column)
        if match:
            numbered.append(column)
        if wanted & {column.casefold(), assignment.casefold(), match[1] if match else column}:
            fits.append(column)
    if len(fits) != 1:
        there = "; ".join(numbered) or "unknown without it (--roster)"
        what = "several columns are" if fits else "no column is"
        raise InputError(
            f"--column {name}: {what} called so in Canvas's gradebook; its assignments are {there}"
        )
    return fits[0]
