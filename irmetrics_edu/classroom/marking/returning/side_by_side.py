"""Similar code side by side: in which cells and lines of each notebook the shared traces stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.matching.code_tokens import lines_with
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.reviewing.gradebook import Row
from irmetrics_edu.classroom.marking.reviewing.similarity import Alike
from irmetrics_edu.views import escaping

MOST_STUDENTS = 4
MOST_LINES = 60
LONGEST = 8_000


@dataclass(frozen=True)
class SharedPlace:
    """The lines of a cell, from the first to the last, that others have, too."""

    cell: int
    first: int
    last: int
    text: str

    @property
    def html(self) -> str:
        """The place and the lines for a page."""
        where = escaping.html(str(self))
        text = escaping.html(self.text)
        return f"<p>{where}</p><pre>{text}</pre>"

    def __str__(self) -> str:
        if self.first == self.last:
            return f"cell {self.cell}, line {self.first}"
        return f"cell {self.cell}, lines {self.first} to {self.last}"


# The code cells of each unit, by the unit and the path of what it handed in.
CellsOf = Mapping[tuple[str, str], Sequence[str]]


def cells_of(hand_ins: Sequence[HandIn]) -> CellsOf:
    """The code cells of what was handed in in this round."""
    cells: dict[tuple[str, str], Sequence[str]] = {}
    for one in hand_ins:
        if one.ready is not None:
            at = one.student, one.submission.path
            cells[at] = one.ready.cells
    return cells


def places(group: Alike, rows: Sequence[Row], cells: CellsOf) -> dict[str, list[SharedPlace]]:
    """Where each of a group has what they share; nobody whose notebook is of an earlier round."""
    places_of_unit: dict[str, list[SharedPlace]] = {}
    for row in rows:
        if row.result is None or row.unit not in group.students:
            continue
        notebook_cells = cells.get((row.unit, row.result.path))
        if notebook_cells is not None:
            places_of_unit[row.unit] = _in_notebook(notebook_cells, group)
    ordered = [unit for unit in group.students if places_of_unit.get(unit)]
    return {unit: places_of_unit[unit] for unit in ordered}


def _in_notebook(cells: Sequence[str], group: Alike) -> list[SharedPlace]:
    shared = []
    for number, cell in enumerate(cells, 1):
        lines = lines_with(cell, group.traces)
        if lines is None:
            continue
        first, last = lines
        every = cell.split("\n")
        texts = every[first - 1 : last]
        text = "\n".join(texts[:MOST_LINES])
        shared.append(
            SharedPlace(
                number,
                first,
                last,
                clean(text, LONGEST),
            )
        )
    return shared


def said(by_unit: Mapping[str, Sequence[SharedPlace]]) -> str:
    """Where it stands, in words."""
    each = []
    for unit, shared_places in by_unit.items():
        where = ", ".join(map(str, shared_places))
        each.append(f"{unit}: {where}")
    return clean("; ".join(each), 2_000)


def as_html(by_unit: Mapping[str, Sequence[SharedPlace]]) -> str:
    """The code of the first few, side by side; "" if it is known of one alone."""
    shown = list(by_unit.items())[:MOST_STUDENTS]
    if len(shown) < 2:
        return ""
    head = ""
    body = ""
    for unit, shared_places in shown:
        name = escaping.html(clean(unit, 100))
        head += f'<th scope="col">{name}</th>'
        parts = ""
        for place in shared_places:
            parts += place.html
        body += f"<td>{parts}</td>"
    return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>"
