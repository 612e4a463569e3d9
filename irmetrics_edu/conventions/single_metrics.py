"""What single metrics leave open: divisors, grades, levels of recall, categories, equal scores."""

from typing import Any

import numpy as np

from irmetrics_edu.conventions.base import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, like


@kind
class Divisor(Convention):
    """The number by which the number of hits is divided."""

    def __call__(self, rows: Any, k: int | None, hits: Array, R: Array) -> Array:
        """The divisor of each query, from the hits within the cut and all relevant documents."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        size: Array = self.function(rows, k, hits, R)
        return size


def _by_k(rows: Any, k: int | None, hits: Array, R: Array) -> Array:  # noqa: ARG001
    size: Array = rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    return size


BY_K = Divisor(
    "k",
    r"\k",
    "the cut-off, even if the list is shorter (without a cut-off: the length of the list)",
    _by_k,
)
BY_RETRIEVED = Divisor(
    "retrieved",
    r"\min(\k,n)",
    "the documents retrieved within the cut",
    lambda rows, k, _hits, _R: rows.depth(k),
)
BY_RELEVANT = Divisor("relevant", "R", "all relevant documents", lambda _rows, _k, _hits, R: R)
BY_REACHABLE = Divisor(
    "reachable",
    r"\min(\k,R)",
    "the relevant documents, and at most k",
    lambda _rows, k, _hits, R: R if k is None else np.minimum(R, k),
)
BY_HITS = Divisor(
    "hits",
    "h",
    "the relevant documents retrieved within the cut",
    lambda _rows, _k, hits, _R: hits,
)
Divisor.register(BY_K, BY_RETRIEVED, BY_RELEVANT, BY_REACHABLE, BY_HITS)


@kind
class MaxGrade(Convention):
    """The top of the scale of grades, if it is not given as a number."""

    def __call__(self, rows: Any) -> Array:
        """The highest grade of each query."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        highest: Array = self.function(rows)
        return highest


def _highest(rows: Any) -> Array:
    out = like(rows.grade, np.zeros(rows.n))
    np.maximum.at(out, rows.pool_query, rows.pool_grade)
    return out


HIGHEST = MaxGrade(
    "highest", "g^*_1", "the highest grade among the judgments of the query", _highest
)
MaxGrade.register(HIGHEST)


@kind
class Satisfaction(Convention):
    """How a grade becomes the probability that a reader is satisfied and stops."""

    def __call__(self, grade: Array, highest: Any) -> Array:
        """The probabilities, of grades and the top of their scale."""
        if self.function is None:
            raise InputError(f"{self.name} has no function")
        chance: Array = self.function(grade, highest)
        return chance


def _exponential(grade: Array, highest: Any) -> Array:
    from irmetrics_edu.conventions.gains import EXPONENTIAL

    chance: Array = EXPONENTIAL(grade) / 2**highest
    return chance


BY_POWERS = Satisfaction(
    "exp",
    r"\tfrac{2^{#1}-1}{2^{\maxgrade}}",
    "2^g - 1 over 2 to the top of the scale",
    _exponential,
)
BY_SHARE = Satisfaction(
    "linear",
    r"\tfrac{#1}{\maxgrade}",
    "the grade over the top of the scale",
    lambda grade, highest: grade / highest,
)
Satisfaction.register(BY_POWERS, BY_SHARE)


@kind
class CollectionSize(Convention):
    """The number of documents in the collection, if it is not given as a number."""

    def __call__(self, known: Array) -> Array:
        """The number of documents that the ranking or the judgments name."""
        return known if self.function is None else self.function(known)


KNOWN = CollectionSize("known", "n", "only the retrieved and judged documents")
CollectionSize.register(KNOWN)


@kind
class Undefined(Convention):
    """The score of a list for which the metric is not defined."""

    @property
    def value(self) -> float:
        """The score of such a list, if it is not refused."""
        return 0.0 if self.name == "zero" else np.nan


UNDEFINED_REFUSED = Undefined("refuse", r"\text{refused}", "nothing: it is refused as an error")
UNDEFINED_ZERO = Undefined("zero", "0", "it scores 0")
UNDEFINED_NAN = Undefined("nan", r"\mathrm{NaN}", "it has no score: NaN")
Undefined.register(UNDEFINED_REFUSED, UNDEFINED_ZERO, UNDEFINED_NAN)


@kind
class Overlap(Convention):
    """How often a category counts if effective and ineffective items share it."""

    def __call__(self, hits: Array, rest: Array) -> Array:
        """Which categories of ineffective items count, given those of the hits and theirs."""
        counted: Array = rest if self.function is None else self.function(hits, rest)
        return counted


ON_BOTH_SIDES = Overlap(
    "both",
    r"\mathcal{C}_{L_{\k}\setminus G}",
    "on both sides: in full for the hits, discounted for the ineffective items",
)
ONCE = Overlap(
    "once",
    r"\mathcal{C}_{L_{\k}\setminus G}\setminus\mathcal{C}_{L_{\k}\cap G}",
    "once, in full: a category of the hits is not counted again with the discount",
    lambda hits, rest: rest & ~hits,
)
Overlap.register(ON_BOTH_SIDES, ONCE)


@kind
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank may meet exactly."""


STANDARD = Interpolation(
    "standard",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "the best precision at this recall or a higher one",
)
NOT_INTERPOLATED = Interpolation(
    "none",
    r"P_{\min\{i\colon \mathrm{Rec}_i\ge #1\}}",
    "the precision at the first rank where this recall is reached, as lecture slides compute it",
)
STANDARD_IN_FLOATS = Interpolation(
    "trec_eval",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval does: r "
    "R + 0.9 in floats, rounded down, so that 0.7 of 3 needs 2",
    lambda level, R: int(float(level) * R + 0.9),
)
ROUNDED = Interpolation(
    "trec_eval_10",
    r"\max_{i\colon \mathrm{Rec}_i\ge #1} P_i",
    "as standard, but counts the relevant documents that recall r needs as trec_eval 10 does: "
    "r R to the nearest whole number, halves up, so that 0.1 of 3 needs none",
    lambda level, R: int(float(level) * R) + (float(level) * R % 1 >= 0.5),
)
Interpolation.register(STANDARD, NOT_INTERPOLATED, STANDARD_IN_FLOATS, ROUNDED)


@kind
class Crossing(Convention):
    """Where precision and recall are equal, if that is between two thresholds."""


ON_A_LINE = Crossing(
    "linear", r"\text{on a line}", "on the straight line between the two points of the PR curve"
)
IN_COUNTS = Crossing(
    "counts",
    r"\text{in counts}",
    "where R documents are retrieved, the tied ones in part: the mean R-precision over the "
    "orders of the ties",
)
Crossing.register(ON_A_LINE, IN_COUNTS)


@kind
class TiedOverlap(Convention):
    """How items of equal scores count in the overlap of two orders, by Corsi & Urbano (2024)."""

    def held(self, depth: Array, first: Array, size: Array) -> Array:
        """How much of each item (one line per item) is within each depth.

        `first` is the first place of its group of equal scores, and `size` is the size of the
        group.
        """
        part: Array = (depth >= first) + depth * 0
        if self.name != "w":
            part = np.minimum(np.maximum((depth - first + 1) / size, 0), 1)
        return part

    def divisor(self, one: Array, other: Array) -> Array:
        """What the overlap at each depth is divided by, from how much each order holds."""
        divisor: Array = one.sum(axis=0)  # as much as the depth
        if self.function is not None:
            divisor = self.function(one, other)
        return divisor


TIES_REFUSED = TiedOverlap("refuse", "d", "nothing: equal scores are refused as an error")
TIES_EQUAL = TiedOverlap(
    "w",
    r"\tfrac{1}{2}\sum_i (c_{i,d}+c'_{i,d})",
    "all of them get the first place of their group, as in sports",
    lambda one, other: (one.sum(axis=0) + other.sum(axis=0)) / 2,
)
TIES_AVERAGED = TiedOverlap("a", "d", "the mean over all their orders")
TIES_CORRECTED = TiedOverlap(
    "b",
    r"\sqrt{\sum_i c_{i,d}^2\,\sum_i c'^{\,2}_{i,d}}",
    "the mean over all their orders, corrected so that an order with ties agrees with itself",
    lambda one, other: np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0)),
)
TiedOverlap.register(TIES_REFUSED, TIES_EQUAL, TIES_AVERAGED, TIES_CORRECTED)
