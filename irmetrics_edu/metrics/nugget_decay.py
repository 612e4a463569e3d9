"""The reader who is less interested in a nugget each time it is seen again.

alpha-DCG, ERR-IA and NRBP share it: gains that fade with repetition, and what they are divided by.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import refuse_cutoff
from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, in_kind, ranks_to, zeros
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.working import Columns


@kind
@dataclass(frozen=True, slots=True)
class Normalisation(Convention):
    """What a sum of discounted gains is divided by."""

    by_ideal: bool = False  # whether by the sum of the ideal ranking of the judged documents
    by_most: bool = False  # whether by the most that a ranking of any documents could have


NOT_NORMALISED = Normalisation.known("none")
INDEPENDENT = Normalisation.known("collection_independent", by_most=True)
DEPENDENT = Normalisation.known("collection_dependent", by_ideal=True)


# What J is in the formulas.
JUDGED = r"J_{in}=\mathbb{1}[g_{in}\ge\rel]\text{ or a probability}"


def one_alpha(rows: NuggetRows, alpha: Any) -> Any:
    """Alpha as a number; a mapping is refused, because a gain leaves the factor alpha out."""
    if isinstance(alpha, Mapping):
        raise InputError(
            f"alpha={dict(alpha)} has a number for each nugget, but the gain leaves alpha out "
            "because it is the same for all nuggets; give alpha=1 and, in the judgments, the "
            "probability that the document holds the nugget, such as {'A': 0.9}"
        )
    return in_kind(rows.grade, checks.between("alpha", alpha, 0, 1))


@dataclass(frozen=True, eq=False)
class Fading:
    """What each entry is worth, and the factor by which it fades its nugget for later documents."""

    worth: Array  # per entry
    decay: Array  # per entry
    weight: Array  # per nugget, at the start

    @classmethod
    def of(cls, rows: NuggetRows, alpha: Any, weight: Array, rel: float) -> "Fading":
        """An entry is worth its probability p, which is 1 for a nugget held for sure.

        It fades its nugget by 1 - alpha p: that is how likely the document does not hold the nugget
        if a judgment is right with probability alpha.
        """
        held = rows.certainty(rel)
        return cls(held, 1 - alpha * held, weight)

    def gain(self, rows: NuggetRows) -> Array:
        """What each row is worth, given the rows above it."""
        left = rows.product_before(self.decay)
        return rows.by_row(self.weight[rows.nugget] * self.worth * left)


def notes_on_probabilities(rows: NuggetRows, alpha: Any, rel: float) -> Callable[[int], list[str]]:
    """What a reader should know of a query whose judgments are probabilities."""

    def notes_of(q: int) -> list[str]:
        pool = rows.pool
        unsure = rel == 1 and (pool.query[pool.row[pool.unsure]] == q).any()
        if not unsure or isinstance(alpha, Mapping) or alpha == 1:
            return []
        factor = (
            f"The judgments hold probabilities. They are multiplied by alpha = {float(alpha):g}; "
        )
        return [factor + "alpha=1 takes them as they are."]

    return notes_of


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
    rows: NuggetRows,
    k: int | None,
    first: Array,
    decay: Any,
    discount: Callable[[Array], Array],
) -> Array:
    """The discounted gains of a perfect ranking: each document holds every nugget, in top grade.

    `first` is the gain of its first document, for each query. Each later document gains `decay`
    times as much. Without a cut-off, it is as long as the ranking that is measured.
    """
    refuse_cutoff(k, "a perfect ranking")
    depth = np.maximum(rows.retrieved, 1) if k is None else np.full(rows.n, k)
    ranks = ranks_to(rows.grade, int(depth.max()))
    fade = in_kind(rows.grade, decay)
    fades = zeros(rows.grade, len(ranks))
    fades[:] = [fade**i for i in range(len(ranks))]
    total: Array = first * (fades * discount(ranks)).cumsum()[depth - 1]
    return total
