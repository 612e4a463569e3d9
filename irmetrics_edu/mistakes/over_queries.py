"""The wrong mean over queries. A kernel here gives every query the value of all of them."""

import numpy as np

from irmetrics_edu.conventions import LINEAR, LOG2, Discount, Gain
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.metrics.set_based import recall
from irmetrics_edu.mistakes.mistake import mistake
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranking import Rows
from irmetrics_edu.rows.values import Values
from irmetrics_edu.working import Working

_MEANS = "the lecture on evaluation, from AP to MAP; Voorhees & Harman (2005)"
_GMAP = "the lecture on evaluation, GMAP; Robertson (2006), On GMAP: and other transformations"

pooled = mistake(
    "ratio-of-means",
    "the ratio of means in place of the mean of ratios: queries added up before dividing",
    why="Every query counts alike: take each one's ratio first, then their mean. Sums before the "
    "division let queries with many relevant documents decide alone.",
    read=_MEANS,
)


def _of_all(numerator: Array, denominator: Array, rows: Rows) -> Working:
    whole = rows.ratio(np.array([numerator.sum()]), np.array([denominator.sum()]))
    return Working(np.full(rows.n, float(whole[0])), rows=rows)


@pooled.of_kernel(recall)
def _pooled_recall(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """The hits of all queries over the relevant documents of all queries."""
    found = recall.measured(rows, k, rel=rel)
    return _of_all(found["relevant retrieved"], found["divisor"], rows)


@pooled.of_kernel(ndcg)
def _pooled_ndcg(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """The DCG of all queries over the ideal of all queries."""
    found = ndcg.measured(rows, k, gain=gain, discount=discount)
    return _of_all(found["DCG"].score, found["IDCG"].score, rows)


# The geometric mean of AP, as GMAP takes it: with a floor.
GMAP_MEAN = geometric_mean.using(floor=1e-5)

raw_zeros = mistake(
    "gmap-of-raw-zeros",
    "a geometric mean of raw zeros: one query without a hit makes it 0",
    why="GMAP puts a small floor, 0.00001, in place of an AP of 0; otherwise one failed query "
    "hides all others.",
    read=_GMAP,
)


@raw_zeros.of_kernel(GMAP_MEAN)
def _raw_zeros(rows: Values) -> Working:
    """The geometric mean without a floor."""
    return geometric_mean.measured(rows)


without_zeros = mistake(
    "gmap-without-zeros",
    "a geometric mean that leaves the zeros out",
    why="The queries that fail are what GMAP is there to show; they stay in, with the floor.",
    read=_GMAP,
)


@without_zeros.of_kernel(GMAP_MEAN)
def _without_zeros(rows: Values) -> Working:
    """The geometric mean of the values above 0."""
    kept = rows.value > 0
    score = np.zeros(rows.n)
    for q in range(rows.n):
        values = rows.value[kept & (rows.query == q)]
        if len(values):
            score[q] = geometric_mean(values.tolist())
    return Working(score, rows=rows)


arithmetic = mistake(
    "gmap-by-the-arithmetic-mean",
    "the arithmetic mean, which is MAP",
    why="GMAP multiplies and takes the n-th root, so that doubling a low AP counts as much as "
    "doubling a high one.",
    read=_GMAP,
)


@arithmetic.of_kernel(GMAP_MEAN)
def _arithmetic(rows: Values) -> Working:
    """The mean."""
    return mean.measured(rows)
