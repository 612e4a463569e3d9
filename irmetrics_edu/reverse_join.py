"""Rows of a whole run at once, for the measures of grades; single queries as ever."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_GIVEN, NO_DUPLICATES, NOWHERE, REMOVED
from irmetrics_edu.joining.bulk import Aligned, align_run
from irmetrics_edu.joining.by_grade import settled
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.query_by_query import QueryByQuery
from irmetrics_edu.rows.ranking import RANKED, Rows


class ReverseJoin(QueryByQuery):
    """A run and its judgments, where only the judged documents of a query become rows."""

    def rows(self, metric: Metric) -> Any:
        """The rows of all queries, aligned once for all measures that read the same."""
        if metric.inputs is not RANKED or self.qrels is None:
            return super().rows(metric)
        options = self.options(metric)
        if not in_bulk(options):
            return super().rows(metric)
        key = ("rows", *sorted((name, str(v)) for name, v in options.items()))
        if key not in self._rows:
            aligned = self.aligned(metric)
            rows = settled(aligned, options["ties"])
            rows = _without(rows, aligned.missing) if self.matched.left_out else rows
            self._rows[key] = options["pool"](rows)
        return self._rows[key]

    def aligned(self, metric: Metric) -> Aligned:
        """The whole run aligned with the judgments as a measure needs it."""
        options = self.bulk_options(metric)
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

    def bulk_options(self, metric: Metric) -> dict[str, Any]:
        """How this metric's input is aligned in bulk."""
        options = {n: v for n, v in self.options(metric).items() if n in _BULK}
        if not options["ties"].in_bulk:  # these are settled when the judged documents are found
            options["ties"] = AS_GIVEN
        return options

    def reading(self) -> dict[str, Any]:
        """How files are read."""
        return {}

    def tied(self) -> int:
        """How many documents share their score with another of the same query."""
        aligned: Aligned | None = getattr(self, "_aligned", None)
        return super().tied() if aligned is None else int(aligned.tied.sum())


_BULK = ("ties", "scores", "unjudged", "negative", "duplicates")


def in_bulk(options: Mapping[str, Any]) -> bool:
    """Whether these conventions can be had for a whole run at once."""
    return (
        (options["ties"].in_bulk or options["unjudged"] is not REMOVED)
        and options["unretrieved"] is NOWHERE
        and options["duplicates"] is NO_DUPLICATES
    )


def _without(rows: Rows, missing: Array) -> Rows:
    """The rows without the queries that the run lacks, the others numbered anew."""
    kept = ~missing
    number = np.cumsum(kept) - 1
    judged = kept[rows.pool_query]
    return replace(
        rows,
        query=number[rows.query],
        retrieved=rows.retrieved[kept],
        pool_query=number[rows.pool_query[judged]],
        pool_grade=rows.pool_grade[judged],
        queries=[q for q, there in zip(rows.queries or (), kept.tolist(), strict=True) if there],
    )
