r"""LightGCN: embeddings that spread over the graph of users and items, and nothing else.

e_u of layer l+1 = sum over i in N_u of e_i of layer l / sqrt(|N_u| |N_i|), and likewise for items
e = the mean of layers 0 to L;   score of u and i = e_u . e_i
"""

from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import highest
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.graph import layers, negatives, normalised
from irmetrics_edu.recommenders.interactions import Interactions
from irmetrics_edu.recommenders.lists import Lists
from irmetrics_edu.recommenders.parameters import whole
from irmetrics_edu.recommenders.recommender import Recommender
from irmetrics_edu.recommenders.training import History, Parameters, train


class LightGCN(Recommender):
    """LightGCN scores by the inner product of embeddings averaged over the layers of a graph.

    `dimensions` of the embeddings, `layers` of propagation, Adam's `rate`, `penalty` on the
    squared length of the embeddings (L2), at most `epochs`; Recall of the validation items at
    `cut` is checked every `every` epochs, and training stops after `patience` checks without a
    better one; of checks that are equal but for rounding (`near_ties`) the first counts. After
    `fit`: `user_embeddings`, `item_embeddings`, `history`. The same seed gives the same
    embeddings, but for rounding.

    He, Deng, Wang, Li, Zhang & Wang (2020), LightGCN: simplifying and powering graph convolution
    network for recommendation, SIGIR; its loss: Rendle, Freudenthaler, Gantner & Schmidt-Thieme
    (2009), BPR: Bayesian personalized ranking from implicit feedback, UAI. Here an epoch is one
    step over all interactions, each against one item drawn anew.

    >>> from irmetrics_edu.recommenders.data import catalogue
    >>> data = catalogue(users=30, items=80, categories=4, per_user=8)
    >>> model = LightGCN(dimensions=4, epochs=20).fit(data)
    >>> model.item_embeddings.shape
    (80, 4)
    """

    name = "LightGCN"

    def __init__(
        self,
        *,
        dimensions: int = 32,
        layers: int = 2,
        rate: float = 0.02,
        penalty: float = 1e-4,
        epochs: int = 300,
        every: int = 10,
        patience: int = 5,
        cut: int = 20,
        seed: int = 0,
        progress: bool | None = None,
    ) -> None:
        whole("dimensions", dimensions, 1)
        whole("layers", layers, 0)
        whole("cut", cut, 1)
        checks.between("rate", rate, 0, float("inf"), open_low=True, open_high=True)
        checks.between("penalty", penalty, 0, float("inf"), open_high=True)
        self.dimensions, self.layers = dimensions, layers
        self.rate, self.penalty = rate, penalty
        self.epochs, self.every, self.patience, self.cut = epochs, every, patience, cut
        self.seed, self.progress = seed, progress
        self.history: History | None = None

    def fit(self, data: Interactions) -> Self:
        """Learn the embeddings from the training items, and when to stop from the validation's."""
        self._prepare(data)
        rng = np.random.default_rng(self.seed)
        self.parameters, self.history = train(
            self.loss,
            lambda: negatives(data, rng),
            self._first(rng),
            self._check if len(data.pairs["validation"]) else None,
            epochs=self.epochs,
            rate=self.rate,
            every=self.every,
            patience=self.patience,
            label=self.name,
            progress=self.progress,
        )
        self.user_embeddings, self.item_embeddings = self.embed(self.parameters)
        return self

    def _prepare(self, data: Interactions) -> None:
        self.data = data
        self.graph = normalised(data)
        self.weight = self._weights(data)

    def _first(self, rng: np.random.Generator) -> Parameters:
        data = self.fitted()
        return {
            "users": rng.normal(0, 0.1, (len(data.users), self.dimensions)),
            "items": rng.normal(0, 0.1, (len(data.items), self.dimensions)),
        }

    def _weights(self, data: Interactions) -> Array:
        """How much each training interaction counts in the loss."""
        return np.ones(len(data.pairs["train"]))

    def embed(self, parameters: Parameters) -> tuple[Any, Any]:
        """The embeddings of users and items: the mean of the layers."""
        found = layers(self.graph, parameters["users"], parameters["items"], self.layers)
        of_users, of_items = (sum(each[1:], each[0]) / len(each) for each in found)
        return of_users, of_items

    def loss(self, parameters: Parameters, negative: Array) -> Any:
        """The BPR loss: the weighted mean of -log sigmoid(score of the item had - of the other).

        To it comes the penalty: half the mean squared length of the three embeddings of layer 0.
        """
        from irmetrics_edu.recommenders.autodiff import anp

        user, item = self.fitted().pairs["train"].T
        users, items = self.embed(parameters)
        difference = anp.sum(users[user] * (items[item] - items[negative]), axis=1)
        bpr = anp.mean(self.weight * anp.logaddexp(0, -difference))
        length = sum(
            anp.sum(parameters[kind][numbers] ** 2)
            for kind, numbers in (("users", user), ("items", item), ("items", negative))
        )
        return bpr + self.penalty * length / (2 * len(user))

    def scores(self, users: Array) -> Array:
        """The inner product of the user's embedding with that of every item."""
        self.fitted()
        if self.history is None:
            raise InputError(f"{self.name} has learnt nothing yet: call fit(data) first")
        out: Array = self.user_embeddings[users] @ self.item_embeddings.T
        return out

    def scale(self, users: Array) -> Any:
        """The length of the user's embedding times the greatest of an item's."""
        return _scale(self.user_embeddings[users], self.item_embeddings)

    def _check(self, parameters: Parameters) -> float:
        """The mean Recall of the validation items."""
        data = self.fitted()
        users, items = self.embed(parameters)
        chosen = data.users_with("validation")
        lists = []
        step = max(1, 4_000_000 // len(data.items))
        for start in range(0, len(chosen), step):
            here = chosen[start : start + step]
            scores = np.where(data.table("train", here), -np.inf, users[here] @ items.T)
            lists.append(highest(scores, self.cut, _scale(users[here], items)))
        return Lists(data, chosen, np.concatenate(lists), "validation").recall(self.cut)


def _scale(users: Array, items: Array) -> Array:
    """The largest inner product that there could be with each user: what rounding is a share of."""
    longest = np.linalg.norm(items, axis=1).max(initial=0)
    out: Array = np.linalg.norm(users, axis=1, keepdims=True) * longest
    return out
