"""Counting what an evaluation met, over its rows."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from irmetrics_edu.conventions import COUNTED
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.measures import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranking import RANKED
from irmetrics_edu.runs.counts import Counts

# Documents are counted over rows that keep every retrieved document in its place.
_PLAIN = cg.using(unjudged="no_gain")


def counted(aligned: Any, chosen: Sequence[Measure], by: Bundle) -> Counts:
    """Queries and documents that were missing, unjudged or tied.

    Documents are counted where judgments are by grades, or by subtopic in a file or frame.
    """
    matched = aligned.matched
    known: dict[str, Any] = {
        "queries": len(aligned.queries),
        "missing": matched.missing,
        "missing_score_zero": by.missing_queries is COUNTED,
        "not_judged": matched.not_judged,
        "tied": aligned.tied(),
        "duplicates": aligned.duplicates,
        "lines_left_out": aligned.lines_left_out,
    }
    by_subtopic = getattr(aligned, "by_subtopic", False)
    if not by_subtopic and not any(m.metric.inputs is RANKED for m in chosen):
        return Counts(**known)
    rows = aligned.rows(_PLAIN)
    within: dict[int | None, int] = {}
    unjudged: dict[int | None, int] = {}
    for k in sorted({m.k for m in chosen}, key=lambda k: (k is None, k or 0)):
        within[k] = int(rows.depth(k).sum())
        unjudged[k] = within[k] - int(rows.top(k).judged.sum())
    relevant, found = _relevant(rows)
    return Counts(
        **known,
        retrieved=int(rows.retrieved.sum()),
        relevant=int(relevant.sum()),
        relevant_retrieved=int(found.sum()),
        without_relevant=[aligned.queries[i] for i in np.flatnonzero(relevant == 0).tolist()],
        unjudged_documents=unjudged,
        documents_within=within,
    )


def _relevant(rows: Any) -> tuple[Array, Array]:
    """Of each query, how many documents are relevant, and how many of those were retrieved."""
    relevant = np.bincount(rows.pool_query[rows.pool_grade > 0], minlength=rows.n)
    return relevant, np.bincount(rows.query[rows.grade > 0], minlength=rows.n)


def documents_per_query(aligned: Any) -> dict[Hashable, dict[str, int]]:
    """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
    rows = aligned.rows(_PLAIN)
    columns = zip(*(c.tolist() for c in (rows.retrieved, *_relevant(rows))), strict=True)
    names = ("num_ret", "num_rel", "num_rel_ret")
    return {
        query: dict(zip(names, counts, strict=True))
        for query, counts in zip(aligned.queries, columns, strict=True)
    }
