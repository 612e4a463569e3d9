"""Measures that trec_eval prints and few other libraries have."""

from math import ceil, inf

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import ZERO, NoRelevant
from irmetrics_edu.metrics.definition import ANY, metric
from irmetrics_edu.metrics.set_based import (
    BUCKLEY,
    precision,
    precision_after,
    recall,
    without_relevant,
)
from irmetrics_edu.numbers import as_fraction, in_kind, like
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working


@metric(
    "Rprec_mult",
    symbol=r"\text{R-prec}_m",
    formula=r"\frac{|\{i\le \lceil m R\rceil\colon g_i\ge\rel\}|}{\lceil m R\rceil},"
    r"\quad m=\multiple\quad(R=0\colon \norelevant{})",
    source=f"{BUCKLEY}; trec_eval's Rprec_mult",
    cutoff="multiple",
    shares_ties=True,
)
def r_precision_multiple(
    rows: Rows,
    *,
    multiple: float = 1,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """R-precision at a multiple m is the precision after m R documents, rounded up.

    Between 0 and 1. R is the number of relevant documents, so `multiple=1` is R-precision. With @
    it is written Rprec_mult@0.5. Low multiples show how good the first documents are. High
    multiples show how many relevant documents are found later. If a list ends before m R, the
    missing documents count as not relevant. trec_eval rounds m R up from a tenth on, which is the
    same for the multiples that it prints.

    >>> (r_precision_multiple @ 0.5)([1, 0, 1, 1, 0])
    0.5
    >>> (r_precision_multiple @ 2)([1, 0, 1, 1, 0], exact=True)
    Fraction(1, 2)
    """
    factor = as_fraction(checks.between("multiple", multiple, 0, 1000, open_low=True))
    R = rows.relevant(rel)
    size = like(R, np.array([ceil(factor * int(r)) for r in R.tolist()], dtype=np.intp))
    return precision_after(rows, size, "m R", {"R": R}, rel=rel, no_relevant=no_relevant)


@metric(
    "set_map",
    symbol=r"\mathrm{AP}_{\text{set}}",
    formula=r"\frac{h}{n}\cdot\frac{h}{R},\quad h=|\{i\le \k\colon g_i\ge\rel\}|,\ "
    r"n\text{ retrieved}\quad(R=0\colon \norelevant{})",
    source=f"{BUCKLEY}; trec_eval's set_map",
    aliases=("SetAP",),
)
def set_average_precision(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The average precision of a set is its precision times its recall.

    Between 0 and 1. A set has no order, so every relevant document gets the precision of the whole
    set. The average precision with these precisions is precision times recall.

    >>> set_average_precision(["a", "b", "c", "d"], {"a", "c", "x"}, exact=True)
    Fraction(1, 3)
    """
    P = precision.measured(rows, k, rel=rel)
    R = recall.measured(rows, k, rel=rel)
    return Working(
        without_relevant(P.score * R.score, R["R"], no_relevant),
        how="{precision} * {recall}",
        parts={"precision": P, "recall": R},
    )


@metric(
    "utility",
    symbol="U",
    formula=r"\hit\,h+\other\,(n-h)+\missed\,(R-h),\quad h=|\{i\le \k\colon g_i\ge\rel\}|,\ "
    r"n\text{ retrieved}",
    source="Hull (1998), The TREC-7 filtering track: description and analysis, TREC-7; "
    "trec_eval's utility",
    range=ANY,
    units="those of the worths",
)
def utility(
    rows: Rows,
    k: int | None = None,
    *,
    hit: float = 1,
    other: float = -1,
    missed: float = 0,
    rel: float = 1,
) -> Working:
    """Linear utility is what the retrieved set is worth: a gain for each hit, a cost for the rest.

    A relevant document that is retrieved is worth `hit`, and any other retrieved document is worth
    `other`. A relevant document that is not retrieved is worth `missed`. Only the first k documents
    count as retrieved. The value can be any number. A query with many relevant documents counts for
    more in the mean.

    >>> utility(["a", "b", "c"], {"a", "x"})
    -1.0
    >>> utility(["a", "b", "c"], {"a", "x"}, hit=3, other=-2, missed=-1)
    -2.0
    """
    worth = {"worth of a hit": hit, "worth of another": other, "worth of a miss": missed}
    for name, value in zip(("hit", "other", "missed"), worth.values(), strict=True):
        checks.between(name, value, -inf, inf, open_low=True, open_high=True)
    top = rows.top(k)
    relevance = top.relevance(rel)
    hits = top.total(relevance)
    R = rows.relevant(rel)
    others = rows.depth(k) - hits
    a, b, c = (in_kind(rows.grade, value) for value in worth.values())
    return Working(
        a * hits + b * others + c * (R - hits),
        how="{worth of a hit} * {relevant retrieved} + {worth of another} * {others retrieved}"
        " + {worth of a miss} * {relevant missed}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={
            "relevant retrieved": hits,
            "others retrieved": others,
            "relevant missed": R - hits,
            **{name: hits * 0 + in_kind(rows.grade, value) for name, value in worth.items()},
        },
    )
