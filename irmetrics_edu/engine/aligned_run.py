"""A run aligned with its judgments: rows of judged documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
    Ties,
    Unjudged,
    negative_grade,
)
from irmetrics_edu.engine import ranks
from irmetrics_edu.engine.noted import Noted
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows


@dataclass(eq=False)
class Aligned:
    """A run aligned with its judgments: rows of judged documents, a query for each judged query.

    `rows` holds every judged query in the order of the judgments. A query that the run does not
    have has no row and 0 retrieved, and is marked in `missing`. `place`, `first` and `alike` go
    with the rows: the rank in the run (before any unjudged were removed), the best rank that the
    score allows, and how many documents share the score. `item` is the number of the document in
    the pool. The data held are small. Rows are made of them when they are looked at, or `part` by
    part.
    """

    item: Array
    place: Array
    first: Array
    alike: Array
    missing: Array
    retrieved: Array
    tied: Array
    not_judged: Sequence[Any]
    pool: JudgedPool = field(repr=False)
    removed: Unjudged
    noted: Noted
    bottomless: bool = False  # whether some score is as low as that of what was not retrieved

    @property
    def queries(self) -> Sequence[Any]:
        """The judged queries, in the order of the judgments."""
        return self.pool.queries

    @cached_property
    def rows(self) -> Rows:
        """The rows in order of query and rank."""
        pool, item = self.pool, self.item
        query = pool.query
        query_of = query[item]
        n = len(pool.queries)
        rank = self.place.astype(np.float64)
        shown = self.retrieved.astype(np.intp)
        if self.removed.removed:
            shown = np.bincount(query_of, minlength=n)
            rank = np.arange(1.0, len(query_of) + 1) - (np.cumsum(shown) - shown)[query_of]
        everything = bool(pool.judged.all())
        return Rows(
            query=query_of,
            rank=rank,
            grade=pool.grade[item],
            judged=pool.judged[item],
            retrieved=shown,
            pool_query=query if everything else query[pool.judged],
            pool_grade=pool.grade if everything else pool.grade[pool.judged],
            pooled=np.ones(len(item), dtype=bool),
            queries=pool.queries,
        )

    def part(self, begin: int, end: int) -> "Aligned":
        """The same of the queries with these numbers alone."""
        pool = self.pool
        # Items of one query stand together, so this finds where those of a query begin.
        edges = pool.starts[[begin, end]].astype(self.item.dtype)
        low, high = np.searchsorted(self.item, edges).tolist()
        rows = slice(low, high)
        queries = slice(begin, end)
        return replace(
            self,
            item=self.item[rows] - int(pool.starts[begin]),
            place=self.place[rows],
            first=self.first[rows].astype(np.intp),
            alike=self.alike[rows].astype(np.intp),
            missing=self.missing[queries],
            retrieved=self.retrieved[queries],
            tied=self.tied[queries],
            pool=pool.part(begin, end),
        )

    def with_unretrieved(self, ties: Ties) -> "Aligned":
        """The same where judged documents that were not retrieved come last, tied.

        `ties` orders them, as far as that takes no grades; else they stay as they are judged.
        """
        pool = self.pool
        is_lacking = np.ones(len(pool.grade), dtype=bool)
        is_lacking[self.item] = False
        if self.removed.removed:
            is_lacking &= pool.judged
        lacking = np.flatnonzero(is_lacking)
        query = pool.query[lacking]
        sizes = np.bincount(query, minlength=len(pool.queries))
        if ties.in_bulk and not ties.as_given:
            lacking = _arranged(lacking, sizes, pool, ties)
        retrieved = self.retrieved.astype(np.intp)
        last = retrieved[query]
        before = np.cumsum(sizes) - sizes
        item = np.concatenate([self.item, lacking])
        place = np.concatenate([self.place, last + np.arange(1, len(lacking) + 1) - before[query]])
        first = np.concatenate([self.first, last + 1])
        alike = np.concatenate([self.alike, sizes[query]])
        order = np.lexsort((place, pool.query[item]))
        return replace(
            self,
            item=item[order],
            place=place[order],
            first=first[order],
            alike=alike[order],
            retrieved=retrieved + sizes,
        )

    def settled(self, ties: Ties, *, numbered: bool = False) -> Rows:
        """The rows, with the ties in an order that depends on grades, or with shared ranks.

        If they are `numbered`, the documents of rows and pool are their numbers in the pool.
        """
        rows = self.rows
        if numbered:
            numbers: Any = self.item
            in_pool: Any = np.flatnonzero(self.pool.judged)
            rows = replace(rows, document=numbers, pool_document=in_pool)
        return ranks.rows_with_ties_settled(
            rows,
            self.place,
            self.first,
            self.alike,
            ties,
            alone=self.removed.removed,
        )

    def refuse_negative(self) -> None:
        """Raise an error for the first retrieved document whose grade is negative."""
        below = np.flatnonzero(self.pool.grade[self.item] < 0)
        if not len(below):
            return
        item = int(self.item[below[0]])
        rank = int(self.place[below[0]])
        raise negative_grade(self.pool.place(item, rank), self.pool.grade[item])


def _arranged(
    items: Array,
    sizes: Array,
    pool: JudgedPool,
    ties: Ties,
) -> Array:
    """The judged documents of each query, so many of each, in the order that ties have."""
    names = pool.documents
    parts: list[Array] = []
    for of_query in np.split(items, np.cumsum(sizes)[:-1]):
        order = ties.arranged([names[item] for item in of_query.tolist()])
        parts.append(of_query[order])
    return np.concatenate(parts)
