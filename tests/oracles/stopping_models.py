"""Readers who stop, step by step: C/W/L scores, the Bejeweled player, time-biased gain."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any


def walk(gains: list[Any], going_on: Callable[[int, Any], Any], depth: int) -> Any:
    """The expected gain of what is seen, over the expected number of documents seen."""
    probability: Any = Fraction(1)
    total: Any = Fraction(0)
    looked_at: Any = Fraction(0)
    so_far: Any = Fraction(0)
    for rank in range(1, depth + 1):
        gain = gains[rank - 1] if rank <= len(gains) else Fraction(0)
        total += probability * gain
        looked_at += probability
        so_far += gain
        probability *= going_on(rank, so_far)
    return total / looked_at


def inst(gains: list[Any], wanted: Any, depth: int) -> Any:
    """Who still wants T - G documents."""

    def going_on(rank: int, so_far: Any) -> Any:
        still = wanted - so_far
        return ((rank + wanted + still - 1) / (rank + wanted + still)) ** 2

    return walk(gains, going_on, depth)


def insq(gains: list[Any], wanted: Any, depth: int) -> Any:
    """Who does not count what was found."""
    return walk(gains, lambda rank, _: ((rank + 2 * wanted - 1) / (rank + 2 * wanted)) ** 2, depth)


def ift(gains: list[Any], T: float, A: float, depth: int) -> float:
    """R1 = R2 = 10 and both b = 0.9."""

    def going_on(rank: int, so_far: Any) -> float:
        aim = 1 - 1 / (1 + 0.9 * math.exp((T - float(so_far)) * 10))
        return aim / (1 + 0.9 * math.exp((A - float(so_far) / rank) * 10))

    return float(walk(gains, going_on, depth))


def bejeweled(gains: list[Any], wanted: Any, patience: int) -> Fraction:
    """Read on until there is enough or no patience left."""
    gained, rank = Fraction(0), 0
    while rank < patience and gained < wanted:
        gained += gains[rank] if rank < len(gains) else 0
        rank += 1
    return gained / rank


def time_biased_gain(relevant: list[bool], words: float, halflife: float) -> float:
    """Let the clock run from document to document."""
    clock, gain = 0.0, 0.0
    for good in relevant:
        if good:
            gain += 0.64 * 0.77 * math.exp(-clock * math.log(2) / halflife)
        clock += 4.4 + (0.018 * words + 7.8) * (0.64 if good else 0.39)
    return gain
