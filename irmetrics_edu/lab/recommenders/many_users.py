"""Recommended lists of many users at once, as the rows that the metrics read.

Rows are those that `align` makes of one user's list, for all users together. Scores are the
metrics' own.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.metrics.set_based import recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import Rows


@dataclass(eq=False)
class Lists:
    """Recommended lists, a line for each user, against the users' items of a split."""

    data: Interactions
    users: Array  # numbers, rising
    items: Array  # numbers, a line for each user, best first
    split: str = "test"

    def __post_init__(self) -> None:
        lacking = np.setdiff1d(self.users, self.data.users_with(self.split))
        if len(lacking):
            raise InputError(
                f"user {self.data.users[lacking[0]]!r} has no items in {self.split}; leave the "
                "user out of the evaluation"
            )

    @cached_property
    def hit(self) -> Array:
        """Which recommended items are effective: those in the user's split."""
        marked = self.data.table(self.split, self.users)
        out: Array = np.take_along_axis(marked, self.items, axis=1)
        return out

    @cached_property
    def _pairs(self) -> tuple[Array, Array]:
        """The users' lines and items of the split."""
        user, item = self.data.pairs[self.split].T
        here = np.isin(user, self.users)
        line, item = np.searchsorted(self.users, user[here]), item[here]
        order = np.argsort(line, kind="stable")
        return line[order], item[order]

    def ranked(self) -> Rows:
        """The rows of the hits, and the pools: for metrics of rankings."""
        line, place = np.nonzero(self.hit)
        ones = np.ones(len(line))
        return Rows(
            line,
            (place + 1).astype(np.float64),
            ones,
            ones.astype(bool),
            np.full(len(self.users), self.items.shape[1]),
            self._pairs[0],
            np.ones(len(self._pairs[0])),
            queries=[self.data.users[u] for u in self.users.tolist()],
        )

    def recall(self, k: int) -> float:
        """The mean Recall at k over the users."""
        return float(recall.measured(self.ranked(), k).score.mean())


def unit_vectors(embeddings: Array, items: tuple[object, ...]) -> Array:
    """The embeddings scaled to length 1; one of zeros has no direction and is refused."""
    length = np.linalg.norm(embeddings, axis=1, keepdims=True)
    if not (length > 0).all():
        i = int(np.argmin(length))
        raise InputError(
            f"item {items[i]!r}: the embedding is all zeros and has no direction, so no distance; "
            "leave the item out, or give it a vector"
        )
    unit: Array = embeddings / length
    return unit
