"""The wrong mean over queries. Each kernel here gives every query the value of all queries."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import LINEAR, LOG2, Discount, Gain
from irmetrics_edu.diagnosis.mistakes.mistake import Mistake, mistake
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.set_based import precision, recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.rows.query_values import Values
from irmetrics_edu.working import Working

_MEANS = "the lecture on evaluation, from AP to MAP; Voorhees & Harman (2005)"
_GMAP = "the lecture on evaluation, GMAP; Robertson (2006), On GMAP: and other transformations"

pooled = mistake(
    "ratio-of-means",
    "the ratio of means in place of the mean of ratios: queries added up before dividing",
    why="Every query has the same weight: compute the ratio of each query first, then "
    "their mean. If you add up before you divide, queries with many relevant "
    "documents dominate.",
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


with_a_hit = mistake(
    "mean-over-queries-with-a-hit",
    "a mean over the queries with a score above 0 only",
    why="A query without any hit scores 0 and stays in the mean. If you leave it out, "
    "the engine looks better the more queries it fails on.",
    read=_MEANS,
)
median = mistake(
    "median-for-the-mean",
    "the median over queries in place of the mean",
    why="MAP, MRR and mean nDCG add up the scores of all queries and divide by their "
    "number. The median uses only the query in the middle.",
    read=_MEANS,
)


def _of_positive(scores: Array) -> float:
    positive = scores[scores > 0]
    return float(positive.mean()) if len(positive) else 0.0


def _enter_mean(wrong: Mistake, of_scores: Callable[[Array], Any], right: Metric) -> None:
    def kernel(rows: Rows, k: int | None = None, **options: Any) -> Working:
        """The wrong mean of the right scores, for every query."""
        scores = np.asarray(right.measured(rows, k, **options).score, dtype=np.float64)
        return Working(np.full(rows.n, float(of_scores(scores))), rows=rows)

    wrong.of_kernel_like(right)(kernel)


for _right in (average_precision, ndcg, reciprocal_rank, precision, recall):
    _enter_mean(with_a_hit, _of_positive, _right)
    _enter_mean(median, np.median, _right)

# The geometric mean of AP, as GMAP takes it: with a floor.
GMAP_MEAN = geometric_mean.using(floor=1e-5)

raw_zeros = mistake(
    "gmap-of-raw-zeros",
    "a geometric mean of raw zeros: one query without a hit makes it 0",
    why="GMAP replaces an AP of 0 by a small floor, 0.00001. Otherwise one failed "
    "query hides all others.",
    read=_GMAP,
)


@raw_zeros.of_kernel(GMAP_MEAN)
def _raw_zeros(rows: Values) -> Working:
    """The geometric mean without a floor."""
    return geometric_mean.measured(rows)


without_zeros = mistake(
    "gmap-without-zeros",
    "a geometric mean that leaves the zeros out",
    why="GMAP is made to show the queries that fail. They stay in, with the floor.",
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


epsilon = mistake(
    "gmap-epsilon-added",
    "a geometric mean with 0.00001 added to every score",
    why="GMAP replaces scores below 0.00001 by 0.00001 and leaves the others as they "
    "are. If you add it to each score, subtract it from the mean again.",
    read=_GMAP,
)


@epsilon.of_kernel(GMAP_MEAN)
def _epsilon(rows: Values) -> Working:
    """The geometric mean of each value and 0.00001."""
    return geometric_mean.measured(replace(rows, value=rows.value + 1e-5))


arithmetic = mistake(
    "gmap-by-the-arithmetic-mean",
    "the arithmetic mean, which is MAP",
    why="GMAP multiplies and takes the n-th root, so doubling a low AP counts as much "
    "as doubling a high AP.",
    read=_GMAP,
)


@arithmetic.of_kernel(GMAP_MEAN)
def _arithmetic(rows: Values) -> Working:
    """The mean."""
    return mean.measured(rows)
