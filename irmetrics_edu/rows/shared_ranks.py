"""The value of tied documents that share their ranks: the mean over all orders of the ties.

Every order of a tie is equally likely, so each of its documents is at each of its ranks with the
same probability (McSherry & Najork, 2008, Computing information retrieval performance measures
efficiently in the presence of tied scores, ECIR).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array, like, zeros
from irmetrics_edu.rows.ranked_rows import Rows


def within(rows: Rows, values: Array, cut: Any) -> Array:
    """The values of rows, each times the share of its ranks that are above the cut.

    `cut` is a rank, a rank for each row, or None. A row with a rank of its own keeps its value,
    because rows below the cut are not in the table.
    """
    if rows.span is None or cut is None:
        return values
    first, size = rows.span
    above = np.clip(cut - first + 1, 0, size)
    out: Array = values * (like(rows.grade, above) / like(rows.grade, size))
    return out


def precision_at(rows: Rows, relevance: Array, k: int | None) -> Array:
    """For each row the precision at its rank if it were relevant; below the cut it counts 0."""
    if rows.span is None:
        out: Array = rows.running(relevance) / rows.rank
        return out
    tie, first, size = _ties(rows)
    here = zeros(rows.grade, int(tie.max(initial=-1)) + 1)
    np.add.at(here, tie, relevance)
    in_tie = here[tie]
    starts = np.flatnonzero(np.diff(tie, prepend=-1))
    above = (rows.running(relevance) - relevance)[starts][tie]
    reciprocal = rows.at_rank(lambda rank: 1 / rank, k)
    share = within(rows, rows.count(np.ones(len(tie), dtype=bool)), k)
    # Of the others in the tie as many stand above a place as chance has it: with t places above
    # within the tie, t (r - 1) / (n - 1); and t / rank is 1 - first / rank.
    others = np.maximum(size - 1, like(rows.grade, np.ones(len(tie))))
    mean: Array = (above + 1) * reciprocal + (in_tie - 1) / others * (share - first * reciprocal)
    return mean


def of_first_hit(rows: Rows, relevance: Array, k: int | None, worth: Callable[[Any], Any]) -> Array:
    """The expected value of the rank of the first relevant document, query by query."""
    tie, first, size = _ties(rows)
    out = zeros(rows.grade, rows.n)
    one = like(rows.grade, [1])[0]
    still = dict.fromkeys(range(rows.n), one)  # the probability that no hit stands above
    last = int(tie.max(initial=-1)) + 1
    hits = np.bincount(tie, np.asarray(relevance, dtype=np.float64), minlength=last).astype(int)
    for row in np.flatnonzero(np.diff(tie, prepend=-1)).tolist():
        r = int(hits[tie[row]])
        n = int(size[row])
        q = int(rows.query[row])
        for t in range(n if r else 0):
            rank = first[row] + t
            if k is not None and rank > k:
                break
            chance = one * r / (n - t)
            out[q] += still[q] * chance * worth(rank)
            still[q] *= 1 - chance
    return out


def _ties(rows: Rows) -> tuple[Array, Array, Array]:
    """The number of each row's tie, its first rank and its size."""
    if rows.span is None:
        return np.arange(len(rows.rank)), rows.rank, rows.count(np.ones(len(rows.rank)) > 0)
    first, size = rows.span
    new = (np.diff(first, prepend=0) != 0) | (np.diff(rows.query, prepend=-1) != 0)
    return new.cumsum() - 1, like(rows.grade, first), like(rows.grade, size)
