"""The teacher's own tables: lines by column, the students that they name, points."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from irmetrics_edu.classroom.marking.owner_names import Person, folded, normal
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import Table, table


def entries(
    path: Path, names: Iterable[str], *heads: Sequence[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each line stands, and its cells by column; the head is one of `heads`, in any order.

    `names` are those of the class: they tell which encoding a table has. InputError names the line.
    """
    given = table(path, names)
    head = [cell.strip().lower() for cell in given.head]
    if sorted(head) not in [sorted(known) for known in heads]:
        wanted = " or ".join(",".join(known) for known in heads)
        raise InputError(f"{path}, line 1: the head must be {wanted}")
    for number, cells in cells_of(path, given):
        yield f"{path}, line {number}", cells


def cells_of(path: Path, given: Table) -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each line, and its cells by column; InputError for a line that is too long."""
    head = [cell.strip().lower() for cell in given.head]
    for number, row in given.rows:
        if len(row) > len(head):
            raise InputError(
                f"{path}, line {number}: {len(row)} fields, and the head has {len(head)}; "
                "quote a field with commas"
            )
        cells = [normal(cell) for cell in row] + [""] * (len(head) - len(row))
        yield number, dict(zip(head, cells, strict=True))


def ids(people: Iterable[Person]) -> dict[str, set[str]]:
    """The students that an id means: by name, number, login or address."""
    found: dict[str, set[str]] = {}
    for person in people:
        for word in person.words:
            found.setdefault(folded(word), set()).add(person.student)
    return found


def student_of(name: str, known: Mapping[str, set[str]], where: str) -> str:
    """The one student whom a name or an id means; InputError if it is nobody or several."""
    meant = sorted(known.get(folded(name), ()))
    if len(meant) == 1:
        return meant[0]
    what = "is nobody of the class" + "; give the class with --roster"
    if meant:
        what = f"may mean {' or '.join(meant)}"
    raise InputError(f"{where}: student {name!r} {what}")


def points(text: str, most: float, what: str) -> float | None:
    """Points from 0 to the most that can be had, also with a comma; None if there are none."""
    if not text:
        return None
    try:
        given = float(text.replace(",", "."))
    except ValueError:
        raise InputError(f"{what}: {text!r} is no number") from None
    if not (math.isfinite(given) and 0 <= given <= most):
        raise InputError(f"{what}: {text!r}; give 0 to {most:g}")
    return given
