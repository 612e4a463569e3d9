"""Compatibility by brute force over all orders."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

from dev.tools.vectors.oracles.exposure import rank_biased_overlap
from dev.tools.vectors.oracles.readers import overlap


def compatibility(ranking: Sequence[str], grades: dict[str, int], p: Fraction) -> Fraction:
    """Try every ideal order: all orders within each grade above 0, best grade first."""
    levels = sorted({g for g in grades.values() if g > 0}, reverse=True)
    best = Fraction(0)
    for ideal in orders([[d for d, g in grades.items() if g == level] for level in levels]):
        deep = max(len(ranking), len(ideal))
        most = overlap(ideal, ideal, p, deep)
        if most:
            best = max(best, overlap(ranking, ideal, p, deep) / most)
    return best


def orders(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """All the orders that groups of equal items may have."""
    found = product(*(permutations(group) for group in groups))
    return [[item for group in order for item in group] for order in found]


def rbo(one: Sequence[str], other: Sequence[str], p: float) -> float:
    """The RBO of two orders without ties."""
    return float(rank_biased_overlap(one, other, Fraction(p)))
