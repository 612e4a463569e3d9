"""How alike two orders of documents or systems are, and how near a ranking is to an ideal one."""

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import ZERO, NoRelevant
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.definition import metric
from irmetrics_edu.metrics.set_based import without_relevant
from irmetrics_edu.numbers import (
    Array,
    in_kind,
    is_exact,
    like,
    ranks_to,
    ratio,
    running_total,
    total,
    zeros,
)
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.two_orders import ORDERS, Orders
from irmetrics_edu.working import Columns, Working


def _new_in_both(top: Orders) -> Array:
    """How many items come to be in both lists at each depth: at the deeper of their two places."""
    met = np.maximum(top.rank.astype(np.intp), top.place)
    long = np.maximum(top.length, top.other_length)
    in_both = (top.place > 0) & (met <= long[top.query])
    lines = top.starts[:-1][top.query[in_both]] + met[in_both] - 1
    return top.count(np.bincount(lines, minlength=len(top.query)))


CORRELATION = (-1.0, 1.0)


@metric(
    "RBO",
    formula=r"(1-\p)\,\p^{-1}\sum_{d=1}^{l} A_d\,\p^d + A_l\,\p^l,\quad "
    r"A_d=\frac{X_d+\max(d-s,0)\,A_s}{d}"
    r"\quad(\text{lists of } s\le l \text{ items, cut at }\k;\ X_d\text{ items are among the}"
    r"\text{ first }d\text{ of both})",
    source="Webber, Moffat & Zobel (2010), A similarity measure for indefinite rankings, ACM TOIS "
    "28(4), equation 32",
    inputs=ORDERS,
)
def rbo(rows: Orders, k: int | None = None, *, p: float = 0.9) -> Working:
    """Rank-biased overlap is the expected agreement of two rankings at the depth a reader reaches.

    The agreement at depth d is the share of the first d places that both rankings fill with the
    same items. A reader goes on from each depth with probability p, above 0 and below 1. RBO is
    between 0 (no item in common) and 1 (the same order). This is the extrapolated form: it assumes
    that the rankings agree below their ends as much as they did above. The working has the bounds
    for what may follow there; in fractions it has no bounds. An empty ranking agrees with nothing.
    Equal scores are refused.

    >>> round(rbo(["a", "b", "c"], ["a", "c", "b"]), 4)
    0.955
    >>> rbo(["a"], ["b", "a"], p=0.5, exact=True)
    Fraction(1, 4)
    """
    checks.between("p", p, 0, 1, open_low=True, open_high=True)
    rows.refuse_ties("RBO")
    top = rows.top(k)
    persistence = in_kind(rows.rank, p)
    short = top.count(np.minimum(top.length, top.other_length))
    long = top.count(np.maximum(top.length, top.other_length))
    lacking = np.maximum(top.rank - short[top.query], top.rank * 0)
    overlap = running_total(_new_in_both(top), top.starts)
    plain = overlap / top.rank
    at_short = zeros(top.rank, top.n)
    ends = (lacking == 0).astype(bool)  # the last of these lines is the end of the shorter one
    at_short[top.query[ends]] = plain[ends]
    agreement = (overlap + at_short[top.query] * lacking) / top.rank
    goes_on = zeros(top.rank, len(top.query)) + persistence
    weight = (1 - persistence) * goes_on ** (top.rank - 1)
    contribution = weight * agreement
    last = _last(top, agreement)
    beyond = (zeros(top.rank, top.n) + persistence) ** long
    bounds = {} if is_exact(rows.rank) else _bounds(top, overlap, lacking, weight, float(p))
    return Working(
        top.total(contribution) + beyond * last,
        how="({weighted agreement}) + {weight below} * {agreement at the end}",
        columns={
            "items in both": overlap,
            "agreement": agreement,
            "weight": weight,
            "weighted agreement": contribution,
        },
        table=top.table(),
        quantities=Columns(
            {
                "common items": _last(top, overlap),
                "weight below": beyond,
                "agreement at the end": last,
                **bounds,
            }
        ),
    )


def _bounds(
    top: Orders,
    overlap: Array,
    lacking: Array,
    weight: Array,
    p: float,
) -> dict[str, Callable[[], Array]]:
    """The least and the greatest overlap that the rankings can have, whatever follows below."""
    shared = _last(top, overlap)
    short = np.minimum(top.length, top.other_length)
    long = np.maximum(top.length, top.other_length)

    def lower() -> Array:
        seen_so_far = top.total(p**top.rank / top.rank)
        rest = shared * (-math.log1p(-p) - seen_so_far) * (1 - p) / p
        agreement = overlap / top.rank
        lowest: Array = top.total(weight * agreement) + rest
        return lowest

    def upper() -> Array:
        agreement = (overlap + lacking) / top.rank
        score = top.total(weight * agreement)
        for q in range(top.n):
            s = int(short[q])
            n = int(long[q])
            x = int(shared[q])
            depth = np.arange(n + 1, n + s - x + 1)  # at their end both hold all that either has
            below = (2 * depth - n - s + x) / depth * p**depth
            score[q] += (1 - p) / p * float(below.sum())
            score[q] += p ** (n + s - x)
        return score

    return {"lower bound": lower, "upper bound": upper}


def _last(top: Orders, column: Array) -> Array:
    """The value on the last line of each pair."""
    last: Array = column[top.starts[1:] - 1]
    return last


def _pairs_above(rows: Orders) -> tuple[Array, Array]:
    """For each line, with how many items above it the other order agrees, and disagrees.

    A pair that ties in either order is neither.
    """
    right = np.zeros(len(rows.query), np.intp)
    wrong = np.zeros(len(rows.query), np.intp)
    for start, end in pairwise(rows.starts.tolist()):
        levels: list[int] = []  # of what stands above, but for the tie at hand
        waiting: list[int] = []
        for i in range(start, end):
            if i > start and rows.level[i] != rows.level[i - 1]:
                for level in waiting:
                    insort(levels, level)
                waiting = []
            here = int(rows.other_level[i])
            right[i] = bisect_left(levels, here)
            wrong[i] = len(levels) - bisect_right(levels, here)
            waiting.append(here)
    return rows.count(right), rows.count(wrong)


@metric(
    "tau",
    symbol=r"\tau",
    aliases=("tau_b",),
    formula=r"\frac{C-D}{\sqrt{(\binom{n}{2}-T_1)(\binom{n}{2}-T_2)}},\quad C,D\text{ pairs in the "
    r"same and in opposite order},\ T\text{ ties}",
    source="Kendall (1938), A new measure of rank correlation, Biometrika 30; with ties, tau-b: "
    "Kendall (1945), The treatment of ties in ranking problems, Biometrika 33",
    inputs=ORDERS,
    range=CORRELATION,
)
def kendall_tau(rows: Orders) -> Working:
    """Kendall's tau is the share of pairs in the same order less the share in opposite order.

    Between -1 (reversed) and 1 (the same order). Both orders have to be of the same things, such as
    systems by their scores under two measures. If scores tie it is tau-b, which leaves out the
    pairs that tie. If one order ties everything, it is an error.

    >>> kendall_tau({"A": 0.4, "B": 0.3, "C": 0.2}, ["A", "C", "B"])
    0.3333333333333333
    >>> round(kendall_tau({"A": 0.4, "B": 0.4, "C": 0.2}, ["A", "C", "B"]), 4)
    0.0
    """
    rows.refuse_others("tau")
    right, wrong = _pairs_above(rows)
    n = rows.length
    pairs = n * (n - 1) // 2
    free = pairs - _tied_pairs(rows, rows.level)
    other_free = pairs - _tied_pairs(rows, rows.other_level)
    all_tied = np.flatnonzero(np.minimum(free, other_free) == 0)
    if len(all_tied):
        q = int(all_tied[0])
        raise InputError(
            f"{rows.at(q)}one order ties everything, so there is no correlation; "
            "give scores that differ"
        )
    compared = _root(free * other_free, rows.rank)
    return Working(
        (rows.total(right) - rows.total(wrong)) / compared,
        how="({pairs in the same order} - {pairs in opposite order}) / {pairs compared}",
        columns={"pairs in the same order": right, "pairs in opposite order": wrong},
        table=rows.table(),
        quantities={"pairs compared": compared},
    )


def _tied_pairs(rows: Orders, level: Array) -> Array:
    """How many pairs tie in one of the orders."""
    by_level = np.stack([rows.query, level])
    groups, sizes = np.unique(by_level, axis=1, return_counts=True)
    pairs = sizes * (sizes - 1) // 2
    return np.bincount(groups[0], pairs, rows.n).astype(np.intp)


def _root(squares: Array, pattern: Array) -> Array:
    """The square roots of whole numbers; in fractions only where they are whole themselves."""
    roots = np.array([math.isqrt(int(s)) for s in squares], dtype=np.intp)
    whole = roots * roots == squares
    if is_exact(pattern) and not whole.all():
        raise NotRational("tau-b of these ties is irrational; drop exact=True")
    if whole.all():
        return like(pattern, roots)
    return np.where(whole, roots, np.sqrt(squares))


@metric(
    "tau_AP",
    symbol=r"\tau_{\mathrm{AP}}",
    formula=r"\frac{2}{n-1}\sum_{i=2}^{n}\frac{C_i}{i-1}-1,\quad C_i=|\{j<i\colon j\text{ above } "
    r"i\text{ in the other order}\}|",
    source="Yilmaz, Aslam & Robertson (2008), A new rank correlation coefficient for information "
    "retrieval, SIGIR",
    aliases=("tauAP", "AP_correlation"),
    inputs=ORDERS,
    range=CORRELATION,
)
def tau_ap(rows: Orders) -> Working:
    """The AP correlation is tau in which errors near the top of an order weigh more.

    Take each item below the first, and the share of the items above it that are also above it in
    the other order. The AP correlation is the mean of these shares, scaled to between -1 and 1. The
    other order is the reference, so the value changes if you exchange the two orders. Both have to
    be of the same things. Equal scores are refused.

    >>> tau_ap(["A", "C", "B"], ["A", "B", "C"])
    0.5
    >>> tau_ap(["B", "A", "C"], ["A", "B", "C"])
    0.0
    """
    rows.refuse_others("tau_AP")
    rows.refuse_ties("tau_AP")
    right, _ = _pairs_above(rows)
    share = ratio(right, rows.rank - 1, 0)
    others = rows.count(rows.length - 1)
    return Working(
        2 * rows.total(share) / others - 1,
        how="2 * ({share in order above}) / {items below the first} - 1",
        columns={"items in order above": right, "share in order above": share},
        table=rows.table(),
        quantities={"items below the first": others},
    )


@metric(
    "Compat",
    formula=r"\frac{\sum_{i\le \k\colon g_i>0} w(\max(i, j_i))}{\sum_{j=1}^{\min(R,D)} w(j)},\quad "
    r"w(m)=\sum_{d=m}^{D}\frac{\p^{d-1}}{d},\ j_i\text{ the rank in the ideal order},\ "
    r"D=\depth\quad(\text{None: }D=\max(n,R);\ R=0\colon \norelevant{})",
    source="Clarke, Vtyurina & Smucker (2021), Assessing top-k preferences, ACM TOIS 39(3)",
)
def compatibility(
    rows: Rows,
    k: int | None = None,
    *,
    p: float = 0.95,
    depth: int | None = None,
    no_relevant: NoRelevant = ZERO,
) -> Working:
    """Compatibility is the highest rank-biased overlap of a ranking and an ideal one.

    An ideal ranking holds the documents whose grade is above 0, by falling grade. Among equal
    grades it follows the order of the ranking. A document counts from the depth at which both
    orders hold it. The overlap is divided by that of the ideal order with itself, so the value is
    between 0 and 1. `p`, above 0 and below 1, is the persistence of RBO. Overlap counts down to
    `depth`. Without `depth` it counts to the end of the longer order, as in ir_measures. The
    authors' program has depth=1000. Only the order of the grades matters, so preferences are
    enough.

    >>> compatibility(["b", "a"], {"a": 1, "b": 1})
    1.0
    >>> compatibility(["b", "a"], {"a": 2, "b": 1}, p=0.5, exact=True)
    Fraction(1, 3)
    """
    checks.between("p", p, 0, 1, open_low=True, open_high=True)
    persistence = in_kind(rows.grade, p)
    top = rows.top(k)
    preferred = top.judged & (top.grade > 0)
    top = top.where(preferred.astype(bool))
    R = _judged_above(rows, 0)
    place = _ideal_ranks(rows, top)
    met = np.maximum(top.rank, place)
    deep = np.maximum(rows.depth(k).astype(np.intp), R)
    if depth is not None:
        deep = np.full(rows.n, checks.cutoff(depth))
    ranks = ranks_to(rows.grade, int(deep.max(initial=1)))
    terms = (zeros(ranks, len(ranks)) + persistence) ** (ranks - 1) / ranks
    so_far = np.concatenate([zeros(ranks, 1), terms.cumsum()])
    before = np.minimum(met.astype(np.intp) - 1, deep[top.query])
    overlap = so_far[deep[top.query]] - so_far[before]
    query = np.repeat(np.arange(rows.n), R)
    ideal = np.arange(len(query)) - np.repeat(np.cumsum(R) - R, R)  # ranks less 1
    of_ideal = so_far[deep[query]] - so_far[np.minimum(ideal, deep[query])]
    best = total(of_ideal, query, rows.n)
    return Working(
        without_relevant(rows.ratio(top.total(overlap), best), rows.count(R), no_relevant),
        how="({weight from there on}) / {weight of the ideal order}",
        columns={"ideal rank": place, "depth in both": met, "weight from there on": overlap},
        table=top.table(),
        quantities={"weight of the ideal order": best},
    )


def _judged_above(rows: Rows, grade: float) -> Array:
    """How many judged documents of each query have a higher grade."""
    higher = (rows.pool_grade > grade).astype(bool)
    return np.bincount(rows.pool_query[higher], minlength=rows.n)


def _ideal_ranks(rows: Rows, top: Rows) -> Array:
    """The rank of each row in the ideal order, which keeps the order of equal grades."""
    place = zeros(top.grade, len(top.grade))
    for grade in set(top.grade.tolist()):
        here = top.grade == grade
        above = rows.count(_judged_above(rows, grade))
        rank = above[top.query] + top.running(top.count(here))
        place = np.where(here, rank, place)
    return place
