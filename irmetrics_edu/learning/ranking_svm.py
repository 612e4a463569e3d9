"""Pairwise learning: Ranking SVM, a classifier of which of two documents stands first."""

from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.learning.data import RankingData
from irmetrics_edu.learning.losses import hinge_loss, pairs_of
from irmetrics_edu.learning.ranker import LinearRanker, fitted, learnable, linear, positive
from irmetrics_edu.rerankers.choices import Method
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working

_MOST_PAIRS = 2_000_000


@kind
class PairWeights(Convention):
    """What a preference pair counts for."""


EQUAL = PairWeights("equal", "1", "every pair counts alike, so a query counts by its pairs")
BY_QUERY = PairWeights(
    "by_query", r"\frac{1}{n_q}", "the pairs of a query count for one together (times their mean)"
)
PairWeights.register(EQUAL, BY_QUERY)


def ranking_svm(
    data: RankingData, *, C: float = 1.0, pairs: PairWeights | str = EQUAL
) -> LinearRanker:
    """Ranking SVM learns weights under which the better document of a pair scores higher by 1.

    Minimises |w|^2 / 2 + C times the sum of the slacks max(0, 1 - w . (x_i - x_j)) over all
    preference pairs (i better than j) of all queries: scikit-learn's LinearSVC on differences of
    features. A query with many pairs rules the sum; `pairs="by_query"` weighs each pair by 1 over
    the pairs of its query (times the mean number of pairs, so that C keeps its scale).
    Documents whose scores are equal but for rounding (`near_ties`) tie in its run. The working
    has the slacks of each query. InputError where no query has a pair, or there are more
    than 2,000,000. Needs scikit-learn (extra `learn`).

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
    found = pairs_of(data)
    n = len(found.query)
    if not n:
        raise InputError(
            "no query has two documents of different grades, so there is no pair to learn from"
        )
    if n > _MOST_PAIRS:
        raise InputError(
            f"the data make {n} pairs, more than the {_MOST_PAIRS} that fit; take fewer documents "
            "per query"
        )
    LinearSVC = extra("sklearn.svm").LinearSVC

    counts = np.bincount(found.query, minlength=len(data.queries))
    mean = n / np.count_nonzero(counts)
    weight = np.ones(len(counts))
    if weighing is BY_QUERY:
        weight = mean / np.maximum(counts, 1)
    difference = data.features[found.better] - data.features[found.worse]
    # A classifier wants both classes: every other pair is turned round, which changes no loss.
    sign = np.where(np.arange(n) % 2, -1.0, 1.0)
    table, target = difference * sign[:, None], sign
    if n == 1:
        table, target = np.vstack([difference, -difference]), np.array([1.0, -1.0])
    svm = LinearSVC(C=C, loss="hinge", fit_intercept=False, max_iter=100_000, random_state=0)
    each = np.resize(weight[found.query], len(target)) / (len(target) / n)
    weights = fitted(svm, table, target, sample_weight=each).coef_[0]

    def working() -> Working:
        loss = hinge_loss(data, data.features @ weights, pairs=found, weight=C * weight)
        total = float(weights @ weights / 2 + loss.score.sum())
        loss.notes = [
            f"of all queries together: |w|^2 / 2 + the weighted slacks = {steady(total):.4f}",
            f"w = {', '.join(f'{a} {steady(v):.4f}' for a, v in ranker.weight_of.items())}",
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
