"""The result of learning: a function from features to a score, and how it was learnt."""

import warnings
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.lab.learning.pairs import NOTICEABLE, pairs_of
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.near_ties import levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import formatting
from irmetrics_edu.working import Working

Scoring = Callable[[Array], Array]


@dataclass(frozen=True, eq=False, repr=False)
class Ranker:
    """A ranker scores documents by their features; the higher the score, the higher the rank.

    `run(data)` is the run that `evaluate` and `compare` read. In it the documents of a query whose
    scores are equal but for rounding (`near_ties`) have the same score, so they are ties
    everywhere. `working` shows how it was learnt. For a pointwise or pairwise learner it has the
    loss of each query: `explain(ranker.working.of(0))`.
    """

    method: Method
    scoring: Scoring
    feature_names: tuple[str, ...]
    make_working: Callable[[], Working]
    params: Mapping[str, Any]

    @cached_property
    def working(self) -> Working:
        """How the ranker was learnt."""
        found = self.make_working()
        found.name, found.metric, found.params = self.method.name, self.method, self.params
        return found

    def score(self, features: Any) -> Array:
        """A score for each row of a table of features."""
        table = np.asarray(features, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.feature_names):
            raise InputError(
                f"{self.method.name} was learnt on {len(self.feature_names)} features "
                f"({', '.join(self.feature_names[:5])}...); this table is {table.shape}"
            )
        if not np.isfinite(table).all():
            raise InputError("a feature is not finite; give finite numbers")
        return self.scoring(table)

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
class LinearRanker(Ranker):
    """A linear ranker's score is the weighted sum of the features, w . x (and a constant)."""

    weights: Array
    intercept: float = 0.0

    @staticmethod
    def scorer(weights: Array, intercept: float, **_: Any) -> Scoring:
        """The weighted sum of each row."""
        return lambda table: table @ weights + intercept

    def scale(self, features: Array) -> Array:
        """The sum of the absolute values that each row's score is the sum of."""
        out: Array = np.abs(features) @ np.abs(self.weights) + abs(self.intercept)
        return out

    @property
    def weight_of(self) -> dict[str, float]:
        """The weight of each feature, by its name."""
        return dict(zip(self.feature_names, self.weights.tolist(), strict=True))


def linear(
    method: Method,
    data: RankingData,
    weights: Array,
    make_working: Callable[[], Working],
    params: Mapping[str, Any],
    intercept: float = 0.0,
) -> LinearRanker:
    """The linear ranker of these weights."""
    return LinearRanker(
        method,
        LinearRanker.scorer(weights, intercept),
        tuple(data.feature_names),
        make_working,
        params,
        weights,
        intercept,
    )


def fitted(
    learner: Any,
    data: RankingData,
    table: Array,
    target: Array,
    scores: Callable[[Any, Array], Array],
) -> tuple[Any, list[str]]:
    """The learner after learning, and a note if it stopped early.

    To see how far it is from its end, it learns on for twice as many iterations. The note says how
    many pairs of documents of different grades then change their order. InputError for more than
    1%, or if the learner has no number of iterations to raise.
    """
    model, ended = _fit(learner, table, target)
    if ended:
        return model, []
    name, most = type(learner).__name__, getattr(learner, "max_iter", None)
    advice = "give it more iterations, a smaller C, or features on one scale (data.normalised())"
    if not isinstance(most, int) or most < 1:
        raise InputError(f"{name} stopped before its end; {advice}")
    longer, _ = _fit(
        extra("sklearn.base").clone(learner).set_params(max_iter=2 * most), table, target
    )
    turned = _turned(data, scores(model, data.features), scores(longer, data.features))
    said = (
        f"{name} stopped before its end, after {most} iterations; {most} more change the order of "
        f"{formatting.steady(100 * turned):.3g}% of the pairs of documents of different grades"
    )
    if turned > NOTICEABLE:
        raise InputError(f"{said}; {advice}")
    return longer, [
        f"{said}, and these weights are those after {2 * most}; to reach the end, {advice}"
    ]


def _fit(learner: Any, table: Array, target: Array) -> tuple[Any, bool]:
    """The learner after learning, and whether it came to its end."""
    ConvergenceWarning = extra("sklearn.exceptions").ConvergenceWarning

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", ConvergenceWarning)
        model = learner.fit(table, target)
    for warning in given:
        if not issubclass(warning.category, ConvergenceWarning):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    return model, not any(issubclass(w.category, ConvergenceWarning) for w in given)


def _turned(data: RankingData, before: Array, after: Array) -> float:
    """The share of preference pairs whose order two columns of scores see otherwise."""
    pairs = pairs_of(data)
    first, second = (np.sign(s[pairs.better] - s[pairs.worse]) for s in (before, after))
    return float(np.mean(first != second)) if len(first) else 0.0


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
    """A finite number above 0."""
    return float(checks.between(name, value, 0, float("inf"), open_low=True, open_high=True))
