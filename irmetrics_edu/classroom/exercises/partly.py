"""Marks in proportion to the right values of an answer that is a list or table of numbers.

The hits that a guess can expect carry no marks. A guess may be a coin, one number for everything,
or a column that needs no computation, such as the inputs or the ranks.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.classroom.exercises.guessing import counted, without_marks
from irmetrics_edu.classroom.exercises.spec import Inputs

#: The share of the marks that a guess of the values of one list may expect. A list has few of them.
GUESSED = 0.03

Same = Callable[[Any, Any], bool]
Cells = dict[tuple[Any, ...], Any]


@dataclass(frozen=True)
class Count:
    """How many values are right, how many there are, and how many a guess can expect."""

    hits: int
    tries: int
    free: int

    @property
    def share(self) -> float:
        """The share of the marks, 0 to 1, minus the hits that a guess can expect.

        >>> Count(6, 6, 2).share, Count(4, 6, 2).share, Count(2, 6, 2).share
        (1.0, 0.5, 0.0)
        """
        return max(0.0, (self.hits - self.free) / (self.tries - self.free))


def count(
    inputs: Sequence[Inputs], answers: Sequence[Any], wanted: Sequence[Any], same: Same
) -> Count | None:
    """The right values one by one; None if the right answer is not a list of numbers.

    A value counts at its place in the list, or under its key. Each extra value takes one hit away.
    `same` says whether two values are the same.
    """
    tables = [_cells(value) for value in wanted]
    tries = sum(map(len, tables))
    if tries < 2 or not all(_is_table(value) for value in wanted):
        return None
    hits = sum(_hits(answer, table, same) for answer, table in zip(answers, tables, strict=True))
    free = without_marks(counted([x for table in tables for x in table.values()]), tries, GUESSED)
    free = max(free, _echoed(inputs, tables, same))
    return Count(max(0, hits), tries, min(free, tries - 1))


def _is_table(value: Any) -> bool:
    cells = _cells(value)
    return () not in cells and all(
        isinstance(x, int | float) and not isinstance(x, bool) for x in cells.values()
    )


def _cells(value: Any) -> Cells:
    """The single values, by their places."""
    if isinstance(value, Mapping):
        pairs: Any = value.items()
    elif isinstance(value, list | tuple):
        pairs = enumerate(value)
    else:
        return {(): value}
    return {(key, *place): x for key, inner in pairs for place, x in _cells(inner).items()}


def _hits(answer: Any, table: Cells, same: Same) -> int:
    if not isinstance(answer, Mapping | list | tuple):
        return 0
    given = _cells(answer)
    beyond = len(given.keys() - table.keys())
    return sum(place in given and same(given[place], x) for place, x in table.items()) - beyond


def _echoed(inputs: Sequence[Inputs], tables: Sequence[Cells], same: Same) -> int:
    """The most hits of an answer without computation, for each column."""
    hits: dict[tuple[Any, ...], Counter[int]] = defaultdict(Counter)
    for one, table in zip(inputs, tables, strict=True):
        rows = {key: row for row, key in enumerate(dict.fromkeys(place[0] for place in table))}
        for number, guess in enumerate(_guesses(one, list(rows))):
            for place, x in table.items():
                row = rows[place[0]]
                if row < len(guess) and same(guess[row], x):
                    hits[place[1:]][number] += 1
    return sum(max(column.values()) for column in hits.values())


def _guesses(inputs: Inputs, keys: list[Any]) -> list[list[Any]]:
    """Columns that need no computation: always equally many, in the same order."""
    ranks = list(range(1, len(keys) + 1))
    found: list[list[Any]] = [ranks, [n - 1 for n in ranks], [1 / n for n in ranks], ranks[::-1]]
    for value in inputs.values():
        own: list[Any] = list(value) if isinstance(value, list | tuple) else []
        if isinstance(value, Mapping):
            own = [value.get(key) for key in keys]
        try:
            rising = sorted(own)
        except TypeError:
            rising = []
        over_one = [1 / x if isinstance(x, int | float) and x else 0 for x in own]
        found += [own, own[::-1], rising, rising[::-1], over_one]
    return found
