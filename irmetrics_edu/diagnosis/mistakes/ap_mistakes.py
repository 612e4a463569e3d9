"""AP over the wrong divisor or the wrong ranks; the reciprocal of the wrong rank."""

from collections.abc import Callable
from functools import partial

import numpy as np

from irmetrics_edu.conventions import BY_HITS, BY_K
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

of_ap = partial(mistake, read="the lecture on evaluation, AP; Buckley & Voorhees (2005)")
of_rr = partial(mistake, read="the lecture on evaluation, MRR; Voorhees (1999)")

of_ap(
    "ap-over-the-hits",
    "the mean of precision over the relevant documents that were retrieved",
    why="AP divides by R, all relevant documents: a missed document adds 0 and still counts. "
    'Divided by the hits alone, a list with one hit at rank 1 scores 1. (divisor="hits" by name.)',
).of_convention(average_precision, divisor=BY_HITS)

of_ap(
    "ap-over-k",
    "a sum of precisions divided by k, the number of documents looked at",
    why="AP divides by R, the number of relevant documents. Divided by k, a perfect ranking "
    "scores below 1 if fewer than k documents are relevant.",
).of_convention(average_precision, divisor=BY_K)

every_rank = of_ap(
    "ap-at-every-rank",
    "the mean of precision over every rank, not only those of relevant documents",
    why="AP takes precision only at the ranks of relevant documents. The other ranks add nothing.",
)


def _harmonic(n: Array) -> Array:
    """The sums of 1/i for i up to each n."""
    longest = int(n.max(initial=0))
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, longest + 1))])
    value: Array = sums[n.astype(np.intp)]
    return value


def _sum(working: Working, values: Array) -> Array:
    whole: Array = working.rows.total(values, working.table.query)
    return whole


def _over_R(working: Working, values: Array) -> Array:  # noqa: N802 -- as the field writes it
    """The sum of a column over R, the number of relevant documents."""
    whole: Array = working.rows.ratio(_sum(working, values), working["R"])
    return whole


def _of_first(working: Working, worth: Callable[[Array], Array]) -> Array:
    """What the rank of the first relevant document is worth; 0 where there is none."""
    rank = working["rank of the first relevant"]
    return np.where(rank > 0, worth(rank), 0.0)


def _every_rank(rows: Rows, k: int | None, rel: float) -> Array:
    """P@1 + P@2 + ... over how many there are; a hit at rank r is in each from r on, as 1/i."""
    top = rows.top(k)
    depth = rows.depth(k)
    share = top.relevance(rel) * (_harmonic(depth)[top.query] - _harmonic(top.rank - 1))
    return rows.ratio(top.total(share), depth)


every_rank.of_call(average_precision, _every_rank, "rel")


of_ap(
    "ap-not-divided",
    "the sum of the precisions at the relevant documents, not divided by how many are relevant",
    why="AP divides the sum by R, the number of relevant documents. Undivided it grows with R, and "
    "is above 1 as soon as two relevant documents stand first.",
).of_score(
    average_precision,
    lambda found: _sum(found, found["relevance"] * found["relevant so far"] / found["rank"]),
    "rel",
)

of_ap(
    "ap-without-the-document",
    "a precision that leaves out the relevant document whose rank it is taken at",
    why="Precision at rank i counts the first i documents, including the i-th: a relevant "
    "document at rank 1 has precision 1, not 0.",
).of_score(
    average_precision,
    lambda found: found.score - _over_R(found, found["relevance"] / found["rank"]),
    "rel",
)

of_ap(
    "ap-ranks-one-too-high",
    "ranks one too high: each precision is divided by the rank plus 1",
    why="The first document has rank 1. If you count from 1 and add 1 again, you divide the first "
    "hit by 2, and a perfect ranking scores below 1.",
).of_score(
    average_precision,
    lambda found: _over_R(
        found, found["relevance"] * found["relevant so far"] / (found["rank"] + 1)
    ),
    "rel",
)


by_trapezoids = of_ap(
    "ap-by-trapezoids",
    "the area below the points of precision and recall, joined by straight lines (trapezoids)",
    why="AP adds up steps: each relevant document adds the precision at its own rank. A straight "
    "line between two points mixes in the precision one rank higher up. "
    "auc(recall, precision) in scikit-learn has trapezoids, and its average_precision_score had "
    "them until 0.18.",
)


def _area(working: Working, at_the_start: float) -> Array:
    """The area from the precision one rank higher up to that of each relevant document."""
    above = working["rank"] - 1
    hits_above = working["relevant so far"] - working["relevance"]
    precision_above = np.where(above > 0, hits_above / np.maximum(above, 1), at_the_start)
    precision = working["relevant so far"] / working["rank"]
    return _over_R(working, working["relevance"] * (precision_above + precision) / 2)


def _area_from_the_first_rank(working: Working) -> Array:
    """The area between the points of the ranks alone: nothing lies before the first."""
    return _area(working, 1.0) - _over_R(working, working["relevance"] * (working["rank"] == 1))


# Before the first rank, the precision is 1 (as scikit-learn has it) or 0, or there is no point.
by_trapezoids.of_score(average_precision, lambda found: _area(found, 1.0), "rel")
by_trapezoids.of_score(average_precision, lambda found: _area(found, 0.0), "rel")
by_trapezoids.of_score(average_precision, _area_from_the_first_rank, "rel")


def _rank_of_the_last(rows: Rows, k: int | None, rel: float) -> Array:
    """The rank of the last relevant document that was retrieved; 0 where there is none."""
    top = rows.top(k)
    rank = np.zeros(rows.n)
    np.maximum.at(rank, top.query, top.relevance(rel) * top.rank)
    return rank


of_the_last = of_ap(
    "ap-of-the-last",
    "the precision at the last relevant document alone, in place of a sum over all of them",
    why="AP adds up the precision at each relevant document. A loop that overwrites the sum "
    "instead of adding to it keeps the last precision alone.",
)


def _precision_at_the_last(rows: Rows, k: int | None, rel: float) -> Array:
    """Precision at the rank of the last relevant document."""
    top = rows.top(k)
    return rows.ratio(top.total(top.relevance(rel)), _rank_of_the_last(rows, k, rel))


def _precision_at_the_last_over_R(  # noqa: N802 -- as the field writes it
    rows: Rows, k: int | None, rel: float
) -> Array:
    """The same divided by R, as the sum would have been."""
    return rows.ratio(_precision_at_the_last(rows, k, rel), rows.relevant(rel))


of_the_last.of_call(average_precision, _precision_at_the_last, "rel")
of_the_last.of_call(average_precision, _precision_at_the_last_over_R, "rel")


def _last(rows: Rows, k: int | None, rel: float) -> Array:
    return rows.ratio(np.ones(rows.n), _rank_of_the_last(rows, k, rel))


of_rr(
    "rr-of-the-last",
    "1 over the rank of the last relevant document",
    why="The reciprocal rank looks at the first relevant document and stops there.",
).of_call(reciprocal_rank, _last, "rel")

of_rr(
    "rr-counted-from-0",
    "ranks counted from 0: look at a ranking whose first document is relevant",
    why="The first rank is 1. If you count from 0, you divide by 0 at the first rank, and a "
    "relevant document in second place gives 1.",
).of_score(
    reciprocal_rank,
    lambda found: _of_first(
        found, lambda rank: found.rows.ratio(np.ones(len(rank)), rank - 1, np.inf)
    ),
    "rel",
)

of_rr(
    "rr-one-too-low",
    "1 over the rank plus 1",
    why="A rank counted from 1 needs no 1 added: a relevant document in first place gives 1.",
).of_score(reciprocal_rank, lambda found: _of_first(found, lambda rank: 1 / (rank + 1)), "rel")


of_rr(
    "rr-of-every-hit",
    "the sum of 1 over the rank of every relevant document",
    why="Only the first relevant document counts. A sum over all of them can exceed 1.",
).of_score(reciprocal_rank, lambda found: _sum(found, found["relevance"] / found["rank"]), "rel")

of_rr(
    "rr-averaged-over-the-hits",
    "the mean of 1 over the rank of every relevant document retrieved",
    why="Only the first relevant document counts. A mean over all of them falls when more "
    "relevant documents are found.",
).of_score(
    reciprocal_rank,
    lambda found: found.rows.ratio(
        _sum(found, found["relevance"] / found["rank"]), _sum(found, found["relevance"])
    ),
    "rel",
)
