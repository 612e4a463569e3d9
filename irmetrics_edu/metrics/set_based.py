"""What was retrieved and what is relevant: two sets, and how far they overlap."""

from collections.abc import Collection
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    BY_K,
    BY_REACHABLE,
    BY_RELEVANT,
    BY_RETRIEVED,
    ZERO,
    Divisor,
    NoRelevant,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like, zeros
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.shared_ranks import of_first_hit, within
from irmetrics_edu.working import Working

BUCKLEY = "Buckley & Voorhees (2005), Retrieval system evaluation, in: TREC, MIT Press"
RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7"
_HITS = r"|\{i\le \k\colon g_i\ge\rel\}|"


def divided_by(
    divisor: Divisor,
    allowed: Collection[Divisor],
    rows: Rows,
    k: int | None,
    hits: Array,
    R: Array,
) -> Array:
    """The divisor that a convention names, query by query; a senseless one is refused."""
    if divisor not in allowed:
        raise InputError(
            f"divisor={divisor} is not a divisor of this metric; use "
            f"{' or '.join(map(str, allowed))}"
        )
    size: Array = divisor(rows, k, hits, R)
    return size


def without_relevant(score: Array, R: Array, no_relevant: NoRelevant) -> Array:
    """The scores, with what the convention says where a query has no relevant document."""
    none = (R == 0).astype(bool)
    if not none.any():
        return score
    settled = score.copy()
    value = no_relevant.value
    exact = is_exact(score) and not np.isnan(value)
    settled[none] = as_fraction(value) if exact else value
    return settled


@metric(
    "P",
    aliases={
        "SetP": {},
        "set_P": {},
        "P_cut": {},
        "relative_P": {"divisor": "reachable"},
        "set_relative_P": {"divisor": "reachable"},
    },
    formula=rf"\frac{{{_HITS}}}{{\divisor{{}}}}\quad(R=0\colon \norelevant{{}})",
    source=RIJSBERGEN,
    shares_ties=True,
)
def precision(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    divisor: Divisor = BY_K,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Precision is the share of the retrieved documents that are relevant.

    Between 0 and 1. Without a cut-off it divides by the number of retrieved documents. Precision at
    k divides by k, even if the list is shorter. `divisor="retrieved"` divides by the number
    retrieved. `divisor="reachable"` divides by min(k, R), so 1 can always be reached. This is
    trec_eval's relative_P. Without a cut-off it is trec_eval's set_relative_P, where k is the
    number retrieved. If fewer than k documents are relevant, the upper bound is min(k, R)/k, below
    1. If nothing is retrieved the score is 0. A document that nobody judged counts as not relevant.

    >>> precision(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.5
    >>> (precision @ 5)(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.4
    """
    divisors = (BY_K, BY_RETRIEVED, BY_REACHABLE)
    size = None
    if k is None and divisor is BY_REACHABLE:
        size = np.minimum(rows.depth(None), rows.relevant(rel))
    return _share_of_hits(
        rows,
        k=k,
        rel=rel,
        divisor=divisor,
        divisors=divisors,
        no_relevant=no_relevant,
        size=size,
    )


@metric(
    "R",
    aliases={
        "SetR": {},
        "set_recall": {},
        "sensitivity": {},
        "context_recall": {},
        "recall_capped": {"divisor": "reachable"},
        "R_cap": {"divisor": "reachable"},
    },
    formula=rf"\frac{{{_HITS}}}{{\divisor{{}}}}\quad(R=0\colon \norelevant{{}})",
    source=RIJSBERGEN,
    shares_ties=True,
)
def recall(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    divisor: Divisor = BY_RELEVANT,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Recall is the share of the relevant documents that are retrieved.

    Between 0 and 1. Recall at k counts the first k documents. If more than k documents are
    relevant, its upper bound is k/R, below 1. `divisor="reachable"` divides by min(k, R) instead,
    so 1 can be reached: the capped recall of BEIR (Thakur et al., 2021), `recall_capped@k`. In
    retrieval-augmented generation recall is called context recall (Es et al., 2024). There passages
    are judged in place of statements.

    >>> recall(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.5
    >>> (recall @ 1)(["d6", "d7", "d2", "d9"], {"d3", "d4", "d6", "d9"})
    0.25
    """
    places = rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    divisors = (BY_RELEVANT, BY_REACHABLE)
    return _share_of_hits(
        rows,
        k=k,
        rel=rel,
        divisor=divisor,
        divisors=divisors,
        no_relevant=no_relevant,
        places=places,
    )


def _share_of_hits(
    rows: Rows,
    k: int | None,
    rel: float,
    divisor: Divisor,
    divisors: Collection[Divisor],
    no_relevant: NoRelevant,
    places: Array | None = None,
    size: Array | None = None,
) -> Working:
    """The relevant documents above the cut over a divisor; `places` for them, if not as many."""
    top = rows.top(k)
    R = rows.relevant(rel)
    relevance = top.relevance(rel)
    hits = top.total(within(top, relevance, k))
    if size is None:
        size = divided_by(divisor, allowed=divisors, rows=rows, k=k, hits=hits, R=R)
    most = np.minimum(size if places is None else places, R)
    return Working(
        without_relevant(rows.ratio(hits, size), R, no_relevant),
        how="{relevant retrieved} / {divisor}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={
            "relevant retrieved": hits,
            "divisor": size,
            "R": R,
            "theoretical upper bound": rows.ratio(most, size),
        },
    )


@metric(
    "F",
    aliases={"SetF": {}, "set_F": {}, "F1": {"beta": 1}, "F2": {"beta": 2}},
    formula=(
        r"\frac{1}{\alpha\frac{1}{P}+(1-\alpha)\frac{1}{\mathrm{Rec}}}=\frac{(\beta^2+1)\,P\,\mathrm{Rec}}{\beta^2P+\mathrm{Rec}},"
        r"\quad\alpha=\frac{1}{\beta^2+1}\quad"
        rf"(P=\tfrac{{h}}{{\divisor{{}}}},\ h={_HITS},\ R=0\colon \norelevant{{}})"
    ),
    source=RIJSBERGEN + " (as E = 1 - F)",
    shares_ties=True,
)
def f_measure(
    rows: Rows,
    k: int | None = None,
    *,
    beta: float = 1,
    alpha: float | None = None,
    rel: float = 1,
    divisor: Divisor = BY_K,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """The F-measure is the weighted harmonic mean of precision and recall.

    Between 0 and 1. `beta` (0 or more) is how many times as important recall is as precision.
    Instead of it you can give `alpha` (0 to 1), the weight of precision: alpha = 1/(beta^2 + 1).
    The harmonic mean is never above the geometric or the arithmetic mean. An engine that returns
    everything has recall 1. Its arithmetic mean is above 1/2, but its F is near 0. trec_eval
    (set_F) and ir_measures (SetF) do not square beta: their value at beta is ours at alpha =
    1/(beta + 1). For beta = 1 both are the same.

    >>> round(f_measure(["d3", "d6", "d8", "d10", "d11"], {"d3", "d4", "d6", "d9"}), 4)
    0.4444
    >>> f_measure([1, 0, 1], alpha=1, exact=True)
    Fraction(2, 3)
    """
    weight = weight_of_precision(beta, alpha, exact=is_exact(rows.grade))
    P = precision.measured(rows, k, rel=rel, divisor=divisor)
    R = recall.measured(rows, k, rel=rel)
    return Working(
        without_relevant(harmonic(rows, P.score, R.score, weight), R["R"], no_relevant),
        how="{precision} * {recall} / ({alpha} * {recall} + (1 - {alpha}) * {precision})",
        parts={"precision": P, "recall": R},
        quantities={"alpha": zeros(rows.grade, rows.n) + weight},
    )


def harmonic(rows: Rows, P: Array, R: Array, weight: Any) -> Array:
    """The weighted harmonic mean of precision and recall; 0 if both are 0."""
    return rows.ratio(P * R, weight * R + (1 - weight) * P)


def weight_of_precision(beta: Any, alpha: Any, *, exact: bool) -> Any:
    """The alpha of F, given as itself or as beta."""
    if alpha is None:
        checks.between("beta", beta, 0, float("inf"), open_high=True)
        beta = as_fraction(beta) if exact else float(beta)
        return 1 / (beta**2 + 1)
    checks.between("alpha", alpha, 0, 1)
    if beta != 1:
        raise InputError(
            f"beta={beta} and alpha={alpha}: give one of them; alpha = 1/(beta^2 + 1), "
            f"so beta={beta} stands for alpha={1 / (float(beta) ** 2 + 1):.4g}"
        )
    return as_fraction(alpha) if exact else float(alpha)


@metric(
    "Success",
    aliases=("Hit", "hit_rate", "hit_ratio", "HitRate", "HR"),
    formula=rf"[\,{_HITS}>0\,]\quad(R=0\colon \norelevant{{}})",
    source=BUCKLEY,
    shares_ties=True,
)
def success(
    rows: Rows,
    k: int | None = None,
    *,
    rel: float = 1,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Success at k is 1 if a relevant document is among the first k, else 0.

    Its mean over users is the hit rate of recommendation.

    >>> (success @ 2)([0, 0, 1]), (success @ 3)([0, 0, 1])
    (0.0, 1.0)
    """
    top = rows.top(k)
    relevance = top.relevance(rel)
    if top.span is not None:
        score = of_first_hit(top, relevance, k, lambda rank: rank / rank)
        how = "{chance of a hit}"
        quantities = {"chance of a hit": score}
    else:
        hits = top.total(relevance)
        score = rows.count(hits > 0)
        how = "[{relevant retrieved} > 0]"
        quantities = {"relevant retrieved": hits}
    return Working(
        without_relevant(score, rows.relevant(rel), no_relevant),
        how=how,
        columns={"relevance": relevance},
        table=top.table(),
        quantities=quantities,
    )


@metric(
    "Rprec",
    aliases=("R-Prec",),
    formula=r"\frac{|\{i\le R\colon g_i\ge\rel\}|}{R}\quad(R=0\colon \norelevant{})",
    source=BUCKLEY,
    shares_ties=True,
)
def r_precision(rows: Rows, *, rel: float = 1, no_relevant: NoRelevant = ZERO) -> Working:
    """R-precision is the precision after R documents, where R is how many are relevant in all.

    Between 0 and 1. At that rank precision and recall are equal, so it is their break-even point.

    >>> round(r_precision(["d1", "d2", "d4", "d13", "d14"], {"d1", "d2", "d13"}), 4)
    0.6667
    """
    R = rows.relevant(rel)
    return precision_after(rows, R, "R", {}, rel=rel, no_relevant=no_relevant)


def precision_after(
    rows: Rows,
    size: Array,
    name: str,
    quantities: dict[str, Array],
    *,
    rel: float,
    no_relevant: NoRelevant,
) -> Working:
    """Precision after a number of documents that each query has for itself."""
    first = rows.rank if rows.span is None else rows.span[0]
    top = rows.where((first <= size[rows.query]).astype(bool))
    relevance = top.relevance(rel)
    hits = top.total(within(top, relevance, size[top.query]))
    return Working(
        without_relevant(rows.ratio(hits, size), rows.relevant(rel), no_relevant),
        how=f"{{relevant retrieved}} / {{{name}}}",
        columns={"relevance": relevance},
        table=top.table(),
        quantities={"relevant retrieved": hits, **quantities, name: size},
    )
