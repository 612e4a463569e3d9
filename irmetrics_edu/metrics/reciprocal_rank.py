"""The rank of the first relevant document, and one over it."""

import math
from collections.abc import Callable

import numpy as np

from irmetrics_edu.conventions import UNDEFINED_SKIPPED, ZERO, NoRelevant, Undefined
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import without_relevant
from irmetrics_edu.numbers import Array, ratio, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.shared_ranks import of_first_hit
from irmetrics_edu.working import Working

_FIRST = r"\min\{i \le \k : g_i \ge \rel\}"


@metric(
    "RR",
    aliases=("MRR", "recip_rank"),
    formula=rf"\frac{{1}}{{{_FIRST}}}\quad(R=0\colon \norelevant{{}})",
    source="Voorhees (1999), The TREC-8 question answering track report, TREC-8",
    shares_ties=True,
)
def reciprocal_rank(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The reciprocal rank is 1 over the rank of the first relevant document, 0 if there is none.

    Between 0 and 1. Its mean over queries is MRR.

    >>> reciprocal_rank([0, 1, 0, 1])
    0.5
    """
    top = rows.top(k)
    relevance = top.relevance(rel)
    if top.span is not None:
        score = of_first_hit(top, relevance, k, lambda rank: 1 / rank)
        how = "{expected reciprocal rank}"
        quantities = {"expected reciprocal rank": score}
    else:
        rank = _of_first(top, relevance)
        hit = (rank > 0).astype(bool)
        score = zeros(top.rank, rows.n)
        score[hit] = top.count(np.ones(int(hit.sum()), dtype=bool)) / rank[hit]
        how = "1 / {rank of the first relevant}"
        quantities = {"rank of the first relevant": rank}
    notes_of = _said_of_none(top, relevance)
    return Working(
        without_relevant(score, rows.relevant(rel), no_relevant),
        how=how,
        columns={"relevance": relevance},
        table=top.table(),
        quantities=quantities,
        notes=notes_of(0) if rows.n == 1 else (),
        notes_of=notes_of,
    )


@metric(
    "hit_rank",
    aliases=("MR", "mean_rank"),
    formula=rf"{_FIRST}\quad(\text{{none}}\colon \undefined{{}})",
    source="Bordes, Usunier, Garcia-Durán, Weston & Yakhnenko (2013), Translating embeddings for "
    "modeling multi-relational data, NIPS (its mean over queries is their mean rank)",
    range=(1.0, math.inf),
    units="ranks",
)
def hit_rank(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    undefined: Undefined = UNDEFINED_SKIPPED,
) -> Working:
    """The hit rank is the rank of the first relevant document.

    At least 1, and lower is better. A ranking without a relevant document among its first k has
    none: it is left out of the mean, or gets what `undefined` says. So a mean rank tells nothing of
    the queries that found nothing: read `Success` beside it. The mean over queries is the mean rank
    of link prediction.

    >>> hit_rank([0, 1, 0, 1])
    2.0
    >>> hit_rank([0, 0])
    nan
    """
    top = rows.top(k)
    relevance = top.relevance(rel)
    rank = _of_first(top, relevance)
    missing = (rank == 0).astype(bool)
    rows.refuse(missing, undefined, "no relevant document was retrieved, so it has no rank")
    score = ratio(rank, top.count(~missing), undefined.value)
    notes_of = _said_of_none(top, relevance)
    return Working(
        score,
        how="{rank of the first relevant}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={"rank of the first relevant": score},
        notes=notes_of(0) if rows.n == 1 else (),
        notes_of=notes_of,
    )


def _said_of_none(top: Rows, relevance: Array) -> Callable[[int], list[str]]:
    """What an explanation says of a query that has no relevant document among those retrieved."""

    def notes_of(query: int) -> list[str]:
        if top.total(relevance)[query] > 0:
            return []
        return ["no relevant document was retrieved, so there is no rank to take"]

    return notes_of


def _of_first(top: Rows, relevance: Array) -> Array:
    """The rank of the first relevant document of each query, 0 where there is none."""
    first = (relevance > 0) & (top.running(relevance) == 1)
    rows_of_first = np.flatnonzero(first.astype(bool))
    rank = zeros(top.rank, top.n)
    rank[top.query[rows_of_first]] = top.rank[rows_of_first]
    return rank
