"""Popularity: the same for everybody."""

from typing import Self

import numpy as np

from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.recommenders.recommender import Recommender
from irmetrics_edu.numbers import Array


class Popularity(Recommender):
    """Popularity ranks items by the number of users who have them in training.

    Items with equally many users are in catalogue order.

    >>> from irmetrics_edu.lab.recommenders.interactions import interactions
    >>> lists = {"u": ["a", "b"], "v": ["b", "c"], "w": ["b", "c"]}
    >>> data = interactions(lists, {}, {}, dict.fromkeys("abcd", {"rock"}))
    >>> Popularity().fit(data).recommend(2, ["u"])
    {'u': ['c', 'd']}
    """

    name = "Popularity"

    def fit(self, data: Interactions) -> Self:
        """Count the users of each item."""
        self.count = np.bincount(data.pairs["train"][:, 1], minlength=len(data.items))
        return super().fit(data)

    def scores(self, users: Array) -> Array:
        """The number of users of each item, the same for all users."""
        self.fitted()
        return np.tile(self.count.astype(np.float64), (len(users), 1))
