"""A run, judgments, or a part of them, as columns: queries whole, one after the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.text import Text


@dataclass(eq=False)
class Columns:
    """Query q has the items starts[q] to starts[q+1]: a document and a value each.

    The value is a score in a run (None: the documents are in the order of their ranks) and a
    grade in judgments. `line` is where each item stands in its file, and `origin` the byte at
    which this part of the file begins, where it can be read from there.
    """

    queries: list[Any]
    starts: Array
    document: Text
    value: Array | None
    line: Array
    origin: int | None = None

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
        )

    def grouped(self) -> "Columns":
        """The same with the items of each query together, in the order in which queries begin."""
        if len(set(self.queries)) == len(self.queries):
            return self
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
        )

    @staticmethod
    def joined(parts: Sequence["Columns"]) -> "Columns":
        """Several parts as one, queries grouped."""
        if len(parts) == 1:
            return parts[0].grouped()
        offsets = np.cumsum([0] + [len(p.line) for p in parts]).tolist()
        values = [p.value for p in parts if p.value is not None]
        return Columns(
            [q for p in parts for q in p.queries],
            np.concatenate(
                [p.starts[:-1] + o for p, o in zip(parts, offsets, strict=False)]
                + [np.array(offsets[-1:])]
            ),
            Text.joined([p.document for p in parts]),
            np.concatenate(values) if len(values) == len(parts) else None,
            np.concatenate([p.line for p in parts]),
        ).grouped()


def columns(query: Text, document: Text, value: Array | None, line: Array) -> Columns:
    """Columns from a query id for each item: neighbours of equal id are one query."""
    n = len(query)
    before = query.take(slice(0, n - 1)) if n else query
    changes = (
        np.flatnonzero(~query.take(slice(1, n)).equal(before)) + 1 if n else np.zeros(0, np.intp)
    )
    starts = np.concatenate([[0] if n else [], changes, [n]]).astype(np.intp)
    return Columns(query.tolist(starts[:-1]), starts, document, value, line)


def whole_queries(parts: Iterable[Columns]) -> Iterator[Columns]:
    """Parts that may end within a query, as parts of whole queries."""
    held: Columns | None = None
    for part in parts:
        items = part if held is None else Columns.joined([held, part])
        if len(items.queries) < 2:
            held = items if items.queries else held
            continue
        end = int(items.starts[-2])
        at_end = np.arange(len(items.line)) >= end
        held = items.take(at_end)
        held.queries, held.starts = items.queries[-1:], np.array([0, len(items.line) - end])
        items = items.take(~at_end)
        items.queries, items.starts = items.queries[:-1], items.starts[:-1]
        yield items
    if held is not None:
        yield held
