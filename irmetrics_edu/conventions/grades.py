"""What judgments say: ideals, cuts, documents that nobody judged, grades below zero, pools."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.checks import refuse_cutoff
from irmetrics_edu.conventions.convention import Convention, kind


@kind
class Ideal(Convention):
    """Which documents the ideal ranking is made of."""


def _k_ones(rows: Any, k: int | None) -> Any:
    refuse_cutoff(k, "an ideal of k documents")
    return rows.all_of_grade_1(
        np.where(rows.relevant() > 0, rows.depth(None) if k is None else k, 0)
    )


JUDGED = Ideal.known("judged", lambda rows, _: rows.ideal())
RETRIEVED = Ideal.known("retrieved", lambda rows, _: rows.ideal_of_retrieved)
K_ONES = Ideal.known("k_ones", _k_ones)
R_ONES = Ideal.known("r_ones", lambda rows, _: rows.all_of_grade_1(rows.relevant()))
AS_LONG = Ideal.known(
    "as_long",
    lambda rows, _: rows.ideal().where(rows.ideal().rank <= rows.retrieved[rows.ideal().query]),
)


@kind
@dataclass(frozen=True, slots=True)
class Cut(Convention):
    """Which rankings are cut at k: the measured ranking, and perhaps the ideal one."""

    both: bool = True  # whether the ideal ranking is cut too

    def of_ideal(self, k: int | None) -> int | None:
        """The rank at which the ideal ranking is cut."""
        return k if self.both else None


CUT_BOTH = Cut.known("both")
CUT_RANKING = Cut.known("ranking", both=False)


@kind
class Unjudged(Convention):
    """What happens to a retrieved document that nobody judged."""

    closed = True


NO_GAIN = Unjudged.known("no_gain")
REMOVED = Unjudged.known("removed")


@kind
class Negative(Convention):
    """What a grade below zero means."""

    closed = True


REFUSED = Negative.known("refuse")
AS_ZERO = Negative.known("zero")
AS_WRITTEN = Negative.known("keep")
AS_UNJUDGED = Negative.known("unjudged")
PADDING = Negative.known("padding")


@kind
@dataclass(frozen=True, slots=True)
class Pooled(Convention):
    """Which judgments count for R and for the ideal ranking."""

    seen_alone: bool = False  # whether grades of documents that were not retrieved are not read


ALL_JUDGED = Pooled.known("judged", lambda rows: rows)
RETRIEVED_ALONE = Pooled.known(
    "retrieved", lambda rows: rows.with_pool_of_retrieved(), seen_alone=True
)
