"""RBO as a long sum, and compatibility by brute force over all ideal orders."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product


def _overlap(one: Sequence[str], other: Sequence[str], depth: int) -> int:
    return len(set(one[:depth]) & set(other[:depth]))


def rbo(one: Sequence[str], other: Sequence[str], p: float, deepest: int = 3000) -> float:
    """Add up the agreements of an endless list, each assumed as Webber et al. assume it.

    Below the end of the shorter list its rate of overlap goes on; below the end of the longer one
    the agreement stays.
    """
    short, long = sorted((len(one), len(other)))
    at_short = _overlap(one, other, short)
    total, agreement = 0.0, 0.0
    for depth in range(1, deepest):
        if depth <= long:
            overlap = float(_overlap(one, other, depth))
            if depth > short and short:
                overlap += at_short * (depth - short) / short
            agreement = overlap / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total


def compatibility(ranking: Sequence[str], grades: dict[str, int], p: Fraction) -> Fraction:
    """Try every ideal order: all orders within each grade above 0, best grade first."""
    levels = sorted({g for g in grades.values() if g > 0}, reverse=True)
    groups = [[d for d, g in grades.items() if g == level] for level in levels]
    best = Fraction(0)
    for orders in product(*(permutations(group) for group in groups)):
        ideal = [d for order in orders for d in order]
        deep = max(len(ranking), len(ideal))
        got, most = Fraction(0), Fraction(0)
        for depth in range(1, deep + 1):
            weight = p ** (depth - 1) / depth
            got += weight * _overlap(ranking, ideal, depth)
            most += weight * _overlap(ideal, ideal, depth)
        if most:
            best = max(best, got / most)
    return best


def orders(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """All the orders that groups of equal items may have."""
    found = product(*(permutations(group) for group in groups))
    return [[item for group in order for item in group] for order in found]


def mean_of_orders(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]], p: float) -> float:
    """The mean RBO over all pairs of orders that two rankings with equal items may have."""
    values = [rbo(a, b, p, 400) for a in orders(one) for b in orders(other)]
    return sum(values) / len(values)
