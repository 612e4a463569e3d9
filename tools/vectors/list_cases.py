"""Cases of recommended lists: coverage of categories and distances, by plain loops."""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Any

from irmetrics_edu.diagnosis.conformance.case import NOTHING, OF_DISTANCES, Case, named
from tools.vectors.oracles.rankings import Number, added, divided

_CATEGORIES: Mapping[str, list[str]] = {
    "i1": ["rock"], "i2": ["jazz", "rock"], "i3": ["folk"], "i4": ["folk", "rock"], "i5": ["pop"],
    "i6": ["rock"],
}  # fmt: skip
# Vectors of whole length, so that every distance is a fraction.
_EMBEDDINGS: Mapping[str, list[int]] = {
    "i1": [1, 0], "i2": [3, 4], "i3": [0, 2], "i4": [-1, 0], "i5": [4, 3], "i6": [5, 12],
}  # fmt: skip
_LISTS: Mapping[str, tuple[list[str], list[str], str]] = {
    "hits-and-others": (["i1", "i2", "i3", "i5"], ["i1", "i4", "i6"],
                        "one item of four is relevant, and shares its category with another"),
    "all-hits": (["i3", "i2"], ["i2", "i3"], "every item is relevant"),
    "no-hit": (["i5", "i3", "i4"], ["i1"], "no item is relevant"),
    "no-item": ([], ["i2"], "nothing is recommended"),
    "one-item": (["i2"], ["i2"], "one item has no pair, so no distance"),
    "all-relevant-alike": (["i1", "i4"], ["i1", "i2", "i4", "i6"],
                           "a category that four relevant items share: its weight is 2 to base 2"),
}  # fmt: skip
# The first value of each is that of the definition; the others are turned one at a time.
_DCC = {"alpha": ("0.01", "0.5"), "n_categories": (4, 6), "overlap": ("both", "once")}
_PAIRED = {"undefined": ("zero", "nan")}
_GRID: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "CC": {"n_categories": (4, 6)},
    "DCC": _DCC,
    "FDCC": {"base": ("2", "3"), **_DCC},
    "ILAD": _PAIRED,
    "ILMD": _PAIRED,
    "DILAD": {"beta": ("0.01", "0.5"), **_PAIRED},
    "Gini": {"n_categories": (4, 6), **_PAIRED},
    "entropy": {"base": ("2", "3"), **_PAIRED},
}
_READS = {
    "CC": ("categories",), "DCC": ("relevant", "categories"), "FDCC": ("relevant", "categories"),
    "Gini": ("categories",), "entropy": ("categories",), "ILAD": ("embeddings",),
    "ILMD": ("embeddings",), "DILAD": ("relevant", "embeddings"),
}  # fmt: skip
_SHORTEST = {"ILAD": 2, "ILMD": 2, "DILAD": 2, "Gini": 1, "entropy": 1}
_CUTS = (None, 2)


def of_lists() -> Iterator[Case]:
    """Every list under every combination that tells something."""
    for name, (items, relevant, why) in _LISTS.items():
        whole = {"relevant": relevant, "categories": _CATEGORIES, "embeddings": _EMBEDDINGS}
        for metric, switches in _GRID.items():
            given = {"recommended": items, **{n: whole[n] for n in _READS[metric]}, "why": why}
            for k in _CUTS if len(items) > 2 else _CUTS[:1]:
                for values in itertools.product(*switches.values()):
                    said = dict(zip(switches, values, strict=True))
                    if said.get("undefined") == "nan" and not _is_short(metric, items):
                        continue
                    turned = sum(v != switches[n][0] for n, v in said.items())
                    if turned > 1:
                        continue
                    exact = ORACLES[metric](items[:k], relevant, **said)
                    topic = "short lists" if _is_short(metric, items) else ""
                    paired = "embeddings" in given
                    yield Case(
                        named(name, metric, k, said), name, metric, k, given, said, exact, why,
                        departs=bool(turned), topic=topic,
                        reading=OF_DISTANCES if paired else NOTHING,
                    )  # fmt: skip


def _is_short(metric: str, items: Sequence[str]) -> bool:
    """Whether the list is too short for the metric: no pair, or nothing that occurs."""
    return metric in _SHORTEST and len(items) < _SHORTEST[metric]


def _categories(items: Collection[str]) -> set[str]:
    return {c for item in items for c in _CATEGORIES[item]}


def category_coverage(items: Sequence[str], relevant: Collection[str], n_categories: int) -> Number:
    """The share of all categories that the items have."""
    del relevant
    return Fraction(len(_categories(items)), n_categories)


def discounted_coverage(
    items: Sequence[str],
    relevant: Collection[str],
    *,
    alpha: str,
    n_categories: int,
    overlap: str,
    base: str = "",
) -> Number:
    """The categories of hits, weighted if there is a base, and alpha for each other category."""
    hits = _categories([i for i in items if i in relevant])
    rest = _categories([i for i in items if i not in relevant])
    if overlap == "once":
        rest = rest - hits
    worth: list[Number] = [Fraction(alpha) * len(rest)]
    for category in sorted(hits):
        frequency = sum(category in _CATEGORIES[item] for item in relevant)
        worth.append(_weight(frequency, int(base)) if base else Fraction(1))
    return divided(added(worth), Fraction(n_categories))


def _weight(frequency: int, base: int) -> Number:
    """The logarithm of a frequency, 1 at least; a whole one exactly."""
    if frequency <= base:
        return Fraction(1)
    power = next((n for n in range(2, frequency) if base**n == frequency), None)
    if power is not None:
        return Fraction(power)
    with localcontext() as context:
        context.prec = 40
        return Decimal(frequency).ln() / Decimal(base).ln()


def distance(i: str, j: str) -> Fraction:
    """1 less the cosine of the angle."""
    x, y = _EMBEDDINGS[i], _EMBEDDINGS[j]
    product = sum(a * b for a, b in zip(x, y, strict=True))
    return 1 - Fraction(product, isqrt(sum(a * a for a in x)) * isqrt(sum(b * b for b in y)))


def _short(undefined: str) -> Number:
    return Fraction(0) if undefined == "zero" else Decimal("NaN")


def average_distance(
    items: Sequence[str], relevant: Collection[str], *, undefined: str, beta: str = "1"
) -> Number:
    """The mean over ordered pairs, times beta for each item of a pair that is no hit."""
    if len(items) < 2:
        return _short(undefined)
    weight = {item: Fraction(1) if item in relevant else Fraction(beta) for item in items}
    pairs = list(itertools.permutations(items, 2))
    return sum((weight[i] * weight[j] * distance(i, j) for i, j in pairs), Fraction(0)) / len(pairs)


def nearest_distance(items: Sequence[str], relevant: Collection[str], undefined: str) -> Number:
    """The mean distance of an item to its nearest."""
    del relevant
    if len(items) < 2:
        return _short(undefined)
    nearest = [min(distance(i, j) for j in items if j != i) for i in items]
    return sum(nearest, Fraction(0)) / len(items)


def _frequencies(items: Sequence[str]) -> list[int]:
    """How many of the items have each category that occurs, the rarest first."""
    return sorted(sum(c in _CATEGORIES[i] for i in items) for c in _categories(items))


def gini(
    items: Sequence[str], relevant: Collection[str], *, n_categories: int, undefined: str
) -> Number:
    """All differences of two frequencies, over 2 n times their sum."""
    del relevant
    found = _frequencies(items)
    if not found:
        return _short(undefined)
    count = [0] * (n_categories - len(found)) + found
    return Fraction(sum(abs(a - b) for a in count for b in count), 2 * n_categories * sum(count))


def entropy(
    items: Sequence[str], relevant: Collection[str], *, base: str, undefined: str
) -> Number:
    """The mean of minus the logarithm of the shares."""
    del relevant
    found = _frequencies(items)
    if not found:
        return _short(undefined)
    if len(found) == 1:
        return Fraction(0)
    with localcontext() as context:
        context.prec = 40
        shares = [Decimal(f) / sum(found) for f in found]
        return -sum((s * s.ln() / Decimal(base).ln() for s in shares), Decimal(0))


ORACLES: dict[str, Callable[..., Number]] = {
    "CC": category_coverage,
    "DCC": discounted_coverage,
    "FDCC": discounted_coverage,
    "ILAD": average_distance,
    "ILMD": nearest_distance,
    "DILAD": average_distance,
    "Gini": gini,
    "entropy": entropy,
}
