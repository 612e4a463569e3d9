"""Readers who stop, as plain loops: C/W/L scores, RBO.

Nothing here is shared with the kernels. `ranked` and `pool` are as in `rankings.py`. `walk` takes
any kind of number: tests follow its readers in fractions.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from dev.tools.vectors.oracles.rankings import (
    Grades,
    Number,
    divided,
    relevance,
)

_DIGITS = 40
_EXACT = 20  # a depth of which nobody wants the fraction any more
_NEVER = Decimal("1e-60")  # a probability that changes no digit


def walk(
    gains: Sequence[Any], going_on: Callable[[int, Any], Any], depth: int, one: Any = Fraction(1)
) -> Any:
    """The expected gain seen, divided by the expected number of documents seen."""
    probability, total, looked_at, so_far = one, one * 0, one * 0, one * 0
    for rank in range(1, depth + 1):
        gain = gains[rank - 1] if rank <= len(gains) else one * 0
        total += probability * gain
        looked_at += probability
        so_far += gain
        probability *= going_on(rank, so_far)
        if probability < _NEVER:
            break
    return total / looked_at


def on_with_inst(wanted: Any) -> Callable[[int, Any], Any]:
    """A reader who still wants T - G documents."""

    def going_on(rank: int, so_far: Any) -> Any:
        still = wanted - so_far
        return ((rank + wanted + still - 1) / (rank + wanted + still)) ** 2

    return going_on


def on_with_insq(wanted: Any) -> Callable[[int, Any], Any]:
    """A reader who does not count the documents found."""
    return lambda rank, _: ((rank + 2 * wanted - 1) / (rank + 2 * wanted)) ** 2


def _walked(ranked: Grades, rel: int, depth: int, going_on: Callable[[int, Any], Any]) -> Number:
    """The walk in decimals, over gains of 0 and 1."""
    with localcontext() as context:
        context.prec = _DIGITS
        gains = [Decimal(hit) for hit in relevance(ranked, rel)]
        return Decimal(walk(gains, going_on, depth, Decimal(1)))


def inst(ranked: Grades, pool: Grades, *, wanted: int, gain_: str, rel: int, depth: int) -> Number:
    """The walk of a reader who counts the documents found."""
    del pool, gain_
    return _walked(ranked, rel, depth, on_with_inst(Decimal(wanted)))


def insq(ranked: Grades, pool: Grades, *, wanted: int, gain_: str, rel: int, depth: int) -> Number:
    """The walk of a reader who does not."""
    del pool, gain_
    return _walked(ranked, rel, depth, on_with_insq(Decimal(wanted)))


def overlap(one: Sequence[Any], other: Sequence[Any], p: Any, depth: int) -> Any:
    """The overlap of two lists at each depth, weighted by p, in the number type of p."""
    total, weight = p * 0, p * 0 + 1
    for d in range(1, depth + 1):
        total += weight / d * len(set(one[:d]) & set(other[:d]))
        weight *= p
    return total


def compatibility(
    ranked: Grades, pool: Grades, k: int | None = None, *, p: str, depth: int
) -> Number:
    """The overlap with the ideal order that follows the ranking among equal grades."""
    found = list(enumerate(ranked[:k]))
    rest = [g for g in pool if g is not None]
    for _, grade in found:
        if grade is not None:
            rest.remove(grade)
    everything = [*found, *((f"missed {i}", g) for i, g in enumerate(rest))]
    ideal = sorted((d for d in everything if d[1]), key=lambda d: -int(d[1] or 0))
    names = [name for name, _ in ideal]
    if not names:
        return Fraction(0)
    number: type[Number] = Fraction if depth < _EXACT else Decimal
    with localcontext() as context:
        context.prec = _DIGITS
        most = overlap(names, names, number(p), depth)
        here = overlap([place for place, _ in found], names, number(p), depth)
        return divided(here, most)


OF_READERS: dict[str, Callable[..., Number]] = {
    "INST": inst,
    "INSQ": insq,
    "Compat": compatibility,
}
