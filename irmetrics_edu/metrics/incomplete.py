"""Rankings of which only some documents are judged."""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    BY_K,
    BY_RETRIEVED,
    FEWER,
    ZERO,
    Divisor,
    NoRelevant,
    PreferenceBound,
)
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import divided_by
from irmetrics_edu.numbers import in_kind, like, total
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working


@metric(
    "bpref",
    formula=r"\frac{1}{R} \sum_{i\colon g_i \ge \rel}"
    r"\left(1 - \frac{\min(n_i, R)}{\bound{}}\right)"
    r"\quad(R=0\colon \norelevant{})",
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR; "
    "with min(N, R) as in trec_eval",
)
def bpref(
    rows: Rows,
    *,
    rel: float = 1,
    bound: PreferenceBound = FEWER,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Bpref is how rarely judged non-relevant documents are ranked above relevant ones.

    N judged documents are not relevant, and n of them are ranked above a given relevant document.
    At most R of these count, where R is the number of relevant documents. Documents that nobody
    judged play no part. Relevant documents that were not retrieved add nothing. The number above is
    divided by the smaller of N and R, or with `bound="relevant"` by R. Between 0 and 1. If
    `unjudged` gives documents a grade, they are counted above, but not in N. Then bpref can be
    below 0.

    >>> bpref([1, 0, None, 1])
    0.5
    >>> bpref([1, 0, None, 1], bound="relevant")
    0.75
    >>> bpref(["a", "b", "c"], {"a": 1, "b": 0, "c": 1, "d": 0, "e": 1})
    0.5
    """
    relevance = rows.relevance(rel)
    above = rows.running(rows.count(rows.judged) - relevance)
    relevant = rows.relevant(rel)
    non_relevant = total(like(rows.pool_grade, rows.pool_grade < rel), rows.pool_query, rows.n)
    most = bound(relevant, non_relevant)
    # Nothing stands above where there is nothing non-relevant: 0 of 1 instead of 0 of 0.
    most = np.where(most == 0, most + 1, most)
    kept = relevance * (1 - np.minimum(above, relevant[rows.query]) / most[rows.query])
    return Working(
        rows.ratio(rows.total(kept), relevant, no_relevant.value),
        how="({preference kept}) / {R}",
        columns={
            "relevance": relevance,
            "non-relevant so far": above,
            "preference kept": kept,
        },
        table=rows.table(),
        quantities={"R": relevant, "N": non_relevant},
    )


@metric(
    "infAP",
    formula=r"\frac{1}{R} \sum_{i\colon g_i \ge \rel} \left(\frac{1}{i}"
    r" + \frac{d_i}{i}\cdot\frac{r_i+\epsilon}{r_i+n_i+2\epsilon}\right)"
    r"\quad(R=0\colon \norelevant{})",
    source="Yilmaz & Aslam (2006), Estimating average precision with incomplete and imperfect "
    "judgments, CIKM; epsilon = 0.00001 as in trec_eval",
)
def inf_ap(
    rows: Rows,
    *,
    epsilon: float = 0.00001,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Inferred average precision is average precision estimated from a judged sample of the pool.

    Take a relevant document at rank i. Above it are d documents of the pool: r are judged relevant,
    n are judged not relevant, and the rest are not judged. The measure assumes that the rest are
    relevant in the same proportion, smoothed by `epsilon` (above 0). It assumes that documents
    outside the pool are not relevant. A document is in the pool but not judged if its judgment is
    `None`, or a grade below 0 with `negative="unjudged"`. Between 0 and 1.

    >>> round(inf_ap(["a", "b", "c"], {"a": 1, "b": None, "c": 1}), 4)
    1.0
    >>> round(inf_ap(["a", "b", "c"], {"a": 1, "c": 1}), 4)
    0.8333
    """
    checks.between("epsilon", epsilon, 0, 1, open_low=True)
    smoothing = in_kind(rows.grade, epsilon)
    relevance = rows.relevance(rel)
    in_pool = rows.judged if rows.pooled is None else rows.pooled | rows.judged
    judged = rows.count(rows.judged)
    pooled = rows.count(in_pool)
    relevant_above = rows.running(relevance) - relevance
    judged_above = rows.running(judged) - judged
    pooled_above = rows.running(pooled) - pooled
    estimate = (relevant_above + smoothing) / (judged_above + 2 * smoothing)
    expected = relevance * (1 + pooled_above * estimate) / rows.rank
    relevant = rows.relevant(rel)
    return Working(
        rows.ratio(rows.total(expected), relevant, no_relevant.value),
        how="({expected precision}) / {R}",
        columns={
            "relevance": relevance,
            "pooled above": pooled_above,
            "judged above": judged_above,
            "relevant above": relevant_above,
            "estimated precision above": estimate,
            "expected precision": expected,
        },
        table=rows.table(),
        quantities={"R": relevant},
    )


@metric(
    "Judged",
    formula=r"\frac{1}{\min(\k,n)} \sum_{i=1}^{\k} [d_i \text{ is judged}]",
    source="MacAvaney, Macdonald & Ounis (2022), Streamlining evaluation with ir-measures, ECIR",
)
def judged(rows: Rows, k: int | None = None) -> Working:
    """Judged@k is the share of the first k documents that somebody judged.

    For a list shorter than k it is divided by the length of the list. Between 0 and 1, and 0 for an
    empty ranking. If it is low, a score says little, because nobody looked at most of the ranking.

    >>> judged(["a", "b", "c", "d"], {"a": 1, "c": 0})
    0.5
    """
    top = rows.top(k)
    depth = rows.depth(k)
    is_judged = top.count(top.in_judgments)
    return Working(
        rows.ratio(top.total(is_judged), depth),
        how="({judged or not}) / {retrieved within the cut}",
        columns={"judged or not": is_judged},
        table=top.table(),
        quantities={"retrieved within the cut": depth},
    )


@metric(
    "Hole",
    aliases={"unjudged": {}, "unj": {"divisor": "k"}},
    formula=r"\frac{1}{\divisor{}} \sum_{i=1}^{\k} [d_i \text{ is not judged}]",
    source="Xiong et al. (2021), Approximate nearest neighbor negative contrastive learning for "
    "dense text retrieval, ICLR (as hole rate)",
)
def hole(rows: Rows, k: int | None = None, *, divisor: Divisor = BY_RETRIEVED) -> Working:
    """Hole@k is the share of the first k documents that nobody judged.

    It is 1 - Judged@k, and lower is better. Between 0 and 1, and 0 for an empty ranking. For a list
    shorter than k it is divided by the length of the list, or with `divisor="k"` by k, as in
    trec_eval's unj. BEIR's hole@k counts only documents that no query judges.

    >>> (hole @ 4)(["a", "b", "c", "d"], {"a": 1, "c": 0})
    0.5
    >>> (hole @ 8)(["a", "b", "c", "d"], {"a": 1, "c": 0}, divisor="k")
    0.25
    """
    top = rows.top(k)
    depth = rows.depth(k)
    holes = depth - top.total(top.count(top.in_judgments))
    size = divided_by(divisor, allowed=(BY_RETRIEVED, BY_K), rows=rows, k=k, hits=holes, R=depth)
    return Working(
        rows.ratio(holes, size),
        how="{not judged} / {divisor}",
        columns={"judged or not": top.count(top.in_judgments)},
        table=top.table(),
        quantities={"not judged": holes, "divisor": size},
    )
