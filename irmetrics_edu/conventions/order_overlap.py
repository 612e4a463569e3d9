"""What the overlap of two orders leaves open."""

import numpy as np

from irmetrics_edu.conventions.base import Convention, kind
from irmetrics_edu.numbers import Array


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
