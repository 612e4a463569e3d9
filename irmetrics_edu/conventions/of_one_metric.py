"""Choices of single metrics."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from irmetrics_edu.conventions.convention import Convention, kind
from irmetrics_edu.conventions.worth import EXPONENTIAL
from irmetrics_edu.numbers import Array, like


@kind
class Divisor(Convention):
    """The number by which the number of hits is divided."""


BY_K = Divisor.known(
    "k",
    lambda rows, k, _hits, _R: (
        rows.depth(None) if k is None else like(rows.grade, np.full(rows.n, k))
    ),
)
BY_RETRIEVED = Divisor.known("retrieved", lambda rows, k, _hits, _R: rows.depth(k))
BY_RELEVANT = Divisor.known("relevant", lambda _rows, _k, _hits, R: R)
BY_REACHABLE = Divisor.known(
    "reachable", lambda _rows, k, _hits, R: R if k is None else np.minimum(R, k)
)
BY_HITS = Divisor.known("hits", lambda _rows, _k, hits, _R: hits)


@kind
class PreferenceBound(Convention):
    """The number of non-relevant documents by which those above a relevant one are divided."""


FEWER = PreferenceBound.known("fewer", np.minimum)
AS_MANY_AS_RELEVANT = PreferenceBound.known("relevant", lambda R, _N: R)


@kind
class MaxGrade(Convention):
    """The top of the scale of grades, if it is not given as a number."""


def _highest(rows: Any) -> Array:
    out = like(rows.grade, np.zeros(rows.n))
    np.maximum.at(out, rows.pool_query, rows.pool_grade)
    return out


HIGHEST = MaxGrade.known("highest", _highest)


@kind
class Satisfaction(Convention):
    """How a grade becomes the probability that a reader is satisfied and stops."""


BY_POWERS = Satisfaction.known("exp", lambda grade, highest: EXPONENTIAL(grade) / 2**highest)
BY_SHARE = Satisfaction.known("linear", lambda grade, highest: grade / highest)


@kind
class CollectionSize(Convention):
    """The number of documents in the collection, if it is not given as a number."""


KNOWN = CollectionSize.known("known", lambda known: known)


@kind
@dataclass(frozen=True, slots=True)
class Paired(Convention):
    """Which documents of a ranking make pairs."""

    all_retrieved: bool = False  # whether those that nobody judged make pairs too


JUDGED_PAIRED = Paired.known("judged")
RETRIEVED_PAIRED = Paired.known("retrieved", all_retrieved=True)


@kind
class Overlap(Convention):
    """How often a category counts if effective and ineffective items share it."""


ON_BOTH_SIDES = Overlap.known("both", lambda _hits, rest: rest)
ONCE = Overlap.known("once", lambda hits, rest: rest & ~hits)


@kind
@dataclass(frozen=True, slots=True)
class Interpolation(Convention):
    """Which precision belongs to a level of recall that no rank may meet exactly.

    Its function gives the number of relevant documents that a level needs.
    """

    highest: bool = True  # whether it is the highest one from that level on


def _needed(level: Fraction, relevant: int) -> int:
    return ceil(level * relevant)


STANDARD = Interpolation.known("standard", _needed)
NOT_INTERPOLATED = Interpolation.known("none", _needed, highest=False)
STANDARD_IN_FLOATS = Interpolation.known("trec_eval", lambda level, R: int(float(level) * R + 0.9))
ROUNDED = Interpolation.known(
    "trec_eval_10", lambda level, R: int(float(level) * R) + (float(level) * R % 1 >= 0.5)
)
