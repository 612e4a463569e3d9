"""Rows whose fields say along which axis they stand: the base of the rows of every kind of input.

A field has a value for each query, for each row, for each judged document of the pool, and so on:
this is its axis. Its values may be numbers of things along another axis, such as the query of each
row. From that follow the rows of one query, many queries in one table, and a choice of rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from irmetrics_edu.numbers import Array, all_true, starts_of, total

QUERY, ROW = "query", "row"
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

    A class of rows has a field `query`, the number of each row's query, and a field for each query
    or its own `n`. Rows are sorted by query.
    """

    query: Any
    rank: Any
    _columns: ClassVar[tuple[_Column, ...]] = ()
    _numbers: ClassVar[dict[str, list[_Column]]] = {}  # of an axis: its numbers along others
    _sized_by: ClassVar[dict[str, str]] = {}  # of an axis: a field along it

    def __init_subclass__(cls) -> None:
        own = {name: vars(cls).get(name) for name in vars(cls).get("__annotations__", {})}
        cls._columns = (
            *cls._columns,
            *(
                _Column(name, **field.metadata)
                for name, field in own.items()
                if isinstance(field, Field) and field.metadata
            ),
        )
        cls._numbers, cls._sized_by = {}, {}
        for column in cls._columns:
            cls._sized_by.setdefault(column.axis, column.name)
            if column.to is not None:
                cls._numbers.setdefault(column.axis, []).append(column)
        cls._numbers.setdefault(ROW, [_Column("query", ROW, QUERY, None)])

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(getattr(self, self._sized_by[QUERY]))

    @cached_property
    def starts(self) -> Array:
        """Where each query's rows begin."""
        return starts_of(self.query, self.n)

    def total(self, values: Array) -> Array:
        """The sum of a column, query by query."""
        return total(values, self.query, self.n)

    def of(self, q: int) -> Self:
        """The rows of query number `q` alone."""
        return self._chosen({}, q)

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; what stands along other axes stays."""
        return self if k is None else self._rows_where(self.rank <= k)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Many queries in one table."""
        before = {
            axis: np.cumsum([0, *(cls._size(part, axis) for part in parts)])
            for axis in {column.to for column in cls._columns if column.to is not None}
        }
        fields: dict[str, Any] = {}
        for name, axis, to, absent in cls._columns:
            values = [getattr(part, name) for part in parts]
            given = [value is not None for value in values]
            if absent is not None and any(given):
                values = [
                    absent(part) if value is None else value
                    for part, value in zip(parts, values, strict=True)
                ]
            elif not all(given):
                fields[name] = None
                continue
            if to is not None:
                values = [v + b for v, b in zip(values, before[to].tolist(), strict=False)]
            fields[name] = _as_one(values, axis)
        return cls(**fields)

    def _size(self, axis: str) -> int:
        return self.n if axis == QUERY else len(getattr(self, self._sized_by[axis]))

    def _rows_where(self, inside: Array) -> Self:
        return self if all_true(inside) else self._chosen({ROW: inside.astype(bool)})

    def _chosen(self, kept: dict[str, Array | None], q: int | None = None) -> Self:
        """The rows of what is kept along an axis, or of one query, with all that belongs to it."""
        fields: dict[str, Any] = {}
        for name, axis, to, _ in self._columns:
            value = getattr(self, name)
            if value is not None and axis != WHOLE:
                if axis in (QUERY, NESTED):
                    value = value if q is None else _of_query(value, q)
                elif (keep := self._kept(axis, kept, q)) is not None:
                    value = picked(value, keep)
                    if to == QUERY:
                        value = value if q is None else value - q
                    elif to is not None and (target := self._kept(to, kept, q)) is not None:
                        value = (np.cumsum(target) - 1)[value]
            fields[name] = value
        return type(self)(**fields)

    def _kept(self, axis: str, kept: dict[str, Array | None], q: int | None) -> Array | None:
        """What is kept along an axis: what points only to things that are kept; None if all is."""
        if axis not in kept:
            marks = None
            for name, _, to, _ in self._numbers.get(axis, ()):
                here = None
                if to == QUERY:
                    here = None if q is None else getattr(self, name) == q
                elif to is not None and (target := self._kept(to, kept, q)) is not None:
                    here = target[getattr(self, name)]
                if here is not None:
                    marks = here if marks is None else marks & here
            kept[axis] = marks
        return kept[axis]


def picked(values: Any, where: Array) -> Any:
    """Some of the values: those marked, or those of these numbers; None if there are no values."""
    if values is None:
        return None
    if isinstance(values, np.ndarray):
        return values[where] if values.ndim == 1 else values[:, where]
    chosen = np.flatnonzero(where) if where.dtype == bool else where
    return [values[i] for i in chosen.tolist()]


def _of_query(value: Any, q: int) -> Any:
    """What a field holds for one query."""
    if isinstance(value, ByQuery):
        return value.of(q)
    if isinstance(value, int):  # the number of queries
        return 1
    return value[q : q + 1] if isinstance(value, np.ndarray) else [value[q]]


def _as_one(values: list[Any], axis: str) -> Any:
    """The values of several tables, one below the other."""
    if axis == WHOLE:
        return all(values)
    first = values[0]
    if isinstance(first, ByQuery):
        return type(first).joined(values)
    if isinstance(first, int):  # the number of queries
        return sum(values)
    if isinstance(first, np.ndarray):
        return np.concatenate(values, axis=-1)
    return [value for part in values for value in part]
