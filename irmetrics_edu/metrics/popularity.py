"""Whether a recommender shows what everybody knows: popularity, novelty, surprise."""

from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import UNDEFINED_REFUSED, Undefined
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import UNBOUNDED, metric
from irmetrics_edu.numbers import Array, first_place, is_exact, largest, ranks_to
from irmetrics_edu.rows.item_popularity import CHOSEN, EXPECTED, HITS, POPULARITY, Known
from irmetrics_edu.working import Working

_USERS = "users in the training data"
_EMPTY = "the list is empty, so there is no mean over its items"
MEAN = r"\quad(|L_{\k}|=0\colon \undefined{})"
VARGAS = "Vargas & Castells (2011), Rank and relevance in novelty and diversity metrics for "
VARGAS += "recommender systems, RecSys"
ZHOU = "Zhou et al. (2010), Solving the apparent diversity-accuracy dilemma of recommender "
ZHOU += "systems, PNAS 107(10)"
JAIN = "Jain, Prabhu & Varma (2016), Extreme multi-label loss functions for recommendation, "
JAIN += "tagging, ranking & other missing label applications, KDD"
_WORTH = r"w_i=1+(\ln\users{}-1)\left(\frac{\b{}+1}{\phi(i)+\b{}}\right)^{\a{}}"


def mean_of_items(
    rows: Known,
    k: int | None,
    name: str,
    columns: dict[str, Array],
    undefined: Undefined,
) -> Working:
    """The mean of the last column over the items within the cut."""
    top = rows.top(k)
    depth = rows.depth(k)
    rows.refuse(depth == 0, undefined, _EMPTY)
    return Working(
        rows.ratio(top.total(columns[name]), rows.count(depth), undefined.value),
        how=f"({{{name}}}) / {{number of items}}",
        columns=columns,
        table=top.table(),
        quantities={"number of items": rows.count(depth)},
    )


def share_of_users(
    rows: Known,
    counted: Array,
    users: Any,
    what: str = _USERS,
    least: int = 1,
) -> Array:
    """The counts as shares of the users; the number of users is checked."""
    why = f": the number of {what}, such as users=1000"
    checks.whole("users", users, least, checks.MOST_COUNTED, why=why)
    for row in first_place(counted > users):
        raise InputError(
            f"{rows.where(row)}has the count {int(counted[row])}, more than users={users}; "
            f"give the number of all {what}"
        )
    share: Array = counted / users
    return share


@metric(
    "ARP",
    aliases=("AveragePopularity", "mean_popularity"),
    formula=r"\frac{1}{|L_{\k}|}\sum_{i\in L_{\k}} \phi(i),\quad \phi(i)\text{ users know }i"
    + MEAN,
    source="Yin, Cui, Li, Yao & Chen (2012), Challenging the long tail recommendation, PVLDB 5(9)",
    inputs=POPULARITY,
    range=UNBOUNDED,
    units="users",
)
def average_popularity(
    rows: Known, k: int | None = None, *, undefined: Undefined = UNDEFINED_REFUSED
) -> Working:
    """Average recommendation popularity is the mean popularity of the recommended items.

    `popularity` maps each item to how many users know it, counted in the training data. At least 0.
    The mean over users is the ARP of a system. To see how far the system prefers popular items,
    compare it with the ARP of the items that the users chose: popularity lift. An empty list has no
    value: this is an error, unless `undefined` says what its value is.

    >>> average_popularity(["a", "b"], {"a": 30, "b": 10})
    20.0
    """
    top = rows.top(k)
    return mean_of_items(rows, k, "popularity", {"popularity": top.counted}, undefined)


@metric(
    "popularity_lift",
    aliases=("popularity_bias",),
    formula=r"\frac{\bar{\phi}(L_{\k})-\bar{\phi}(G)}{\bar{\phi}(G)},\quad \bar{\phi}\text{ mean "
    r"popularity},\ G\text{ chosen}" + MEAN,
    source="Abdollahpouri, Mansoury, Burke & Mobasher (2020), The connection between popularity "
    "bias, calibration, and fairness in recommendation, RecSys",
    inputs=CHOSEN,
    range=(-1.0, float("inf")),
)
def popularity_lift(
    rows: Known, k: int | None = None, *, undefined: Undefined = UNDEFINED_REFUSED
) -> Working:
    """Popularity lift is how much more popular the recommended items are than those chosen.

    It is the mean popularity of the list, divided by that of the items that the user chose, less 1.
    It is 0 if both are equally popular, 1 if the list is twice as popular, and at least -1.
    `relevant` are the items that the user chose. `popularity` is given as for ARP. Here each user
    counts the same. (For the lift of a group of users, take the means over the group before you
    divide.) If nobody knows the chosen items, it is an error. An empty list is an error too, unless
    `undefined` says what its value is.

    >>> popularity_lift(["a", "b"], {"c", "d"}, {"a": 30, "b": 10, "c": 15, "d": 5})
    1.0
    """
    average = average_popularity.measured(rows, k, undefined=undefined)
    for q in first_place(rows.chosen == 0):
        raise InputError(
            f"{rows.at(q)}the items that the user chose have popularity 0, so the lift would "
            "divide by 0; count the users' choices in popularity too"
        )
    lift = average.score / rows.chosen - 1
    empty = (rows.depth(k) == 0).astype(bool)
    if empty.any():
        lift[empty] = undefined.value
    return Working(
        lift,
        how="{ARP} / {mean popularity of what was chosen} - 1",
        quantities={"mean popularity of what was chosen": rows.chosen},
        parts={"ARP": average},
    )


@metric(
    "novelty",
    aliases=("mean_self_information", "MSI", "surprisal"),
    formula=r"\frac{1}{|L_{\k}|}\sum_{i\in L_{\k}} -\log_2 \frac{\phi(i)}{\users}" + MEAN,
    source=f"{ZHOU}; {VARGAS}",
    inputs=POPULARITY,
    range=UNBOUNDED,
    units="bits",
)
def self_information(
    rows: Known,
    k: int | None = None,
    *,
    users: int | None = None,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Novelty is the mean self-information of the recommended items: how few users know them.

    In bits. An item that all `users` know has 0. It gets one bit more each time half as many users
    know it. You must give `users`, the number of users in the training data. An item that nobody
    knows has no self-information, which is an error: leave it out, or count one user more for every
    item. An empty list has no value: this is an error, unless `undefined` says what its value is.

    >>> self_information(["a", "b"], {"a": 100, "b": 25}, users=100)
    1.0
    """
    if is_exact(rows.rank):
        raise NotRational("the logarithm of a share is irrational; drop exact=True")
    top = rows.top(k)
    share = share_of_users(top, top.counted, users)
    for row in first_place(share == 0):
        raise InputError(
            f"{top.where(row)}has popularity 0, and the logarithm of 0 is not finite; leave it "
            "out, or count one user more for every item"
        )
    columns = {
        "popularity": top.counted,
        "share of users": share,
        "self-information": np.abs(np.log2(share)),
    }
    return mean_of_items(rows, k, "self-information", columns, undefined)


@metric(
    "EPC",
    aliases=("expected_popularity_complement",),
    formula=r"\frac{1}{|L_{\k}|}\sum_{i\in L_{\k}} \left(1-\frac{\phi(i)}{\users}\right)" + MEAN,
    source=f"{VARGAS}, without discount and relevance",
    inputs=POPULARITY,
)
def popularity_complement(
    rows: Known,
    k: int | None = None,
    *,
    users: int | None = None,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Expected popularity complement is the mean share of users who do not know a recommended item.

    Between 0 and 1. It is 0 if all users know all the items. `users` is given as for novelty. An
    item that nobody knows counts 1. An empty list has no value: this is an error, unless
    `undefined` says what its value is.

    >>> popularity_complement(["a", "b"], {"a": 100, "b": 25}, users=100)
    0.375
    """
    top = rows.top(k)
    share = share_of_users(top, top.counted, users)
    columns = {"popularity": top.counted, "share of users": share, "unknown to": 1 - share}
    return mean_of_items(rows, k, "unknown to", columns, undefined)


@metric(
    "serendipity",
    formula=r"\frac{|\{i\in L_{\k}\colon i\in G,\ i\notin E\}|}{|L_{\k}|},"
    r"\quad G\text{ relevant},\ E\text{ expected}" + MEAN,
    source="Ge, Delgado-Battenfeld & Jannach (2010), Beyond accuracy: evaluating recommender "
    "systems by coverage and serendipity, RecSys",
    inputs=EXPECTED,
)
def serendipity(
    rows: Known, k: int | None = None, *, undefined: Undefined = UNDEFINED_REFUSED
) -> Working:
    """Serendipity is the share of a recommended list that is relevant and was not expected.

    The relevant items are those of the test set. The expected items are those that a primitive
    recommender would show, such as the most popular ones: give them as `expected`. Between 0 and 1.
    An empty list has no value: this is an error, unless `undefined` says what its value is.

    >>> serendipity(["a", "b", "c", "d"], {"a", "c"}, expected=["a", "b"])
    0.25
    """
    top = rows.top(k)
    unexpected = 1 - top.counted
    useful = top.count(top.effective)
    columns = {
        "effective": useful,
        "unexpected": unexpected,
        "useful and unexpected": useful * unexpected,
    }
    return mean_of_items(rows, k, "useful and unexpected", columns, undefined)


def _of_hits(
    rows: Known,
    k: int | None,
    users: Any,
    a: float,
    b: float,
    undefined: Undefined,
) -> tuple[Known, Array, dict[str, Array]]:
    """The rows within the cut, how many ranks count, and what each hit is worth."""
    if is_exact(rows.rank):
        raise NotRational("a power of a count is irrational; drop exact=True")
    a, b = (
        float(checks.between(name, value, 0, float("inf"), open_high=True))
        for name, value in (("a", a), ("b", b))
    )
    top = rows.top(k)
    share_of_users(top, top.counted, users, least=3)  # the model takes no fewer
    size = rows.length if k is None else np.full(rows.n, k)
    rows.refuse(size == 0, undefined, _EMPTY)
    inverse = 1 + (np.log(users) - 1) * ((b + 1) / (top.counted + b)) ** a
    effective = top.count(top.effective)
    columns = {
        "popularity": top.counted,
        "1 / propensity": inverse,
        "effective": effective,
        "worth of the hit": effective * inverse,
    }
    return top, size, columns


@metric(
    "PSP",
    aliases=("propensity_scored_P", "PS_P"),
    formula=rf"\frac{{1}}{{\k}}\sum_{{i\in L_{{\k}}\cap G}} w_i,\quad {_WORTH}" + MEAN,
    source=JAIN,
    inputs=HITS,
    range=UNBOUNDED,
)
def propensity_scored_precision(
    rows: Known,
    k: int | None = None,
    *,
    users: int | None = None,
    a: float = 0.55,
    b: float = 1.5,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Propensity-scored precision counts a hit the more, the more seldom such hits are recorded.

    A hit counts 1 / p. The propensity p is the probability that a relevant item was recorded as
    relevant, and of rare items few are recorded. It follows from `popularity`, the number of
    `users` in the training data who know the item, by a model with the parameters `a` and `b`. If
    the model holds, the mean is that of precision under complete judgments. At least 0. It divides
    by k, even if the list is shorter, and without a cut-off by the length of the list. An empty
    list has no value then: this is an error, unless `undefined` says what its value is.

    >>> counts = {"a": 90, "b": 1}
    >>> round(propensity_scored_precision(["a", "b"], {"b"}, counts, users=100), 4)
    2.3026
    """
    top, size, columns = _of_hits(rows, k=k, users=users, a=a, b=b, undefined=undefined)
    return Working(
        rows.ratio(top.total(columns["worth of the hit"]), rows.count(size), undefined.value),
        how="({worth of the hit}) / {ranks counted}",
        columns=columns,
        table=top.table(),
        quantities={"ranks counted": rows.count(size)},
    )


@metric(
    "PSnDCG",
    aliases=("propensity_scored_nDCG", "PS_nDCG"),
    formula=rf"\frac{{\sum_{{i\in L_{{\k}}\cap G}} w_i D_i}}{{\sum_{{j=1}}^{{\k}} D_j}},\quad "
    rf"D_i=\frac{{1}}{{\log_2(i+1)}},\ {_WORTH}" + MEAN,
    source=JAIN,
    inputs=HITS,
    range=UNBOUNDED,
)
def propensity_scored_ndcg(
    rows: Known,
    k: int | None = None,
    *,
    users: int | None = None,
    a: float = 0.55,
    b: float = 1.5,
    undefined: Undefined = UNDEFINED_REFUSED,
) -> Working:
    """Propensity-scored nDCG discounts the hits of propensity-scored precision by their ranks.

    It divides by the sum of the discounts of ranks 1 to k, even if fewer items are relevant.
    Without a cut-off k is the length of the list. At least 0. Everything else is as for PSP.

    >>> counts = {"a": 90, "b": 1}
    >>> round(propensity_scored_ndcg(["a", "b"], {"b"}, counts, users=100), 4)
    1.7815
    """
    top, size, columns = _of_hits(rows, k=k, users=users, a=a, b=b, undefined=undefined)
    discount = 1 / np.log2(top.rank + 1)
    columns |= {"discount": discount, "discounted worth": columns["worth of the hit"] * discount}
    ranks = ranks_to(top.rank, largest(size))
    ideal = np.concatenate([[0.0], np.cumsum(1 / np.log2(ranks + 1))])[size]
    return Working(
        rows.ratio(top.total(columns["discounted worth"]), ideal, undefined.value),
        how="({discounted worth}) / {sum of the discounts}",
        columns=columns,
        table=top.table(),
        quantities={"sum of the discounts": ideal},
    )
