"""Diversity that also counts accuracy: items that are not effective are discounted.

An item is effective if it is recommended and relevant (a test item of the user): it is in L ∩ G,
where L is the recommended list and G the relevant items.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import ON_BOTH_SIDES, UNDEFINED_REFUSED, Overlap, Undefined
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import UNBOUNDED, metric
from irmetrics_edu.metrics.diversity import COSINE_RANGE, number_of_pairs, pairs_of
from irmetrics_edu.numbers import Array, as_fraction, is_exact, picked
from irmetrics_edu.rows.item_categories import EFFECTIVE_CATEGORIES, Categorised
from irmetrics_edu.rows.item_distances import EFFECTIVE_DISTANCES, Spaced
from irmetrics_edu.working import Table, Working

CIKM_2024 = (
    "On evaluation metrics for diversity-enhanced recommendations (2024), CIKM, "
    "doi:10.1145/3627673.3679629; as in its authors' code, "
    "github.com/Xueqi-Li/Accuracy-aware-Diversity-Metrics, commit c1f0ed1"
)


def _discounted(
    rows: Categorised,
    k: int | None,
    alpha: float,
    n_categories: int | None,
    overlap: Overlap,
    base: float | None = None,
) -> Working:
    """The categories of the hits by their weights, plus alpha for each of the ineffective."""
    coefficient = rows.coefficient("alpha", alpha)
    top = rows.top(k)
    of_hit = top.effective[top.member_item]
    hits = top.covered(of_hit)
    rest = top.covered(~of_hit)
    both = hits & rest
    rest = overlap(hits, rest)
    shown = hits | rest
    query = top.category_query[shown]
    weight = top.count(hits[shown])
    columns: dict[str, Array] = {}
    if base is not None:
        _refuse_uncategorised(rows)
        frequency = top.frequency[shown]
        columns["frequency among the relevant"] = top.count(frequency)
        _weigh_by_frequency(weight, hits[shown], frequency, base)
    discounted = coefficient * top.count(rest[shown])
    columns |= {
        "weight among the hits": weight,
        "weight among the ineffective": discounted,
        "weight of the category": weight + discounted,
    }
    names = picked(top.category, shown)
    per_category = Working(
        top.total(columns["weight of the category"], query),
        how="{weight of the category}",
        columns=columns,
        table=Table(query, {"category": names}),
        name="sum over categories",
    )
    of_all = rows.number_of_categories(n_categories, shown)
    return Working(
        rows.ratio(per_category.score, of_all),
        how="{sum over categories} / {all categories}",
        columns={
            "effective": top.count(top.effective),
            "new categories of the hits": top.first_seen(of_hit),
            "new categories of the ineffective": top.first_seen(
                ~of_hit & rest[top.member_category]
            ),
        },
        table=top.table(),
        quantities={
            "all categories": of_all,
            "categories on both sides": top.total(top.count(both[both]), top.category_query[both]),
        },
        parts={"sum over categories": per_category},
        notes=_note_on_both(top, both, overlap) if rows.n == 1 else (),
    )


def _refuse_uncategorised(rows: Categorised) -> None:
    """A relevant item without categories is an error: frequencies can't be counted then."""
    for q, item in enumerate(rows.uncategorised):
        if item is not None:
            raise InputError(
                f"{rows.at(q)}relevant item {item!r} is not among the categories, so their "
                "frequencies can't be counted; map it to its categories, or to set()"
            )


def _weigh_by_frequency(
    weight: Array,
    hit: Array,
    frequency: Array,
    base: float,
) -> None:
    """Multiply, in place, the weight of each category of the hits by that of its frequency."""
    for f in np.unique(frequency[hit]).tolist():  # each frequency is looked at once
        of_frequency = hit & (frequency == f)
        weight[of_frequency] *= frequency_weight(f, base, exact=is_exact(weight))


def _note_on_both(
    top: Categorised,
    both: Array,
    overlap: Overlap,
) -> tuple[str, ...]:
    """Which categories a hit and an ineffective item share, and how often they count."""
    if not both.any():
        return ()
    of_both = ", ".join(map(str, picked(top.category, both)))
    how = overlap.meaning.partition(":")[0]
    remark = f"of a hit and of an ineffective item as well; counts {how} ({overlap=!s})"
    return (f"{of_both}: {remark}",)


def frequency_weight(frequency: int, base: float, *, exact: bool = False) -> Any:
    """The weight of a category that so many relevant items have."""
    b = as_fraction(base)
    if frequency < b:
        return Fraction(1) if exact else 1.0
    power = round(math.log(frequency) / math.log(b))
    if b**power == frequency:  # a whole power: log_5 of 125 is 3, not 3.0000000000000004
        return Fraction(power) if exact else float(power)
    if exact:
        raise NotRational(
            f"log_{base} of the frequency {frequency} is irrational; drop exact=True or choose "
            "a base above the frequencies"
        )
    return math.log(frequency) / math.log(b)


@metric(
    "DCC",
    formula=r"\frac{|\mathcal{C}_{L_{\k}\cap G}| + \alpha\,|\overlap{}|}{\ncategories}",
    source=CIKM_2024,
    range=(0.0, 2.0),
    inputs=EFFECTIVE_CATEGORIES,
)
def dcc(
    rows: Categorised,
    k: int | None = None,
    *,
    alpha: float = 0.01,
    n_categories: int | None = None,
    overlap: Overlap = ON_BOTH_SIDES,
) -> Working:
    """Discounted category coverage counts categories of hits in full and those of misses by alpha.

    DCC counts the categories of hits and of misses separately, and divides the sum by the number of
    all categories. A category that appears in both groups is counted twice: once with weight 1,
    once with weight alpha. So DCC is between 0 and 1 + alpha. `overlap="once"` counts it only with
    weight 1; then alpha = 1 gives category coverage. `n_categories` is given as for category
    coverage. `tune_alpha` shows how to choose alpha.

    The code that its authors released gives the same value for each user, with three differences
    around it. It returns the sum over users, not the mean. It has alpha = 0.5 unless you say
    otherwise. A user without relevant items, or with an empty list, scores 0 there; without
    relevant items it is an error here.

    >>> genres = {"a": {"rock"}, "b": {"rock", "folk"}, "c": {"jazz"}}
    >>> dcc(["a", "b"], {"a", "c"}, genres, alpha=0.5, n_categories=4)
    0.5
    >>> dcc(["a", "b"], {"a", "c"}, genres, alpha=0.5, n_categories=4, overlap="once")
    0.375
    """
    return _discounted(rows, k, alpha, n_categories, overlap)


@metric(
    "FDCC",
    formula=r"\frac{\sum_{c\in\mathcal{C}_{L_{\k}\cap G}} w_c + \alpha\,|\overlap{}|}{\ncategories}"
    r",\quad w_c=\max(1,\log_{\base} f_G(c))",
    source=CIKM_2024,
    range=UNBOUNDED,
    inputs=EFFECTIVE_CATEGORIES,
)
def fdcc(
    rows: Categorised,
    k: int | None = None,
    *,
    alpha: float = 0.01,
    base: float = 2,
    n_categories: int | None = None,
    overlap: Overlap = ON_BOTH_SIDES,
) -> Working:
    """Frequency-aware DCC gives a category of the hits more weight the more often it is relevant.

    The frequency of a category is the number of relevant (test) items that have it. The weight is 1
    for a frequency below the base b. Otherwise it is the logarithm of the frequency to base b. FDCC
    has no upper bound, and is otherwise as DCC. It is exact if no weight needs an irrational
    logarithm. The slides name no base; 2 is the default of the code that its authors released.

    >>> genres = {"a": {"rock"}, "b": {"folk"}, "c": {"rock"}, "d": {"rock"}, "e": {"rock"}}
    >>> fdcc(["a", "b"], {"a", "c", "d", "e"}, genres, alpha=0.5, n_categories=2)
    1.25
    """
    checks.between("base", base, 1, float("inf"), open_low=True, open_high=True)
    return _discounted(
        rows,
        k=k,
        alpha=alpha,
        n_categories=n_categories,
        overlap=overlap,
        base=base,
    )


@metric(
    "DILAD",
    formula=r"\frac{1}{|L_{\k}|\,(|L_{\k}|-1)}\sum_{i\in L_{\k}}\sum_{j\in L_{\k}\setminus i}"
    r" w_i w_j\,d(i,j),\quad w_i=\begin{cases}1 & i\in G\\ \beta & i\notin G\end{cases}"
    r"\quad(|L_{\k}|<2\colon \undefined{})",
    source=CIKM_2024,
    range=COSINE_RANGE,
    inputs=EFFECTIVE_DISTANCES,
)
def dilad(
    rows: Spaced,
    k: int | None = None,
    *,
    beta: float = 0.01,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """The discounted intra-list average distance counts only pairs of effective items in full.

    The distance of a pair is multiplied by beta for each item that is not effective. If neither is
    effective, it is multiplied by beta squared. Between 0 and 2 for cosine distance. beta = 1 gives
    the average distance (ILAD). `distance` and short lists are treated as for ILAD. `tune_beta`
    shows how to choose beta.

    The code that its authors released gives the same value for each user, if the vectors have
    length 1: there the distance is 1 less the inner product of the vectors as they are. It returns
    the sum over users, not the mean, and leaves lists of fewer than two items out of it. It has
    beta = 0.5 unless you say otherwise. Without relevant items every pair counts beta squared
    there; here that is an error.

    >>> apart = {("a", "b"): 1, ("a", "c"): 0.5, ("b", "c"): 1}
    >>> dilad(["a", "b", "c"], {"a", "b"}, apart, beta=0.1, distance="given", exact=True)
    Fraction(23, 60)
    """
    coefficient = rows.coefficient("beta", beta)
    top = rows.top(k)
    number = number_of_pairs(rows, k, undefined)
    effective = top.count(top.effective)
    weight = effective + coefficient * (1 - effective)
    pairs = pairs_of(top, weight[top.first] * weight[top.second])
    return Working(
        rows.ratio(pairs.score, number, undefined.value),
        how="{sum over pairs} / {number of pairs}",
        columns={"effective": effective, "item weight": weight},
        table=top.table(),
        quantities={"number of pairs": number},
        parts={"sum over pairs": pairs},
        notes=(
            "distances are the same both ways, so each pair counts for two terms of the double sum",
        ),
    )
