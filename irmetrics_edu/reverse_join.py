"""Rows of a whole run at once, for the measures of grades; single queries as ever."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from irmetrics_edu import nugget_bulk
from irmetrics_edu.alignment import RANKED, Rows
from irmetrics_edu.bulk import Aligned, align_run
from irmetrics_edu.conventions import AS_WRITTEN, NO_DUPLICATES, NO_GAIN, NOWHERE
from irmetrics_edu.definition import Metric
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.nuggets import INTENTS, NUGGETS
from irmetrics_edu.numbers import Array
from irmetrics_edu.query_by_query import Matched, QueryByQuery, matched


class ReverseJoin(QueryByQuery):
    """A run and its judgments, where only the judged documents of a query become rows."""

    def rows(self, metric: Metric) -> Any:
        """The rows of all queries, aligned once for all measures that read the same."""
        if bulk_of_nuggets(metric, self.options(metric)) and self._has_scores(metric):
            if "nuggets" not in self._rows:
                run = {q: self._scored_or_ordered(q) for q in self.queries if q in self.run}
                qrels = {query: self.qrels[query] for query in self.queries}
                self._rows["nuggets"] = nugget_bulk.align_run(run, qrels)
            return self._rows["nuggets"]
        if metric.inputs is not RANKED or self.qrels is None:
            return super().rows(metric)
        options = self.options(metric)
        if not _in_bulk(options):
            return super().rows(metric)
        key = ("rows", *sorted((name, str(v)) for name, v in options.items()))
        if key not in self._rows:
            aligned = self.aligned(metric)
            rows = _without(aligned) if self.matched.left_out else aligned.rows
            self._rows[key] = options["pool"](rows)
        return self._rows[key]

    def _has_scores(self, metric: Metric) -> bool:
        """Whether the queries of the run have scores, and unjudged documents stay."""
        run = self.run
        return (
            isinstance(run, Mapping)
            and isinstance(self.qrels, Mapping)
            and self.options(metric)["unjudged"] == NO_GAIN
            and all(isinstance(run.get(query, {}), Mapping) for query in self.queries)
        )

    def _scored_or_ordered(self, query: Any) -> Any:
        """The scores of a query if no two are alike, else its documents in order."""
        try:
            kept = self.by.kept(list(self.run[query].values()))
        except (TypeError, ValueError):
            return self.order(query)  # which says what is wrong
        return self.run[query] if len(np.unique(kept)) == len(kept) else self.order(query)

    def aligned(self, metric: Metric) -> Aligned:
        """The whole run aligned with the judgments as a measure needs it."""
        options = {n: v for n, v in self.options(metric).items() if n in _BULK}
        key = ("aligned", *sorted((name, str(v)) for name, v in options.items()))
        if key not in self._rows:
            self._rows[key] = self._aligned = align_run(
                self.run,
                self.qrels,
                **options,
                **self.reading(),
            )
        aligned: Aligned = self._rows[key]
        return aligned

    def reading(self) -> dict[str, Any]:
        """How files are read."""
        return {}

    def tied(self) -> int:
        """How many documents share their score with another of the same query."""
        aligned: Aligned | None = getattr(self, "_aligned", None)
        return super().tied() if aligned is None else int(aligned.tied.sum())


_BULK = ("ties", "scores", "unjudged", "negative")


def _in_bulk(options: Mapping[str, Any]) -> bool:
    """Whether these conventions can be had for a whole run at once."""
    ties = options["ties"]
    return (
        not ties.by_grade
        and not ties.shared
        and options["unretrieved"] is NOWHERE
        and options["duplicates"] is NO_DUPLICATES
    )


def bulk_of_nuggets(metric: Metric, options: Mapping[str, Any]) -> bool:
    """Whether a metric reads nuggets that all queries have in common rows: no given intents."""
    if metric.inputs is INTENTS:
        return options.get("intents") is None
    return metric.inputs is NUGGETS


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

    def order(self, query: Any) -> list[Hashable]:
        """The documents of a query in the order in which every measure sees them."""
        if query not in self._orders:
            gone = self._first.missing[self._first.pool.number[query]]
            self._orders[query] = [] if gone else list(self._first.ranking(query))
        return self._orders[query]

    def judgments(self, query: Any) -> Any:
        """What is judged of a query."""
        return self._first.pool.of(self._first.pool.number[query])

    def one(self, metric: Metric, query: Any, *, exact: bool = False) -> Any:
        """The rows of one query, every rank a row; in fractions if `exact`."""
        if metric.inputs is not RANKED:
            return super().one(metric, query, exact=exact)
        aligned = self.aligned(metric)
        options = {**self.options(metric), "negative": AS_WRITTEN}  # the pool has settled it
        judged = aligned.pool.of(aligned.pool.number[query])
        return metric.inputs.align(self.order(query), judged, exact=exact, query=query, **options)

    def levels(self, query: Any, rows: Any) -> Array:
        """A number for each row of a query, equal where documents are tied."""
        a = self._first
        here = a.rows.query == a.pool.number[query]
        level = np.arange(len(rows.rank))
        for first, alike in zip(a.first[here].tolist(), a.alike[here].tolist(), strict=True):
            level[int(first) - 1 : int(first) - 1 + int(alike)] = int(first) - 1
        return level


def _without(aligned: Aligned) -> Rows:
    """The rows without the queries that the run lacks, the others numbered anew."""
    rows, kept = aligned.rows, ~aligned.missing
    number = np.cumsum(kept) - 1
    judged = kept[rows.pool_query]
    return replace(
        rows,
        query=number[rows.query],
        retrieved=rows.retrieved[kept],
        pool_query=number[rows.pool_query[judged]],
        pool_grade=rows.pool_grade[judged],
        queries=[q for q, there in zip(aligned.queries, kept.tolist(), strict=True) if there],
    )


def aligner(
    run: Any, qrels: Any, by: Bundle, beside: Mapping[str, Any], reading: Mapping[str, Any]
) -> ReverseJoin:
    """What aligns a run with its judgments, by what they are given as."""
    if isinstance(run, Mapping) and (qrels is None or isinstance(qrels, Mapping)):
        return ReverseJoin(run, qrels, by, beside)
    return FromSources(run, qrels, by, beside, reading)
