"""AP over the wrong divisor or the wrong ranks; the reciprocal of the wrong rank."""

import numpy as np

from irmetrics_edu.conventions import BY_HITS, BY_K
from irmetrics_edu.diagnosis.mistakes.mistake import mistake
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.working import Working

_AP = "the lecture on evaluation, AP; Buckley & Voorhees (2005), section 3.1"
_RR = "the lecture on evaluation, MRR; Voorhees (1999)"

over_hits = mistake(
    "ap-over-the-hits",
    "the mean of precision over the relevant documents that were retrieved",
    why="AP divides by R, all relevant documents: a missed document adds 0 and still counts.  "
    'Divided by the hits alone, a list with one hit at rank 1 scores 1. (divisor="hits" by name.)',
    read=_AP,
)
over_hits.of_convention(average_precision, divisor=BY_HITS)

over_k = mistake(
    "ap-over-k",
    "a sum of precisions divided by k, the number of documents looked at",
    why="AP divides by R, the number of relevant documents. Divided by k, a perfect "
    "ranking scores below 1 if fewer than k documents are relevant.",
    read=_AP,
)


over_k.of_convention(average_precision, divisor=BY_K)

every_rank = mistake(
    "ap-at-every-rank",
    "the mean of precision over every rank, not only those of relevant documents",
    why="AP takes precision only at the ranks of relevant documents. The other ranks add nothing.",
    read=_AP,
)


def _harmonic(n: Array) -> Array:
    """The sums of 1/i for i up to each n."""
    longest = int(n.max(initial=0))
    sums = np.concatenate([[0.0], (1.0 / np.arange(1, longest + 1)).cumsum()])
    value: Array = sums[n.astype(np.intp)]
    return value


@every_rank.of_kernel(average_precision)
def _every_rank(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """P@1 + P@2 + ... over how many there are; a hit at rank r is in each from r on, as 1/i."""
    top, depth = rows.top(k), rows.depth(k)
    relevance = top.relevance(rel)
    share = relevance * (_harmonic(depth)[top.query] - _harmonic(top.rank - 1))
    return Working(
        rows.ratio(top.total(share), depth),
        columns={"relevance": relevance},
        table=top.table(),
        rows=rows,
    )


without_itself = mistake(
    "ap-without-the-document",
    "a precision that leaves out the relevant document whose rank it is taken at",
    why="Precision at rank i counts the first i documents, including the i-th: a "
    "relevant document at rank 1 has precision 1, not 0.",
    read=_AP,
)


@without_itself.of_kernel(average_precision)
def _without_itself(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """The hits above each hit over its rank, summed, over R."""
    found = average_precision.measured(rows, k, rel=rel)
    top = rows.top(k)
    lost = top.total(found["relevance"] / top.rank)
    found.score = found.score - rows.ratio(lost, found["R"])
    return found


too_high = mistake(
    "ap-ranks-one-too-high",
    "ranks one too high: each precision is divided by the rank plus 1",
    why="The first document has rank 1. If you count from 1 and add 1 again, you "
    "divide the first hit by 2, and a perfect ranking scores below 1.",
    read=_AP,
)


@too_high.of_kernel(average_precision)
def _too_high(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """The hits down to each hit over its rank plus 1, summed, over R."""
    found, top = average_precision.measured(rows, k, rel=rel), rows.top(k)
    share = found["relevance"] * found["relevant so far"] / (top.rank + 1)
    found.score = rows.ratio(top.total(share), found["R"])
    return found


last = mistake(
    "rr-of-the-last",
    "1 over the rank of the last relevant document",
    why="The reciprocal rank looks at the first relevant document and stops there.",
    read=_RR,
)


@last.of_kernel(reciprocal_rank)
def _last(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """1 over the rank of the last hit."""
    top = rows.top(k)
    rank = np.zeros(rows.n)
    np.maximum.at(rank, top.query, top.relevance(rel) * top.rank)
    return Working(rows.ratio(np.ones(rows.n), rank), rows=rows)


from_0 = mistake(
    "rr-counted-from-0",
    "ranks counted from 0: look at a ranking whose first document is relevant",
    why="The first rank is 1. If you count from 0, you divide by 0 at the first rank, "
    "and a relevant document in second place gives 1.",
    read=_RR,
)


@from_0.of_kernel(reciprocal_rank)
def _from_0(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """1 over the rank less 1; infinite for the first."""
    found = reciprocal_rank.measured(rows, k, rel=rel)
    rank = found["rank of the first relevant"]
    score = rows.ratio(np.ones(rows.n), rank - 1, np.inf)
    found.score = np.where(rank > 0, score, 0.0)
    return found


one_too_low = mistake(
    "rr-one-too-low",
    "1 over the rank plus 1",
    why="A rank counted from 1 needs no 1 added: a relevant document in first place gives 1.",
    read=_RR,
)


@one_too_low.of_kernel(reciprocal_rank)
def _one_too_low(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """1 over the rank plus 1, 0 where there is none."""
    found = reciprocal_rank.measured(rows, k, rel=rel)
    rank = found["rank of the first relevant"]
    found.score = np.where(rank > 0, 1 / (rank + 1), 0.0)
    return found


every_hit = mistake(
    "rr-of-every-hit",
    "the sum of 1 over the rank of every relevant document",
    why="Only the first relevant document counts. A sum over all of them can exceed 1.",
    read=_RR,
)


@every_hit.of_kernel(reciprocal_rank)
def _every_hit(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """1/rank, added up over the hits."""
    top = rows.top(k)
    relevance = top.relevance(rel)
    return Working(
        top.total(relevance / top.rank),
        columns={"relevance": relevance},
        table=top.table(),
        rows=rows,
    )


over_hits_of_rr = mistake(
    "rr-averaged-over-the-hits",
    "the mean of 1 over the rank of every relevant document retrieved",
    why="Only the first relevant document counts. A mean over all of them falls when more relevant "
    "documents are found.",
    read=_RR,
)


@over_hits_of_rr.of_kernel(reciprocal_rank)
def _over_hits_of_rr(rows: Rows, k: int | None = None, *, rel: float = 1) -> Working:
    """1/rank, averaged over the hits."""
    top = rows.top(k)
    relevance = top.relevance(rel)
    return Working(
        rows.ratio(top.total(relevance / top.rank), top.total(relevance)),
        columns={"relevance": relevance},
        table=top.table(),
        rows=rows,
    )
