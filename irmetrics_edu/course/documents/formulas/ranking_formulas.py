"""Document 004, first lecture: F, bounds, GMAP and ERR."""

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.course.documents.example import Sides
from irmetrics_edu.near_ties import TOLERANCE

HALF = Fraction(1, 2)

_POOL = {"r1": 1, "r2": 1, "r3": 1}


def _small_retrievals() -> Iterable[list[str]]:
    """All sets that hold one to three of three relevant documents, and up to two others."""
    for hits, misses in product((1, 2, 3), (0, 1, 2)):
        yield [*list(_POOL)[:hits], *["n1", "n2"][:misses]]


def _p_and_r(retrieved: list[str]) -> tuple[Fraction, Fraction]:
    p, r = (m(retrieved, _POOL, exact=True) for m in (ir.precision, ir.recall))
    return p, r


def two_forms_of_f() -> Sides:
    """Both printed forms of F, with alpha = 1/(beta^2 + 1), against F over small retrieved sets."""
    printed: list[Fraction] = []
    right: list[Fraction] = []
    of = []
    for retrieved, beta in product(_small_retrievals(), (HALF, Fraction(1), Fraction(2))):
        P, R = _p_and_r(retrieved)
        alpha = 1 / (beta**2 + 1)
        printed += [
            1 / (alpha / P + (1 - alpha) / R),
            (beta**2 + 1) * P * R / (beta**2 * P + R),
        ]
        right += [
            ir.f_measure(retrieved, _POOL, alpha=alpha, exact=True),
            ir.f_measure(retrieved, _POOL, beta=beta, exact=True),
        ]
        of += [f"P={P}, R={R}, alpha={alpha}", f"P={P}, R={R}, beta={beta}"]
    return Sides(printed, right, of)


def f1() -> Sides:
    """2PR/(P+R) against F1 over small retrieved sets."""
    printed, right, of = [], [], []
    for retrieved in _small_retrievals():
        P, R = _p_and_r(retrieved)
        printed.append(2 * P * R / (P + R))
        right.append(ir.f_measure(retrieved, _POOL, exact=True))
        of.append(f"P={P}, R={R}")
    return Sides(printed, right, of)


_PLACES = 6


def _best(metric: Any, relevant: int, n: int) -> Fraction:
    """The highest value of a metric over all placings of the relevant among six documents."""
    scores = []
    for places in combinations(range(_PLACES), relevant):
        ranking = [int(i in places) for i in range(_PLACES)]
        scores.append(metric(ranking, k=n, exact=True))
    best: Fraction = max(scores)
    return best


def precision_stays_below_one() -> Sides:
    """R < N against whether the highest P@N there is stays below 1."""
    cases = list(product(range(1, _PLACES), range(1, _PLACES)))
    return Sides(
        [r < n for r, n in cases],
        [_best(ir.precision, r, n) < 1 for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


def bound_of_precision() -> Sides:
    """min(N, R)/N against the highest P@N there is."""
    cases = list(product(range(1, 4), range(1, 5)))
    return Sides(
        [Fraction(min(n, r), n) for r, n in cases],
        [_best(ir.precision, r, n) for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


def bound_of_recall(*, deep: bool) -> Sides:
    """N/R against the highest R@N there is, for N above R (`deep`) or up to R."""
    cases = [(r, n) for r, n in product(range(1, 5), range(1, 5)) if (n > r) == deep]
    return Sides(
        [Fraction(n, r) for r, n in cases],
        [_best(ir.recall, r, n) for r, n in cases],
        [f"R={r}, N={n}" for r, n in cases],
    )


# -- over queries

_AP_LISTS = ([0.02, 0.03, 0.29], [0.08, 0.04, 0.20], [0.5], [1.0, 0.25])


def two_forms_of_gmap() -> Sides:
    """The root of the product and the exponential of the mean logarithm, against GMAP."""
    printed: list[float] = []
    right: list[float] = []
    of = []
    for values in _AP_LISTS:
        n = len(values)
        printed += [math.prod(values) ** (1 / n), math.exp(sum(map(math.log, values)) / n)]
        right += [ir.geometric_mean(values)] * 2
        of += [f"{form} of {values}" for form in ("root of the product", "exp of the logarithms")]
    return Sides(printed, right, of)


# -- reader models

_GRADED = ([3, 2, 0], [2, 3, 1], [1, 1, 3])


def stop_probability() -> Sides:
    """PP_r with the minus lost, R_i beside 1 being a product, against where ERR's reader stops."""
    printed, right, of = [], [], []
    for grades in _GRADED:
        working = ir.err.working(grades, max_grade=3, exact=True)
        stop, reach = working["stop probability"], working["reach probability"]
        for r in range(len(grades)):
            printed.append(stop[r] * math.prod(1 * s for s in stop[:r]))
            right.append(stop[r] * reach[r])
            of.append(f"rank {r + 1} of {grades}")
    return Sides(printed, right, of)


def expected_reciprocal_rank() -> Sides:
    """The sum over ranks of (1/r) R_r prod (1 - R_i), against ERR."""
    printed, right = [], []
    for grades in _GRADED:
        stop = [Fraction(2**g - 1, 2**3) for g in grades]
        printed.append(
            sum(
                Fraction(1, r + 1) * stop[r] * math.prod(1 - s for s in stop[:r])
                for r in range(len(grades))
            )
        )
        right.append(ir.err(grades, max_grade=3, exact=True))
    return Sides(printed, right, [str(grades) for grades in _GRADED])


# -- definitions

_METRICS = {
    "TP/(TP+FP)": "precision",
    "TP/(TP+FN)": "recall",
    "(TP+TN)/(TP+TN+FP+FN)": "accuracy",
    "FP/(FP+TN)": "fall_out",
}


def ratio_of_cells(ratio: str) -> Sides:
    """A ratio of the cells of the confusion table, against the metric of that name."""
    name = _METRICS[ratio]
    over, under = (part.strip("()").split("+") for part in ratio.split("/"))
    needs = {"collection": 9} if name in ("accuracy", "fall_out") else {}
    printed, right, of = [], [], []
    for retrieved in _small_retrievals():
        hits = len(set(retrieved) & set(_POOL))
        cells = {"TP": hits, "FP": len(retrieved) - hits, "FN": len(_POOL) - hits}
        cells["TN"] = 9 - sum(cells.values())
        printed.append(Fraction(sum(cells[c] for c in over), sum(cells[c] for c in under)))
        right.append(getattr(ir, name)(retrieved, _POOL, **needs, exact=True))
        of.append(", ".join(f"{cell}={n}" for cell, n in cells.items()))
    return Sides(printed, right, of)


def top_against_bottom() -> Sides:
    """Twenty documents, ten relevant ones first or last: which is better, by four measures."""
    top, bottom = [1] * 10 + [0] * 10, [0] * 10 + [1] * 10
    measures = {
        "precision": ir.precision,
        "recall": ir.recall,
        "P@10": ir.precision @ 10,
        "AP": ir.average_precision,
    }
    verdicts = ["first" if m(top) > m(bottom) else "equal" for m in measures.values()]
    return Sides(["equal", "equal", "first", "first"], verdicts, list(measures))


def sum_of_grades() -> Sides:
    """The sum of rel_i against CG."""
    printed = [sum(grades[:p]) for grades in _GRADED for p in range(1, 4)]
    right = [ir.cg(grades, k=p, exact=True) for grades in _GRADED for p in range(1, 4)]
    return Sides(printed, right, [f"CG@{p} of {g}" for g in _GRADED for p in range(1, 4)])


def discounted(*, first: bool) -> Sides:
    """DCG by the lecture's first or second formula, against DCG with jk or exponential gain."""
    printed, right, of = [], [], []
    for grades in _GRADED:
        ranked = list(enumerate(grades, 1))
        if first:
            printed.append(grades[0] + sum(g / math.log2(i) for i, g in ranked[1:]))
            right.append(ir.dcg(grades, discount="jk"))
        else:
            printed.append(sum((2**g - 1) / math.log2(i + 1) for i, g in ranked))
            right.append(ir.dcg(grades, gain="exp"))
        of.append(f"{grades}")
    return Sides(printed, right, of)


def two_readers_of_one_title() -> Sides:
    """Who is served as well as can be by encyclopaedia, episodes of a series, film online.

    A reader who wants an overview needs the first page alone; one who wants to watch the film has
    some use for the first, none for the second, and most for the third.
    """
    served = [ir.ndcg(grades) == 1 for grades in ([1, 0, 0], [1, 0, 3])]
    return Sides([True, False], served, ["wants an overview", "wants to watch the film"])


def quotient_of_dcgs() -> Sides:
    """DCG over that of the grades sorted, against nDCG; by either formula of DCG."""
    printed, right, of = [], [], []
    formulas = {
        "first formula": (ir.dcg.using(discount="jk"), ir.ndcg.using(discount="jk")),
        "second formula": (ir.dcg.using(gain="exp"), ir.ndcg.using(gain="exp")),
    }
    for grades, (name, (dcg, ndcg)) in product(_GRADED, formulas.items()):
        printed.append(dcg(grades) / dcg(sorted(grades, reverse=True)))
        right.append(ndcg(grades))
        of.append(f"{grades}, {name}")
    return Sides(printed, right, of)


def range_of_ndcg() -> Sides:
    """Whether nDCG at each rank is within 0 and 1, over all orders of 3, 2, 1, 0."""
    orders = list(permutations([3, 2, 1, 0]))
    within = [
        all(-TOLERANCE <= v <= 1 + TOLERANCE for v in ir.ndcg.working(g, discount="jk")["nDCG"])
        for g in orders
    ]
    return Sides([True] * len(orders), within, [f"{g}" for g in orders])
