"""The reader who is less interested in a nugget each time it is seen again.

alpha-DCG, ERR-IA and NRBP share it: gains that fade with repetition, and what they are divided by.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.input_limits import refuse_cutoff
from irmetrics_edu.numbers import Array, as_fraction, is_exact, like, ranks_to, zeros
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.working import Columns


@kind
class Normalisation(Convention):
    """What a sum of discounted gains is divided by."""


NOT_NORMALISED = Normalisation("none", "1", "nothing: the sum as it is")
INDEPENDENT = Normalisation(
    "collection_independent",
    r"\text{every document holding every nugget}",
    "the sum of a ranking each of whose documents holds every nugget",
)
DEPENDENT = Normalisation(
    "collection_dependent",
    r"\text{ideal ranking of the judged}",
    "the sum of the ideal ranking of the judged documents",
)
Normalisation.register(NOT_NORMALISED, INDEPENDENT, DEPENDENT)


def number(pattern: Array, value: Any) -> Any:
    """One number of the kind that `pattern` holds."""
    return as_fraction(value) if is_exact(pattern) else float(value)


@dataclass(frozen=True, eq=False)
class Fading:
    """What each entry is worth, and the factor by which it fades its nugget for later documents."""

    worth: Array  # per entry
    decay: Array  # per entry
    weight: Array  # per nugget, at the start

    @classmethod
    def even(cls, rows: NuggetRows, decay: Any, weight: Array) -> "Fading":
        """Every entry is worth 1 and fades its nugget by the same factor."""
        ones = like(rows.grade, np.ones(len(rows.grade)))
        return cls(ones, ones * number(rows.grade, decay), weight)

    def gain(self, rows: NuggetRows) -> Array:
        """What each row is worth, given the rows above it."""
        left = rows.product_before(self.decay)
        return rows.by_row(self.weight[rows.nugget] * self.worth * left)


def columns(rows: NuggetRows, gain: Array, discount: Callable[[Array], Array]) -> Columns:
    """The columns from the gain to the cumulated discounted gain."""
    factors = discount(rows.rank)
    discounted = gain * factors
    return Columns(
        {
            "gain": gain,
            "cumulated gain": lambda: rows.running(gain),
            "discount": factors,
            "discounted gain": discounted,
            "cumulated": lambda: rows.running(discounted),
        }
    )


def of_perfect_ranking(
    rows: NuggetRows, k: int | None, first: Array, decay: Any, discount: Callable[[Array], Array]
) -> Array:
    """The discounted gains of a perfect ranking: each document holds every nugget, in top grade.

    `first` is the gain of its first document, for each query. Each later document gains `decay`
    times as much. Without a cut-off, it is as long as the ranking that is measured.
    """
    refuse_cutoff(k, "a perfect ranking")
    depth = np.maximum(rows.retrieved, 1) if k is None else np.full(rows.n, k)
    ranks = ranks_to(rows.grade, int(depth.max()))
    fade = number(rows.grade, decay)
    fades = zeros(rows.grade, len(ranks))
    fades[:] = [fade**i for i in range(len(ranks))]
    total: Array = first * (fades * discount(ranks)).cumsum()[depth - 1]
    return total
