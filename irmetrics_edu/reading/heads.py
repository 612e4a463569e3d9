"""Whether the first line of a table names its columns, and what the columns hold where it doesn't.

A table without names is read by position, as MS MARCO's runs are: query, document, rank. Its
columns are named by their places: "1", "2", "3".
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

import numpy as np

from irmetrics_edu.engine.decimals import decimals
from irmetrics_edu.engine.text import Text
from irmetrics_edu.errors import Avoidable, InputError, WayOut
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import records
from irmetrics_edu.reading.column_names import DOCUMENT, GRADE, QUERY, RANK, SCORE, SUBTOPIC

KNOWN_NAMES = frozenset((*QUERY, *DOCUMENT, *SCORE, *RANK, *SUBTOPIC, *GRADE))
LOOKED_AT = 20  # lines that tell a format
_ITERATION = ("0", "q0")  # the second column of TREC's files, which says nothing
_A_TIME = 1e8  # seconds since 1970; no scale of grades goes so far


class Use(Enum):
    """What a table is read for."""

    RUN = "run"
    JUDGMENTS = "judgments"
    SUBTOPICS = "judgments by subtopic"

    @classmethod
    def of(cls, *, run: bool) -> "Use":
        """A run, or judgments without subtopics."""
        return cls.RUN if run else cls.JUDGMENTS


# What a table for this use holds, from left to right.
_ORDER = {
    Use.RUN: "query, document, and a rank, a score or both",
    Use.JUDGMENTS: "query, document, grade",
    Use.SUBTOPICS: "query, subtopic, document, grade",
}
_IDS = {
    Use.RUN: ("query", "document"),
    Use.JUDGMENTS: ("query", "document"),
    Use.SUBTOPICS: ("query", "subtopic", "document"),
}
_VALUES = {"score", "rank", "grade"}
Cells = Sequence[str]


def known_names(cells: Iterable[str]) -> set[str]:
    """Which of these cells are names of columns that we know.

    >>> known_names(["QID", "d7", "0.5"])
    {'qid'}
    """
    return {cell.strip().strip('"').lower() for cell in cells} & KNOWN_NAMES


def names_columns(
    first: Cells,
    below: Sequence[Cells],
) -> bool:
    """Whether the first line of a table names its columns, by itself and by the lines below.

    A line that holds a name that we know does. Otherwise a column speaks for a line of data if its
    first cell is a number, occurs again below, or is written as those below (q1, q2). It speaks for
    names if all cells below are numbers, or hold digits, and the first does not.

    >>> names_columns(["q1", "a", "9"], [["q1", "b", "8"]])
    False
    >>> names_columns(["reader", "book", "stars"], [["r1", "b1", "5"]])
    True
    """
    if known_names(first) or not all(cell.strip() for cell in first):
        return True
    rows = [row for row in below if len(row) == len(first)]
    columns = list(zip(*rows, strict=True)) or [()] * len(first)
    with_below = list(zip(first, columns, strict=True))
    if any(cell in under for cell, under in with_below):
        return False
    if any(_is_name(cell, under) for cell, under in with_below):
        return True
    return not any(_is_value(cell, under) for cell, under in with_below)


def _is_name(
    cell: str,
    under: Cells,
) -> bool:
    return bool(under) and not _has_digit(cell) and all(map(_has_digit, under))


def _is_value(
    cell: str,
    under: Cells,
) -> bool:
    if is_number(cell):
        return True
    return _has_digit(cell) and _written(cell) in map(_written, under)


def _has_digit(cell: str) -> bool:
    return any(character.isdigit() for character in cell)


def _written(cell: str) -> str:
    """How an id is written: all digits alike."""
    return re.sub(r"\d+", "9", cell)


def is_number(cell: str) -> bool:
    """Whether a cell holds a finite number.

    >>> is_number("-0.5"), is_number("d5")
    (True, False)
    """
    try:
        number = float(cell)
    except ValueError:
        return False
    return math.isfinite(number) and "_" not in cell


def are_numbered(cells: Cells) -> bool:
    """Whether cells count from 0 on, as pandas names columns that nobody named.

    >>> are_numbered(["0", "1", "2"])
    True
    """
    return list(cells) == [str(i) for i in range(len(cells))]


def refuse_row_as_names(
    names: Sequence[str],
    below: Sequence[Cells],
    where: str,
) -> None:
    """Raise InputError if the names of a frame are its first row, read as a header."""
    if not are_numbered(names) and not names_columns(names, below):
        raise InputError(
            f"{where}: the names of its columns, {', '.join(map(repr, names))}, are a row of the "
            "table; read its file without a header (header=None in pandas), so that this row is "
            "not lost"
        )


def by_position(
    rows: Sequence[Cells],
    where: str,
    table: Use,
    asked: Mapping[str, str],
) -> dict[str, str]:
    """The roles of the columns of a table without names, by their places.

    `asked` gives roles to places; the other columns have those that are left.

    >>> by_position([["q1", "d3", "1"], ["q1", "d8", "2"]], "run.tsv", Use.RUN, {})
    {'1': 'query', '2': 'document', '3': 'rank'}
    """
    width = len(rows[0])
    _refuse_values_as_names(rows[0], where, asked)
    if width < 2:
        raise InputError(
            f"{where}: {rows[0][0]!r} is a line of one column; expected {_ORDER[table]}, separated "
            "by commas, semicolons or tabs"
        )
    of_this_width = [row for row in rows if len(row) == width]
    columns = list(zip(*of_this_width, strict=True))
    role_of = _asked_of(table, width, asked)
    free = _free(role_of, columns, table)
    for role in _IDS[table]:
        if role not in role_of.values() and free:
            leftmost = free.pop(0)
            role_of[str(leftmost + 1)] = role
    if not _VALUES & set(role_of.values()):
        place = int(_place_of("query", role_of))
        query = columns[place - 1]
        role_of |= _Values(
            columns,
            query,
            where,
            table,
        ).of(free)
    return {place: role_of[place] for place in sorted(role_of, key=int)}


def _place_of(
    role: str,
    roles: Mapping[str, str],
) -> str:
    return next(place for place, held_role in roles.items() if held_role == role)


def _free(
    roles: Mapping[str, str],
    columns: Sequence[Cells],
    table: Use,
) -> list[int]:
    """The columns whose roles are open, from the left; without TREC's second one."""
    free = [i for i in range(len(columns)) if str(i + 1) not in roles]
    has_iteration = table is not Use.SUBTOPICS and len(columns) >= 4
    if has_iteration and _says_nothing(columns[1]):
        return [i for i in free if i != 1]
    return free


def _asked_of(
    table: Use,
    width: int,
    asked: Mapping[str, str],
) -> dict[str, str]:
    """The roles that a caller gives to places of this table."""
    others = {"grade", "subtopic"} if table is Use.RUN else {"score", "rank"}
    places = {str(i + 1) for i in range(width)}
    possible = {place: role for place, role in asked.items() if role not in others}
    return {place: role for place, role in possible.items() if place in places}


def _says_nothing(column: Cells) -> bool:
    return all(cell.lower() in _ITERATION for cell in column)


def _refuse_values_as_names(
    first: Cells,
    where: str,
    asked: Mapping[str, str],
) -> None:
    places = [str(i + 1) for i in range(len(first))]
    for name in asked:
        if name in first and name not in places:
            turned: dict[str, str] = {}
            for column, role in asked.items():
                place = str(first.index(column) + 1) if column in first else column
                turned[place] = role
            wrong = f"{where}: {','.join(first)!r} names no columns: {name!r} is a value"
            advice = ". Name the columns of a table without names by their places: {}"
            raise Avoidable(wrong, _by_places(advice, turned))


def _by_places(
    advice: str,
    roles: Mapping[str, str],
) -> WayOut:
    """The way to name columns by their places, as a caller in Python and a command say it."""
    by_place = ",".join(f"{place}={role}" for place, role in roles.items())
    return WayOut(
        advice,
        keyword=f"columns={dict(roles)}",
        option=f"--columns {by_place}",
    )


class _Values:
    """What the columns beside the ids of a table without names hold."""

    def __init__(
        self,
        columns: Sequence[Cells],
        query: Cells,
        where: str,
        table: Use,
    ) -> None:
        self._columns = columns
        self._query = query
        self._where = where
        self._table = table

    def of(self, free: Sequence[int]) -> dict[str, str]:
        """The roles of these columns; a last one that holds words is the name of a run."""
        rest = list(free)
        run = self._table is Use.RUN
        if run and len(rest) > 1 and not self._are_numbers(rest[-1]):
            rest.pop()
        for i in rest:
            if not self._are_numbers(i):
                raise self._refused(f"column {i + 1} holds no numbers")
        return self._of_run(rest) if run else self._of_judgments(rest)

    def _of_judgments(self, rest: list[int]) -> dict[str, str]:
        if len(rest) == 2 and self._are_times(rest[1]):
            rest = rest[:1]  # ratings with the time of each, as MovieLens has them
        if len(rest) > 1 or (not rest and len(self._columns) > 2):
            raise self._refused(f"{len(rest)} columns may be the grade")
        return {str(i + 1): "grade" for i in rest}

    def _are_times(self, i: int) -> bool:
        return all(is_number(cell) and float(cell) > _A_TIME for cell in self._columns[i])

    def _of_run(self, rest: Sequence[int]) -> dict[str, str]:
        ranks = {i: self._are_ranks(i) for i in rest}
        if len(rest) == 1 and ranks[rest[0]] is None:
            raise self._refused(f"column {rest[0] + 1} may hold ranks or scores")
        role_of = {str(i + 1): "rank" if ranks[i] else "score" for i in rest}
        if len(set(role_of.values())) < len(role_of):
            raise self._refused(f"{len(rest)} columns may be the score or the rank")
        return role_of

    def _are_numbers(self, i: int) -> bool:
        """Whether most cells of a column are numbers."""
        cells = self._columns[i]
        numbers = sum(map(is_number, cells))
        return numbers * 2 > len(cells)

    def _are_ranks(self, i: int) -> bool | None:
        """Whether a column holds ranks and no scores; None if it may hold either."""
        cells = self._columns[i]
        if not all(re.fullmatch(r"\s*\d+\s*", cell) for cell in cells):
            return False
        number, _ = decimals(Text.of(cells))
        _, query = np.unique(np.array(self._query), return_inverse=True)
        order = np.argsort(query, kind="stable")
        number = number[order]
        query = query[order]
        same = query[1:] == query[:-1]
        steps = np.diff(number)[same]
        if not len(steps):
            return bool(number.max(initial=0) <= 1)
        if (steps > 0).all():
            return True
        if (steps <= 0).all():
            return False
        return _counts_each(number, query) or None

    def _refused(self, why: str) -> InputError:
        width = len(self._columns)
        roles = _ORDER[self._table]
        wrong = f"{self._where}: the first line names no columns, and {why}; expected {roles}"
        some = {"1": "query", "2": "document"}
        advice = f". Say which of the {width} columns is which, such as {{}}"
        return Avoidable(wrong, _by_places(advice, some))


def _counts_each(
    number: Array,
    query: Array,
) -> bool:
    """Whether the numbers of each query are 1, 2, 3 and so on, in any order."""
    order = np.lexsort((number, query))
    sorted_number = number[order]
    sorted_query = query[order]
    new_query = sorted_query[1:] != sorted_query[:-1]
    is_first = np.concatenate([[True], new_query])
    place = np.arange(len(number))
    firsts = np.where(is_first, place, 0)
    first = np.maximum.accumulate(firsts)
    within = place - first
    counts = sorted_number == within + 1
    return bool(counts.all())


def separator_within(
    head: bytes,
    named: str,
) -> str:
    """What separates the values of a table: a tab, a comma or a semicolon; "" for a TREC file.

    `head` is how the file begins, and `named` the separator that its name promises, or "".

    >>> separator_within(b"q1;d1;0.5", ","), separator_within(b"q1 0 d1 1", "")
    (';', '')
    """
    lines = _lines(head)
    if not lines:
        return named
    if _is_trec(lines):
        return ""
    separators = dict.fromkeys([named or "\t", "\t", ",", ";"])
    return next((s for s in separators if _separates(s, lines, named)), named)


def _separates(
    separator: str,
    lines: Sequence[str],
    named: str,
) -> bool:
    """Whether lines are a table with this separator, by its names or by the number of values."""
    try:
        rows = [
            row
            for _, row in records.rows(
                "\n".join(lines),
                "",
                separator,
                strict=False,
            )
        ]
    except InputError:
        return False
    names = known_names(rows[0])
    if names & set(QUERY) and names & set(DOCUMENT):
        return True
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        return False
    if named:
        return len(rows[0]) >= 2
    # Without a promise: the fields of TREC are separated by blanks, and there are four or six.
    blank = separator != "\t" and any(re.search(r"\s", line) for line in lines)
    return not blank and 2 <= len(rows[0]) <= 3


def _lines(head: bytes) -> list[str]:
    """The first lines that are not blank; one that goes on beyond what was read is left out."""
    text = head.decode("utf-8", errors="replace")
    text = text.replace("\r\n", "\n")
    text = text.replace("\r", "\n")
    lines = text.split("\n")
    if len(lines) > 1 and lines[-1]:
        lines.pop()
    filled = [line for line in lines if line.strip()]
    return filled[:LOOKED_AT]


def _is_trec(lines: Sequence[str]) -> bool:
    """Whether lines are those of a TREC run or of TREC judgments."""
    rows = [line.split() for line in lines]
    cells_of_first = re.split(r"[\t,;]", lines[0])
    if known_names(cells_of_first):
        return False
    widths = {len(row) for row in rows}
    if widths <= {4}:
        return all(row[1].lower() in _ITERATION and is_number(row[3]) for row in rows)
    if widths <= {6}:
        return all(is_number(row[3]) and is_number(row[4]) for row in rows)
    return False
