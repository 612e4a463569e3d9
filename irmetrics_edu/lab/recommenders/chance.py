"""Chance: the score that any other recommender has to beat."""

import numpy as np

from irmetrics_edu.lab.recommenders.recommender import Recommender
from irmetrics_edu.numbers import Array


class Random(Recommender):
    """The random recommender ranks items by chance, differently for each user, by a seed.

    >>> from irmetrics_edu.lab.recommenders.interactions import interactions
    >>> data = interactions({"u": ["a"]}, {}, {}, dict.fromkeys("abc", {"rock"}))
    >>> sorted(Random(seed=1).fit(data).recommend(2)["u"])
    ['b', 'c']
    """

    name = "Random"

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def scores(self, users: Array) -> Array:
        """A number drawn evenly from 0 to 1 for each user and item."""
        n = len(self.fitted().items)
        # A generator for each user: the list does not depend on who else is asked for.
        return np.stack([np.random.default_rng([self.seed, int(u)]).random(n) for u in users])
