"""The steps of every recommender: learn from training items, score all items, list the unseen."""

from collections.abc import Hashable, Iterable
from typing import Any, Self

import numpy as np

from irmetrics_edu.checks import whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.near_ties import highest
from irmetrics_edu.numbers import Array

_CELLS = 4_000_000  # scores held at a time


class Recommender:
    """A recommender scores every item for a user and lists the highest that are new to the user.

    Items whose scores are equal but for rounding (`near_ties`) are in catalogue order.
    """

    name = "recommender"
    data: Interactions | None = None

    def __repr__(self) -> str:
        return f"{self.name}, {'not trained' if self.data is None else f'trained on {self.data}'}"

    def fit(self, data: Interactions) -> Self:
        """Learn from the training items."""
        if not isinstance(data, Interactions):
            raise InputError(
                f"{self.name} can't learn from {type(data).__name__}; give Interactions, which "
                "interactions(...), load_interactions(...) and load_ratings(...) make"
            )
        self.data = data
        return self

    def scores(self, users: Array) -> Array:
        """The score of every item for users given by number: a line for each, higher is better."""
        raise NotImplementedError

    def scale(self, users: Array) -> Array:
        """The size of the numbers that a user's scores were summed from: a line for each user.

        Rounding is a share of it. 0 if the scores themselves give their size.
        """
        return np.zeros((len(users), 1))

    def fitted(self) -> Interactions:
        """The data that the model learnt from; an error before `fit`."""
        if self.data is None:
            raise InputError(f"{self.name} is not trained yet; call fit(data) first")
        return self.data

    def top(self, users: Array, n: int) -> Array:
        """The numbers of the n best unseen items for each user, best first.

        `users` are numbers in rising order. A user with fewer than n unseen items is refused.
        """
        data = self.fitted()
        n = whole("n", n, 1, why=": the length of the lists")
        user, unseen = data.fewest_unseen(users) if len(users) else (None, n)
        if unseen < n:
            raise InputError(
                f"user {user!r}: {unseen} items are unseen, too few for a list of {n}; ask for "
                "shorter lists"
            )
        return self._highest(users, n)

    def _highest(self, users: Array, n: int) -> Array:
        """The n best items for each user; where fewer are unseen, seen ones come last."""
        data = self.fitted()
        length = min(n, len(data.items))
        lists = np.empty((len(users), length), dtype=np.intp)
        step = max(1, _CELLS // len(data.items))
        for start in range(0, len(users), step):
            block = slice(start, start + step)
            users_of_block = users[block]
            scores = self.scores(users_of_block).astype(np.float64, copy=False)
            seen = data.table("train", users_of_block)
            np.copyto(scores, -np.inf, where=seen)
            lists[block] = highest(scores, n, self.scale(users_of_block))
        return lists

    def recommend(
        self, k: int, users: Iterable[Hashable] | None = None
    ) -> dict[Hashable, list[Any]]:
        """The k best unseen items for each user (all users, if none are named), best first."""
        data = self.fitted()
        numbers = data.numbers_of(users)
        rising = np.unique(numbers)
        lists = self.top(rising, k).tolist()
        list_of = dict(zip(rising.tolist(), lists, strict=True))
        recommended: dict[Hashable, list[Any]] = {}
        for user in numbers.tolist():
            items = [data.items[item] for item in list_of[user]]
            recommended[data.users[user]] = items
        return recommended


class Popularity(Recommender):
    """Popularity ranks items by the number of users who have them in training.

    >>> from irmetrics_edu.lab.recommenders.interactions import interactions
    >>> lists = {"u": ["a", "b"], "v": ["b", "c"], "w": ["b", "c"]}
    >>> data = interactions(lists, {}, {}, dict.fromkeys("abcd", {"rock"}))
    >>> Popularity().fit(data).recommend(2, ["u"])
    {'u': ['c', 'd']}
    """

    name = "Popularity"

    def fit(self, data: Interactions) -> Self:
        """Count the users of each item."""
        super().fit(data)
        self.count = np.bincount(data.pairs["train"][:, 1], minlength=len(data.items))
        return self

    def scores(self, users: Array) -> Array:
        """The number of users of each item, the same for all users."""
        self.fitted()
        return np.tile(self.count.astype(np.float64), (len(users), 1))


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
        lines = []
        for user in users.tolist():
            generator = np.random.default_rng([self.seed, user])
            lines.append(generator.random(n))
        return np.stack(lines)
