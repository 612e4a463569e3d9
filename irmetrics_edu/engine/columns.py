"""A run, judgments, or a part of them, as columns: whole queries, one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irmetrics_edu.engine.id_list import Ids, joined, may_repeat
from irmetrics_edu.engine.text import Text
from irmetrics_edu.numbers import Array, concatenated, small


@dataclass(eq=False)
class RunColumns:
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

    def take(self, where: Array) -> "RunColumns":
        """Some of the items, in their order; queries stay, even without items."""
        numbers = np.arange(len(self.queries) + 1)
        starts = np.searchsorted(self.query[where], numbers)
        return self._items(where, self.queries, starts)

    def of(self, query: Any) -> "RunColumns":
        """The items of one query alone."""
        q = self.queries.index(query)
        return self.of_queries(q, q + 1)

    def of_queries(self, first: int, last: int) -> "RunColumns":
        """The queries from number `first` up to `last`, over the same buffers."""
        begin = int(self.starts[first])
        end = int(self.starts[last])
        starts = self.starts[first : last + 1] - begin
        queries = self.queries[first:last]
        return self._items(slice(begin, end), queries, starts)

    def _items(
        self,
        here: Array | slice,
        queries: Sequence[Any],
        starts: Array,
    ) -> "RunColumns":
        return RunColumns(
            queries=queries,
            starts=starts,
            document=self.document.take(here),
            value=None if self.value is None else self.value[here],
            line=self.line[here],
            origin=self.origin,
            rank=None if self.rank is None else self.rank[here],
        )

    def compact(self) -> "RunColumns":
        """The same without the rest of the file's bytes, to be held."""
        queries = self.queries
        if isinstance(queries, Ids):
            queries = queries.compact()
        return replace(
            self,
            queries=queries,
            document=self.document.compact(),
            line=small(self.line),
        )

    def by_rank(self) -> "RunColumns":
        """The same with the items of each query in the order of their ranks, if they have any."""
        if self.rank is None:
            return self
        query = self.query
        falls = np.diff(self.rank) < 0
        within_query = np.diff(query) == 0
        if not (falls & within_query).any():
            return self
        return self.take(np.lexsort((self.rank, query)))

    def grouped(self) -> "RunColumns":
        """The same with the items of each query together, in the order in which queries begin."""
        if not may_repeat(self.queries):
            return self.by_rank()
        number: dict[Any, int] = {}
        codes = [number.setdefault(query, len(number)) for query in self.queries]
        code = np.repeat(np.array(codes, dtype=np.intp), np.diff(self.starts))
        order = np.argsort(code, kind="stable")
        starts = np.searchsorted(code[order], np.arange(len(number) + 1))
        in_order = self._items(order, list(number), starts)
        return replace(in_order, origin=None).by_rank()

    @staticmethod
    def joined(parts: list["RunColumns"]) -> "RunColumns":
        """Several parts as one, queries grouped; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0].grouped()
        queries: list[Sequence[Any]] = []
        starts: list[Array] = []
        items = 0
        for part in parts:
            queries.append(part.queries)
            starts.append(part.starts[:-1] + items)
            items += len(part.line)
        starts.append(np.array([items]))
        return _together(parts, queries, concatenated(starts)).grouped()

    @staticmethod
    def of_one_query(parts: list["RunColumns"]) -> "RunColumns":
        """Parts of one query as a whole; the list is emptied, so as not to hold both."""
        size = sum(len(part.line) for part in parts)
        starts = np.array([0, size])
        return _together(parts, [parts[0].queries], starts).by_rank()


def _together(parts: list[RunColumns], queries: list[Sequence[Any]], starts: Array) -> RunColumns:
    """Parts as one, of these queries; a column that one lacks none has."""
    origin = parts[0].origin if len(queries) == 1 else None
    document = [p.document for p in parts]
    line = [p.line for p in parts]
    value = [p.value for p in parts]
    rank = [p.rank for p in parts]
    parts.clear()
    return RunColumns(
        queries=joined(queries),
        starts=starts,
        document=Text.joined(document),
        value=_column(value),
        line=concatenated(line),
        origin=origin,
        rank=_column(rank),
    )


def _column(arrays: list[Array | None]) -> Array | None:
    """Arrays as one, unless one is lacking; the list is emptied, so as not to hold both."""
    there = [array for array in arrays if array is not None]
    whole = len(there) == len(arrays)
    arrays.clear()
    return concatenated(there) if whole else None


def columns(
    query: Text,
    document: Text,
    value: Array | None,
    line: Array,
    rank: Array | None = None,
) -> RunColumns:
    """Columns from a query id for each item: neighbours of equal id are one query."""
    begins = np.flatnonzero(query.new())
    together = RunColumns(
        queries=Ids(query.take(begins)),
        starts=np.append(begins, len(query)),
        document=document,
        value=value,
        line=line,
        rank=rank,
    )
    return together.by_rank()


def whole_queries(parts: Iterable[tuple[RunColumns, bool]]) -> Iterator[RunColumns]:
    """Parts as parts of whole queries; beside each is whether its last query may go on.

    A query that comes back later comes in two parts. Only the caller that joins them can notice.
    """
    held: list[RunColumns] = []  # the parts of a query that goes on
    for part, goes_on in parts:
        rest = part
        if held and len(part.queries):
            if part.queries[0] == held[0].queries[0]:
                held.append(part.of_queries(0, 1).compact())
                rest = part.of_queries(1, len(part.queries))
                if not len(rest.queries):
                    continue
            yield RunColumns.of_one_query(held)
        n = len(rest.queries)
        whole = max(0, n - goes_on)
        if whole:
            yield rest if whole == n else rest.of_queries(0, whole)
        if whole < n:
            held.append(rest.of_queries(whole, n).compact())
    if held:
        yield RunColumns.of_one_query(held)
