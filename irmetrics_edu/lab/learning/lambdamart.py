"""LambdaMART: boosted regression trees that follow lambda gradients."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import Swaps, measured, swapped_metric
from irmetrics_edu.lab.learning.pairs import pairs_to_learn_from
from irmetrics_edu.lab.learning.ranker import Ranker, learnable
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.choices import Method
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.near_ties import best, exceeds, levelled
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Table, Working

_MOST_BINS = 256
NEVER = float(np.finfo(np.float64).max)  # no number is above it: every row goes left


@dataclass(frozen=True, eq=False)
class Bins:
    """Each feature cut into bins: the bin of each row, and the threshold above each bin.

    Numbers closer than rounding (`near_ties`) are the same number. Rounding is at the size of the
    feature's median without zeros, which a few huge numbers don't change. A feature has a bin for
    each number, or 256 bins of about equally many rows. A threshold lies midway between two bins.
    """

    number: Array  # a row per document, a column per feature
    thresholds: Array  # a row per feature
    merged: Array  # for each feature: how many of its numbers differ and count as the same

    @classmethod
    def of(cls, features: Array) -> "Bins":
        """The bins of a table of features."""
        n, m = features.shape
        number = np.zeros((n, m), dtype=np.intp)
        merged = np.zeros(m, dtype=np.intp)
        edges = []
        for j in range(m):
            column = features[:, j]
            sizes = np.abs(column[column != 0])
            scale = np.median(sizes) if len(sizes) else 0.0
            level = levelled(column, scale=scale)
            values, place, counts = np.unique(level, return_inverse=True, return_counts=True)
            different = np.unique(levelled(column))
            merged[j] = len(different) - len(values)
            bin_of_value = _bins_of(counts, n)
            number[:, j] = bin_of_value[place]
            last = np.flatnonzero(np.diff(bin_of_value))
            below = values[last]
            above = values[last + 1]
            midway = below / 2 + above / 2
            edges.append(midway)
        most = max(1, *map(len, edges))
        thresholds = np.full((m, most), NEVER)
        for line, edges_of_feature in zip(thresholds, edges, strict=True):
            line[: len(edges_of_feature)] = edges_of_feature
        return cls(number, thresholds, merged)


def _bins_of(counts: Array, n: int) -> Array:
    """The bin of each value, given how many of the n rows have it: at most 256 of like size."""
    if len(counts) <= _MOST_BINS:
        return np.arange(len(counts))
    rows_below = np.cumsum(counts) - counts
    share = rows_below * _MOST_BINS // n
    _, bins = np.unique(share, return_inverse=True)
    return bins


def grow(
    bins: Bins,
    target: Array,
    depth: int,
    least: int,
) -> tuple[Array, Array, Array]:
    """A regression tree cuts the rows, level by level, so that the squared error falls most.

    Returns the feature and threshold of each node, level by level from the root, and the number of
    the leaf of each row. Node i has the children 2i + 1 (not above the threshold) and 2i + 2. A
    node is left whole if no cut lowers the error, or if each leaves fewer than `least` rows on a
    side. All its rows then go left. Of cuts that do equally well but for rounding (`near_ties`)
    the first is taken: by feature, then the lowest.

    Source: Breiman, Friedman, Olshen & Stone (1984), Classification and regression trees.
    """
    n = len(target)
    cuts = bins.thresholds.shape[1]
    feature = np.zeros(2**depth - 1, dtype=np.intp)
    threshold = np.full(2**depth - 1, NEVER)
    node = np.zeros(n, dtype=np.intp)
    rows = np.arange(n)
    for level in range(depth):
        width = 2**level
        fall = _fall_of_cuts(
            bins,
            target,
            node,
            width,
            least,
        )
        size = np.bincount(node, target**2, width)
        chosen = best(fall, scale=size)
        fall_of_chosen = fall[np.arange(width), chosen]
        is_cut = exceeds(fall_of_chosen, 0.0, size)
        by, at = np.divmod(chosen, cuts)
        place = width - 1 + np.flatnonzero(is_cut)
        feature[place] = by[is_cut]
        feature_of_cut = by[is_cut]
        threshold[place] = bins.thresholds[feature_of_cut, at[is_cut]]
        bin_of_row = bins.number[rows, by[node]]
        above = bin_of_row > at[node]
        node = 2 * node + (is_cut[node] & above)
    return feature, threshold, node


def _fall_of_cuts(
    bins: Bins,
    target: Array,
    node: Array,
    width: int,
    least: int,
) -> Array:
    """By how much each cut of each node lowers the squared error: a line for each node.

    The squared error of rows is the sum of their squares less (sum)^2 / count, so a cut lowers it
    by low^2 / left + high^2 / right - all^2 / count. It is -inf for a cut that leaves fewer than
    `least` rows on a side.
    """
    m = bins.number.shape[1]
    cuts = bins.thresholds.shape[1]
    shape = (width, m, cuts + 1)
    cells = width * m * (cuts + 1)
    column = node[:, None] * m + np.arange(m)
    cell = (column * (cuts + 1) + bins.number).ravel()
    rows_of_cell = np.bincount(cell, minlength=cells).reshape(shape)
    count = rows_of_cell.cumsum(axis=2)
    repeated = np.repeat(target, m)
    sum_of_cell = np.bincount(cell, repeated, cells).reshape(shape)
    sums = sum_of_cell.cumsum(axis=2)
    every = count[..., -1:]
    total = sums[..., -1:]
    left = count[..., :-1]
    right = every - left
    low = sums[..., :-1]
    high = total - low
    with np.errstate(divide="ignore", invalid="ignore"):
        of_parts = low**2 / left + high**2 / right
        fall = of_parts - total**2 / every
    allowed = (left >= least) & (right >= least)
    fall = np.where(allowed, fall, -np.inf)
    return fall.reshape(width, -1)


def leaf_of(
    table: Array,
    feature: Array,
    threshold: Array,
) -> Array:
    """The number of the leaf in which each row of a table ends."""
    node = np.zeros(len(table), dtype=np.intp)
    rows = np.arange(len(table))
    while len(table) and node[0] < len(feature):
        value = table[rows, feature[node]]
        node = 2 * node + 1 + exceeds(value, threshold[node])
    return node - len(feature)


def rule_of(
    leaf: int,
    feature: Array,
    threshold: Array,
    names: Sequence[str],
) -> str:
    """The conditions on the way to a leaf, as text."""
    conditions: list[str] = []
    node = leaf + len(feature)
    while node:
        sign = ">" if node % 2 == 0 else "<="
        node = (node - 1) // 2
        if threshold[node] != NEVER:
            name = names[feature[node]]
            conditions.append(f"{name} {sign} {threshold[node]:.4g}")
    return ", ".join(reversed(conditions)) or "all"


@dataclass(frozen=True, eq=False, repr=False)
class TreesRanker(Ranker):
    """A ranker whose score is the sum of the leaves in which a document ends, one of each tree.

    There is a row per tree: `feature` and `threshold` of its nodes (see `trees.grow`), and `leaf`,
    what each of its leaves adds.
    """

    feature: Array
    threshold: Array
    leaf: Array

    def scoring(self, table: Array) -> Array:
        """The sum of each row's leaves."""
        return self._summed(table, self.leaf)

    def scale(self, features: Array) -> Array:
        """The sum of the absolute values that each row's score is the sum of."""
        return self._summed(features, np.abs(self.leaf))

    def _summed(self, table: Array, leaves: Array) -> Array:
        summed = np.zeros(len(table))
        trees = zip(
            self.feature,
            self.threshold,
            leaves,
            strict=True,
        )
        for feature, threshold, leaf in trees:
            summed += leaf[leaf_of(table, feature, threshold)]
        return summed


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
    >>> ranker.feature_names[ranker.feature[0][0]]  # on which the first tree cuts first
    'x1'
    """
    measure = swapped_metric(metric)
    learnable(data, "LambdaMART")
    most = checks.whole("rounds", rounds, 1)
    checks.between("rate", rate, 0, 1, open_low=True)
    levels = checks.whole("depth", depth, 1, 3)
    least = checks.whole("min_documents", min_documents, 1)
    checks.between("l2", l2, 0, math.inf, open_low=True, open_high=True)
    swaps = Swaps(pairs_to_learn_from(data), measure)
    _require_documents(data, least)
    bins = Bins.of(data.features)
    boosting = _Boosting(swaps, rate, l2)
    trees = boosting.trees(bins, most, levels, least)

    def working() -> Working:
        rounds_again = _working(swaps, trees, rate, l2)
        lost = _lost(data.feature_names, bins.merged, trees[1])
        rounds_again.notes = [*rounds_again.notes, *lost]
        return rounds_again

    params = {"metric": measure, "rounds": most, "depth": levels}
    return TreesRanker(LAMBDAMART, data.feature_names, working, params, *trees)


def _require_documents(data: RankingData, least: int) -> None:
    """InputError unless a tree can cut: each leaf has at least `least` documents."""
    n = len(data.grade)
    if n < 2 * least:
        raise InputError(
            f"min_documents={least} needs at least {2 * least} documents, or no tree can cut; the "
            f"data have {n}: give more documents, or min_documents={n // 2} or less"
        )


def _lost(
    names: Sequence[str],
    merged: Array,
    threshold: Array,
) -> Iterator[str]:
    """What of the data the trees could not use."""
    for name, count in zip(names, merged.tolist(), strict=True):
        if count:
            yield f"{name}: {count:,} different numbers count as equal, since most are far larger"
    if not (threshold < NEVER).any():
        yield "no tree found a cut that helps, so all documents have the same score"


class _Boosting:
    """The scores so far, with the gradient and the curvature that they give."""

    def __init__(
        self,
        swaps: Swaps,
        rate: float,
        l2: float,
    ) -> None:
        self.swaps = swaps
        self.rate = rate
        self.l2 = l2
        self.scores = np.zeros(len(swaps.data.grade))
        self.scale = self.scores
        self.gradient, self.curvature = swaps.slopes(self.scores)

    def trees(
        self,
        bins: Bins,
        rounds: int,
        depth: int,
        least: int,
    ) -> tuple[Array, Array, Array]:
        """The features, thresholds and leaves of one tree after another."""
        features = []
        thresholds = []
        leaves = []
        for _ in range(rounds):
            feature, threshold, leaf_of_row = grow(bins, self.gradient, depth, least)
            features.append(feature)
            thresholds.append(threshold)
            leaves.append(self.add(leaf_of_row, 2**depth))
        return (
            np.array(features),
            np.array(thresholds),
            np.array(leaves),
        )

    def sums(self, place: Array, n: int) -> tuple[Array, Array]:
        """The sum of the gradients and of the curvatures of each leaf; rounding alone becomes 0."""
        sums = np.bincount(place, self.gradient, n)
        size = np.bincount(place, np.abs(self.gradient), n)
        above_rounding = exceeds(np.abs(sums), 0.0, size)
        curvatures = np.bincount(place, self.curvature, n)
        return np.where(above_rounding, sums, 0.0), curvatures

    def add(self, place: Array, n: int) -> Array:
        """Add a Newton step for each of `n` leaves, given each row's leaf; returns the steps."""
        gradients, curvatures = self.sums(place, n)
        steps: Array = self.rate * gradients / (self.l2 + curvatures)
        self.scores = self.scores + steps[place]
        self.scale = self.scale + np.abs(steps)[place]
        self.gradient, self.curvature = self.swaps.slopes(self.scores, self.scale)
        return steps


def _working(
    swaps: Swaps,
    trees: tuple[Array, ...],
    rate: float,
    l2: float,
) -> Working:
    """The rounds, done again over the same trees."""
    data = swaps.data
    boosting = _Boosting(swaps, rate, l2)
    metric = swaps.metric or ndcg
    parts = {}
    means = []
    for t, (feature, threshold, leaf) in enumerate(zip(*trees, strict=True), 1):
        place = leaf_of(data.features, feature, threshold)
        n = len(leaf)
        gradients, curvatures = boosting.sums(place, n)
        boosting.add(place, n)
        scores = measured(data, boosting.scores, metric).score
        means.append(scores.mean())
        used = np.unique(place)
        rules = [
            rule_of(
                i,
                feature,
                threshold,
                data.feature_names,
            )
            for i in used.tolist()
        ]
        parts[f"round {t}"] = Working(
            np.array([means[-1]]),
            columns={
                "documents": np.bincount(place, minlength=n)[used],
                "sum of gradients": gradients[used],
                "sum of curvatures": curvatures[used],
                "added": leaf[used],
            },
            table=Table.of_one({"leaf": rules}),
            name=f"mean {metric!r} after round {t}",
            notes=[f"added = {rate:g} * sum of gradients / ({l2:g} + sum of curvatures)"],
        )
    return Working(
        np.array([means[-1]]),
        columns={f"mean {metric!r}": np.array(means)},
        table=Table.of_one({"round": np.arange(1, len(means) + 1)}),
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
)
