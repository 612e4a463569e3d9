"""Recommended lists of many users at once, as the rows that the metrics read.

Rows are those that `align` makes of one user's list, for all users together. They are built from
arrays, because a study has millions of pairs of items. Scores are the metrics' own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.metrics.set_based import recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.rows.item_categories import Categorised, align_effective
from irmetrics_edu.rows.item_distances import Spaced

_PAIRS = 1_000_000  # pairs of items held at a time


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
            queries=self._names(),
        )

    def _names(self, lines: slice = slice(None)) -> list[object]:
        return [self.data.users[u] for u in self.users[lines].tolist()]

    def categorised(self) -> Categorised:
        """The rows with the items' categories: for CC, DCC and FDCC."""
        return Categorised.joined(
            [
                align_effective(listed, relevant, self.data.categories, query=user)
                for user, listed, relevant in self._labelled(self.items)
            ]
        )

    def _labelled(self, items: Array) -> Iterator[tuple[object, list[object], list[object]]]:
        """Each user's name, list and relevant items by name."""
        name = self.data.items
        line, relevant = self._pairs
        starts = np.searchsorted(line, np.arange(len(self.users) + 1)).tolist()
        for u, user in enumerate(self._names()):
            listed = [name[i] for i in items[u].tolist()]
            yield user, listed, [name[i] for i in relevant[starts[u] : starts[u + 1]].tolist()]

    def effective(self, k: int) -> Iterator[tuple[object, list[object]]]:
        """Each user's name, and the hits among their first k items, best first."""
        name = self.data.items
        for user, listed, hit in zip(
            self._names(), self.items[:, :k].tolist(), self.hit[:, :k].tolist(), strict=True
        ):
            yield user, [name[i] for i, h in zip(listed, hit, strict=True) if h]

    def spaced(self, unit: Array, k: int) -> Iterator[Spaced]:
        """The rows with the distances of all pairs down to rank k, some users at a time.

        `unit` holds the embedding of each item, normalised to length 1: the distance of two items
        is 1 less the inner product, between 0 and 2.
        """
        k = min(k, self.items.shape[1])
        first, second = np.triu_indices(k, 1)
        step = max(1, _PAIRS // max(1, len(first)))
        for start in range(0, len(self.users), step):
            lines = slice(start, start + step)
            items = self.items[lines, :k]
            n = len(items)
            vectors = unit[items]
            cosine = np.clip(vectors @ vectors.transpose(0, 2, 1), -1, 1)
            offset = np.arange(n)[:, None] * k
            yield Spaced(
                query=np.repeat(np.arange(n), k),
                rank=np.tile(np.arange(1.0, k + 1), n),
                item=[self.data.items[i] for i in items.ravel().tolist()],
                effective=self.hit[lines, :k].ravel(),
                length=np.full(n, k),
                queries=self._names(lines),
                first=(first + offset).ravel(),
                second=(second + offset).ravel(),
                distance=1 - cosine[:, first, second].ravel(),
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
