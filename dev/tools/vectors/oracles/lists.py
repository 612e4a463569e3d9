"""Measures of a recommended list as plain loops: categories, distances, frequencies.

Nothing here is shared with the kernels.
"""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Any

from dev.tools.vectors.oracles.rankings import Number, added, as_decimal, divided, multiplied

_DIGITS = 40
Categories = Mapping[Any, Collection[str]]
Distance = Callable[[Any, Any], Number]


def categories_of(items: Collection[Any], categories: Categories) -> set[str]:
    """The categories that some item has."""
    return {c for item in items for c in categories[item]}


def category_coverage(items: Collection[Any], categories: Categories, n: int) -> Fraction:
    """The share of all categories that the items have."""
    return Fraction(len(categories_of(items, categories)), n)


def discounted_coverage(
    items: Sequence[Any],
    relevant: Collection[Any],
    categories: Categories,
    *,
    alpha: str | Fraction,
    n_categories: int,
    overlap: str = "both",
    base: float | None = None,
) -> Number:
    """The categories of hits, weighted if there is a base, and alpha for each other category."""
    hits = categories_of([i for i in items if i in relevant], categories)
    rest = categories_of([i for i in items if i not in relevant], categories)
    if overlap == "once":
        rest = rest - hits
    worth: list[Number] = [Fraction(alpha) * len(rest)]
    for category in sorted(hits):
        frequency = sum(category in categories[item] for item in relevant)
        worth.append(_weight(frequency, base) if base else Fraction(1))
    return divided(added(worth), Fraction(n_categories))


def _weight(frequency: int, base: float) -> Number:
    """The logarithm of a frequency, 1 at least; a whole one exactly."""
    if frequency <= base:
        return Fraction(1)
    power = next((n for n in range(2, frequency) if base**n == frequency), None)
    if power is not None:
        return Fraction(power)
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(frequency).ln() / Decimal(base).ln()


def cosine(x: Sequence[int], y: Sequence[int]) -> Number:
    """1 less the cosine of the angle; a fraction where the lengths multiply to a whole number."""
    product = sum(a * b for a, b in zip(x, y, strict=True))
    square = sum(a * a for a in x) * sum(b * b for b in y)
    if isqrt(square) ** 2 == square:
        return 1 - Fraction(product, isqrt(square))
    with localcontext() as context:
        context.prec = _DIGITS
        return 1 - Decimal(product) / Decimal(square).sqrt()


def average_distance(
    items: Sequence[Any],
    distance: Distance,
    weight: Callable[[Any], Fraction] = lambda _: Fraction(1),
) -> Number:
    """The mean over ordered pairs of different items, each times the weights of its two items."""
    pairs = list(itertools.permutations(items, 2))
    worth = (multiplied(weight(i) * weight(j), distance(i, j)) for i, j in pairs)
    return divided(added(worth), Fraction(len(pairs)))


def nearest_distance(items: Sequence[Any], distance: Distance) -> Number:
    """The mean distance of an item to its nearest."""
    nearest = [min((distance(i, j) for j in items if j != i), key=as_decimal) for i in items]
    return divided(added(nearest), Fraction(len(items)))


def gini(counts: Sequence[int]) -> Fraction:
    """All differences of two counts, divided by 2 n times their sum."""
    differences = sum(abs(a - b) for a in counts for b in counts)
    return Fraction(differences, 2 * len(counts) * sum(counts))


def entropy(counts: Sequence[int], base: str | int) -> Number:
    """The mean of minus the logarithm of the shares."""
    found = [count for count in counts if count]
    if len(found) == 1:
        return Fraction(0)
    with localcontext() as context:
        context.prec = _DIGITS
        shares = [Decimal(f) / sum(found) for f in found]
        return -sum((s * s.ln() / Decimal(base).ln() for s in shares), Decimal(0))
