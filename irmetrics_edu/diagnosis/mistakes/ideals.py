"""nDCG with a wrong ideal, or of a ranking that was sorted by its own grades."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from irmetrics_edu.conventions import CUT_RANKING, EXPONENTIAL, LINEAR, RETRIEVED, Gain
from irmetrics_edu.diagnosis.mistakes.mistake import mistake, scores_of
from irmetrics_edu.metrics.cumulated_gain import dcg, ndcg
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows

of_ideal = partial(
    mistake, read="Järvelin & Kekäläinen (2002), section 2.3; the lesson on nDCG, normalising DCG"
)


def _over(
    best: Callable[[Rows, int | None], Rows],
    *,
    ranked: Callable[[Rows], Rows] = lambda rows: rows,
    gain: Gain | None = None,
    ideal_gain: Gain | None = None,
) -> Callable[..., Array]:
    """NDCG with other rows as the ideal or as the ranking, or with another gain of the ideal."""

    def call(rows: Rows, k: int | None, **options: Any) -> Array:
        settings = {**options, "gain": gain or options["gain"]}
        ideal = {**settings, "gain": ideal_gain or settings["gain"]}
        return rows.ratio(
            scores_of(dcg, ranked(rows), k, **settings), scores_of(dcg, best(rows, k), k, **ideal)
        )

    return call


def _worst(rows: Rows) -> Rows:
    """The judged documents from the lowest grade up."""
    best = rows.ideal()
    turned = replace(best, rank=best.retrieved[best.query] + 1 - best.rank)
    return turned.where(np.lexsort((turned.rank, turned.query)))


of_ideal(
    "ideal-of-the-retrieved",
    "an ideal made of the retrieved documents only",
    why="The ideal holds every judged document. If it only re-orders the retrieved documents, "
    'missed documents cost nothing, and a list with one poor hit scores 1. (ideal="retrieved" '
    "does so by name.)",
).of_convention(ndcg, ideal=RETRIEVED)

of_ideal(
    "ideal-cut-too-early",
    "an ideal cut before it is sorted: the first k documents of the ranking, re-ordered",
    why="Sort all judged documents first, then cut at k. Otherwise a good document below rank k "
    "costs nothing.",
).of_call(ndcg, _over(lambda rows, k: rows.top(k).ideal(RETRIEVED)), "gain", "discount")

of_ideal(
    "ideal-never-cut",
    "an ideal that is not cut at k",
    why="At the cut-off k the ideal ends at rank k too. If the ideal has all judged documents, "
    "even a perfect ranking stays below 1.",
).of_convention(ndcg, cut=CUT_RANKING)

of_ideal(
    "ideal-of-ones",
    "an ideal whose gains are all 1",
    why="The ideal has the grades of the best documents, with the same gain as the ranking. If "
    "all its gains are 1, graded judgments give values above 1.",
).of_call(
    ndcg,
    _over(lambda rows, _: replace(rows.ideal(), grade=rows.ideal().relevance()), ideal_gain=LINEAR),
    "gain",
    "discount",
)

of_ideal(
    "sorted-ascending",
    "an ideal sorted by grade from the lowest up",
    why="The ideal ranking has the highest grades first. Most sorting functions start with the "
    "lowest value unless you ask for the reverse.",
).of_call(ndcg, _over(lambda rows, _: _worst(rows)), "gain", "discount")

of_ideal(
    "sorted-before-the-cut",
    "a ranking that was sorted by grade before it was cut at k",
    why="The ranking keeps the order in which it was retrieved; only the ideal is sorted by "
    "grade. A sorted ranking shows what was found, but not at which rank.",
).of_call(
    ndcg,
    _over(lambda rows, _: rows.ideal(), ranked=lambda rows: rows.ideal(RETRIEVED)),
    "gain",
    "discount",
)

of_ideal(
    "ideal-in-the-order-of-the-judgments",
    "an ideal that was not sorted: the documents in the order in which the judgments list them",
    why="The ideal has the highest grades first. The order of the judgments has no meaning, so "
    "sort them by grade before you cut.",
).of_call(
    ndcg,
    _over(lambda rows, _: replace(rows.ideal(), grade=rows.pool_grade, document=None)),
    "gain",
    "discount",
)

of_ideal(
    "exponential-gain-over-a-linear-ideal",
    "a DCG with the gain 2^grade - 1 over an ideal with the gain grade",
    why="The ranking and the ideal need the same gain. With two gains nDCG exceeds 1.",
).of_call(
    ndcg, _over(lambda rows, _: rows.ideal(), gain=EXPONENTIAL, ideal_gain=LINEAR), "discount"
)

of_ideal(
    "dcg-not-divided",
    "a DCG that was never divided by the ideal",
    why="nDCG is DCG divided by the DCG of the ideal ranking. Without the division it has no "
    "upper bound.",
).of_call(ndcg, dcg.measured, "gain", "discount")
