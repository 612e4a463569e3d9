"""How diverse a recommended list is, whether its items are relevant or not.

The Gini coefficient and the entropy measure how evenly a list spreads over categories, or how
evenly a system spreads over the items that it shows.
"""

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import UNDEFINED_REFUSED, Undefined
from irmetrics_edu.errors import NotRational
from irmetrics_edu.metrics.definition import UNBOUNDED, metric
from irmetrics_edu.numbers import Array, is_exact, picked, zeros
from irmetrics_edu.rows.item_categories import CATEGORIES, FREQUENCIES, Categorised
from irmetrics_edu.rows.item_distances import DISTANCES, Spaced
from irmetrics_edu.working import Columns, Table, Working

COSINE_RANGE = (0.0, 2.0)
_NO_PAIR = "a list of fewer than two items has no pair, so no distance"


@metric(
    "CC",
    formula=r"\frac{\bigl|\bigcup_{i\in L_{\k}} \mathcal{C}_i\bigr|}{\ncategories}",
    source="Zhao, Wang, Liu, Cheng, Aggarwal & Derr (2025), Fairness and diversity in recommender "
    "systems: a survey, ACM TIST",
    inputs=CATEGORIES,
)
def category_coverage(
    rows: Categorised, k: int | None = None, *, n_categories: int | None = None
) -> Working:
    """Category coverage is the share of all categories that the recommended items have.

    Between 0 and 1. `n_categories` is the number of all categories. Without it, all categories that
    `categories` names count. A category counts once, however many items have it.

    >>> category_coverage(["a", "b"], {"a": {"rock"}, "b": {"rock", "folk"}}, n_categories=4)
    0.5
    """
    top = rows.top(k)
    all_members = np.ones(len(top.member_item), dtype=bool)
    new = top.first_seen(all_members)
    of_all = rows.number_of_categories(n_categories, top.covered(all_members))
    return Working(
        rows.ratio(top.total(new), of_all),
        how="{new categories} / {all categories}",
        columns={"new categories": new},
        table=top.table(),
        quantities={"all categories": of_all},
    )


def pairs_of(top: Spaced, weight: Array | None = None) -> Working:
    """The sum of the distances over all pairs of a list, each with its weight if there is one."""
    weighted = top.distance if weight is None else weight * top.distance
    columns = {"distance": top.distance}
    if weight is not None:
        columns |= {"pair weight": weight, "weighted distance": weighted}
    return Working(
        top.total(weighted, top.pair_query),
        how="{distance}" if weight is None else "{weighted distance}",
        columns=columns,
        table=top.pairs(),
        name="sum over pairs",
    )


def number_of_pairs(rows: Spaced, k: int | None, undefined: Undefined) -> Array:
    """How many pairs each list has within the cut; a list without a pair is refused or settled."""
    n = rows.depth(k)
    rows.refuse(n < 2, undefined, _NO_PAIR)
    return rows.count(n * (n - 1) // 2)


@metric(
    "ILAD",
    aliases=("ILD", "intra_list_diversity"),
    formula=(
        r"\frac{1}{|L_{\k}|\,(|L_{\k}|-1)}\sum_{i\in L_{\k}}\sum_{j\in L_{\k}\setminus i} d(i,j)"
        r"\quad(|L_{\k}|<2\colon \undefined{})"
    ),
    source="Ziegler, McNee, Konstan & Lausen (2005), Improving recommendation lists through topic "
    "diversification, WWW (their similarity, turned into a distance)",
    inputs=DISTANCES,
    range=COSINE_RANGE,
)
def ilad(
    rows: Spaced, k: int | None = None, *, undefined: Undefined = UNDEFINED_REFUSED
) -> Working:
    """The intra-list average distance is the mean distance of two items of the list.

    Between 0 and 2 for cosine distance, 1 - e_i e_j, with embeddings e of length 1. `distance=`
    takes a function of two embeddings, or "given" for a table of distances. A list of fewer than
    two items has no distance: this is an error, unless `undefined` says what its value is.

    >>> ilad(["a", "b", "c"], {("a", "b"): 1, ("a", "c"): 0.5, ("b", "c"): 0}, distance="given")
    0.5
    >>> ilad(["a", "b"], {"a": [2, 0], "b": [0, 3]})
    1.0
    """
    top = rows.top(k)
    number = number_of_pairs(rows, k, undefined)
    pairs = pairs_of(top)

    def mean_distance() -> Array:
        others = (rows.depth(k) - 1)[top.query]
        sums = zeros(top.rank, len(top.item))
        np.add.at(sums, top.first, top.distance)
        np.add.at(sums, top.second, top.distance)
        mean: Array = sums / np.maximum(others, 1)
        return mean

    return Working(
        rows.ratio(pairs.score, number, undefined.value),
        how="{sum over pairs} / {number of pairs}",
        columns=Columns({"mean distance to the others": mean_distance}),
        table=top.table(),
        quantities={"number of pairs": number},
        parts={"sum over pairs": pairs},
    )


@metric(
    "ILMD",
    formula=r"\frac{1}{|L_{\k}|}\sum_{i\in L_{\k}}\min_{j\in L_{\k}\setminus i} d(i,j)"
    r"\quad(|L_{\k}|<2\colon \undefined{})",
    source="Zhao, Wang, Liu, Cheng, Aggarwal & Derr (2025), Fairness and diversity in recommender "
    "systems: a survey, ACM TIST",
    inputs=DISTANCES,
    range=COSINE_RANGE,
)
def ilmd(
    rows: Spaced, k: int | None = None, *, undefined: Undefined = UNDEFINED_REFUSED
) -> Working:
    """The intra-list minimal distance is the mean distance of an item to its nearest in the list.

    Between 0 and 2 for cosine distance, and never above the average distance (ILAD). `distance` and
    short lists are treated as for ILAD.

    >>> ilmd(["a", "b", "c"], {("a", "b"): 1, ("a", "c"): 0.5, ("b", "c"): 0}, distance="given")
    0.16666666666666666
    """
    top = rows.top(k)
    depth = rows.depth(k)
    rows.refuse(depth < 2, undefined, _NO_PAIR)
    least = np.full(len(top.item), np.inf, dtype=top.rank.dtype)
    np.minimum.at(least, top.first, top.distance)
    np.minimum.at(least, top.second, top.distance)
    alone = (depth < 2)[top.query]
    least[alone] = zeros(least, int(alone.sum()))
    enough = rows.count(np.where(depth < 2, 0, depth))
    return Working(
        rows.ratio(top.total(least), enough, undefined.value),
        how="{distance to the nearest} / {number of items}",
        columns={"distance to the nearest": least},
        table=top.table(),
        quantities={"number of items": rows.count(depth)},
        parts={"sum over pairs": pairs_of(top)},
    )


def _lines(top: Categorised) -> tuple[Array, Array, Table]:
    """What occurs at all: its query, how often it occurs, and the lines of the table."""
    frequency = top.frequencies()
    there = (frequency > 0).astype(bool)
    query = top.category_query[there]
    label = "category" if len(top.item) else "item"
    return query, frequency[there], Table(query, {label: picked(top.category, there)})


@metric(
    "Gini",
    aliases=("gini_index",),
    formula=r"\frac{\sum_{j=1}^{n}(2j-n-1)\,f_{(j)}}{n\sum_{j=1}^{n} f_{(j)}},\quad"
    r" f_{(1)}\le\dots\le f_{(n)},\ n=\ncategories,\ f \text{ in } L_{\k}"
    r"\quad(\textstyle\sum f=0\colon \undefined{})",
    source="Gini (1912), Variabilità e mutabilità; the formula as in Castells, Hurley & Vargas "
    "(2015), Novelty and diversity in recommender systems, but divided by n, not n-1",
    inputs=FREQUENCIES,
)
def gini(
    rows: Categorised,
    k: int | None = None,
    *,
    n_categories: int | None = None,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """The Gini coefficient tells how unevenly frequencies are spread: 0 if all are the same.

    At least 0, and at most 1 - 1/n, if one category of n has everything. The frequencies are those
    of the categories of a list. They can also be counts in a mapping, such as the exposure of each
    item over all lists (see `exposure`). Categories that do not occur count too, with frequency 0:
    all that `categories` (or the counts) names, or `n_categories` in all. If nothing occurs there
    is no spread: this is an error, unless `undefined` says what its value is.

    >>> gini(["a", "b"], {"a": {"rock"}, "b": {"folk"}})
    0.0
    >>> gini({"a": 3, "b": 1, "c": 0, "d": 0})
    0.625
    """
    top = rows.top(k)
    query, frequency, table = _lines(top)
    of_all = rows.number_of_categories(n_categories, (top.frequencies() > 0).astype(bool))
    sums = rows.total(frequency, query)
    rows.refuse((sums == 0).astype(bool), undefined, "nothing occurs, so there is no spread")
    order = np.array(
        sorted(range(len(query)), key=lambda i: (query[i], frequency[i])), dtype=np.intp
    )
    occurring = np.bincount(query, minlength=rows.n)
    before = np.cumsum(occurring) - occurring
    place = zeros(top.rank, len(query))
    # What does not occur comes first, so the j-th from the end stands at place n + 1 - j.
    from_start = np.arange(len(query)) - before[query] + 1
    place[order] = rows.count(from_start - occurring[query]) + of_all[query]
    signed = (2 * place - of_all[query] - 1) * frequency
    return Working(
        rows.ratio(rows.total(signed, query), of_all * sums, undefined.value),
        how="{signed frequency} / ({all categories} * {sum of frequencies})",
        columns={
            "frequency": frequency,
            "place from the rarest": place,
            "signed frequency": signed,
        },
        table=table,
        quantities={"all categories": of_all, "sum of frequencies": sums},
    )


@metric(
    "entropy",
    aliases=("Shannon_entropy",),
    formula=r"-\sum_{c} s_c\log_{\base} s_c,\quad s_c=\frac{f_c}{\sum_{c'} f_{c'}},\ "
    r"f \text{ in } L_{\k}\quad(\textstyle\sum f=0\colon \undefined{})",
    source="Shannon (1948), A mathematical theory of communication, Bell System Technical "
    "Journal 27",
    inputs=FREQUENCIES,
    range=UNBOUNDED,
    units="bits",
)
def entropy(
    rows: Categorised,
    k: int | None = None,
    *,
    base: float = 2,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """The entropy of frequencies is the mean of minus the logarithm of each share.

    In bits for base 2. It is 0 if one category has everything, and log(n) if n categories are
    equally frequent. Frequencies are given as for the Gini coefficient. Categories that do not
    occur add nothing. If nothing occurs there is no entropy: this is an error, unless `undefined`
    says what its value is.

    >>> entropy(["a", "b"], {"a": {"rock"}, "b": {"folk"}})
    1.0
    >>> round(entropy({"a": 3, "b": 1}), 4)
    0.8113
    """
    checks.between("base", base, 1, float("inf"), open_low=True, open_high=True)
    if is_exact(rows.rank):
        raise NotRational("the logarithm of a share is irrational; drop exact=True")
    top = rows.top(k)
    query, frequency, table = _lines(top)
    sums = rows.total(frequency, query)
    rows.refuse(sums == 0, undefined, "nothing occurs, so there is no entropy")
    share = frequency / sums[query]
    surprise = -np.log2(share) / np.log2(float(base))
    contribution = share * surprise
    score = rows.total(contribution, query)
    score[sums == 0] = undefined.value
    return Working(
        score + 0.0,  # no minus zero
        how="{share times surprise}",
        columns={
            "frequency": frequency,
            "share": share,
            "surprise": surprise,
            "share times surprise": contribution,
        },
        table=table,
    )
