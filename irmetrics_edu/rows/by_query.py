"""What the rows of every kind of input have in common: they are rows of queries.

A field has a value for each query, for each row, for each judged document of the pool, and so on:
this is its axis. Its values may be numbers of things along another axis, such as the query of each
row. From that follow the rows of one query, many queries in one table, and a choice of rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    Undefined,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    like,
    picked,
    ratio,
    running_total,
    starts_of,
    total,
)

QUERY = "query"
ROW = "row"
NESTED = "nested"  # a field that is a table of rows itself, with the same queries
WHOLE = "whole"  # a field that is said of the whole table: true if it is of every part


class _Column(NamedTuple):
    """A field with what it says of itself."""

    name: str
    axis: str
    to: str | None
    absent: Callable[[Any], Any] | None


def on(
    axis: str, *, to: str | None = None, absent: Callable[[Any], Any] | None = None
) -> Mapping[str, Any]:
    """The metadata of a field along an axis; its values are numbers of things along the axis `to`.

    Where tables are joined and only some of them have the field, `absent` makes it for the others.
    Without `absent` the joined table has no such field.
    """
    return {"axis": axis, "to": to, "absent": absent}


class ByQuery:
    """Rows of queries; from the axes of its fields follow `of`, `top`, `joined`, `n` and `starts`.

    A class of rows has `query`, the number of each row's query, and a field for each query, or its
    own `n`. Rows are sorted by query. What stands along any other axis has a query, too, or belongs
    to rows or to things that have one.
    """

    query: Any
    rank: Any
    _columns: ClassVar[tuple[_Column, ...]] = ()
    _names: ClassVar[tuple[str, ...]] = ()  # of the fields, in the order of the constructor
    _lines: ClassVar[dict[str, str]] = {}  # of each axis the first field, to count its lines
    _along: ClassVar[dict[str, list[_Column]]] = {}  # the fields of each axis
    _of_queries: ClassVar[list[_Column]] = []  # numbers of queries
    _linked: ClassVar[dict[str, list[_Column]]] = {}  # of an axis, numbers along others

    def __init_subclass__(cls) -> None:
        cls._columns = (
            *cls._columns,
            *(
                _Column(name, **field.metadata)
                for name, field in vars(cls).items()
                if isinstance(field, Field) and field.metadata
            ),
        )
        cls._along = {}
        cls._linked = {}
        for column in cls._columns:
            cls._along.setdefault(column.axis, []).append(column)
            if column.to not in (None, QUERY):
                cls._linked.setdefault(column.axis, []).append(column)
        cls._of_queries = [column for column in cls._columns if column.to == QUERY]
        cls._names = tuple(column.name for column in cls._columns)
        cls._lines = {axis: along[0].name for axis, along in cls._along.items()}

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(getattr(self, self._lines[QUERY]))

    @cached_property
    def starts(self) -> Array:
        """Where each query's rows begin."""
        return starts_of(self.query, self.n)

    def total(self, values: Array, query: Array | None = None) -> Array:
        """The sum of a column, query by query; `query` has the query of each value of no row."""
        return total(values, self.query if query is None else query, self.n)

    def running(self, values: Array) -> Array:
        """The sum of a column down to each row, within its query."""
        return running_total(values, self.starts)

    def count(self, truth: Any) -> Array:
        """Whole numbers or truth values as numbers that can be summed."""
        return like(self.rank, truth)

    def ratio(
        self,
        numerator: Array,
        denominator: Array,
        empty: float = 0,
    ) -> Array:
        """Quotient per query, `empty` if the divisor is 0."""
        return ratio(numerator, denominator, empty)

    def at(
        self,
        q: int,
        document: Any = None,
        rank: int | None = None,
    ) -> str:
        """A query, or a place in its ranking, as an error message names it."""
        queries = getattr(self, "queries", None)
        return at(None if queries is None else queries[q], document, rank)

    def refuse(
        self,
        lacking: Array,
        undefined: Undefined,
        why: str,
    ) -> None:
        """Raise InputError for the first query marked, unless a convention says its value."""
        if undefined.refused and lacking.any():
            q = int(np.flatnonzero(lacking)[0])
            raise InputError(
                f"{self.at(q)}{why}; choose its value: undefined='zero' or undefined='nan', or "
                "undefined='skip' to leave such a query out of the mean"
            )

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; what stands along other axes stays."""
        return self if k is None else self._within(self.rank <= k)

    def _within(self, inside: Array) -> Self:
        """The rows that are inside a cut."""
        size = np.count_nonzero(inside)
        if size == inside.size:
            return self
        # The rows of one query are in order of rank, so the first ones are inside.
        first = self.n == 1 and not self._linked
        kept: Any = slice(size) if first else inside.astype(bool)
        if not (first or self._linked):  # of few, their numbers are picked sooner than the marked
            kept = np.flatnonzero(kept)
        return type(self)(*self._fields({ROW: kept}).values())

    def read_only(self) -> Self:
        """The same rows with columns that nobody can write into: other measures read them, too."""
        return type(self)(*(_guarded(getattr(self, name)) for name in self._names))

    def of(self, q: int) -> Self:
        """The rows of query number `q` alone."""
        kept = {axis: getattr(self, name) == q for name, axis, _, _ in self._of_queries}
        if ROW not in kept:
            kept[ROW] = self.query == q
        fields = self._fields(kept)
        for name, *_ in self._of_queries:
            fields[name] = fields[name] - q
        for name, *_ in (*self._along[QUERY], *self._along.get(NESTED, ())):
            fields[name] = _of_query(fields[name], q)
        return type(self)(*fields.values())

    def of_queries(self, kept: Array) -> Self:
        """The rows of the marked queries, which are numbered from 0 on."""
        marks = {axis: kept[getattr(self, name)] for name, axis, _, _ in self._of_queries}
        return type(self)(*self._fields({QUERY: kept, **marks}).values())

    def _fields(self, kept: dict[str, Any]) -> dict[str, Any]:
        """The fields with what is kept along each axis, and with all that belongs to it."""
        for axis, columns in self._linked.items():
            marks = [kept[c.to][getattr(self, c.name)] for c in columns if c.to in kept]
            if marks:
                kept[axis] = np.all(marks, axis=0)
        held = self.__dict__
        fields = {name: held[name] for name in self._names}
        for axis, keep in kept.items():
            for name, _, to, _ in self._along[axis]:
                value = fields[name]
                if value is not None:
                    value = picked(value, keep)
                    fields[name] = (np.cumsum(kept[to]) - 1)[value] if to in kept else value
        return fields

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Many queries in one table."""
        before: dict[str, list[int]] = {}  # how many things of each part stand before its own
        fields = {}
        for column in cls._columns:
            values = [getattr(part, column.name) for part in parts]
            if column.absent is not None and any(value is not None for value in values):
                values = _with_absent(values, parts, column.absent)
            to = column.to
            if to is not None:
                if to not in before:
                    sizes = [part.size_along(to) for part in parts]
                    before[to] = np.cumsum([0, *sizes]).tolist()
                values = [value + n for value, n in zip(values, before[to], strict=False)]
            fields[column.name] = _as_one(values, column.axis)
        return cls(**fields)

    def size_along(self, axis: str) -> int:
        """How many things stand along an axis."""
        if axis == QUERY:
            return self.n
        return len(getattr(self, self._lines[axis]))


def _with_absent(
    values: list[Any],
    parts: Sequence[ByQuery],
    absent: Callable[[Any], Any],
) -> list[Any]:
    """What each part has in a field; for a part that lacks it, it is made."""
    every = []
    for part, value in zip(parts, values, strict=True):
        every.append(absent(part) if value is None else value)
    return every


def _guarded(value: Any) -> Any:
    """A column as a view that refuses to be written into, or a list of its own."""
    if isinstance(value, ByQuery):
        return value.read_only()
    if isinstance(value, list):
        return value.copy()
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _of_query(value: Any, q: int) -> Any:
    """What a field holds for one query."""
    if value is None:
        return None
    if isinstance(value, ByQuery):
        return value.of(q)
    if isinstance(value, int):  # the number of queries
        return 1
    return value[q : q + 1] if isinstance(value, np.ndarray) else [value[q]]


def _as_one(values: list[Any], axis: str) -> Any:
    """The values of several tables, one below the other; None if a table has none."""
    if axis == WHOLE:
        return all(values)
    if any(value is None for value in values):
        return None
    first = values[0]
    if isinstance(first, ByQuery):
        return type(first).joined(values)
    if isinstance(first, int):  # the number of queries
        return sum(values)
    if isinstance(first, np.ndarray):
        return np.concatenate(values, axis=-1)
    return [value for part in values for value in part]
