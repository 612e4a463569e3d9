"""LambdaMART: boosted regression trees that follow lambda gradients."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.lambda_gradients import Swaps, swapped_metric
from irmetrics_edu.lab.learning.losses import measured
from irmetrics_edu.lab.learning.pairs import pairs_to_learn_from
from irmetrics_edu.lab.learning.ranker import Ranker, Scoring, learnable
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.trees import NEVER, Bins, grow, leaf_of, rule_of
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.lab.whole_numbers import whole
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Table, Working

_DEPTHS = (1, 2, 3)


@dataclass(frozen=True, eq=False, repr=False)
class TreesRanker(Ranker):
    """A ranker whose score is the sum of the leaves in which a document ends, one of each tree.

    There is a row per tree: `feature` and `threshold` of its nodes (see `trees.grow`), and `leaf`,
    what each of its leaves adds.
    """

    feature: Array
    threshold: Array
    leaf: Array

    @staticmethod
    def scorer(feature: Array, threshold: Array, leaf: Array, **_: Any) -> Scoring:
        """The sum of each row's leaves."""

        def scores(table: Array) -> Array:
            out = np.zeros(len(table))
            for by, at, adds in zip(feature, threshold, leaf, strict=True):
                out += adds[leaf_of(table, by, at)]
            return out

        return scores

    def scale(self, features: Array) -> Array:
        """The sum of the absolute values that each row's score is the sum of."""
        return self.scorer(self.feature, self.threshold, np.abs(self.leaf))(features)

    @property
    def cuts_of(self) -> dict[str, int]:
        """How many nodes cut on each feature."""
        cut = self.feature[self.threshold < NEVER]
        counts = np.bincount(cut, minlength=len(self.feature_names))
        return dict(zip(self.feature_names, counts.tolist(), strict=True))


def lambdamart(
    data: RankingData,
    metric: Metric | str | None = ndcg,
    *,
    rounds: int = 100,
    rate: float = 0.1,
    depth: int = 3,
    min_documents: int = 10,
    l2: float = 1.0,
) -> TreesRanker:
    """LambdaMART adds one shallow regression tree after another, each fitted to lambda gradients.

    All scores start at 0. In each round it computes the lambda gradient and the curvature of each
    document (`lambda_loss`), and grows a tree of `depth` levels (1 to 3) on the gradients by least
    squares, with at least `min_documents` in each leaf. A leaf adds `rate` times a Newton step: the
    sum of its gradients over `l2` + the sum of its curvatures. `metric` is nDCG with any cut-off,
    gain and discount. With None each pair weighs 1: boosted RankNet.

    Trees compare a feature with thresholds, so its scale does not matter, and no `normalised()` is
    needed if its values mean the same in every query. No number is drawn: the same data give the
    same trees. If cuts or scores are equal but for rounding (`near_ties`), the first one is taken,
    in the order of the features or of the data. So the first round, where all scores are 0, depends
    on the order of the data. The working has every round.

    Sources: Burges (2010), From RankNet to LambdaRank to LambdaMART: an overview, MSR-TR-2010-82;
    Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of
    Statistics 29(5).

    >>> from irmetrics_edu.lab.learning.made_queries import made_queries
    >>> ranker = lambdamart(made_queries(noise=0), "nDCG@5", rounds=5)
    >>> max(ranker.cuts_of, key=ranker.cuts_of.get)
    'x1'
    """
    measure = swapped_metric(metric)
    learnable(data, "LambdaMART")
    most = whole("rounds", rounds, 1)
    checks.between("rate", rate, 0, 1, open_low=True)
    if isinstance(depth, bool) or depth not in _DEPTHS:
        raise InputError(f"depth={depth!r} is out of range; give 1, 2 or 3 levels")
    levels, least, n = int(depth), whole("min_documents", min_documents, 1), len(data.grade)
    checks.between("l2", l2, 0, float("inf"), open_low=True, open_high=True)
    swaps = Swaps(data, measure, pairs_to_learn_from(data))
    if n < 2 * least:
        raise InputError(
            f"min_documents={least} needs at least {2 * least} documents, or no tree can cut; the "
            f"data have {n}: give more documents, or min_documents={n // 2} or less"
        )
    bins = Bins.of(data.features)
    boosting = _Boosting(swaps, rate, l2)
    features, thresholds, leaves = [], [], []
    for _ in range(most):
        by, at, place = grow(bins, boosting.gradient, levels, least)
        features.append(by)
        thresholds.append(at)
        leaves.append(boosting.add(place, 2**levels))
    trees = tuple(map(np.array, (features, thresholds, leaves)))

    names = tuple(data.feature_names)

    def working() -> Working:
        found = _working(swaps, trees, rate, l2)
        found.notes = [*found.notes, *_lost(names, bins.merged, trees[1])]
        return found

    params: dict[str, Any] = {"metric": measure, "rounds": most, "depth": levels}
    return TreesRanker(LAMBDAMART, TreesRanker.scorer(*trees), names, working, params, *trees)


def _lost(names: tuple[str, ...], merged: Array, threshold: Array) -> Iterator[str]:
    """What of the data the trees could not use."""
    for name, count in zip(names, merged.tolist(), strict=True):
        if count:
            yield f"{name}: {count:,} different numbers count as equal, since most are far larger"
    if not (threshold < NEVER).any():
        yield "no tree found a cut that helps, so all documents have the same score"


class _Boosting:
    """The scores so far, with the gradient and the curvature that they give."""

    def __init__(self, swaps: Swaps, rate: float, l2: float) -> None:
        self.swaps, self.rate, self.l2 = swaps, rate, l2
        self.scores = self.scale = np.zeros(len(swaps.data.grade))
        self.gradient, self.curvature = swaps.slopes(self.scores)

    def sums(self, place: Array, n: int) -> tuple[Array, Array]:
        """The sum of the gradients and of the curvatures of each leaf; rounding alone becomes 0."""
        sums = np.bincount(place, self.gradient, n)
        size = np.bincount(place, np.abs(self.gradient), n)
        return np.where(exceeds(np.abs(sums), 0.0, size), sums, 0.0), np.bincount(
            place, self.curvature, n
        )

    def add(self, place: Array, n: int) -> Array:
        """Add a Newton step for each of `n` leaves, given each row's leaf; returns the steps."""
        sums, bends = self.sums(place, n)
        steps: Array = self.rate * sums / (self.l2 + bends)
        self.scores = self.scores + steps[place]
        self.scale = self.scale + np.abs(steps)[place]
        self.gradient, self.curvature = self.swaps.slopes(self.scores, self.scale)
        return steps


def _working(swaps: Swaps, trees: tuple[Array, ...], rate: float, l2: float) -> Working:
    """The rounds, done again over the same trees."""
    data, boosting = swaps.data, _Boosting(swaps, rate, l2)
    metric = swaps.metric or ndcg
    parts, means = {}, []
    for t, (by, at, leaf) in enumerate(zip(*trees, strict=True), 1):
        place = leaf_of(data.features, by, at)
        sums, bends = boosting.sums(place, len(leaf))
        boosting.add(place, len(leaf))
        means.append(measured(data, boosting.scores, metric).score.mean())
        used = np.unique(place)
        parts[f"round {t}"] = Working(
            np.array([means[-1]]),
            columns={
                "documents": np.bincount(place, minlength=len(leaf))[used],
                "sum of gradients": sums[used],
                "sum of curvatures": bends[used],
                "added": leaf[used],
            },
            table=Table(
                np.zeros(len(used), dtype=np.intp),
                {"leaf": [rule_of(i, by, at, tuple(data.feature_names)) for i in used.tolist()]},
            ),
            name=f"mean {metric!r} after round {t}",
            notes=[f"added = {rate:g} * sum of gradients / ({l2:g} + sum of curvatures)"],
        )
    return Working(
        np.array([means[-1]]),
        columns={f"mean {metric!r}": np.array(means)},
        table=Table(np.zeros(len(means), dtype=np.intp), {"round": np.arange(1, len(means) + 1)}),
        parts=parts,
        notes=[f"the score is the mean {metric!r} over the queries learnt from"],
    )


LAMBDAMART = Method(
    "LambdaMART",
    lambdamart,
    r"f(\vec x)=\eta\sum_{t=1}^{T}h_t(\vec x),\quad "
    r"h_t(\text{leaf }\ell)=\frac{\sum_{i\in\ell}\lambda_i}{\ell_2+\sum_{i\in\ell}w_i},\quad "
    r"\lambda_i=\sum_{j:\,y_i>y_j}|\Delta_{ij}|\,\rho_{ij}-\sum_{j:\,y_j>y_i}|\Delta_{ij}|\,"
    r"\rho_{ji}",
    "Burges (2010), From RankNet to LambdaRank to LambdaMART: an overview, MSR-TR-2010-82",
)
