"""The wrong mean over queries. Each kernel here gives every query the value of all queries."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.set_based import precision, recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.query_values import Values
from irmetrics_edu.working import Working

of_means = partial(
    mistake, read="the lecture on evaluation, from AP to MAP; Voorhees & Harman (2005)"
)
of_gmap = partial(
    mistake,
    read="the lecture on evaluation, GMAP; Robertson (2006), On GMAP: and other transformations",
)

pooled = of_means(
    "ratio-of-means",
    "the ratio of means in place of the mean of ratios: queries added up before dividing",
    why="Every query has the same weight: compute the ratio of each query first, then their mean. "
    "If you add up before you divide, queries with many relevant documents dominate.",
)


def _of_all(working: Working, numerator: Array, denominator: Array) -> Array:
    """The sums of all queries divided, for every query."""
    whole = working.rows.ratio(np.array([numerator.sum()]), np.array([denominator.sum()]))
    return np.full(working.rows.n, float(whole[0]))


pooled.of_score(
    recall, lambda found: _of_all(found, found["relevant retrieved"], found["divisor"]), "rel"
).of_score(
    ndcg,
    lambda found: _of_all(found, found["DCG"].score, found["IDCG"].score),
    "gain",
    "discount",
)

# Of the scores of all queries together, which no rows have: the search makes this list.
of_means(
    "queries-in-one-list",
    "one list of the documents of all queries, ordered by score, in place of a list per query",
    why="Scores of two queries can't be compared, and each query has an ideal of its own. Compute "
    "the measure of each query, then take the mean.",
)
# Of queries with fewer documents than the cut-off: the search makes them of any measure.
of_means(
    "short-lists-score-0",
    "a score of 0 for each query with fewer than k documents in its ranking",
    why="A ranking may be shorter than k. Its documents count, and the ranks that are missing hold "
    "nothing relevant: a short list of relevant documents can be perfect.",
)
of_means(
    "short-lists-left-out",
    "a mean over the queries with k documents or more in their rankings",
    why="A ranking may be shorter than k, and stays in the mean. If you leave it out, a system "
    "that finds few documents is judged by its easy queries alone.",
)
of_means(
    "few-relevant-score-0",
    "a score of 0 for each query with fewer than k relevant documents",
    why="A query may have fewer than k relevant documents, and a ranking that finds them all is as "
    "good as it can be.",
)
of_means(
    "few-relevant-left-out",
    "a mean over the queries with k relevant documents or more",
    why="A query may have fewer than k relevant documents, and stays in the mean.",
)
with_a_hit = of_means(
    "mean-over-queries-with-a-hit",
    "a mean over the queries with a score above 0 only",
    why="A query without any hit scores 0 and stays in the mean. If you leave it out, the engine "
    "looks better the more queries it fails on.",
)
median = of_means(
    "median-for-the-mean",
    "the median over queries in place of the mean",
    why="MAP, MRR and mean nDCG add up the scores of all queries and divide by their number. The "
    "median uses only the query in the middle.",
)


def _of_positive(scores: Array) -> float:
    positive = scores[scores > 0]
    return float(positive.mean()) if len(positive) else 0.0


def _mean(of_scores: Callable[[Array], Any]) -> Callable[[Working], Array]:
    """The wrong mean of the right scores, for every query."""
    return lambda working: np.full(
        working.rows.n, float(of_scores(np.asarray(working.score, dtype=np.float64)))
    )


for _right in (average_precision, ndcg, reciprocal_rank, precision, recall):
    with_a_hit.of_score(_right, _mean(_of_positive), *_right.defaults)
    median.of_score(_right, _mean(np.median), *_right.defaults)

# The geometric mean of AP, as GMAP takes it: with a floor.
GMAP_MEAN = geometric_mean.using(floor=1e-5)

of_gmap(
    "gmap-of-raw-zeros",
    "a geometric mean of raw zeros: one query without a hit makes it 0",
    why="GMAP replaces an AP of 0 by a small floor, 0.00001. Otherwise one failed query hides all "
    "others.",
).of_convention(GMAP_MEAN, floor=0)


def _without_zeros(rows: Values, _: None) -> Array:
    kept = rows.value > 0
    score = np.zeros(rows.n)
    for q in range(rows.n):
        values = rows.value[kept & (rows.query == q)]
        if len(values):
            score[q] = geometric_mean(values.tolist())
    return score


of_gmap(
    "gmap-without-zeros",
    "a geometric mean that leaves the zeros out",
    why="GMAP is made to show the queries that fail. They stay in, with the floor.",
).of_call(GMAP_MEAN, _without_zeros)

of_gmap(
    "gmap-epsilon-added",
    "a geometric mean with 0.00001 added to every score",
    why="GMAP replaces scores below 0.00001 by 0.00001 and leaves the others as they are. If you "
    "add it to each score, subtract it from the mean again.",
).of_call(
    GMAP_MEAN,
    lambda rows, k: geometric_mean.measured(replace(rows, value=rows.value + 1e-5), k),
)

of_gmap(
    "gmap-by-the-arithmetic-mean",
    "the arithmetic mean, which is MAP",
    why="GMAP multiplies and takes the n-th root, so doubling a low AP counts as much as doubling "
    "a high AP.",
).of_call(GMAP_MEAN, mean.measured)
