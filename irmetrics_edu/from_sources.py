"""Runs and judgments in files, frames, arrays and pieces: in bulk where that goes, else in memory.

What a bulk alignment cannot give (ties by grade, curves over scores, lists of items) is had from
the same run and judgments as mappings, read on demand. A metric's score does not depend on what
its input came as.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_WRITTEN
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining import in_memory
from irmetrics_edu.joining.bulk import Aligned
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.query_by_query import Matched, matched
from irmetrics_edu.reverse_join import ReverseJoin, in_bulk
from irmetrics_edu.rows.ranking import RANKED


class FromSources(ReverseJoin):
    """A run and judgments in files, frames or arrays, of which single queries are read back."""

    def __init__(
        self,
        run: Any,
        qrels: Any,
        by: Bundle,
        beside: Mapping[str, Any] | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        self._reading = dict(reading or {})
        self._start(run, qrels, by, beside)
        first = self.aligned(cg)
        missing = [q for q, gone in zip(first.queries, first.missing.tolist(), strict=True) if gone]
        self.matched: Matched = matched(first.queries, missing, list(first.not_judged), by)
        self.queries = self.matched.queries
        self.lines_left_out = first.skipped + first.pool.skipped
        self.duplicates = first.duplicates
        self._first = first

    def reading(self) -> dict[str, Any]:
        """How files are read."""
        if any(key[0] == "aligned" for key in self._rows) and isinstance(self.run, Iterator):
            raise InputError(
                "the run came as an iterator, which is used up by one alignment, and these "
                "measures need several; give a file or a frame, or evaluate them one by one"
            )
        return self._reading

    def _reads_one(self, metric: Metric) -> bool:
        """Whether a single query can be read back as this metric needs it."""
        options = self.options(metric)
        return metric.inputs is RANKED and in_bulk(options) and options["ties"].in_bulk

    @cached_property
    def in_memory(self) -> ReverseJoin:
        """The same run and judgments as mappings, the judgments as they were settled."""
        run = in_memory.of_run(self.run, self.by.duplicates, **self.reading())
        return ReverseJoin(run, self._judgments_in_memory(), self.by, self.beside)

    def _judgments_in_memory(self) -> Mapping[Any, Any]:
        pool = self._first.pool
        return {query: pool.of(q) for q, query in enumerate(pool.queries)}

    def rows(self, metric: Metric) -> Any:
        """The rows of all queries, aligned once for all measures that read the same."""
        bulk = metric.inputs is RANKED and in_bulk(self.options(metric))
        return super().rows(metric) if bulk else self.in_memory.rows(metric)

    def order(self, query: Any) -> list[Hashable]:
        """The documents of a query in the order in which every measure sees them."""
        if not self._reads_one(cg):
            return self.in_memory.order(query)
        if query not in self._orders:
            gone = self._first.missing[self._first.pool.number[query]]
            self._orders[query] = [] if gone else list(self._first.ranking(query))
        return self._orders[query]

    def scores(self, query: Any) -> dict[Hashable, float]:
        """The scores of a query's documents as precisely as the library keeps them; {} if none."""
        return self.in_memory.scores(query)

    def judgments(self, query: Any) -> Any:
        """What is judged of a query."""
        return self._first.pool.of(self._first.pool.number[query])

    def one(
        self,
        metric: Metric,
        query: Any,
        *,
        exact: bool = False,
        ranking: Sequence[Hashable] | None = None,
    ) -> Any:
        """The rows of one query, every rank a row; in fractions if `exact`."""
        if not self._reads_one(metric):
            return self.in_memory.one(metric, query, exact=exact, ranking=ranking)
        aligned = self.aligned(metric)
        options = {**self.options(metric), "negative": AS_WRITTEN}  # the pool has settled it
        judged = aligned.pool.of(aligned.pool.number[query])
        order = self.order(query) if ranking is None else list(ranking)
        return metric.inputs.align(order, judged, exact=exact, query=query, **options)

    def levels(self, query: Any, rows: Any) -> Array:
        """A number for each row of a query, equal where documents are tied."""
        if not self._reads_one(cg):
            return self.in_memory.levels(query, rows)
        a: Aligned = self._first
        here = a.rows.query == a.pool.number[query]
        level = np.arange(len(rows.rank))
        for first, alike in zip(a.first[here].tolist(), a.alike[here].tolist(), strict=True):
            level[int(first) - 1 : int(first) - 1 + int(alike)] = int(first) - 1
        return level


def aligner(
    run: Any, qrels: Any, by: Bundle, beside: Mapping[str, Any], reading: Mapping[str, Any]
) -> ReverseJoin:
    """What aligns a run with its judgments, by what they are given as."""
    if isinstance(run, Mapping) and (qrels is None or isinstance(qrels, Mapping)):
        return ReverseJoin(run, qrels, by, beside)
    return FromSources(run, qrels, by, beside, reading)
