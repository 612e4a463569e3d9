"""Document 002: coverage, distances, and the discount coefficients of DCC and DILAD."""

import math
from collections.abc import Iterable, Iterator, Sequence
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
_EMBEDDINGS = {
    "a": (1.0, 0.0),
    "b": (3.0, 4.0),
    "c": (0.0, 2.0),
    "d": (-1.0, 1.0),
}
_ALPHA = Fraction(1, 10)


def _categories_of(items: Iterable[str]) -> set[str]:
    """All categories of some items together."""
    categories: set[str] = set()
    for item in items:
        categories |= _CATEGORIES[item]
    return categories


_EVERY = _categories_of(_CATEGORIES)


@compared
def category_coverage_as_read() -> Compared:
    """CC with C_i for the categories of an item and C_I for all."""
    for items in _LISTS:
        printed = Fraction(len(_categories_of(items)), len(_EVERY))
        right = ir.category_coverage(
            items,
            _CATEGORIES,
            exact=True,
        )
        yield printed, right, ", ".join(items)


def _judged_lists() -> Iterator[tuple[list[str], set[str], str]]:
    """Each list with each set of relevant items, and how both are named."""
    for items, relevant in product(_LISTS, _RELEVANT):
        name = f"{', '.join(items)}; relevant {', '.join(sorted(relevant))}"
        yield items, relevant, name


@compared
def dcc_as_printed() -> Compared:
    """DCC: categories of the effective items, and alpha times those of the others."""
    for items, relevant, name in _judged_lists():
        effective = _categories_of(set(items) & relevant)
        others = _categories_of(set(items) - relevant)
        printed = (len(effective) + _ALPHA * len(others)) / len(_EVERY)
        right = ir.dcc(
            items,
            relevant,
            _CATEGORIES,
            alpha=_ALPHA,
            exact=True,
        )
        yield printed, right, name


@compared
def fdcc_as_read() -> Compared:
    """FDCC with base 2: c_k is 1 below the base, else the logarithm of the frequency."""
    alpha = float(_ALPHA)
    for items, relevant, name in _judged_lists():
        effective = _categories_of(set(items) & relevant)
        others = _categories_of(set(items) - relevant)
        weights: float = 0
        for category in effective:
            frequency = sum(category in _CATEGORIES[item] for item in relevant)
            weights += 1 if frequency < 2 else math.log2(frequency)
        printed = (weights + alpha * len(others)) / len(_EVERY)
        right = ir.fdcc(
            items,
            relevant,
            _CATEGORIES,
            alpha=alpha,
            base=2,
        )
        yield printed, right, name


def _distance(i: str, j: str) -> float:
    """The distance of two items: d = 1 - e_i e_j, with both embeddings at length 1."""
    product_of_both = 0.0
    length_i = math.hypot(*_EMBEDDINGS[i])
    length_j = math.hypot(*_EMBEDDINGS[j])
    for x, y in zip(_EMBEDDINGS[i], _EMBEDDINGS[j], strict=True):
        product_of_both += (x / length_i) * (y / length_j)
    return 1 - product_of_both


@compared
def distances_as_read() -> Compared:
    """ILAD and ILMD with j running over the rest of the list, d = 1 - e_i e_j."""
    for items in _LISTS:
        n = len(items)
        sum_of_means = 0.0
        sum_of_least = 0.0
        for i in items:
            distances = [_distance(i, j) for j in items if j != i]
            sum_of_means += sum(distances) / (n - 1)
            sum_of_least += min(distances)
        name = ", ".join(items)
        yield sum_of_means / n, ir.ilad(items, _EMBEDDINGS), f"ILAD of {name}"
        yield sum_of_least / n, ir.ilmd(items, _EMBEDDINGS), f"ILMD of {name}"


_K = 10
_PRECISIONS = [Fraction(p, 1000) for p in (1, 5, 10, 15)]  # N_tau is 1 for all of them


def _falls(contributions: Sequence[Fraction]) -> bool:
    """Whether each contribution is above each other one, in both directions, as printed."""
    return all(x > y for x, y in permutations(contributions, 2))


@compared
def conditions_on_alpha() -> Compared:
    """Whether any alpha meets the conditions: asked of all pairs i, j, and asked of i > j."""
    for p in _PRECISIONS:
        tuning = lab.tune_alpha(_K, p)
        printed = False
        for thousandth in range(1001):
            alpha = Fraction(thousandth, 1000)
            contributions = []
            for group in tuning.groups:
                value = group.n + alpha * (_K - group.n)
                contributions.append(value * group.probability)
            printed = printed or _falls(contributions)
        yield printed, tuning.feasible, f"p={float(p)}"


# With tau next to 1 the groups are all there are, R_0 to R_k.
_NEXT_TO_ONE = 1 - Fraction(1, 10**30)


@compared
def expected_dcc() -> Compared:
    """The closed form k (p + alpha (1 - p)) against the sum over all groups of DCC(R_n) P(R_n)."""
    precisions = (Fraction(1, 100), THIRD)
    coefficients = (Fraction(0), _ALPHA, Fraction(1))
    for p, alpha in product(precisions, coefficients):
        mean: Any = 0
        for group in lab.tune_alpha(_K, p, tau=_NEXT_TO_ONE).groups:
            dcc = sum(c * alpha**i for i, c in enumerate(group.value))
            mean += dcc * group.probability
        yield _K * (p + alpha * (1 - p)), mean, f"p={p}, alpha={alpha}"


@compared
def largest_alpha() -> Compared:
    """The closed form p / (1 - k p) against the largest alpha that is found, where N_tau = 1."""
    for p in _PRECISIONS:
        printed = p / (1 - _K * p)
        yield printed, lab.tune_alpha(_K, p).alpha, f"p={float(p)}"


@compared
def quadratic_for_beta() -> Compared:
    """The two sides of the equation whose root is the largest beta, k = 10, p = 0.0075."""
    k = _K
    p = 0.0075
    largest: Any = lab.tune_beta(k, p).beta
    b = float(largest)
    left = (2 + 4 * b * (k - 2) + b**2 * (k - 2) * (k - 3)) * p
    right = (4 * b + 2 * b**2 * (k - 2)) * (1 - p)
    yield left, right, "at the largest beta"


@compared
def share_of_group() -> Compared:
    """P(R_n) with k n p n (1-p)(k-n) read as a product, against the share of the group."""
    p = Fraction(1, 100)
    groups = lab.tune_alpha(_K, p, tau=_NEXT_TO_ONE).groups
    for group in groups[:3]:
        n = group.n
        printed = _K * n * p * n * (1 - p) * (_K - n)
        yield printed, group.probability, f"n = {n}"
