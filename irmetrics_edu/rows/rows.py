"""Rows: the tables that metrics read, and first of all a ranking beside its judgments.

The rows of every kind of input have one base, `ByQuery`. A field has a value for each query, for
each row, for each judged document of the pool, and so on: this is its axis. Its values may be
numbers of things along another axis, such as the query of each row. From that follow the rows of
one query, many queries in one table, and a choice of rows.

One file: rows and the ideal rankings that are made of them refer to each other.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from irmetrics_edu.conventions import JUDGED, Ideal
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    all_true,
    is_exact,
    like,
    ranks_to,
    ratio,
    running_product_before,
    running_total,
    starts_of,
    total,
    zeros,
)
from irmetrics_edu.working import Table

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
                _Column(name, **given.metadata)
                for name, given in vars(cls).items()
                if isinstance(given, Field) and given.metadata
            ),
        )
        cls._along, cls._linked = {}, {}
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

    def total(self, values: Array) -> Array:
        """The sum of a column, query by query."""
        return total(values, self.query, self.n)

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
        kept = slice(size) if first else inside.astype(bool)
        return type(self)(*self._fields({ROW: kept}).values())

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

    def _fields(self, kept: dict[str, Any]) -> dict[str, Any]:
        """The fields with what is kept along each axis, and with all that belongs to it."""
        for axis, columns in self._linked.items():
            marks = [kept[c.to][getattr(self, c.name)] for c in columns if c.to in kept]
            if marks:
                kept[axis] = np.logical_and.reduce(marks)
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
        for name, axis, to, absent in cls._columns:
            values = [getattr(part, name) for part in parts]
            if absent is not None and any(value is not None for value in values):
                values = [
                    absent(part) if value is None else value
                    for part, value in zip(parts, values, strict=True)
                ]
            if to is not None:
                if to not in before:
                    sized = [p.n if to == QUERY else len(getattr(p, cls._lines[to])) for p in parts]
                    before[to] = np.cumsum([0, *sized]).tolist()
                values = [value + b for value, b in zip(values, before[to], strict=False)]
            fields[name] = _as_one(values, axis)
        return cls(**fields)


def picked(values: Any, where: Array | slice) -> Any:
    """Some of the values: those marked, or those of these numbers; None if there are no values."""
    if values is None:
        return None
    if isinstance(values, np.ndarray):
        return values[where] if values.ndim == 1 else values[:, where]
    if isinstance(where, slice):
        return values[where]
    chosen = np.flatnonzero(where) if where.dtype == bool else where
    return [values[i] for i in chosen.tolist()]


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


@dataclass(eq=False)
class Rows(ByQuery):
    """A ranking aligned with its judgments: rows (query, rank, grade), and each query's pool.

    Rows are sorted by query and rank. A row of a document that was not judged has grade 0, and its
    `judged` is false. Such rows can be left out without any change to a score. The pool holds the
    grades of all judged documents, retrieved or not. Documents without a grade (`None` in the
    judgments) are rows with `pooled` true and `judged` false.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    grade: Array = field(metadata=on(ROW))
    judged: Array = field(metadata=on(ROW))
    # How many documents each query retrieved, rows or not.
    retrieved: Array = field(metadata=on(QUERY))
    pool_query: Array = field(metadata=on("pool", to=QUERY))
    pool_grade: Array = field(metadata=on("pool"))
    document: Sequence[Hashable] | None = field(default=None, metadata=on(ROW))
    pool_document: Sequence[Hashable] | None = field(default=None, metadata=on("pool"))
    pooled: Array | None = field(default=None, metadata=on(ROW, absent=lambda rows: rows.judged))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))
    # The first rank and the number of those that share it, if they do.
    span: Array | None = field(
        default=None,
        metadata=on(ROW, absent=lambda rows: np.stack([rows.rank, np.ones(len(rows.rank))])),
    )
    _best: "Rows | None" = field(default=None, init=False, repr=False)  # the ideal of the judged

    def running(self, values: Array) -> Array:
        """The sum of a column down to each row, within its query."""
        return running_total(values, self.starts)

    def product_before(self, factors: Array) -> Array:
        """The product of the factors of all earlier rows of the query."""
        return running_product_before(factors, self.starts)

    def count(self, truth: Array) -> Array:
        """Truth values as numbers 0 and 1 that can be summed."""
        return like(self.grade, truth)

    def gains(self, gain: Callable[[Array], Array]) -> Array:
        """What each row's grade is worth; a document that nobody judged gains nothing."""
        worth = gain(self.grade)
        if all_true(self.judged):
            return worth
        return np.where(self.judged, worth, zeros(worth, 1)[0])

    def relevance(self, rel: float = 1) -> Array:
        """1 for a relevant row, else 0: relevant is a grade of at least `rel`."""
        self._no_grade_in_between(self.grade, rel)
        return (
            self.count(self.grade >= rel)
            if rel > 0
            else self.count((self.grade >= rel) & self.judged)
        )

    def relevant(self, rel: float = 1) -> Array:
        """R: how many documents of each query's pool are relevant."""
        self._no_grade_in_between(self.pool_grade, rel)
        return total(like(self.pool_grade, self.pool_grade >= rel), self.pool_query, self.n)

    def _no_grade_in_between(self, grades: Array, rel: float) -> None:
        if rel == 1 and len(grades):
            between = (grades > 0) & (grades < 1)
            if between.any():
                raise InputError(
                    f"grade {grades[between][0]} is neither 0 nor at least 1; give the lowest "
                    "grade of a relevant document, such as rel=0.5"
                )

    def depth(self, k: int | None) -> Array:
        """How many documents of each query stand within the cut."""
        n = self.retrieved if k is None else np.minimum(self.retrieved, k)
        return like(self.grade, n)

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; pool and number retrieved stay."""
        if k is None:
            return self
        return self._within((self.rank if self.span is None else self.span[0]) <= k)

    def where(self, keep: Array) -> Self:
        """The rows that are marked."""
        return type(self)(*self._fields({ROW: keep}).values())

    def at_rank(self, factor: Callable[[Array], Array], k: int | None = None) -> Array:
        """The factor for each row's rank; tied documents get the mean factor of their ranks.

        Ranks below k count 0 in the mean: with a cut at 1, two documents that share ranks 1 and 2
        get half of the factor each.
        """
        if self.span is None or not len(self.rank):
            return factor(self.rank)
        first, size = (column.astype(np.intp) for column in self.span)
        ranks = ranks_to(self.grade, int((first + size).max()) - 1)
        factors = factor(ranks)
        if k is not None:
            factors[k:] = zeros(self.grade, 1)[0]
        so_far = np.concatenate([zeros(self.grade, 1), factors.cumsum()])
        mean: Array = (so_far[first + size - 1] - so_far[first - 1]) / like(self.grade, size)
        return mean

    def with_pool_of_retrieved(self) -> "Rows":
        """The same rows with a pool of only the documents that were retrieved and judged."""
        kept = self.judged
        return replace(
            self,
            pool_query=self.query[kept],
            pool_grade=self.grade[kept],
            pool_document=picked(self.document, kept),
        )

    def ideal(self, of: Ideal = JUDGED, k: int | None = None) -> "Rows":
        """The ideal ranking: all judged documents, best grades first, or as `how` says."""
        if of is JUDGED:
            if self._best is None:
                self._best = self._sorted(self.pool_query, self.pool_grade, self.pool_document)
            return self._best
        best: Rows = of(self, k)
        return best

    @property
    def ideal_of_retrieved(self) -> "Rows":
        """The best order of the judged documents that the ranking holds.

        Documents that nobody judged gain nothing, so they are ranked above losses.
        """
        kept = self.judged
        if (self.grade < 0).any():
            more = np.repeat(
                np.arange(self.n), self.retrieved - np.bincount(self.query, minlength=self.n)
            )
            return self._sorted(
                np.concatenate([self.query, more]),
                np.concatenate([self.grade, zeros(self.grade, len(more))]),
                None if len(more) else self.document,
            )
        return self._sorted(self.query[kept], self.grade[kept], picked(self.document, kept))

    def in_order_of(self, worth: Array) -> "Rows":
        """The same documents ranked by what they are worth, best first."""
        by_query = sorted(range(len(worth)), key=lambda i: (self.query[i], -worth[i]))
        order = np.array(by_query, dtype=np.intp)
        return replace(self, grade=self.grade[order], document=picked(self.document, order))

    def all_of_grade_1(self, sizes: Any) -> "Rows":
        """Rankings of so many documents of grade 1, one for each query."""
        sizes = np.asarray(sizes, dtype=np.intp)
        query = np.repeat(np.arange(self.n), sizes)
        return self._sorted(query, like(self.grade, np.ones(len(query))), None)

    def _sorted(self, query: Array, grade: Array, document: Sequence[Hashable] | None) -> "Rows":
        if self.n == 1:
            order = (-grade).argsort(kind="stable")
            query, grade = query[order], grade[order]
            ranks, sizes = ranks_to(grade, len(order)), np.array([len(order)])
        else:
            order = _best_first(query, grade)
            query, grade = query[order], grade[order]
            starts = starts_of(query, self.n)
            sizes = np.diff(starts)
            ranks = like(grade, np.arange(1, len(query) + 1) - np.repeat(starts[:-1], sizes))
        return Rows(
            query,
            ranks,
            grade,
            grade == grade,  # noqa: PLR0124 -- all judged, in a third of np.ones' time
            sizes,
            query,
            grade,
            picked(document, order),
            queries=self.queries,
        )

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        labels: dict[str, Any] = {"rank": self.rank}
        if self.document is not None:
            labels["document"] = self.document
        labels["grade"] = self.grade
        labels["judged"] = self.judged
        return Table(self.query, labels)

    def ratio(self, numerator: Array, denominator: Array, empty: float = 0) -> Array:
        """Quotient per query, `empty` if the divisor is 0."""
        return ratio(numerator, denominator, empty)


def _best_first(query: Array, grade: Array) -> Array:
    """The order by query, and within a query by falling grade; equal grades stay as they are."""
    if is_exact(grade):
        by_query = sorted(range(len(grade)), key=lambda i: (query[i], -grade[i]))
        return np.array(by_query, dtype=np.intp)
    least, most = grade.min(initial=0), grade.max(initial=0)
    if most - least < 1 << 20 and (grade == np.rint(grade)).all():  # one key: half of the time
        one_key = query * int(most - least + 1) - grade.astype(np.int64)
        return one_key.argsort(kind="stable")
    return np.lexsort((-grade, query))
