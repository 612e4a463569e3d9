r"""Novelty: a nugget of information that the reader has seen above is worth less, or nothing.

G[k]            = sum over nuggets i in d_k of (1 - alpha)^(how many of d_1 ... d_{k-1} hold i)
                = sum over all nuggets i of J(k,i) (1 - alpha J(1,i)) ... (1 - alpha J(k-1,i)),
                  where J(k,i) = 1 if d_k holds i, else 0, or the probability that d_k holds i
alpha-DCG@k     = G[1] D[1] + ... + G[k] D[k]
alpha-nDCG@k    = alpha-DCG@k of the ranking / alpha-DCG@k of the ideal ranking
"""

from typing import Any

import numpy as np

from irmetrics_edu.conventions import LOG2, ZERO, Discount, NoRelevant
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import UNBOUNDED, metric
from irmetrics_edu.metrics.forms import Probabilities
from irmetrics_edu.metrics.novelty_ideal import EXACT, GREEDY, NDEVAL, NoveltyIdeal, ideal_order
from irmetrics_edu.metrics.nugget_decay import (
    JUDGED,
    NOT_NORMALISED,
    Fading,
    Normalisation,
    columns,
    notes_on_probabilities,
    of_perfect_ranking,
    one_alpha,
)
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array, down_to_rank, like, ratio, zeros
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import NUGGETS
from irmetrics_edu.working import Columns, Working

CLARKE_2008 = (
    "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher & MacKinnon (2008), "
    "Novelty and diversity in information retrieval evaluation, SIGIR"
)
_GAIN = r"\sum_n \gamma_n J_{in} \prod_{j<i}(1-\alpha J_{jn})"


@metric(
    "alpha-DCG",
    symbol=r"\alpha\text{-DCG}",
    formula=rf"\sum_{{i=1}}^{{\k}} \discount{{i}} {_GAIN}"
    rf"\quad({JUDGED},\ \text{{divided by: }}\normalisation{{}},\ \text{{none: }}\norelevant{{}})",
    source=CLARKE_2008,
    inputs=NUGGETS,
    range=UNBOUNDED,
    units="nuggets",
)
def alpha_dcg(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: float = 0.5,
    gamma: Probabilities = 1,
    discount: Discount = LOG2,
    rel: float = 1,
    normalisation: Normalisation = NOT_NORMALISED,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Alpha-DCG is the DCG whose gain counts nuggets, and counts a repeated nugget less.

    It has no upper bound and is in units of nuggets. A document gains (1 - alpha)^r for each of its
    nuggets, where r documents above it hold the same nugget. alpha is between 0 (a repeated nugget
    counts fully) and 1 (only new nuggets count). A document holds a nugget if it was judged to,
    with grade `rel` or more. The alpha-DCG of ndeval (and alpha_DCG of ir_measures) has
    `normalisation="collection_independent"`.

    A judgment can also be a probability p, such as that of a classifier. Such a nugget is worth p,
    and is worth 1 - alpha p times as much below. Give alpha=1 if p is the whole probability that
    the document holds the nugget. `gamma` is the probability that the user wants a nugget: one
    number, or nugget -> number, or query -> nugget -> number. It is a factor of the nugget's worth.
    InputError names a number outside [0, 1], and a nugget without one.

    >>> alpha_dcg(["a", "b"], {"a": {"A", "B"}, "b": {"A"}}, discount="none")
    2.5
    >>> alpha_dcg(["a", "b"], {"a": {"A": 0.5}, "b": {"A": 0.5}}, alpha=1, discount="none")
    0.75
    """
    right = one_alpha(rows, alpha)
    if normalisation.by_ideal:
        raise InputError("alpha-DCG over that of the ideal ranking is alpha-nDCG; use alpha_ndcg")
    held = rows.possible(rel)
    top = held.top(k)
    weight = held.per_nugget("gamma", gamma)
    gain = Fading.of(top, right, weight, rel).gain(top)
    shown = columns(top, gain, discount)
    score = top.total(shown["discounted gain"])
    how = "{discounted gain}"
    quantities = {}
    if normalisation.by_most:
        all_nuggets = rows.over_nuggets(weight * rows.count(rows.known(rel)))
        perfect = of_perfect_ranking(rows, k, all_nuggets, 1 - right, discount)
        score, how = rows.ratio(score, perfect, no_relevant.value), f"{how} / {{perfect DCG}}"
        quantities = {"perfect DCG": perfect}
    notes_of = notes_on_probabilities(rows, right, rel)
    return Working(
        score,
        how=how,
        columns=shown,
        table=top.table(),
        quantities=quantities,
        notes=notes_of(0) if rows.n == 1 else (),
        notes_of=notes_of,
    )


@metric(
    "alpha-nDCG",
    symbol=r"\alpha\text{-nDCG}",
    formula=rf"\frac{{\sum_{{i=1}}^{{\k}} \discount{{i}} {_GAIN}}}"
    r"{\sum_{i=1}^{\k} \discount{i}\, G^*_i}"
    rf"\quad({JUDGED},\ G^*\colon \ideal{{}},\ \text{{none: }}\norelevant{{}})",
    source=CLARKE_2008,
    inputs=NUGGETS,
    range=UNBOUNDED,
)
def alpha_ndcg(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: float = 0.5,
    gamma: Probabilities = 1,
    discount: Discount = LOG2,
    rel: float = 1,
    ideal: NoveltyIdeal = GREEDY,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Alpha-nDCG is the alpha-DCG of a ranking over that of the ideal ranking of judged documents.

    At least 0. The ideal ranking is found greedily: at each rank it takes the document of highest
    gain. If several have it, the document whose id sorts first is taken (with `ideal="ndeval"` the
    last, as in that program). A ranking may beat the greedy ideal, so alpha-nDCG can exceed 1.
    `ideal="exact"` searches for the best ranking to depth k and never exceeds 1. It is refused if
    the pool is large. The ideal ranking reaches to the cut-off, even if the ranking is shorter.
    Judgments can be probabilities, and `gamma`
    says how likely each nugget is wanted, as in alpha-DCG.

    >>> held = {"a": {"A", "B"}, "b": {"A"}, "c": {"C"}}
    >>> round(alpha_ndcg(["a", "b", "c"], held, k=2), 4)
    0.8801
    """
    options = {"alpha": alpha, "gamma": gamma, "discount": discount, "rel": rel}
    actual = alpha_dcg.measured(rows, k, **options)
    pool = rows.pool.possible(rel)
    weight = pool.per_nugget("gamma", gamma)
    fading = Fading.of(pool, one_alpha(rows, alpha), weight, rel)
    order, tied = ideal_order(pool, k, fading, discount, ideal)
    best_rows = rows.ranked(order)
    best = alpha_dcg.measured(best_rows, k, **options)
    best.name = "ideal alpha-DCG"
    best.notes = ()  # they are said of the ranking
    best.notes_of = None
    if ideal is not EXACT:
        best.columns = Columns({"tied": like(rows.grade, tied), **best.columns})
    top = rows.top(k)
    score = rows.ratio(actual.score, best.score, no_relevant.value)

    def at_each_rank() -> Array:
        ideal_so_far = down_to_rank(best["cumulated"], best_rows.starts, top.query, top.rank)
        return ratio(actual["cumulated"], ideal_so_far, no_relevant.value)

    def notes_of(q: int) -> list[str]:
        return _notes(ideal, k, best, q, score[q])

    return Working(
        score,
        how="{alpha-DCG} / {ideal alpha-DCG}",
        columns=Columns({"alpha-nDCG": at_each_rank}),
        table=top.table(),
        parts={"alpha-DCG": actual, "ideal alpha-DCG": best},
        notes=notes_of(0) if rows.n == 1 else (),
        notes_of=notes_of,
    )


def _notes(ideal: NoveltyIdeal, k: int | None, best: Working, q: int, score: Any) -> list[str]:
    """What the reader should know about the ideal: how it was found, ties, a score above 1."""
    if ideal is EXACT:
        where = "over all ranks" if k is None else f"at cut-off {k}"
        return [f"The ideal ranking is exact: no ranking has a higher alpha-DCG {where}."]
    which = "last" if ideal is NDEVAL else "first"
    here = best.table.query == q
    ranks = np.asarray(best.table.labels["rank"])[here]
    tied = ranks[np.asarray(best.columns["tied"][here] > 1, dtype=bool)].tolist()
    beginning = f"The ideal ranking was found greedily ({ideal.name}), "
    if tied:
        places = ", ".join(str(int(rank)) for rank in tied)
        beginning += f"with ties at rank {places}: the document whose id sorts {which} was taken, "
        notes = [beginning + "and another might have led to a better one."]
    else:
        notes = [beginning + "with no ties on the way."]
    if exceeds(score, 1.0):
        notes.append(
            "The score exceeds 1: the greedy ideal is not the best ranking; ideal='exact' finds it."
        )
    return notes


@metric(
    "relevance-probability",
    symbol=r"P(R_k=1 \mid u, d_1 \ldots d_k)",
    formula=r"1 - \prod_{n}\left(1 - \gamma_n\alpha_n J_{\k,n}\prod_{i<\k}(1-\alpha_n J_{in})"
    rf"\right)\quad({JUDGED})",
    source=CLARKE_2008,
    inputs=NUGGETS,
    units="probability",
)
def relevance_probability(
    rows: NuggetRows,
    k: int | None = None,
    *,
    alpha: Probabilities = 0.5,
    gamma: Probabilities = 0.5,
    rel: float = 1,
) -> Working:
    """The probability that the document at rank k holds a nugget that the user still wants.

    Between 0 and 1. Without k it is for the last document retrieved. It is 0 if no document is at
    rank k. The user wants each nugget with probability `gamma`. A judgment that a document holds a
    nugget is right with probability `alpha`. If r documents above hold a nugget, the user still
    wants it with probability gamma (1 - alpha)^r. For a ranking of one document this is P(R=1|u,d).
    The first-order term replaces 1 - the product by the sum. It is gamma alpha times the gain of
    alpha-DCG.

    A judgment can also be a probability p, such as that of a classifier. The document then holds
    the nugget with probability alpha p; give alpha=1 to take p as it is. `alpha` and `gamma` are
    one number for all nuggets, or nugget -> number, or query -> nugget -> number. InputError names
    a number outside [0, 1], and a nugget without one.

    >>> held = {"a": {"A", "B"}, "b": {"A"}}
    >>> relevance_probability(["a"], held)
    0.4375
    >>> relevance_probability(["a"], {"a": {"A": 0.5}}, alpha=1, gamma={"A": 0.5})
    0.25
    >>> relevance_probability.working(["a", "b"], held)["first-order term"]
    array([0.5  , 0.125])
    """
    top = rows.possible(rel).top(k)
    entries = _help_of_entries(top, alpha, gamma, rel)
    helps = entries["probability of help"]
    miss = top.product_of_row(1 - helps)
    probability = 1 - miss
    score = _at_last_rank(probability, rows, top, k)
    by_nugget = Working(
        1 - score,
        columns=entries,
        table=top.table_of_entries(),
        rows=rows,
        name="miss at the cut",
    )
    notes_of = notes_on_probabilities(rows, alpha, rel)
    return Working(
        score,
        how="1 - {miss at the cut}",
        columns={
            "first-order term": top.by_row(helps),
            "probability of a miss": miss,
            "probability of relevance": probability,
        },
        table=top.table(),
        parts={"miss at the cut": by_nugget},
        notes=notes_of(0) if rows.n == 1 else (),
        notes_of=notes_of,
    )


def _help_of_entries(
    top: NuggetRows,
    alpha: Probabilities,
    gamma: Probabilities,
    rel: float,
) -> dict[str, Array]:
    """How probably each entry is held, is still wanted, and both: then it helps the user."""
    right = top.per_nugget("alpha", alpha)[top.nugget]
    fading = Fading.of(top, right, top.per_nugget("gamma", gamma), rel)
    wanted = fading.weight[top.nugget] * top.product_before(fading.decay)
    held = right * fading.worth
    return {
        "probability held": held,
        "probability wanted": wanted,
        "probability of help": held * wanted,
    }


def _at_last_rank(
    probability: Array,
    rows: NuggetRows,
    top: NuggetRows,
    k: int | None,
) -> Array:
    """The probability at rank k, or at the last rank, of each query; 0 where nothing is there."""
    asked = rows.retrieved if k is None else np.full(rows.n, k)
    last = np.asarray(top.rank, dtype=np.intp) == asked[top.query]
    score = zeros(rows.grade, rows.n)
    score[top.query[last]] = probability[last]
    return score
