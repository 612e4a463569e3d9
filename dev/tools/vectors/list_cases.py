"""Cases of recommended lists: coverage of categories and distances, by plain loops."""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dev.tools.vectors.oracles import lists as by
from dev.tools.vectors.oracles.rankings import Number
from irmetrics_edu.diagnosis.conformance.vectors import NOTHING, OF_DISTANCES, VectorCase, named

_CATEGORIES: Mapping[str, list[str]] = {
    "i1": ["rock"], "i2": ["jazz", "rock"], "i3": ["folk"], "i4": ["folk", "rock"], "i5": ["pop"],
    "i6": ["rock"],
}  # fmt: skip
# Vectors of whole length, so that their distances are fractions, and one that is not.
_EMBEDDINGS: Mapping[str, list[int]] = {
    "i1": [1, 0], "i2": [3, 4], "i3": [0, 2], "i4": [-1, 1], "i5": [4, 3], "i6": [5, 12],
}  # fmt: skip
_LISTS: Mapping[str, tuple[list[str], list[str], str]] = {
    "hits-and-others": (["i1", "i2", "i3", "i5"], ["i1", "i4", "i6"],
                        "one item of four is relevant, and shares its category with another"),
    "all-hits": (["i3", "i2"], ["i2", "i3"], "every item is relevant"),
    "no-hit": (["i5", "i3", "i4"], ["i1"], "no item is relevant"),
    "no-item": ([], ["i2"], "nothing is recommended"),
    "one-item": (["i1"], ["i1"], "one item of one category has no pair, so no distance"),
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


def of_lists() -> Iterator[VectorCase]:
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
                    yield VectorCase(
                        named(name, metric, k, said), name, metric, k, given, said, exact, why,
                        departs=bool(turned), topic=topic,
                        reading=OF_DISTANCES if paired else NOTHING,
                    )  # fmt: skip


def _is_short(metric: str, items: Sequence[str]) -> bool:
    """Whether the list is too short for the metric: no pair, or nothing that occurs."""
    return metric in _SHORTEST and len(items) < _SHORTEST[metric]


def _short(undefined: str) -> Number:
    return Fraction(0) if undefined == "zero" else Decimal("NaN")


def _coverage(items: Sequence[str], relevant: Collection[str], n_categories: int) -> Number:
    del relevant
    return by.category_coverage(items, _CATEGORIES, n_categories)


def _discounted(
    items: Sequence[str], relevant: Collection[str], *, base: str = "", **said: Any
) -> Number:
    weighted = int(base) if base else None
    return by.discounted_coverage(items, relevant, _CATEGORIES, base=weighted, **said)


def _distance(i: str, j: str) -> Number:
    return by.cosine(_EMBEDDINGS[i], _EMBEDDINGS[j])


def _average(
    items: Sequence[str], relevant: Collection[str], *, undefined: str, beta: str = "1"
) -> Number:
    if len(items) < 2:
        return _short(undefined)
    weight = {item: Fraction(1) if item in relevant else Fraction(beta) for item in items}
    return by.average_distance(items, _distance, weight.__getitem__)


def _nearest(items: Sequence[str], relevant: Collection[str], undefined: str) -> Number:
    del relevant
    return _short(undefined) if len(items) < 2 else by.nearest_distance(items, _distance)


def _frequencies(items: Sequence[str]) -> list[int]:
    """How many of the items have each category that occurs, the rarest first."""
    found = by.categories_of(items, _CATEGORIES)
    return sorted(sum(c in _CATEGORIES[i] for i in items) for c in found)


def _gini(
    items: Sequence[str], relevant: Collection[str], *, n_categories: int, undefined: str
) -> Number:
    del relevant
    found = _frequencies(items)
    absent = [0] * (n_categories - len(found))
    return by.gini([*absent, *found]) if found else _short(undefined)


def _entropy(
    items: Sequence[str], relevant: Collection[str], *, base: str, undefined: str
) -> Number:
    del relevant
    found = _frequencies(items)
    return by.entropy(found, base) if found else _short(undefined)


ORACLES: dict[str, Callable[..., Number]] = {
    "CC": _coverage,
    "DCC": _discounted,
    "FDCC": _discounted,
    "ILAD": _average,
    "ILMD": _nearest,
    "DILAD": _average,
    "Gini": _gini,
    "entropy": _entropy,
}
