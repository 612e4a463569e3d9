"""The rank of the first relevant document."""

import numpy as np

from irmetrics_edu.conventions import ZERO, NoRelevant
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import without_relevant
from irmetrics_edu.numbers import zeros
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
        first = (relevance > 0) & (top.running(relevance) == 1)
        first_places = np.flatnonzero(first.astype(bool))
        rank = zeros(top.rank, rows.n)
        score = zeros(top.rank, rows.n)
        rank[top.query[first_places]] = top.rank[first_places]
        score[top.query[first_places]] = (
            top.count(np.ones(len(first_places), dtype=bool)) / top.rank[first_places]
        )
        how = "1 / {rank of the first relevant}"
        quantities = {"rank of the first relevant": rank}
    return Working(
        without_relevant(score, rows.relevant(rel), no_relevant),
        how=how,
        columns={"relevance": relevance},
        table=top.table(),
        quantities=quantities,
    )
