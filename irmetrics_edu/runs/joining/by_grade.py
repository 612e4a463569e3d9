"""Ties whose order depends on the judgments, settled for a whole run at once.

Only judged documents are rows. Of the other documents in a tie only the number matters. Nobody
judged them, so they are ordered like documents of grade 0, in the order given.
"""

from dataclasses import replace

import numpy as np

from irmetrics_edu.conventions import Ties
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.runs.joining.aligned import Aligned


def settled(aligned: Aligned, ties: Ties) -> Rows:
    """The rows of a run aligned with ties as given, each tie now in the convention's order."""
    rows = aligned.rows
    if ties.shared:
        return replace(rows, span=np.stack([aligned.first, aligned.alike]).astype(np.float64))
    if not ties.by_grade:
        return rows
    tied = np.flatnonzero(aligned.alike > 1)
    if not len(tied):
        return rows
    # A rank for each kind of grade, as the convention orders a list of them.
    grade = np.where(rows.judged, rows.grade, 0.0)
    kinds, kind = np.unique(np.append(grade[tied], 0.0), return_inverse=True)
    order = np.argsort(ties.arranged([None] * len(kinds), kinds.tolist()))
    worth = order[kind]
    worth, zero = worth[:-1], int(worth[-1])
    rank = rows.rank.copy()
    rank[tied] = _ranks(
        rows.query[tied], aligned.first[tied], aligned.alike[tied], aligned.place[tied], worth, zero
    )
    by_rank = np.lexsort((rank, rows.query))
    return replace(rows.where(by_rank), rank=rank[by_rank])


def _ranks(
    query: Array, first: Array, alike: Array, place: Array, worth: Array, zero: int
) -> Array:
    """The rank of each judged document in its tie; those not judged are worth `zero`."""
    sorted_ = np.lexsort((place, worth, first, query))
    by_place = np.lexsort((place, first, query))  # the same ties, each in the order given
    new = (np.diff(query[sorted_], prepend=-1) != 0) | (np.diff(first[sorted_], prepend=-1) != 0)
    starts = np.flatnonzero(new)
    tie = new.cumsum() - 1  # of the items in either order
    sizes = np.diff(np.append(starts, len(query)))
    position = np.arange(len(query)) - starts[tie]
    not_judged = (alike[sorted_] - sizes[tie]) * (worth[sorted_] > zero)
    rank = np.empty(len(query))
    rank[sorted_] = first[sorted_] + position + not_judged
    # Of what is worth zero, judged or not, so many stand above as in the order given: all that do,
    # but for the judged of other grades.
    before = np.bincount(tie, worth[sorted_] < zero, len(starts))
    other = (worth[by_place] != zero).astype(np.intp)
    above = other.cumsum() - other
    above -= above[starts][tie]
    zeros = worth[by_place] == zero
    here = by_place[zeros]
    rank[here] = place[here] + before[tie[zeros]] - above[zeros]
    return rank
