"""Pairwise learning: which of two documents is better (Ranking SVM), also if neither is."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from irmetrics_edu.checks import one_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import hinge_loss, of_pairs
from irmetrics_edu.lab.learning.pairs import Pairs, pairs_of, pairs_to_learn_from
from irmetrics_edu.lab.learning.ranker import LinearRanker, learnable, positive
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.solving import interior_point, newton
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working


def ranking_svm(
    data: RankingData,
    *,
    C: float = 1.0,
    pairs: str = "equal",
) -> LinearRanker:
    """Ranking SVM learns weights with which the better document of a pair scores higher by 1.

    It minimises |w|^2 / 2 + C times the sum of the slacks max(0, 1 - w . (x_i - x_j)) over all
    preference pairs (i better than j) of all queries. An interior-point method finds the minimum
    but for rounding (`solving.interior_point`). A query with many pairs dominates the sum.
    `pairs="by_query"` weighs each pair by 1 over the number of pairs of its query (times the mean
    number of pairs, so that C keeps its scale). The working has the slacks of each query.
    InputError if no query has a pair, or if there are more than 2,000,000.

    Sources: Herbrich, Graepel & Obermayer (1999), Support vector learning for ordinal regression,
    ICANN; Joachims (2002), Optimizing search engines using clickthrough data, KDD; Cao, Xu, Liu,
    Li, Huang & Hon (2006), Adapting ranking SVM to document retrieval, SIGIR (weights by query).

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> ranker = ranking_svm(data, C=100)
    >>> a, b, c = ranker.score(data.features).tolist()
    >>> a < b < c, round(c - b, 2) >= 1
    (True, True)
    """
    one_of("pairs", pairs, ("equal", "by_query"))
    learnable(data, "Ranking SVM")
    positive("C", C)
    preferences = pairs_to_learn_from(data)
    weight = preferences.weights_by_query() if pairs == "by_query" else np.ones(len(data.queries))
    minimum = interior_point(preferences, C * weight[preferences.query])
    weights = minimum.point
    minimum.require_end(data, "Ranking SVM")

    def working() -> Working:
        loss = hinge_loss(
            data,
            data.features @ weights,
            pairs=preferences,
            weight=C * weight,
        )
        total = float(weights @ weights / 2 + loss.score.sum())
        loss.notes = [
            f"of all queries together: |w|^2 / 2 + the weighted slacks = {steady(total):.4f}",
            f"w = {', '.join(f'{a} {steady(v):.4f}' for a, v in ranker.weight_of.items())}",
        ]
        return loss

    params: dict[str, Any] = {"C": C}
    if pairs == "by_query":
        params["pairs"] = pairs
    ranker = LinearRanker(
        RANKING_SVM,
        data.feature_names,
        working,
        params,
        weights,
    )
    return ranker


RANKING_SVM = Method(
    "Ranking SVM",
    ranking_svm,
    r"\min_{w,\xi}\ \tfrac12\lVert w\rVert^2+C\sum_{q}\sum_{i\succ_q j}\xi_{ij}"
    r"\quad\text{with}\ w^{T}(x_i-x_j)\ge 1-\xi_{ij},\ \xi_{ij}\ge 0",
)


@dataclass(frozen=True, eq=False, repr=False)
class TiesRanker(LinearRanker):
    """A ranker with ties has a weight per feature, and a threshold b that makes ties likely."""

    threshold: float = 0.0


def tie_loss(
    data: RankingData,
    scores: npt.ArrayLike,
    threshold: float = 1.0,
    *,
    pairs: Pairs | None = None,
    weight: npt.ArrayLike = 1.0,
) -> Working:
    """The tie loss of a query is the sum, over its pairs, of -ln of the probability of their label.

    The label of a pair is 1 or -1 if one of its documents has the higher grade, else 0. With the
    difference d of their scores and a threshold b > 0, P(1) = s(d - b) and P(-1) = s(-d - b), with
    s(x) = 1 / (1 + exp(-x)), and P(0) is the rest. Here the better document comes first, so no
    label is -1. `weight` is a number, or one per query.

    Sources: Rao & Kupper (1967), Ties in paired-comparison experiments, JASA 62; Zhou, Xue, Zha &
    Yu (2008), Learning to rank with ties, SIGIR.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> loss = tie_loss(from_rankings({"q": [1, 1]}), [0, 0], math.log(3))  # P(0) = 1 - 2/4
    >>> round(loss.value, 4)
    0.6931
    """
    labelled = pairs or pairs_of(data, ties=True)
    b = positive("threshold", threshold)
    margin = labelled.margin(data.column(scores))
    # -ln s(x) is ln(1 + exp(-x)); P(0) is (1 - exp(-2b)) s(b - d) s(b + d).
    both_sides = np.logaddexp(0, margin - b) + np.logaddexp(0, -margin - b)
    of_tie = both_sides - math.log(-math.expm1(-2 * b))
    of_preference = np.logaddexp(0, b - margin)
    loss = np.where(labelled.tied, of_tie, of_preference)
    columns = {
        "label": 1 - labelled.tied,
        "margin": margin,
        "P of label": np.exp(-loss),
        "loss": loss,
        "weighted loss": labelled.of_query(weight) * loss,
    }
    return of_pairs(labelled, "tie loss", columns, ("first", "second"))


def ranking_with_ties(data: RankingData, *, C: float = 1.0) -> TiesRanker:
    """Ranking with ties learns from pairs of three labels: better 1, worse -1, and equal 0.

    It minimises |w|^2 / 2 + C times the sum over queries of `tie_loss`, over the weights w of the
    features and the threshold b, by Newton's method. Pairs of equal grades bring their scores
    together. Other pairwise learners leave these pairs out. The working has the losses of each
    query. InputError if no two documents of a query differ in grade, if no two have the same grade,
    or if there are more than 2,000,000 pairs.

    Sources: Zhou, Xue, Zha & Yu (2008), Learning to rank with ties, SIGIR, where trees are boosted
    with this loss; Rao & Kupper (1967), Ties in paired-comparison experiments, JASA 62.

    >>> data = RankingData([[0], [0.1], [3]], [0, 0, 1], ["q"] * 3, ["a", "b", "c"])
    >>> ranker = ranking_with_ties(data, C=100)
    >>> a, b, c = ranker.score(data.features).tolist()
    >>> abs(b - a) < ranker.threshold < c - b
    True
    """
    learnable(data, "ranking with ties")
    positive("C", C)
    pairs = pairs_to_learn_from(data, ties=True)
    if not pairs.tied.any():
        raise InputError(
            "no two documents of a query have the same grade, so there is no tie to learn from; "
            "learn with ranking_svm or listmle"
        )
    total = _SumWithTies(pairs, C)
    m = data.features.shape[1]
    start = np.append(np.zeros(m), 1.0)
    minimum = newton(total.value, total.slopes, start)
    minimum.require_end(data, "ranking with ties")
    threshold = float(minimum.point[m])

    def working() -> Working:
        loss = total.loss(minimum.point)
        least = steady(minimum.value)
        loss.notes = [
            f"the threshold b is {steady(threshold):.4f}",
            f"of all queries together: |w|^2 / 2 + C times the losses = {least:.4f}",
        ]
        return loss

    return TiesRanker(
        WITH_TIES,
        data.feature_names,
        working,
        {"C": C},
        minimum.point[:m],
        threshold=threshold,
    )


@dataclass(frozen=True, eq=False)
class _SumWithTies:
    """What ranking with ties minimises; a point has the weights w of the features, then b."""

    pairs: Pairs
    C: float

    def loss(self, point: Array) -> Working:
        """The tie loss of each query."""
        data = self.pairs.data
        return tie_loss(
            data,
            data.features @ point[:-1],
            point[-1],
            pairs=self.pairs,
            weight=self.C,
        )

    def value(self, point: Array) -> float:
        """|w|^2 / 2 + C times the losses; infinite for a threshold of 0 or less."""
        w = point[:-1]
        if point[-1] <= 0:
            return math.inf
        return float(w @ w / 2 + self.loss(point).score.sum())

    def slopes(self, point: Array) -> tuple[Array, Array]:
        """The gradient and the Hessian."""
        w = point[:-1]
        b = point[-1]
        C = self.C
        m = len(w)
        tied = self.pairs.tied
        margin = self.pairs.times(w)
        # d/dx ln(1 + exp(x)) of a tie
        up = _logistic(margin - b)
        down = _logistic(-margin - b)
        far = C * np.where(tied, up, up - 1)  # by margin; of others ln(1 + exp(b - margin))
        near = C * np.where(tied, down, 0)
        curve = C * up * (1 - up)
        other = near * (1 - down)
        shrunk = math.exp(-2 * b) / -math.expm1(-2 * b)
        ties = C * np.count_nonzero(tied)
        by_weights = w + self.pairs.summed(far - near)
        by_threshold = -far.sum() - near.sum() - 2 * ties * shrunk
        gradient = np.append(by_weights, by_threshold)
        hessian = np.zeros((m + 1, m + 1))
        hessian[:m, :m] = np.eye(m) + self.pairs.squared(curve + other)
        mixed = self.pairs.summed(other - curve)
        hessian[:m, m] = mixed
        hessian[m, :m] = mixed
        hessian[m, m] = (curve + other).sum() + 4 * ties * shrunk * (1 + shrunk)
        return gradient, hessian


def _logistic(x: Array) -> Array:
    probability: Array = np.exp(-np.logaddexp(0, -x))
    return probability


WITH_TIES = Method(
    "ranking with ties",
    ranking_with_ties,
    r"\min_{w,b>0}\ \tfrac12\lVert w\rVert^2-C\sum_q\sum_{i,j}\ln P(t_{ij}),\quad "
    r"P(1)=\sigma(d_{ij}-b),\ P(-1)=\sigma(-d_{ij}-b),\ P(0)=1-P(1)-P(-1),\ "
    r"d_{ij}=w^{T}(x_i-x_j)",
)
