"""The result of learning: a function from features to a score, and how it was learnt."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData, floats
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.near_ties import levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

_MOST = 1e15


@dataclass(frozen=True, eq=False, repr=False)
class Ranker:
    """A ranker scores documents by their features; the higher the score, the higher the rank.

    `run(data)` is the run that `evaluate` and `compare` read. In it the documents of a query whose
    scores are equal but for rounding (`near_ties`) have the same score, so they are ties
    everywhere. `working` shows how it was learnt. For a pointwise or pairwise learner it has the
    loss of each query: `explain(ranker.working.of(0))`.
    """

    method: Method
    feature_names: Sequence[str]
    make_working: Callable[[], Working]
    params: Mapping[str, Any]

    @cached_property
    def working(self) -> Working:
        """How the ranker was learnt."""
        working_of_ranker = self.make_working()
        working_of_ranker.name = self.method.name
        working_of_ranker.metric = self.method
        working_of_ranker.params = self.params
        return working_of_ranker

    def score(self, features: Any) -> Array:
        """A score for each row of a table of features."""
        table = floats("features", features)
        if table.ndim != 2 or table.shape[1] != len(self.feature_names):
            raise InputError(
                f"{self.method.name} was learnt on {len(self.feature_names)} features "
                f"({', '.join(self.feature_names[:5])}...); this table is {table.shape}"
            )
        if not np.isfinite(table).all():
            raise InputError("a feature is not finite; give finite numbers")
        return self.scoring(table)

    def scoring(self, table: Array) -> Array:
        """The score of each row of a table that has the features."""
        raise NotImplementedError

    def run(self, data: RankingData) -> dict[Hashable, dict[Hashable, float]]:
        """The run of the ranker; scores that differ only by rounding are made equal."""
        scores = self.score(data.features)
        return data.run(levelled(scores, data.number, self.scale(data.features)))

    def scale(self, features: Array) -> Array:
        """The size of the numbers that a row's score was summed from; 0 if the score gives it."""
        return np.zeros(len(features))

    def __repr__(self) -> str:
        return f"<{self.method.title(None, self.params)} on {len(self.feature_names)} features>"


@dataclass(frozen=True, eq=False, repr=False)
class FunctionRanker(Ranker):
    """A ranker whose score is a function of the table, such as what a model predicts."""

    function: Callable[[Array], Array]

    def scoring(self, table: Array) -> Array:
        """What the function gives."""
        return self.function(table)


@dataclass(frozen=True, eq=False, repr=False)
class LinearRanker(Ranker):
    """A linear ranker's score is the weighted sum of the features, w . x (and a constant)."""

    weights: Array
    intercept: float = 0.0

    def scoring(self, table: Array) -> Array:
        """The weighted sum of each row."""
        scores: Array = table @ self.weights + self.intercept
        return scores

    def scale(self, features: Array) -> Array:
        """The sum of the absolute values that each row's score is the sum of."""
        sizes: Array = np.abs(features) @ np.abs(self.weights) + abs(self.intercept)
        return sizes

    @property
    def weight_of(self) -> dict[str, float]:
        """The weight of each feature, by its name."""
        return dict(zip(self.feature_names, self.weights.tolist(), strict=True))


def learnable(data: RankingData, what: str) -> None:
    """Refuse data from which nothing can be learnt."""
    if not isinstance(data, RankingData):
        raise InputError(f"{what} can't learn from {type(data).__name__}; give RankingData")
    if not data.features.shape[1]:
        raise InputError(f"{what}: the data have no feature to learn from")
    if len(data.grades) < 2:
        raise InputError(
            f"{what}: every document has grade {data.grades[0]:g}, so there is nothing to "
            "learn; give at least two grades"
        )


def positive(name: str, value: Any) -> float:
    """A number above 0, and small enough to be squared."""
    return float(checks.between(name, value, 0, _MOST, open_low=True))
