"""The value of tied documents that share their ranks: the mean over all orders of the ties.

Every order of a tie is equally likely, so each of its documents is at each of its ranks with the
same probability (McSherry & Najork, 2008, Computing information retrieval performance measures
efficiently in the presence of tied scores, ECIR).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from irmetrics_edu.numbers import Array, begin_anew, like, zeros
from irmetrics_edu.rows.ranked_rows import Rows


def within(
    rows: Rows,
    values: Array,
    cut: Any,
) -> Array:
    """The values of rows, each times the share of its ranks that are above the cut.

    `cut` is a rank, a rank for each row, or None. A row with a rank of its own keeps its value,
    because rows below the cut are not in the table.
    """
    if rows.span is None or cut is None:
        return values
    first, size = rows.span
    down_to_cut = cut - first + 1
    above = np.clip(down_to_cut, 0, size)
    above_cut = like(rows.grade, above)
    all_ranks = like(rows.grade, size)
    share = above_cut / all_ranks
    cut_values: Array = values * share
    return cut_values


def precision_at(
    rows: Rows,
    relevance: Array,
    k: int | None,
) -> Array:
    """For each row the precision at its rank if it were relevant; below the cut it counts 0."""
    if rows.span is None:
        precision: Array = rows.running(relevance) / rows.rank
        return precision
    tie, first, size = _ties(rows)
    n = len(tie)
    relevant_in = zeros(rows.grade, n)  # there are no more ties than rows
    np.add.at(relevant_in, tie, relevance)
    in_tie = relevant_in[tie]
    starts = _first_rows(tie)
    before_row = rows.running(relevance) - relevance
    before_tie = before_row[starts]
    above = before_tie[tie]
    reciprocal = rows.at_rank(
        lambda rank: 1 / rank,
        k,
    )
    every_row = rows.count(np.ones(n, dtype=bool))
    share = within(rows, every_row, k)
    # Of the others in the tie as many stand above a place as chance has it: with t places above
    # within the tie, t (r - 1) / (n - 1); and t / rank is 1 - first / rank.
    ones = like(rows.grade, np.ones(n))
    others = np.maximum(size - 1, ones)
    chance = (in_tie - 1) / others
    places_above = share - first * reciprocal
    of_tie = chance * places_above
    of_others = (above + 1) * reciprocal
    mean: Array = of_others + of_tie
    return mean


def of_first_hit(
    rows: Rows,
    relevance: Array,
    k: int | None,
    worth: Callable[[Any], Any],
) -> Array:
    """The expected value of the rank of the first relevant document, query by query."""
    tie, first, size = _ties(rows)
    expected = zeros(rows.grade, rows.n)
    one = like(rows.grade, [1])[0]
    no_hit_yet = dict.fromkeys(range(rows.n), one)  # the probability that no hit stands above
    weights = np.asarray(relevance, dtype=np.float64)
    hits_in = np.bincount(tie, weights)
    for row in _first_rows(tie).tolist():
        hits = int(hits_in[tie[row]])
        if not hits:
            continue
        n = int(size[row])
        q = int(rows.query[row])
        for t in range(n):
            rank = first[row] + t
            if k is not None and rank > k:
                break
            chance = one * hits / (n - t)
            first_hit_here = no_hit_yet[q] * chance
            expected[q] += first_hit_here * worth(rank)
            no_hit_yet[q] *= 1 - chance
    return expected


def _first_rows(tie: Array) -> Array:
    """The first row of each tie."""
    return np.flatnonzero(begin_anew(tie))


def _ties(rows: Rows) -> tuple[Array, Array, Array]:
    """The number of each row's tie, its first rank and its size."""
    n = len(rows.rank)
    if rows.span is None:
        each = np.arange(n)
        one = rows.count(np.ones(n, dtype=bool))
        return each, rows.rank, one
    first, size = rows.span
    tie = begin_anew(first, rows.query).cumsum() - 1
    return tie, like(rows.grade, first), like(rows.grade, size)
