"""Precision, recall and F with the wrong divisor or the wrong mean."""

from functools import partial

import numpy as np

from irmetrics_edu.conventions import BY_RETRIEVED
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.set_based import f_measure, precision, recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows

of_sets = partial(mistake, read="the lecture on evaluation, precision and recall at N")
of_f = partial(
    mistake, read="the lecture on evaluation, from the balance of precision and recall to F"
)

of_sets(
    "p-over-r",
    "precision divided by R, the number of relevant documents",
    why="The relevant documents found, divided by R, are recall. Precision divides them by the "
    "number of documents looked at: all that were retrieved, or the first k.",
).of_call(precision, recall.measured, "rel")

of_sets(
    "p-over-the-list",
    "precision at k divided by the length of a list shorter than k",
    why="Precision at k divides by k, even if fewer documents were retrieved: a missing document "
    'is not relevant. (divisor="retrieved" divides so by name.)',
).of_convention(precision, divisor=BY_RETRIEVED)

of_sets(
    "r-over-k",
    "recall divided by k, the number of documents looked at",
    why="Hits divided by k is precision. Recall is hits divided by R, all relevant documents, "
    "found or not.",
).of_call(recall, precision.measured, "rel")


def _r_of_found(rows: Rows, k: int | None, rel: float) -> Array:
    """Hits within the cut over all hits."""
    top = rows.top(k)
    return rows.ratio(top.total(top.relevance(rel)), rows.total(rows.relevance(rel)))


of_sets(
    "r-of-the-retrieved",
    "recall over the relevant documents that the ranking holds",
    why="R counts all relevant documents, even if they were never retrieved. Otherwise the whole "
    "ranking has recall 1, whatever it misses.",
).of_call(recall, _r_of_found, "rel")

of_f(
    "f-by-the-arithmetic-mean",
    "the arithmetic mean of precision and recall",
    why="F is their harmonic mean, which is low if either of them is low. If everything is "
    "retrieved, recall is 1 and the arithmetic mean is above 1/2, but F is near 0.",
).of_score(f_measure, lambda found: (found["precision"].score + found["recall"].score) / 2, "rel")

of_f(
    "f-without-the-2",
    "precision times recall over their sum, without the factor 2",
    why="The harmonic mean of two numbers is twice their product divided by their sum. Without "
    "the 2, a perfect result scores 1/2.",
).of_score(f_measure, lambda found: found.score / 2, "rel")

of_f(
    "f-by-the-geometric-mean",
    "the geometric mean of precision and recall",
    why="F is their harmonic mean, 2PR/(P+R). The root of PR is never lower than F, and a low "
    "precision or recall pulls it down less.",
).of_score(
    f_measure, lambda found: np.sqrt(found["precision"].score * found["recall"].score), "rel"
)
