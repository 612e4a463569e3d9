"""The graph of users and items, and how embeddings spread over it.

R = D_users^(-1/2) A D_items^(-1/2)
users of layer l+1 = R items of layer l;  items of layer l+1 = R^T users of layer l
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.numbers import Array


def normalised(data: Interactions) -> Any:
    """The training interactions as a sparse matrix, each over the roots of both degrees.

    It has a line for each user and a column for each item: 1/sqrt(|N_u| |N_i|) if u has i. An item
    that nobody has is a column of zeros.
    """
    csr_matrix = extra("scipy.sparse", what="training", name="train").csr_matrix
    user, item = data.pairs["train"].T
    shape = (len(data.users), len(data.items))
    of_user = np.bincount(user, minlength=shape[0])
    of_item = np.bincount(item, minlength=shape[1])
    weight = 1 / np.sqrt(of_user[user] * of_item[item])
    graph = csr_matrix((weight, (user, item)), shape=shape)
    graph.sort_indices()
    return graph


def layers(graph: Any, users: Any, items: Any, number: int, select: Any = None) -> Any:
    """The embeddings of users and items in layers 0, 1, ..., `number`, as two lists.

    `select`, if given, takes the graph and the items' embeddings of a layer, and gives the graph
    of those neighbours that users listen to; items always listen to all their users.
    """
    from irmetrics_edu.lab.recommenders.autodiff import getval, spread

    of_users, of_items = [users], [items]
    for _ in range(number):
        heard = graph if select is None else select(graph, getval(of_items[-1]))
        next_users = spread(heard, of_items[-1])
        next_items = spread(graph.T, of_users[-1])
        of_users.append(next_users)
        of_items.append(next_items)
    return of_users, of_items


@dataclass(frozen=True)
class Sample:
    """Interactions, in rising order of their users, each with items that the user does not have."""

    user: Array
    item: Array
    negative: Array  # a line for each interaction
    weight: Array  # how much each counts in the loss


class Sampler:
    """A sampler draws, for each interaction, random items that the user does not have in training.

    `weight` is how much an interaction with each item counts.
    """

    def __init__(self, data: Interactions, weight: Array, rng: np.random.Generator) -> None:
        self.data, self.weight, self.rng = data, weight, rng
        user, item = data.pairs["train"].T
        n = len(data.items)
        crowded = np.flatnonzero(np.bincount(user, minlength=len(data.users)) >= n)
        if len(crowded):
            raise InputError(
                f"user {data.users[crowded[0]]!r} has all {n} items, so there is no other "
                "item to compare with; leave the user out"
            )
        self._taken = np.unique(user * n + item)

    def sample(self, per: int = 1, split: str = "train") -> Sample:
        """All interactions of a split; `per` is how many items are drawn for each."""
        pairs = self.data.pairs[split]
        user, item = pairs[np.argsort(pairs[:, 0], kind="stable")].T
        return Sample(user, item, self._negative(user, per), self.weight[item])

    def _negative(self, user: Array, per: int) -> Array:
        of, n = np.repeat(user, per), len(self.data.items)
        drawn = self.rng.integers(0, n, len(of))
        again = np.arange(len(of))
        while True:
            code = of[again] * n + drawn[again]
            place = np.minimum(np.searchsorted(self._taken, code), len(self._taken) - 1)
            again = again[self._taken[place] == code]
            if not len(again):
                return drawn.reshape(-1, per)
            drawn[again] = self.rng.integers(0, n, len(again))
