"""The rows of many queries, and the counts of missing, unjudged and tied documents."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_WRITTEN, Unjudged
from irmetrics_edu.numbers import Array, smallest
from irmetrics_edu.reading.id_list import chosen
from irmetrics_edu.reading.text import concatenated
from irmetrics_edu.rows.aligned_ranking import Rows, align
from irmetrics_edu.runs.joining.judgment_pool import Pool

Ranking = Callable[[Any], Sequence[Hashable]]


@dataclass(eq=False)
class Found:
    """What one piece of a run gave: the judged documents in it with their ranks, and its queries.

    `item` numbers the judged document in the pool. `first` is the best rank that its score allows.
    `alike` is how many documents share that score, itself included. `query` numbers the queries of
    the piece.
    """

    item: Array
    rank: Array
    first: Array
    alike: Array
    query: Array
    retrieved: Array
    tied: Array

    @staticmethod
    def joined(parts: list["Found"]) -> "Found":
        """Several pieces as one; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0]
        columns = [[getattr(p, name) for p in parts] for name in Found.__dataclass_fields__]
        parts.clear()
        return Found(*(concatenated(c or [np.zeros(0, dtype=np.intp)]) for c in columns))

    def small(self) -> "Found":
        """The same in the smallest kind of whole number, to be held."""
        columns = (getattr(self, name) for name in Found.__dataclass_fields__)
        return Found(*(c.astype(smallest(int(c.max(initial=0)))) for c in columns))


@dataclass(frozen=True, slots=True)
class Counts:
    """What a mean does not show: how much was missing, unjudged, tied or left out."""

    queries: int  # judged
    missing: int  # of these, not in the run
    not_judged: int  # queries of the run that nobody judged
    without_relevant: int  # judged queries with nothing relevant
    documents: int  # retrieved for judged queries
    tied: int  # of these, documents that share their score
    duplicates: int  # documents met again and left out
    skipped: int  # lines left out as malformed, duplicates among them
    unjudged: dict[int, int]  # for each cut-off, the unjudged documents above it


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
    pool: Pool = field(repr=False)
    ranking: Ranking = field(repr=False)
    removed: Unjudged
    duplicates: int = 0
    skipped: int = 0
    told: Counter[str] = field(default_factory=Counter)  # lines taken as trec_eval does, by kind
    columns: dict[str, str] = field(default_factory=dict)  # of a run's table: read as what
    interleaved: bool = False

    @property
    def queries(self) -> Sequence[Any]:
        """The judged queries, in the order of the judgments."""
        return self.pool.queries

    @cached_property
    def rows(self) -> Rows:
        """The rows in order of query and rank."""
        pool, item = self.pool, self.item
        query = pool.query
        of, n = query[item], len(pool.queries)
        rank, shown = self.place.astype(np.float64), self.retrieved.astype(np.intp)
        if self.removed.name == "removed":
            shown = np.bincount(of, minlength=n)
            rank = np.arange(1.0, len(of) + 1) - (np.cumsum(shown) - shown)[of]
        everything = bool(pool.judged.all())
        return Rows(
            of,
            rank,
            pool.grade[item],
            pool.judged[item],
            shown,
            query if everything else query[pool.judged],
            pool.grade if everything else pool.grade[pool.judged],
            pooled=np.ones(len(item), dtype=bool),
            queries=pool.queries,
        )

    def part(self, begin: int, end: int) -> "Aligned":
        """The same of the queries with these numbers alone."""
        pool = self.pool
        # Items of one query stand together, so this finds where those of a query begin.
        edges = pool.starts[[begin, end]].astype(self.item.dtype)
        low, high = np.searchsorted(self.item, edges).tolist()
        rows, queries = slice(low, high), slice(begin, end)
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

    def without_relevant(self, rel: float = 1) -> Array:
        """Which queries have no document of at least that grade."""
        none: Array = self.rows.relevant(rel) == 0
        return none

    def unjudged(self, k: int | None = None) -> Array:
        """How many documents above the cut nobody judged, query by query."""
        seen = self.rows.judged if k is None else self.rows.judged & (self.place <= k)
        judged = np.bincount(self.rows.query[seen], minlength=self.rows.n)
        depth = self.retrieved if k is None else np.minimum(self.retrieved, k)
        left: Array = depth - judged
        return left

    def counts(self, cutoffs: Sequence[int] = (), rel: float = 1) -> Counts:
        """The counts over all queries; `cutoffs` says where to count the unjudged."""
        return Counts(
            queries=self.rows.n,
            missing=int(self.missing.sum()),
            not_judged=len(self.not_judged),
            without_relevant=int(self.without_relevant(rel).sum()),
            documents=int(self.retrieved.sum()),
            tied=int(self.tied.sum()),
            duplicates=self.duplicates,
            skipped=self.skipped,
            unjudged={k: int(self.unjudged(k).sum()) for k in cutoffs},
        )

    def full(self, query: Any) -> Rows:
        """Every row of one query, with unjudged documents and ids, as an explanation shows it."""
        q = self.pool.number[query]
        ranking = [] if self.missing[q] else list(self.ranking(query))
        return align(
            ranking,
            self.pool.of(q),
            unjudged=self.removed,
            negative=AS_WRITTEN,  # the pool has settled what a negative grade is worth
            query=query,
        )


def assembled(
    found: Found,
    pool: Pool,
    *,
    unjudged: Unjudged,
    not_judged: Sequence[Any],
    ranking: Ranking,
    duplicates: int = 0,
    skipped: int = 0,
    columns: dict[str, str] | None = None,
    told: Counter[str] | None = None,
    interleaved: bool = False,
) -> Aligned:
    """What was found in order of query and rank, with its counts."""
    n = len(pool.queries)
    longest = int(found.rank.max(initial=0))
    place = pool.query[found.item] * (longest + 1) + found.rank  # no two documents share a rank
    order: Array | slice = slice(None)
    if (place[1:] < place[:-1]).any():
        order = np.argsort(place)
    del place
    if unjudged.name == "removed":
        kept = np.arange(len(found.item))[order]
        order = kept[pool.judged[found.item[kept]]]

    def of_queries(values: Array) -> Array:
        out = np.zeros(n, dtype=values.dtype)
        out[found.query] = values
        return out

    return Aligned(
        found.item[order],
        found.rank[order],
        found.first[order],
        found.alike[order],
        ~of_queries(np.ones(len(found.query), dtype=bool)),
        of_queries(found.retrieved),
        of_queries(found.tied),
        not_judged,
        pool,
        ranking,
        unjudged,
        duplicates,
        skipped,
        told or Counter(),
        columns or {},
        interleaved,
    )


def without(rows: Rows, missing: Array) -> Rows:
    """The rows without the queries that the run does not have; the others are renumbered."""
    kept = ~missing
    number = np.cumsum(kept) - 1
    judged = kept[rows.pool_query]
    return replace(
        rows,
        query=number[rows.query],
        retrieved=rows.retrieved[kept],
        pool_query=number[rows.pool_query[judged]],
        pool_grade=rows.pool_grade[judged],
        queries=None if rows.queries is None else chosen(rows.queries, kept),
    )
