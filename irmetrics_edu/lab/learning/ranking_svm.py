"""Pairwise learning: Ranking SVM, a classifier that says which of two documents ranks higher."""

from typing import Any

from irmetrics_edu.lab.learning.losses import hinge_loss
from irmetrics_edu.lab.learning.pairs import EQUAL, Differences, PairWeights, pairs_to_learn_from
from irmetrics_edu.lab.learning.ranker import LinearRanker, learnable, linear, positive
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.solving import interior_point
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working


def ranking_svm(
    data: RankingData, *, C: float = 1.0, pairs: PairWeights | str = EQUAL
) -> LinearRanker:
    """Ranking SVM learns weights with which the better document of a pair scores higher by 1.

    It minimises |w|^2 / 2 + C times the sum of the slacks max(0, 1 - w . (x_i - x_j)) over all
    preference pairs (i better than j) of all queries. An interior-point method finds the minimum
    but for rounding (`solving.interior_point`). A query with many pairs dominates the sum.
    `pairs="by_query"` weighs each pair by 1 over the number of pairs of its query (times the mean
    number of pairs, so that C keeps its scale). Documents whose scores are equal but for rounding
    (`near_ties`) tie in its run. The working has the slacks of each query. InputError if no query
    has a pair, or if there are more than 2,000,000.

    Sources: Herbrich, Graepel & Obermayer (1999), Support vector learning for ordinal regression,
    ICANN; Joachims (2002), Optimizing search engines using clickthrough data, KDD; Cao, Xu, Liu,
    Li, Huang & Hon (2006), Adapting ranking SVM to document retrieval, SIGIR (weights by query).

    >>> data = RankingData([[0, 5], [1, 1], [2, 4]], [0, 1, 2], ["q"] * 3, ["a", "b", "c"])
    >>> ranker = ranking_svm(data, C=100)
    >>> a, b, c = ranker.score(data.features).tolist()
    >>> a < b < c, round(c - b, 2) >= 1
    (True, True)
    """
    weighing = PairWeights.named(pairs, "pairs")
    learnable(data, "Ranking SVM")
    positive("C", C)
    found = pairs_to_learn_from(data)
    weight = found.weights(weighing, len(data.queries))
    ended = interior_point(Differences(data, found), C * weight[found.query])
    weights = ended.point
    early = ended.notes(data, "Ranking SVM", weights)

    def working() -> Working:
        loss = hinge_loss(data, data.features @ weights, pairs=found, weight=C * weight)
        total = float(weights @ weights / 2 + loss.score.sum())
        loss.notes = [
            f"of all queries together: |w|^2 / 2 + the weighted slacks = {steady(total):.4f}",
            f"w = {', '.join(f'{a} {steady(v):.4f}' for a, v in ranker.weight_of.items())}",
            *early,
        ]
        return loss

    params: dict[str, Any] = {"C": C}
    if weighing is not EQUAL:
        params["pairs"] = weighing
    ranker = linear(RANKING_SVM, data, weights, working, params)
    return ranker


RANKING_SVM = Method(
    "Ranking SVM",
    ranking_svm,
    r"\min_{w,\xi}\ \tfrac12\lVert w\rVert^2+C\sum_{q}\sum_{i\succ_q j}\xi_{ij}"
    r"\quad\text{with}\ w^{T}(x_i-x_j)\ge 1-\xi_{ij},\ \xi_{ij}\ge 0",
    "Herbrich, Graepel & Obermayer (1999), Support vector learning for ordinal regression, ICANN",
)
