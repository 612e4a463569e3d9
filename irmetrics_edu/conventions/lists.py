"""What metrics of recommendation leave open."""

import numpy as np

from irmetrics_edu.conventions.base import Convention, kind
from irmetrics_edu.numbers import Array


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
