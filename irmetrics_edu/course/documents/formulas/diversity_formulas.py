"""Document 002: coverage, distances, and the discount coefficients of DCC and DILAD."""

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu import lab
from irmetrics_edu.course.documents.example import Compared, compared

THIRD = Fraction(1, 3)

_CATEGORIES = {
    "a": {"rock"},
    "b": {"rock", "folk"},
    "c": {"jazz"},
    "d": {"folk", "pop"},
    "e": {"folk", "rock"},
    "f": {"folk"},
}
_RELEVANT = ({"a"}, {"a", "d"}, {"b", "c", "d"}, {"a", "b", "d", "e", "f"})  # rock 3, folk 4
_LISTS = (["a", "b"], ["a", "b", "c"], ["c", "d"])
_EMBEDDINGS = {"a": (1.0, 0.0), "b": (3.0, 4.0), "c": (0.0, 2.0), "d": (-1.0, 1.0)}
_ALPHA = Fraction(1, 10)


def _categories_of(items: Iterable[str]) -> set[str]:
    return set().union(*(_CATEGORIES[i] for i in items))


_EVERY = _categories_of(_CATEGORIES)


@compared
def category_coverage_as_read() -> Compared:
    """CC with C_i for the categories of an item and C_I for all."""
    for r in _LISTS:
        share = Fraction(len(_categories_of(r)), len(_EVERY))
        yield share, ir.category_coverage(r, _CATEGORIES, exact=True), ", ".join(r)


@compared
def dcc_as_printed() -> Compared:
    """DCC: categories of the effective items, and alpha times those of the others."""
    for r, g in product(_LISTS, _RELEVANT):
        hit = _categories_of(set(r) & g)
        rest = _categories_of(set(r) - g)
        printed = (len(hit) + _ALPHA * len(rest)) / len(_EVERY)
        right = ir.dcc(r, g, _CATEGORIES, alpha=_ALPHA, exact=True)
        yield printed, right, f"{', '.join(r)}; relevant {', '.join(sorted(g))}"


@compared
def fdcc_as_read() -> Compared:
    """FDCC with base 2: c_k is 1 below the base, else the logarithm of the frequency."""
    for r, g in product(_LISTS, _RELEVANT):
        hit = _categories_of(set(r) & g)
        rest = _categories_of(set(r) - g)
        frequency = {k: sum(k in _CATEGORIES[i] for i in g) for k in hit}
        weights = sum(1 if f < 2 else math.log2(f) for f in frequency.values())
        printed = (weights + float(_ALPHA) * len(rest)) / len(_EVERY)
        right = ir.fdcc(r, g, _CATEGORIES, alpha=float(_ALPHA), base=2)
        yield printed, right, f"{', '.join(r)}; relevant {', '.join(sorted(g))}"


@compared
def distances_as_read() -> Compared:
    """ILAD and ILMD with j running over the rest of the list, d = 1 - e_i e_j."""
    unit = {i: [x / math.hypot(*e) for x in e] for i, e in _EMBEDDINGS.items()}

    def d(i: str, j: str) -> float:
        return 1 - sum(x * y for x, y in zip(unit[i], unit[j], strict=True))

    for r in _LISTS:
        rest = {i: [d(i, j) for j in r if j != i] for i in r}
        mean = sum(sum(far) / (len(r) - 1) for far in rest.values()) / len(r)
        least = sum(min(far) for far in rest.values()) / len(r)
        yield mean, ir.ilad(r, _EMBEDDINGS), f"ILAD of {', '.join(r)}"
        yield least, ir.ilmd(r, _EMBEDDINGS), f"ILMD of {', '.join(r)}"


_K = 10
_PRECISIONS = [Fraction(p, 1000) for p in (1, 5, 10, 15)]  # N_tau is 1 for all of them


@compared
def conditions_on_alpha() -> Compared:
    """Whether any alpha meets the conditions: asked of all pairs i, j, and asked of i > j."""
    grid = [Fraction(a, 1000) for a in range(1001)]
    for p in _PRECISIONS:
        found = lab.tune_alpha(_K, p)
        contribution = [
            [(g.n + alpha * (_K - g.n)) * g.probability for g in found.groups] for alpha in grid
        ]
        printed = any(all(x > y for x, y in permutations(c, 2)) for c in contribution)
        yield printed, found.feasible, f"p={float(p)}"


@compared
def expected_dcc() -> Compared:
    """The closed form k (p + alpha (1 - p)) against the sum over all groups of DCC(R_n) P(R_n)."""
    for p, alpha in product((Fraction(1, 100), THIRD), (Fraction(0), _ALPHA, Fraction(1))):
        # With tau next to 1 the groups are all there are, R_0 to R_k.
        groups = lab.tune_alpha(_K, p, tau=1 - Fraction(1, 10**30)).groups
        dcc = [sum(c * alpha**i for i, c in enumerate(g.value)) for g in groups]
        mean = sum(v * g.probability for v, g in zip(dcc, groups, strict=True))
        yield _K * (p + alpha * (1 - p)), mean, f"p={p}, alpha={alpha}"


@compared
def largest_alpha() -> Compared:
    """The closed form p / (1 - k p) against the largest alpha that is found, where N_tau = 1."""
    for p in _PRECISIONS:
        yield p / (1 - _K * p), lab.tune_alpha(_K, p).alpha, f"p={float(p)}"


@compared
def quadratic_for_beta() -> Compared:
    """The two sides of the equation whose root is the largest beta, k = 10, p = 0.0075."""
    k, p = _K, 0.0075
    largest: Any = lab.tune_beta(k, p).beta
    b = float(largest)
    left = (2 + 4 * b * (k - 2) + b**2 * (k - 2) * (k - 3)) * p
    yield left, (4 * b + 2 * b**2 * (k - 2)) * (1 - p), "at the largest beta"


@compared
def share_of_group() -> Compared:
    """P(R_n) with k n p n (1-p)(k-n) read as a product, against the share of the group."""
    p = Fraction(1, 100)
    for g in lab.tune_alpha(_K, p, tau=1 - Fraction(1, 10**30)).groups[:3]:
        yield _K * g.n * p * g.n * (1 - p) * (_K - g.n), g.probability, f"n = {g.n}"
