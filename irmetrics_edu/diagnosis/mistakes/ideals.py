"""nDCG with a wrong ideal, or of a ranking that was sorted by its own grades."""

from dataclasses import replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
    CUT_RANKING,
    EXPONENTIAL,
    LINEAR,
    LOG2,
    RETRIEVED,
    Discount,
    Gain,
)
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.cumulated_gain import dcg, ndcg
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working

_READ = "Järvelin & Kekäläinen (2002), section 2.3; the lesson on nDCG, normalising DCG"


def _over(actual: Working, best: Working, rows: Rows) -> Working:
    best.name = "IDCG"
    return Working(
        rows.ratio(actual.score, best.score),
        how="{DCG} / {IDCG}",
        parts={"DCG": actual, "IDCG": best},
        rows=rows,
    )


of_retrieved = mistake(
    "ideal-of-the-retrieved",
    "an ideal made of the retrieved documents only",
    why="The ideal holds every judged document. If it only re-orders the retrieved "
    "documents, missed documents cost nothing, and a list with one poor hit scores "
    "1. "
    '(ideal="retrieved" does so by name.)',
    read=_READ,
)
of_retrieved.of_convention(ndcg, ideal=RETRIEVED)

cut_early = mistake(
    "ideal-cut-too-early",
    "an ideal cut before it is sorted: the first k documents of the ranking, re-ordered",
    why="Sort all judged documents first, then cut at k. Otherwise a good document "
    "below rank k costs nothing.",
    read=_READ,
)


@cut_early.of_kernel(ndcg)
def _cut_early(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """NDCG against the first k documents in their best order."""
    options: dict[str, Any] = {"gain": gain, "discount": discount}
    best = dcg.measured(rows.top(k).ideal(RETRIEVED), k, **options)
    return _over(dcg.measured(rows, k, **options), best, rows)


never_cut = mistake(
    "ideal-never-cut",
    "an ideal that is not cut at k",
    why="At the cut-off k the ideal ends at rank k too. If the ideal has all judged "
    "documents, even a perfect ranking stays below 1.",
    read=_READ,
)


never_cut.of_convention(ndcg, cut=CUT_RANKING)

of_ones = mistake(
    "ideal-of-ones",
    "an ideal whose gains are all 1",
    why="The ideal has the grades of the best documents, with the same gain as the "
    "ranking. If all its gains are 1, graded judgments give values above 1.",
    read=_READ,
)


@of_ones.of_kernel(ndcg)
def _of_ones(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """NDCG against a sum of discounts, one for each relevant document within the cut."""
    best = rows.ideal()
    ones = replace(best, grade=best.relevance())
    return _over(
        dcg.measured(rows, k, gain=gain, discount=discount),
        dcg.measured(ones, k, gain=LINEAR, discount=discount),
        rows,
    )


ascending = mistake(
    "sorted-ascending",
    "an ideal sorted by grade from the lowest up",
    why="The ideal ranking has the highest grades first. Most sorting functions start "
    "with the lowest value unless you ask for the reverse.",
    read=_READ,
)


@ascending.of_kernel(ndcg)
def _ascending(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """NDCG against the worst order of the judged documents."""
    best = rows.ideal()
    turned = replace(best, rank=best.retrieved[best.query] + 1 - best.rank)
    worst = turned.where(np.lexsort((turned.rank, turned.query)))
    options: dict[str, Any] = {"gain": gain, "discount": discount}
    return _over(dcg.measured(rows, k, **options), dcg.measured(worst, k, **options), rows)


sorted_first = mistake(
    "sorted-before-the-cut",
    "a ranking that was sorted by grade before it was cut at k",
    why="The ranking keeps the order in which it was retrieved; only the ideal is "
    "sorted by grade. A sorted ranking shows what was found, but not at which rank.",
    read=_READ,
)


@sorted_first.of_kernel(ndcg)
def _sorted_first(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """NDCG of the retrieved documents in their best order."""
    options: dict[str, Any] = {"gain": gain, "discount": discount}
    return _over(
        dcg.measured(rows.ideal(RETRIEVED), k, **options),
        dcg.measured(rows.ideal(), k, **options),
        rows,
    )


as_listed = mistake(
    "ideal-in-the-order-of-the-judgments",
    "an ideal that was not sorted: the documents in the order in which the judgments list them",
    why="The ideal has the highest grades first. The order of the judgments has no "
    "meaning, so sort them by grade before you cut.",
    read=_READ,
)


@as_listed.of_kernel(ndcg)
def _as_listed(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """NDCG against the judged documents as they are listed."""
    best = rows.ideal()
    listed = replace(best, grade=rows.pool_grade, document=None)
    options: dict[str, Any] = {"gain": gain, "discount": discount}
    return _over(dcg.measured(rows, k, **options), dcg.measured(listed, k, **options), rows)


linear_ideal = mistake(
    "exponential-gain-over-a-linear-ideal",
    "a DCG with the gain 2^grade - 1 over an ideal with the gain grade",
    why="The ranking and the ideal need the same gain. With two gains nDCG exceeds 1.",
    read=_READ,
)


@linear_ideal.of_kernel(ndcg)
def _linear_ideal(rows: Rows, k: int | None = None, *, discount: Discount = LOG2) -> Working:
    """The DCG of exponential gains over the ideal of linear ones."""
    return _over(
        dcg.measured(rows, k, gain=EXPONENTIAL, discount=discount),
        dcg.measured(rows.ideal(), k, gain=LINEAR, discount=discount),
        rows,
    )


not_divided = mistake(
    "dcg-not-divided",
    "a DCG that was never divided by the ideal",
    why="nDCG is DCG divided by the DCG of the ideal ranking. Without the division it "
    "has no upper bound.",
    read=_READ,
)


@not_divided.of_kernel(ndcg)
def _not_divided(
    rows: Rows, k: int | None = None, *, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Working:
    """The DCG."""
    return dcg.measured(rows, k, gain=gain, discount=discount)
