"""The ranks of judged documents in a whole run, and the order of its ties.

A document's rank is how many documents of its query beat its score, plus one. Where a tie's order
needs only the documents or their scores, it is settled as the ranks are found. Where it needs
grades, or ties share their ranks, it is settled once the rows are there: only judged documents are
rows. Of the other documents in a tie only the number matters. Nobody judged them, so they are
ordered like documents of grade 0, in the order given.
"""

from dataclasses import replace

import numpy as np

from irmetrics_edu.conventions import Ties
from irmetrics_edu.numbers import Array, begin_anew
from irmetrics_edu.rows.ranked_rows import Rows

# Below this many documents a query, one sort of all is cheaper than a sort for each.
_SHORT = 64


def falling(
    score: Array,
    starts: Array,
) -> Array:
    """The scores, negated and in order within each query: the best first.

    Query g holds items starts[g] to starts[g+1]. Runs usually come in order; only the queries
    that don't are sorted.
    """
    worth = -score
    if len(worth) < 2:
        return worth
    rises = np.flatnonzero(worth[1:] < worth[:-1]) + 1
    query = np.searchsorted(starts, rises, side="right") - 1
    within_query = starts[query] != rises
    wrong = np.unique(query[within_query])
    if not len(wrong):
        return worth
    begin = starts[wrong]
    end = starts[wrong + 1]
    if (end - begin).mean() >= _SHORT:
        for b, e in zip(begin.tolist(), end.tolist(), strict=True):
            worth[b:e].sort()
    else:
        sizes = np.diff(starts)
        group = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((worth, group))
        worth = worth[order]
    return worth


def beaten_by(
    worth: Array,
    begin: Array,
    end: Array,
    target: Array,
) -> tuple[Array, Array]:
    """How many items of worth[begin:end] come before each target, and how many are equal to it.

    The items are in rising order, and each target is among them.
    """
    first = _bisect(
        worth,
        begin,
        end,
        target,
        np.less,
    )
    alike = np.ones(len(first), dtype=np.intp)
    second = np.minimum(first + 1, len(worth) - 1)
    has_second = first + 1 < end
    is_alike = has_second & (worth[second] == target)
    shared = np.flatnonzero(is_alike)
    if len(shared):
        last = _bisect(
            worth,
            first[shared],
            end[shared],
            target[shared],
            np.less_equal,
        )
        alike[shared] = last - first[shared]
    return first - begin, alike


def _bisect(
    worth: Array,
    begin: Array,
    end: Array,
    target: Array,
    goes_on: np.ufunc,
) -> Array:
    """The first place in each worth[begin:end] at which the comparison stops to hold."""
    if not len(begin):
        return begin
    # First the largest power of two that fits, from the front or up to the end; from there on
    # halves stay within the query, so that all searches take the same few steps, without masks.
    size = end - begin
    _, exponent = np.frexp(size)
    step = np.left_shift(1, exponent - 1)
    in_second_part = goes_on(worth[begin + step - 1], target)
    place: Array = np.where(in_second_part, end - step, begin)
    for _ in range(int(step.max()).bit_length() - 1):
        step >>= 1  # 0 for the shorter ones, which stay where they are
        is_beyond = goes_on(worth[place + step - 1], target)
        place += step * is_beyond
    place += goes_on(worth[place], target)
    return place


def tied(
    worth: Array,
    starts: Array,
) -> Array:
    """How many documents of each query share their score with another of the query."""
    n = len(starts) - 1
    if len(worth) < 2:
        return np.zeros(n, dtype=np.intp)
    alike = worth[1:] == worth[:-1]
    is_inner = (starts > 0) & (starts < len(worth))
    inner = starts[is_inner]
    alike[inner - 1] = False  # the last of one query and the first of the next
    pairs = np.flatnonzero(alike)
    if len(pairs) > len(worth) // 8:  # many: marks take less room than places
        marked = np.zeros(len(worth), dtype=bool)
        marked[1:] = alike
        marked[:-1] |= alike
        documents = np.flatnonzero(marked)
    else:
        documents = np.union1d(pairs, pairs + 1)
    return np.diff(np.searchsorted(documents, starts))


def rows_with_ties_settled(
    rows: Rows,
    place: Array,
    first: Array,
    alike: Array,
    ties: Ties,
    *,
    alone: bool = False,
) -> Rows:
    """The rows of a run that was ranked with ties as given, each tie in the convention's order.

    The judged documents may be `alone` there, without those that nobody judged.
    """
    if alone and len(rows.rank) and not ties.in_bulk:
        return _settled_alone(
            rows,
            place,
            first,
            ties,
        )
    if ties.shared:
        span = np.stack([first, alike]).astype(np.float64)
        return replace(rows, span=span)
    if not ties.by_grade:
        return rows
    tied = np.flatnonzero(alike > 1)
    if not len(tied):
        return rows
    grade = np.where(rows.judged, rows.grade, 0.0)
    worth = _worth(np.append(grade[tied], 0.0), ties)
    zero = int(worth[-1])  # of the grade 0 that was added last
    worth = worth[:-1]
    rank = rows.rank.copy()
    rank[tied] = _within_ties(
        rows.query[tied],
        first=first[tied],
        alike=alike[tied],
        place=place[tied],
        worth=worth,
        zero=zero,
    )
    by_rank = np.lexsort((rank, rows.query))
    return replace(rows.where(by_rank), rank=rank[by_rank])


def _worth(grades: Array, ties: Ties) -> Array:
    """A number for each kind of grade, as the convention orders a list of them: the first is 0."""
    kinds, kind = np.unique(grades, return_inverse=True)
    arranged = ties.arranged([None] * len(kinds), kinds.tolist())
    worth: Array = np.argsort(arranged)[kind]
    return worth


def _settled_alone(
    rows: Rows,
    place: Array,
    first: Array,
    ties: Ties,
) -> Rows:
    """The rows where all others were removed: the judged documents of a tie are the whole tie."""
    if ties.shared:
        begins = np.flatnonzero(begin_anew(first, rows.query))
        sizes = np.diff(np.append(begins, len(first)))
        ranks = np.repeat(rows.rank[begins], sizes)
        span = np.stack([ranks, np.repeat(sizes, sizes).astype(np.float64)])
        return replace(rows, span=span)
    order = np.lexsort((place, _worth(rows.grade, ties), first, rows.query))
    return replace(rows.where(order), rank=rows.rank)  # the ranks of a query are 1, 2 and so on


def _within_ties(
    query: Array,
    first: Array,
    alike: Array,
    place: Array,
    worth: Array,
    zero: int,
) -> Array:
    """The rank of each judged document in its tie; those not judged are worth `zero`."""
    by_worth = np.lexsort((place, worth, first, query))
    by_place = np.lexsort((place, first, query))  # the same ties, each in the order given
    new = begin_anew(query[by_worth], first[by_worth])
    starts = np.flatnonzero(new)
    tie = new.cumsum() - 1  # of the items in either order
    n = len(query)
    sizes = np.diff(np.append(starts, n))
    position = np.arange(n) - starts[tie]
    not_judged = alike[by_worth] - sizes[tie]
    not_judged_above = not_judged * (worth[by_worth] > zero)
    rank = np.empty(n)
    rank[by_worth] = first[by_worth] + position + not_judged_above
    # Of what is worth zero, judged or not, so many stand above as in the order given: all that do,
    # but for the judged of other grades.
    is_less = worth[by_worth] < zero
    before = np.bincount(tie, is_less, len(starts))
    is_zero = worth[by_place] == zero
    other = (~is_zero).astype(np.intp)
    above = other.cumsum() - other
    above -= above[starts][tie]
    here = by_place[is_zero]
    rank[here] = place[here] + before[tie[is_zero]] - above[is_zero]
    return rank
