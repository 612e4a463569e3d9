"""The teacher's own tables: lines by column, the students that they name, points."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from irmetrics_edu.classroom.exercises.computed_question import like
from irmetrics_edu.classroom.marking.collecting.owner_names import Person, folded, normal
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import SpreadsheetTable, table


def entries(
    path: Path,
    people: Iterable[Person],
    *heads: Sequence[str],
    once: Sequence[str] = (),
    rules: Sequence[str] = (),
    questions: Mapping[str, Collection[str]] | None = None,
) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each line stands, and its cells by column; the head is one of `heads`, in any order.

    Students are called as the class calls them, exercises by two digits, rules in small letters. No
    two lines have the same cells in the columns `once`. Others than the known `rules` are refused,
    and so are others than the known exercises with their `questions`. The names of the class tell
    which encoding a table has. InputError names the line.
    """
    students_of = ids(people)
    students: set[str] = set()
    for meant in students_of.values():
        students |= meant
    as_table = table(path, students)
    _require_head(
        path,
        as_table,
        heads,
    )
    seen: set[tuple[str, ...]] = set()
    for number, cells in cells_of(path, as_table):
        where = f"{path}, line {number}"
        _settle(
            cells,
            students_of,
            where,
        )
        key = tuple(cells.get(name, "") for name in once)
        if once and key in seen:
            raise InputError(f"{where}: {' '.join(filter(None, key))} a second time")
        seen.add(key)
        if rules and cells["rule"] not in rules:
            raise InputError(f"{where}: rule {cells['rule']!r}; give one of {', '.join(rules)}")
        if questions is not None:
            _refuse_unknown(
                cells["exercise"],
                cells["question"],
                questions,
                where,
            )
        yield where, cells


def _require_head(
    path: Path,
    as_table: SpreadsheetTable,
    heads: Sequence[Sequence[str]],
) -> None:
    """InputError if the columns are others than those of one of the heads."""
    head = sorted(_columns(as_table))
    if head not in [sorted(columns) for columns in heads]:
        wanted = " or ".join(",".join(columns) for columns in heads)
        raise InputError(f"{path}, line 1: the head must be {wanted}")


def _columns(as_table: SpreadsheetTable) -> list[str]:
    """The names of the columns, in small letters."""
    return [cell.strip().lower() for cell in as_table.head]


def _settle(
    cells: dict[str, str],
    students_of: Mapping[str, set[str]],
    where: str,
) -> None:
    """Write rule, exercise and student of a line as the rest of grading calls them."""
    cells["rule"] = cells.get("rule", "").lower()
    exercise = cells.get("exercise", "")
    cells["exercise"] = exercise.zfill(2) if exercise else ""
    if cells.get("student"):
        cells["student"] = student_of(
            cells["student"],
            students_of,
            where,
        )


def _refuse_unknown(
    exercise: str,
    question: str,
    exercises: Mapping[str, Collection[str]],
    where: str,
) -> None:
    if exercise not in exercises:
        raise InputError(f"{where}: exercise {exercise}; known are {', '.join(sorted(exercises))}")
    if question and question not in exercises[exercise]:
        names = ", ".join(exercises[exercise])
        raise InputError(f"{where}: question {question!r}; exercise {exercise} has {names}")


def cells_of(path: Path, as_table: SpreadsheetTable) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each line, and its cells by column; InputError for a line that is too long."""
    head = _columns(as_table)
    for number, row in as_table.rows:
        if len(row) > len(head):
            raise InputError(
                f"{path}, line {number}: {len(row)} fields, and the head has {len(head)}; "
                "quote a field with commas"
            )
        cells = [normal(cell) for cell in row]
        cells += [""] * (len(head) - len(row))
        yield (
            number,
            dict(
                zip(
                    head,
                    cells,
                    strict=True,
                )
            ),
        )


def ids(people: Iterable[Person]) -> dict[str, set[str]]:
    """The students that an id means: by name, number, login or address."""
    students: dict[str, set[str]] = {}
    for person in people:
        for word in person.words:
            meant = students.setdefault(folded(word), set())
            meant.add(person.student)
    return students


def student_of(
    name: str,
    students_of: Mapping[str, set[str]],
    where: str,
) -> str:
    """The one student whom a name or an id means; InputError if it is nobody or several."""
    meant = sorted(students_of.get(folded(name), ()))
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise InputError(f"{where}: student {name!r} may mean {' or '.join(meant)}")
    near = like(folded(name), students_of) or "; give the class with --roster"
    raise InputError(f"{where}: student {name!r} is nobody of the class{near}")


def points(
    text: str,
    most: float,
    what: str,
) -> float | None:
    """Points from 0 to the most that can be had, also with a comma; None if there are none."""
    if not text:
        return None
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        raise InputError(f"{what}: {text!r} is no number") from None
    if not (math.isfinite(number) and 0 <= number <= most):
        raise InputError(f"{what}: {text!r}; give 0 to {most:g}")
    return number
