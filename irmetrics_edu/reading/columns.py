"""A run, judgments, or a part of them, as columns: whole queries, one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array, concatenated, smallest
from irmetrics_edu.reading.id_list import Ids, joined, may_repeat
from irmetrics_edu.reading.text import Text


@dataclass(eq=False)
class Columns:
    """Query q has the items starts[q] to starts[q+1]: a document and a value each.

    The value is a score in a run (None: the documents are in the order of their ranks) and a grade
    in judgments. `line` is the line of each item in its file. `origin` is the byte at which this
    part of the file begins, if it can be read from there. `rank` orders the items of each query, if
    a table has ranks beside the scores.
    """

    queries: Sequence[Any]
    starts: Array
    document: Text
    value: Array | None
    line: Array
    origin: int | None = None
    rank: Array | None = None

    @property
    def query(self) -> Array:
        """The number of each item's query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.starts))

    def take(self, where: Array) -> "Columns":
        """Some of the items, in their order; queries stay, even without items."""
        query = self.query[where]
        return Columns(
            self.queries,
            np.searchsorted(query, np.arange(len(self.queries) + 1)),
            self.document.take(where),
            None if self.value is None else self.value[where],
            self.line[where],
            self.origin,
            None if self.rank is None else self.rank[where],
        )

    def of(self, query: Any) -> "Columns":
        """The items of one query alone."""
        q = self.queries.index(query)
        return self.of_queries(q, q + 1)

    def of_queries(self, first: int, last: int) -> "Columns":
        """The queries from number `first` up to `last`, over the same buffers."""
        begin, end = int(self.starts[first]), int(self.starts[last])
        here = slice(begin, end)
        return Columns(
            self.queries[first:last],
            self.starts[first : last + 1] - begin,
            self.document.take(here),
            None if self.value is None else self.value[here],
            self.line[here],
            self.origin,
            None if self.rank is None else self.rank[here],
        )

    def compact(self) -> "Columns":
        """The same without the rest of the file's bytes, to be held."""
        queries, line = self.queries, self.line
        return Columns(
            queries.compact() if isinstance(queries, Ids) else queries,
            self.starts,
            self.document.compact(),
            self.value,
            line.astype(smallest(int(line.max(initial=0)))),
            self.origin,
            self.rank,
        )

    def by_rank(self) -> "Columns":
        """The same with the items of each query in the order of their ranks, if they have any."""
        if self.rank is None:
            return self
        query = self.query
        if not ((np.diff(self.rank) < 0) & (np.diff(query) == 0)).any():
            return self
        return self.take(np.lexsort((self.rank, query)))

    def grouped(self) -> "Columns":
        """The same with the items of each query together, in the order in which queries begin."""
        if not may_repeat(self.queries):
            return self.by_rank()
        number: dict[Any, int] = {}
        codes = np.array([number.setdefault(q, len(number)) for q in self.queries], dtype=np.intp)
        code = np.repeat(codes, np.diff(self.starts))
        order = np.argsort(code, kind="stable")
        return Columns(
            list(number),
            np.searchsorted(code[order], np.arange(len(number) + 1)),
            self.document.take(order),
            None if self.value is None else self.value[order],
            self.line[order],
            rank=None if self.rank is None else self.rank[order],
        ).by_rank()

    @staticmethod
    def joined(parts: list["Columns"]) -> "Columns":
        """Several parts as one, queries grouped; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0].grouped()
        sizes = np.cumsum([0] + [len(p.line) for p in parts]).tolist()
        starts = [p.starts[:-1] + size for p, size in zip(parts, sizes, strict=False)]
        starts.append(np.array(sizes[-1:]))
        return _together(parts, [p.queries for p in parts], concatenated(starts)).grouped()

    @staticmethod
    def of_one_query(parts: list["Columns"]) -> "Columns":
        """Parts of one query as a whole; the list is emptied, so as not to hold both."""
        ends = np.array([0, sum(len(p.line) for p in parts)])
        return _together(parts, [parts[0].queries], ends).by_rank()


def _together(parts: list[Columns], queries: list[Sequence[Any]], starts: Array) -> Columns:
    """Parts as one, of these queries; a column that one lacks none has."""
    origin = parts[0].origin if len(queries) == 1 else None
    document, line = [p.document for p in parts], [p.line for p in parts]
    value, rank = [p.value for p in parts], [p.rank for p in parts]
    parts.clear()

    def column(given: list[Array | None]) -> Array | None:
        there = [array for array in given if array is not None]
        whole = len(there) == len(given)
        given.clear()
        return concatenated(there) if whole else None

    held = joined(queries)
    return Columns(
        held, starts, Text.joined(document), column(value), concatenated(line), origin, column(rank)
    )


def columns(
    query: Text, document: Text, value: Array | None, line: Array, rank: Array | None = None
) -> Columns:
    """Columns from a query id for each item: neighbours of equal id are one query."""
    n = len(query)
    before = query.take(slice(0, n - 1)) if n else query
    changes = (
        np.flatnonzero(~query.take(slice(1, n)).equal(before)) + 1 if n else np.zeros(0, np.intp)
    )
    starts = np.concatenate([[0] if n else [], changes, [n]]).astype(np.intp)
    queries = Ids(query.take(starts[:-1]))
    return Columns(queries, starts, document, value, line, rank=rank).by_rank()


def whole_queries(parts: Iterable[Columns]) -> Iterator[Columns]:
    """Parts that may end within a query, as parts of whole queries."""
    held: list[Columns] = []
    for part in parts:
        rest = part
        if held and len(part.queries):
            if part.queries[0] == held[0].queries[0]:
                held.append(part.of_queries(0, 1).compact())
                rest = part.of_queries(1, len(part.queries))
                if not len(rest.queries):
                    continue
            yield Columns.of_one_query(held)
        n = len(rest.queries)
        if n > 1:
            yield rest.of_queries(0, n - 1)
        if n:
            held.append(rest.of_queries(n - 1, n).compact())
    if held:
        yield Columns.of_one_query(held)
