"""What every recommender does: learn from training items, score all items, list the unseen."""

from collections.abc import Hashable, Iterable
from typing import Any, Self

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.interactions import Interactions
from irmetrics_edu.recommenders.parameters import whole

_CELLS = 4_000_000  # scores held at a time


class Recommender:
    """A recommender scores every item for a user; it lists the highest that are new to the user."""

    name = "recommender"
    data: Interactions | None = None

    def fit(self, data: Interactions) -> Self:
        """Learn from the training items."""
        self.data = data
        return self

    def scores(self, users: Array) -> Array:
        """The score of every item for users given by number: a line for each, higher is better."""
        raise NotImplementedError

    def fitted(self) -> Interactions:
        """The data that was learnt from; an error before `fit`."""
        if self.data is None:
            raise InputError(f"{self.name} has learnt nothing yet: call fit(data) first")
        return self.data

    def top(self, users: Array, n: int) -> Array:
        """The numbers of the n best unseen items for each user, best first.

        `users` are numbers in rising order. Items of equal score stand in catalogue order. A user
        for whom fewer than n items are unseen is refused.
        """
        data = self.fitted()
        n = whole("n", n, 1, why=": the length of the lists")
        lists = np.empty((len(users), n), dtype=np.intp)
        step = max(1, _CELLS // len(data.items))
        for start in range(0, len(users), step):
            here = users[start : start + step]
            seen = data.table("train", here)
            unseen = len(data.items) - seen.sum(axis=1)
            if (unseen < n).any():
                u = int(np.argmin(unseen))
                raise InputError(
                    f"user {data.users[here[u]]!r}: {unseen[u]} items are unseen, too few for a "
                    f"list of {n}; ask for shorter lists"
                )
            scores = np.where(seen, -np.inf, self.scores(here))
            lists[start : start + step] = highest(scores, n)
        return lists

    def recommend(
        self, k: int, users: Iterable[Hashable] | None = None
    ) -> dict[Hashable, list[Any]]:
        """The k best unseen items for each user (all users, if none are named), best first."""
        data = self.fitted()
        numbers = data.numbers_of(users)
        rising = np.unique(numbers)
        lists = dict(zip(rising.tolist(), self.top(rising, k).tolist(), strict=True))
        return {data.users[u]: [data.items[i] for i in lists[u]] for u in numbers.tolist()}


def highest(scores: Array, n: int) -> Array:
    """The places of the n highest scores of each line, highest first, ties in the order given."""
    if n >= scores.shape[1]:
        return np.argsort(-scores, axis=1, kind="stable")
    # Everything that beats the n-th score stays, and of its equals the first ones.
    bound = -np.partition(-scores, n - 1, axis=1)[:, n - 1 : n]
    above, equal = scores > bound, scores == bound
    room = n - above.sum(axis=1, keepdims=True)
    kept = above | (equal & (np.cumsum(equal, axis=1) <= room))
    places = np.nonzero(kept)[1].reshape(len(scores), n)
    order = np.argsort(-np.take_along_axis(scores, places, axis=1), axis=1, kind="stable")
    out: Array = np.take_along_axis(places, order, axis=1)
    return out
