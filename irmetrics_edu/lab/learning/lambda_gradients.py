"""Lambda gradients: pairs of documents, weighed by what their swap would do to nDCG."""

from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import measured, of_pairs
from irmetrics_edu.lab.learning.pairs import Pairs, pairs_of
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.near_ties import falling
from irmetrics_edu.numbers import Array, ratio
from irmetrics_edu.working import Working


class Swaps:
    """The preference pairs of the data, and by how much the swap of each would change nDCG."""

    def __init__(self, pairs: Pairs, metric: Metric | None) -> None:
        self.pairs, self.metric = pairs, metric
        self.data = data = pairs.data
        if metric is None:
            return
        chosen = {**metric.defaults, **metric.params}
        rank = np.arange(len(data.grade)) - data.starts[data.number] + 1.0
        self._discount = chosen["discount"](rank)
        if metric.k is not None:
            self._discount[rank > metric.k] = 0.0
        gain = chosen["gain"](data.grade)
        self._gained = np.abs(pairs.margin(gain))
        ideal = measured(data, np.zeros(len(data.grade)), metric)["IDCG"].score
        self._ideal = ideal[pairs.query]

    def sizes(self, scores: Array, scale: Any = 0.0) -> Array:
        """|delta nDCG| of each pair; 1 if there is no metric.

        Documents whose scores tie (`near_ties`) have the ranks that the order of the data gives.
        """
        if self.metric is None:
            return np.ones(len(self.pairs.query))
        discount = np.empty(len(scores))
        discount[falling(scores, self.data.number, scale)] = self._discount
        moved = np.abs(self.pairs.margin(discount))
        return ratio(self._gained * moved, self._ideal, 0.0) if len(moved) else moved

    def slopes(self, scores: Array, scale: Any = 0.0) -> tuple[Array, Array]:
        """The lambda gradient of each document, and its curvature."""
        n, (better, worse) = len(scores), (self.pairs.better, self.pairs.worse)
        size, wrong = self.sizes(scores, scale), probability_wrong(self.pairs.margin(scores))
        pull, bend = size * wrong, size * wrong * (1 - wrong)
        return (
            np.bincount(better, pull, n) - np.bincount(worse, pull, n),
            np.bincount(better, bend, n) + np.bincount(worse, bend, n),
        )


def probability_wrong(margin: Array) -> Array:
    """1 / (1 + exp(margin)), which overflows for no margin."""
    out: Array = np.exp(-np.logaddexp(0.0, margin))
    return out


def swapped_metric(metric: Any) -> Metric | None:
    """NDCG with its cut-off and conventions, or None; any other metric is refused."""
    found = parse(metric) if isinstance(metric, str) else metric
    if found is None:
        return None
    if not isinstance(found, Metric) or found.name != ndcg.name:
        raise InputError(
            f"metric={metric!r} has no lambda gradients here; give nDCG, such as ndcg @ 10 or "
            '"nDCG@10", or None to weigh all pairs the same'
        )
    if unknown := [name for name in found.params if name not in found.defaults]:
        raise InputError(f"lambda gradients take no {unknown[0]!r} of nDCG; leave it out")
    return found


def lambda_loss(data: RankingData, scores: Any, metric: Metric | str | None = ndcg) -> Working:
    """The lambda loss of a query is the sum, over its pairs, of |delta nDCG| ln(1 + exp(-margin)).

    At least 0. LambdaRank and LambdaMART go down its slope. The margin is the better document's
    score less the worse one's. |delta nDCG| is the change of nDCG if the two documents swapped
    their ranks. It is taken as it is at these scores, so the slope doesn't see it change. P(wrong)
    is 1 / (1 + exp(margin)), and lambda is |delta nDCG| P(wrong). With `metric=None` each pair
    weighs 1, which is the loss of RankNet.

    With nDCG's own ideal, the loss divided by ln 2 is never below 1 - nDCG. A pair that is ranked
    wrong then counts at least its |delta nDCG|, and these add up to at least 1 - nDCG.

    Sources: Burges, Ragno & Le (2006), Learning to rank with nonsmooth cost functions, NIPS; Wang,
    Li, Golbandi, Bendersky & Najork (2018), The LambdaLoss framework for ranking metric
    optimization, CIKM.

    >>> from irmetrics_edu.lab.learning.ranking_data import from_rankings
    >>> round(lambda_loss(from_rankings({"q": [1, 0]}), [0, 0]).value, 4)  # (1 - 0.63) ln 2
    0.2558
    """
    values = data.column(scores)
    swaps = Swaps(pairs_of(data), swapped_metric(metric))
    margin, size = swaps.pairs.margin(values), swaps.sizes(values)
    wrong = probability_wrong(margin)
    columns = {
        "margin": margin,
        "|delta nDCG|" if swaps.metric else "weight": size,
        "P(wrong)": wrong,
        "lambda": size * wrong,
        "weighted loss": size * np.logaddexp(0.0, -margin),
    }
    return of_pairs(swaps.pairs, "lambda loss" if swaps.metric else "RankNet's loss", columns)


def lambda_gradients(scores: Any, grades: Any, metric: Metric | str | None = ndcg) -> Array:
    """The lambda gradient of a document says which way its score should go, and how hard.

    It is the sum of the lambdas of the pairs in which the document is the better one, less the sum
    of those in which it is the worse one. Above 0 pushes the document up. The gradients of a query
    add up to 0. Each is minus the slope of `lambda_loss`. `scores` and `grades` are those of one
    query's documents, in the same order. `metric=None` gives the gradients of RankNet.

    Sources: Burges et al. (2005), Learning to rank using gradient descent, ICML (RankNet); Burges,
    Ragno & Le (2006), Learning to rank with nonsmooth cost functions, NIPS (LambdaRank).

    >>> lambda_gradients([0, 0], [0, 1], None).tolist()
    [-0.5, 0.5]
    """
    n = len(grades)
    data = RankingData(np.zeros((n, 1)), grades, ["q"] * n, range(n))
    return Swaps(pairs_of(data), swapped_metric(metric)).slopes(data.column(scores))[0]
