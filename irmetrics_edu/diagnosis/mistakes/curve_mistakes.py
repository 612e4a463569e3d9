"""AUC of scores turned round or with ties taken otherwise, and the P-R curve's points joined."""

from functools import partial

import numpy as np

from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.curves import pr_auc, roc_auc
from irmetrics_edu.numbers import Array
from irmetrics_edu.working import Working

of_auc = partial(mistake, read="Hanley & McNeil (1982); the lecture on evaluation, ROC curves")
_OPTIONS = ("rel", "undefined")

of_auc(
    "auc-turned-round",
    "1 - AUC: the scores or the two classes turned round",
    why="AUC is how probably a relevant document has the higher score. Distances, or a score for "
    "the other class, turn every pair round.",
).of_score(roc_auc, lambda right: np.where(_pairs(right) > 0, 1 - right.score, right.score),
           *_OPTIONS)  # fmt: skip

lost = of_auc(
    "auc-ties-lost",
    "AUC in which a pair of equal scores counts 0",
    why="A tie counts half, as a coin would decide it. With > alone it counts as an error, and a "
    "constant score has an AUC of 0 in place of 1/2.",
)
won = of_auc(
    "auc-ties-won",
    "AUC in which a pair of equal scores counts 1",
    why="A tie counts half, as a coin would decide it. With >= it counts as right, and a constant "
    "score has an AUC of 1 in place of 1/2.",
)


def _pairs(right: Working) -> Array:
    """How many pairs of a relevant document and another each query has."""
    pairs: Array = right["R"] * right["N"]
    return pairs


def _before(column: Array, query: Array) -> Array:
    """The value on the line before, of the same query; 0 on its first line."""
    before = np.zeros_like(column)
    same = query[1:] == query[:-1]
    before[1:] = np.where(same, column[:-1], 0)
    return before


def _share_of_ties(right: Working) -> Array:
    """The pairs of equal scores over all pairs, of each query; 0 without a pair."""
    query = right.table.query
    relevant = right["TP"] - _before(right["TP"], query)
    others = right["FP"] - _before(right["FP"], query)
    tied = np.bincount(query, weights=relevant * others, minlength=len(right["R"]))
    pairs = _pairs(right)
    return np.divide(tied, pairs, out=np.zeros(len(pairs)), where=pairs > 0)


lost.of_score(roc_auc, lambda right: right.score - _share_of_ties(right) / 2, *_OPTIONS)
won.of_score(roc_auc, lambda right: right.score + _share_of_ties(right) / 2, *_OPTIONS)


def _trapezoids(right: Working) -> Array:
    """The area below the points of recall and precision, joined from precision 1 at recall 0."""
    query = right.table.query
    precision = right["precision"]
    first = np.ones(len(query), dtype=bool)
    first[1:] = query[1:] != query[:-1]
    before = np.where(first, 1.0, _before(precision, query))
    area = right["recall gained"] * (before + precision) / 2
    return np.where(
        right["R"] > 0,
        np.bincount(query, weights=area, minlength=len(right["R"])),
        right.score,
    )


mistake(
    "pr-auc-by-trapezoids",
    "the area below the points of recall and precision, joined by straight lines (trapezoids)",
    why="Between two points of a P-R curve precision does not change in a straight line, so the "
    "area is made of steps. auc(recall, precision) in scikit-learn has trapezoids.",
    read="Davis & Goadrich (2006); the lecture on evaluation, P-R curves",
).of_score(pr_auc, _trapezoids, "rel", "no_relevant")
