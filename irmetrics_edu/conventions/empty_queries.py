"""Queries without anything to measure, and how much each query counts."""

from typing import Any

import numpy as np

from irmetrics_edu.conventions.base import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


@kind
class NoRelevant(Convention):
    """The score of a query without relevant documents."""

    @property
    def value(self) -> float:
        """The score of such a query."""
        return float(self.latex) if self.latex in ("0", "1") else np.nan


ZERO = NoRelevant("zero", "0", "a query without relevant documents scores 0")
ONE = NoRelevant("one", "1", "a query without relevant documents scores 1")
UNDEFINED = NoRelevant("nan", r"\mathrm{NaN}", "a query without relevant documents has no score")
SKIPPED = NoRelevant("skip", r"\text{skipped}", "such a query is left out of the mean")
NoRelevant.register(ZERO, ONE, UNDEFINED, SKIPPED)


@kind
class MissingQueries(Convention):
    """The score of a judged query that the run does not have."""


COUNTED = MissingQueries("zero", "0", "it counts as an empty ranking: nothing found, so 0")
LEFT_OUT = MissingQueries("skip", r"\text{skipped}", "it is left out of the mean")
FORBIDDEN = MissingQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
MissingQueries.register(COUNTED, LEFT_OUT, FORBIDDEN)


@kind
class UnjudgedQueries(Convention):
    """The score of a query of the run that has no judgments."""


NOT_EXPECTED = UnjudgedQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
IGNORED = UnjudgedQueries("ignore", r"\text{ignored}", "it is left out of the mean")
NOT_JUDGED_ZERO = UnjudgedQueries(
    "zero", "0", "it scores 0 if the judgments name it, with no document"
)
UnjudgedQueries.register(NOT_EXPECTED, IGNORED, NOT_JUDGED_ZERO)


@kind
class Averaging(Convention):
    """How the shares of many queries become one number."""

    def __call__(self, hits: Array, divisor: Array) -> tuple[Any, Any]:
        """Numerator and denominator of the share of all queries together."""
        if self.function is None:
            raise InputError(f"{self.name} has no function: it is the mean of the queries' values")
        pooled: tuple[Any, Any] = self.function(hits, divisor)
        return pooled


def _apart(hits: Array, divisor: Array) -> tuple[Any, Any]:
    rest = divisor - hits
    of_hits, of_rest = (c[c > 0].mean() if (c > 0).any() else 0.0 for c in (hits, rest))
    return of_hits, of_hits + of_rest


MACRO = Averaging(
    "macro",
    r"\frac{1}{n}\sum_q x_q",
    "macro-averaged: the mean of the queries' values",
)
MICRO = Averaging(
    "micro",
    r"\frac{\sum_q h_q}{\sum_q m_q}",
    "micro-averaged: the hits of all queries over the sum of their divisors",
    lambda hits, divisor: (hits.sum(), divisor.sum()),
)
APART = Averaging(
    "hits_and_misses",
    r"\frac{\bar h}{\bar h+\overline{m-h}}",
    "the mean number of hits, over the sum of the mean numbers of hits and of misses; each "
    "mean is over the queries that have any",
    _apart,
)
Averaging.register(MACRO, MICRO, APART)
