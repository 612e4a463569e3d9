"""Measures of what was retrieved, as plain loops: multiples of R, sets, utility, holes.

`ranked` and `pool` are as in `rankings.py`. The cut-off comes as `k`, to a measure that has one.
Each option comes by its name, but `gain` as `gain_` and `no_relevant` not at all: `more_cases.py`
gives that value. Options that are no whole numbers come as text, so that they stay exact.
"""

from collections.abc import Callable
from fractions import Fraction

from dev.tools.vectors.oracles.rankings import Grades, Number, relevance


def r_precision_multiple(
    ranked: Grades, pool: Grades, *, multiple: str | Fraction, rel: int = 1
) -> Fraction:
    """Hits down to the first rank that is not below multiple times R, over that rank."""
    relevant, depth = sum(relevance(pool, rel)), 1
    if not relevant:
        return Fraction(0)
    while depth < Fraction(multiple) * relevant:
        depth += 1
    return Fraction(sum(relevance(ranked[:depth], rel)), depth)


def set_map(ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1) -> Fraction:
    """Hits squared over retrieved times relevant; k counts in full, however short the list."""
    hits = sum(relevance(ranked[:k], rel))
    size = (len(ranked) if k is None else k) * sum(relevance(pool, rel))
    return Fraction(hits * hits, size) if size else Fraction(0)


def utility(
    ranked: Grades, pool: Grades, k: int | None = None, *, hit: int, other: int, missed: int,
    rel: int = 1,
) -> Fraction:  # fmt: skip
    """Add up document by document."""
    total, left = Fraction(0), sum(relevance(pool, rel))
    for good in relevance(ranked[:k], rel):
        total += hit if good else other
        left -= good
    return total + missed * left


def hole(
    ranked: Grades, pool: Grades, k: int | None = None, *, divisor: str = "retrieved"
) -> Fraction:
    """Count what has no grade."""
    del pool
    shown = ranked[:k]
    size = k if divisor == "k" and k is not None else len(shown)
    return Fraction(sum(g is None for g in shown), size) if size else Fraction(0)


def nugget_f(
    ranked: Grades, pool: Grades, *, length: int, allowance: int, beta: str, gain_: str
) -> Fraction:
    """Count the nuggets that an answer holds, and its characters, as the track's overview says."""

    def weight(grades: Grades) -> int:
        return sum(g if gain_ == "linear" else g >= 2 for g in grades if g is not None and g >= 1)

    allowed, square = allowance * sum(relevance(ranked, 1)), Fraction(beta) ** 2
    if not weight(pool) or not weight(ranked):
        return Fraction(0)
    recall = Fraction(weight(ranked), weight(pool))
    precision = Fraction(1) if length <= allowed else 1 - Fraction(length - allowed, length)
    return (square + 1) * precision * recall / (square * precision + recall)


OF_SETS: dict[str, Callable[..., Number]] = {
    "Rprec_mult": r_precision_multiple,
    "set_map": set_map,
    "utility": utility,
    "Hole": hole,
    "nugget-F": nugget_f,
}
