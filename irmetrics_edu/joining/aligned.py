"""The rows of many queries, and the counts of what stands beside them."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_WRITTEN, Unjudged
from irmetrics_edu.joining.pool import Pool
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranking import Rows, align

Ranking = Callable[[Any], Sequence[Hashable]]


@dataclass(eq=False)
class Found:
    """What one piece of a run gave: the judged documents in it with their ranks, and its queries.

    `item` numbers the judged document in the pool. `first` is the best rank that its score
    allows and `alike` how many documents, it among them, share that score. `query` numbers the
    queries of the piece.
    """

    item: Array
    rank: Array
    first: Array
    alike: Array
    query: Array
    retrieved: Array
    tied: Array

    @staticmethod
    def joined(parts: Sequence["Found"]) -> "Found":
        """Several pieces as one."""
        if len(parts) == 1:
            return parts[0]
        empty = [np.zeros(0, dtype=np.intp)]

        def column(name: str) -> Array:
            return np.concatenate([getattr(p, name) for p in parts] or empty)

        return Found(*(column(name) for name in Found.__dataclass_fields__))


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
    """A run aligned with its judgments: the rows of judged documents, a query for each one judged.

    `rows` holds every judged query in the order of the judgments; one that the run lacks has no
    row and 0 retrieved, and is marked in `missing`. `place`, `first` and `alike` go with the
    rows: the rank in the run (before any unjudged were removed), the best rank that the score
    allows, and how many documents share the score.
    """

    rows: Rows
    missing: Array
    retrieved: Array
    tied: Array
    place: Array
    first: Array
    alike: Array
    not_judged: list[Any]
    pool: Pool = field(repr=False)
    ranking: Ranking = field(repr=False)
    removed: Unjudged
    duplicates: int = 0
    skipped: int = 0

    @property
    def queries(self) -> list[Any]:
        """The judged queries, in the order of the judgments."""
        return self.pool.queries

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
        """Every row of one query, unjudged documents and ids too: what an explanation shows."""
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
    not_judged: list[Any],
    ranking: Ranking,
    duplicates: int = 0,
    skipped: int = 0,
) -> Aligned:
    """The rows in order of query and rank, with their counts."""
    n = len(pool.queries)
    query = pool.query[found.item]
    longest = int(found.rank.max(initial=0))
    order = np.argsort(query * (longest + 1) + found.rank)  # no two documents share a rank
    if unjudged.name == "removed":
        order = order[pool.judged[found.item[order]]]
    item, query = found.item[order], query[order]
    place = found.rank[order].astype(np.float64)
    missing = np.ones(n, dtype=bool)
    missing[found.query] = False
    retrieved = np.zeros(n, dtype=np.intp)
    retrieved[found.query] = found.retrieved
    tied = np.zeros(n, dtype=np.intp)
    tied[found.query] = found.tied
    rank, shown = place, retrieved
    if unjudged.name == "removed":
        shown = np.bincount(query, minlength=n)
        rank = np.arange(1.0, len(query) + 1) - (np.cumsum(shown) - shown)[query]
    rows = Rows(
        query,
        rank,
        pool.grade[item],
        pool.judged[item],
        shown,
        pool.query[pool.judged],
        pool.grade[pool.judged],
        pooled=np.ones(len(item), dtype=bool),
        queries=pool.queries,
    )
    return Aligned(
        rows,
        missing,
        retrieved,
        tied,
        place,
        found.first[order],
        found.alike[order],
        not_judged,
        pool,
        ranking,
        unjudged,
        duplicates,
        skipped,
    )
