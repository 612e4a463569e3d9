"""Values of counted things with their intervals, drawn again by whole numbers.

Lines are drawn again by the raw bits of PCG64, a stream that numpy keeps from version to version,
and what is counted is whole. So every digit is the same on every machine.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array

_DRAWS = 999
_TAIL = 25  # the 25th lowest and the 25th highest of 999 bound 95 %
_AT_ONCE = 2_000_000  # drawn numbers held at a time

Value = Fraction | float | None
Part = tuple[Array, Callable[[list[int]], Value]]  # whole numbers, and a function of their sums


@dataclass(frozen=True)
class Estimate:
    """A value with the ends of its 95 % interval; None where it is undefined.

    The interval is the percentile bootstrap's: what was counted is drawn again 999 times, with
    replacement, and 95 % of the draws in which the value is defined lie between the ends.

    Source: Efron (1979), Bootstrap methods: another look at the jackknife, Annals of Statistics
    7(1).
    """

    value: Value
    low: Value = None
    high: Value = None

    @property
    def cells(self) -> list[Any]:
        """The three numbers, as a table shows them."""
        ends = (self.value, self.low, self.high)
        cells: list[Any] = []
        for end in ends:
            if end is None:
                cells.append("undefined")
            else:
                cells.append(float(end))
        return cells


def estimates(parts: Mapping[Any, Part], order: Array | None = None) -> dict[Any, Estimate]:
    """Values of the sums of tables of whole numbers, with their intervals over the tables' lines.

    Each part has a table, with a line for each thing that is counted, and a function of the sums of
    its columns. The same lines are drawn of all tables. They are put in the given order, or in that
    of their values, so that nothing hangs on how they came. Parts may share a table.

    >>> half = np.array([[1, 1], [0, 1]] * 50), lambda s: Fraction(s[0], s[1])
    >>> found = estimates({"share": half})["share"]
    >>> found.value, round(float(found.low), 1), round(float(found.high), 1)
    (Fraction(1, 2), 0.4, 0.6)
    """
    tables: dict[int, Array] = {}
    for counts, _ in parts.values():
        tables[id(counts)] = counts
    table = np.hstack(list(tables.values()), dtype=np.float64)
    table = in_order(table) if order is None else table[order]
    places = _places(tables)
    drawn: dict[Any, list[Value]] = {name: [] for name in parts}
    # Equal lines are neighbours now: what counts is how often any of them was drawn.
    before = table[:-1]
    differs = (table[1:] != before).any(axis=1)
    is_first = np.concatenate([[True], differs])
    begins = np.flatnonzero(is_first)
    different = table[begins]
    for times in draws(len(table)):
        times_of_each = np.add.reduceat(times, begins, axis=1)
        for sums in times_of_each @ different:
            values = _values(parts, places, sums)
            for name, value in values.items():
                drawn[name].append(value)
    observed = _values(parts, places, table.sum(axis=0))
    with_intervals: dict[Any, Estimate] = {}
    for name, value in observed.items():
        with_intervals[name] = estimate(value, drawn[name])
    return with_intervals


def in_order(table: Array) -> Array:
    """The lines of a table by their values, so that what is drawn hangs on no line's place."""
    ordered: Array = table[np.lexsort(table.T)]
    return ordered


def _places(tables: Mapping[int, Array]) -> dict[int, slice]:
    """Which columns of all of them side by side are those of each table."""
    places = {}
    start = 0
    for number, counts in tables.items():
        _, columns = counts.shape
        stop = start + columns
        places[number] = slice(
            start,
            stop,
        )
        start = stop
    return places


def _values(
    parts: Mapping[Any, Part], places: Mapping[int, slice], sums: Array
) -> dict[Any, Value]:
    """The value of each part, of the sums of all columns side by side."""
    whole = [int(total) for total in sums]  # whole, and exact below 2^53
    values: dict[Any, Value] = {}
    for name, (counts, value_of) in parts.items():
        values[name] = value_of(whole[places[id(counts)]])
    return values


def estimate(value: Value, drawn: Sequence[Value]) -> Estimate:
    """A value, with the ends of its interval by the values that were drawn."""
    defined: list[Any] = [one for one in drawn if one is not None]
    defined.sort()
    if not defined:
        return Estimate(value)
    share = _TAIL * (len(defined) + 1) / (_DRAWS + 1)
    rank = math.ceil(share)
    place = max(0, rank - 1)
    low = defined[place]
    high = defined[-1 - place]
    return Estimate(
        value,
        low=low,
        high=high,
    )


def draws(lines: int) -> Iterator[Array]:
    """How often each of some lines is drawn; some draws at a time."""
    bits = np.random.PCG64(0)
    step = max(1, _AT_ONCE // lines)
    for start in range(0, _DRAWS, step):
        times = min(step, _DRAWS - start)
        many = times * lines
        raw = bits.random_raw(many) >> np.uint64(11)
        numbers = raw.astype(np.float64)
        numbers *= 2.0**-53  # from 0 up to 1
        numbers *= lines
        chosen = numbers.astype(np.int64)
        draw = np.repeat(np.arange(times), lines)
        cells = draw * lines + chosen
        counts = np.bincount(
            cells,
            minlength=many,
        )
        table = counts.reshape(times, lines)
        yield table.astype(np.float64)
