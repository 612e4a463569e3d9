"""The divisor, and the top of a scale of grades."""

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
