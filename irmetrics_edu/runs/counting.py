"""Counting what an evaluation met, over its rows."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_GIVEN, COUNTED, NOT_READ, QUICKSORT, REVERSED
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.parsed_measures import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.id_list import chosen as ids_at
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.evaluation_notes import Counts
from irmetrics_edu.runs.joining.judgments import padding

# Documents are counted over rows that keep every retrieved document in its place.
_PLAIN = cg.using(unjudged="no_gain")


def counted(aligned: Any, chosen: Sequence[Measure], by: Bundle) -> Counts:
    """Queries and documents that are missing, unjudged or tied.

    Documents are counted if judgments are by grades, or by subtopic in a file or frame.
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
        "as_trec_eval": dict(aligned.told),
        "columns": aligned.columns,
        "ties_as_given": aligned.by.ties in (AS_GIVEN, REVERSED, QUICKSORT),
        "scores_not_read": aligned.by.scores is NOT_READ,
        "interleaved": aligned.interleaved,
        "padding": padding(aligned.judged, aligned.by.negative),
    }
    by_subtopic = getattr(aligned, "by_subtopic", False)
    if not by_subtopic and not any(m.metric.inputs is RANKED for m in chosen):
        return Counts(**known)
    cuts = sorted({m.k for m in chosen}, key=lambda k: (k is None, k or 0))
    # Where tied documents share their ranks, none is above the cut or below: as given, each is.
    plain = _PLAIN.using(ties="given") if aligned.by.ties.shared else _PLAIN
    within: dict[int | None, int] = dict.fromkeys(cuts, 0)
    unjudged: dict[int | None, int] = dict.fromkeys(cuts, 0)
    of_all = np.zeros(3, dtype=np.int64)
    without = []
    for part in aligned.parts([plain]):
        rows = aligned.rows(plain, part)
        for k in cuts:
            deep = int(rows.depth(k).sum())
            within[k] += deep
            unjudged[k] += deep - int(rows.top(k).judged.sum())
        relevant, found = _relevant(rows)
        of_all += [rows.retrieved.sum(), relevant.sum(), found.sum()]
        without.append(relevant == 0)
    retrieved, relevant_in_all, found_in_all = of_all.tolist()
    return Counts(
        **known,
        retrieved=retrieved,
        relevant=relevant_in_all,
        relevant_retrieved=found_in_all,
        without_relevant=ids_at(aligned.queries, np.concatenate(without)),
        unjudged_documents=unjudged,
        documents_within=within,
    )


def _relevant(rows: Any) -> tuple[Array, Array]:
    """Of each query, how many documents are relevant, and how many of those were retrieved."""
    relevant = np.bincount(rows.pool_query[rows.pool_grade > 0], minlength=rows.n)
    return relevant, np.bincount(rows.query[rows.grade > 0], minlength=rows.n)


def documents_per_query(aligned: Any) -> dict[Hashable, dict[str, int]]:
    """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
    names = ("num_ret", "num_rel", "num_rel_ret")
    counts: list[tuple[int, ...]] = []
    for part in aligned.parts([_PLAIN]):
        rows = aligned.rows(_PLAIN, part)
        counts += zip(*(c.tolist() for c in (rows.retrieved, *_relevant(rows))), strict=True)
    return {
        q: dict(zip(names, n, strict=True)) for q, n in zip(aligned.queries, counts, strict=True)
    }
