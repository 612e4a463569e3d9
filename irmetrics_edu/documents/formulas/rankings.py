"""Document 004, first lecture: F, bounds, GMAP and ERR."""

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.documents.example import Sides

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
