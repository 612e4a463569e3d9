"""The best order of the judged documents if a nugget that was seen before is worth less.

It is NP-hard to find (`vertex_cover` shows why, for gains without a discount). So it is
approximated greedily, or found exactly in small pools.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.nugget_decay import Fading
from irmetrics_edu.near_ties import best, exceeds, leading
from irmetrics_edu.numbers import (
    Array,
    begin_anew,
    is_exact,
    like,
    ranks_to,
    starts_of,
    total,
)
from irmetrics_edu.rows.nugget_rows import NuggetRows

MOST_STATES = 2**15
_NOTHING = (np.array([], dtype=np.intp), np.array([], dtype=np.intp))  # no rows, no ties
_LEFT_OUT_AT = 8  # once an eighth of the rows was chosen, the others are copied
_UNSEEN = 2.0**-60  # a part of a sum that its 53 bits don't show
_FEW = 5_000  # documents of a query, whose gains are as quickly all summed anew
_MOST_AT_ONCE = 1000  # tied documents of a query that are chosen in one step


@kind
class NoveltyIdeal(Convention):
    """How to find the ideal ranking if a nugget that was seen before is worth less."""


GREEDY = NoveltyIdeal.known("greedy")
NDEVAL = NoveltyIdeal.known("ndeval")
EXACT = NoveltyIdeal.known("exact")


def ideal_order(
    pool: NuggetRows,
    k: int | None,
    fading: Fading,
    discount: Any,
    how: NoveltyIdeal,
) -> tuple[Array, Array]:
    """The rows of the pool in their ideal order, and how many documents were tied for each place.

    Gains that are equal but for rounding (`near_ties`) are tied. Exact gains are tied if they are
    equal.

    Documents that would add nothing are left out. `discount` gives the factors of an array of
    ranks. The greedy choice doesn't need it.
    """
    if how is EXACT:
        return _exact_order(
            pool,
            k,
            fading,
            discount,
        )
    return _greedy_order(
        pool,
        k,
        fading,
        last=how is NDEVAL,
    )


def _greedy_order(
    pool: NuggetRows,
    k: int | None,
    fading: Fading,
    *,
    last: bool,
) -> tuple[Array, Array]:
    """At each rank, for all queries at once, the document of highest gain."""
    n = len(pool.query)
    if not n:
        return _NOTHING
    open_rows = _OpenRows(pool, _Left.of(fading), fading, np.arange(n))
    steps = int(np.bincount(open_rows.group).max())
    chosen = []
    tied = []
    for _ in range(steps if k is None else min(k, steps)):
        gain = open_rows.gain
        among = np.flatnonzero(leading(gain, open_rows.changes))
        among = among[np.asarray(gain[among] > 0, dtype=bool)]
        if not len(among):
            break
        here, still_tied = open_rows.next_of(among, last=last)
        chosen.append(open_rows.numbers[here])
        tied.append(still_tied)
        open_rows = open_rows.without(here)
    if not chosen:
        return _NOTHING
    rows = np.concatenate(chosen)
    ties = np.concatenate(tied)
    query = pool.query[rows]
    order = np.argsort(query, kind="stable")
    if k is not None:  # a step may have chosen more documents than there are ranks
        first = starts_of(query[order], pool.n)
        place = np.arange(len(order)) - first[query[order]]
        order = order[place < k]
    return rows[order], ties[order]


@dataclass(frozen=True, eq=False)
class _Left:
    """What is left of the weight of each nugget, and whether anybody would notice that it fades."""

    weight: Array
    # Worth so little beside all else in each open document that the sums no longer show it.
    spent: Array

    @classmethod
    def of(cls, fading: Fading) -> "_Left":
        """All of it."""
        return cls(fading.weight.copy(), np.zeros(len(fading.weight), dtype=bool))


class _OpenRows:
    """The documents that may still be chosen, by query, with their gains.

    After a choice only documents that share a nugget with it gain less. Where there are many, only
    their gains are summed anew. Documents that were chosen are left out, some at a time.
    """

    def __init__(
        self,
        pool: NuggetRows,
        left: _Left,
        fading: Fading,
        numbers: Array,
    ) -> None:
        self.pool = pool
        self.left = left
        self.fading = fading
        self.numbers = numbers  # of each row in the whole pool
        self.used = np.zeros(len(numbers), dtype=bool)
        self.changes = np.flatnonzero(begin_anew(pool.query))
        sizes = np.diff(np.append(self.changes, len(numbers)))
        self.group = np.repeat(np.arange(len(self.changes)), sizes)
        self.are_few = sizes.max() < _FEW
        if self.are_few:
            left.spent[:] = False
        # What each document would add; less than nothing for one that was chosen.
        self.gain = self._gains()

    def _gains(self) -> Array:
        """What each document would add, all summed anew."""
        worth = self.left.weight[self.pool.nugget] * self.fading.worth
        gain: Array = total(worth, self.pool.row, len(self.numbers))
        gain[self.used] = like(self.fading.weight, [-1])[0]
        return gain

    @cached_property
    def entries_by_nugget(self) -> Array:
        """The numbers of the entries, those of a nugget side by side."""
        return np.argsort(self.pool.nugget, kind="stable")

    @cached_property
    def nugget_starts(self) -> Array:
        """Where the entries of each nugget begin among `entries_by_nugget`."""
        starts: Array = starts_of(self.pool.nugget[self.entries_by_nugget], len(self.left.weight))
        return starts

    def _entries_with(self, nuggets: Array) -> tuple[Array, Array]:
        """How many entries each of the nuggets has, and the numbers of all of them."""
        starts = self.nugget_starts[nuggets]
        sizes = self.nugget_starts[nuggets + 1] - starts
        begins = sizes.cumsum() - sizes
        places = np.repeat(starts - begins, sizes) + np.arange(sizes.sum())
        return sizes, self.entries_by_nugget[places]

    def next_of(
        self,
        tied: Array,
        *,
        last: bool,
    ) -> tuple[Array, Array]:
        """Of the tied rows those to choose next, in order, and how many were tied for each place.

        The first of a query is chosen, or the last. If no other tied row holds a nugget of it, the
        others stay tied, and the next of them is chosen in the same step, and so on. So a query
        whose documents share nothing takes few steps, not one for each document. Tied gains have
        to be equal to the last bit for it: else the highest may be gone, and fewer are tied.
        """
        if last:
            tied = tied[::-1]
        starts = np.flatnonzero(begin_anew(self.group[tied]))
        sizes = np.diff(starts, append=len(tied))
        start = np.repeat(starts, sizes)
        differs = self.gain[tied] != self.gain[tied[start]]
        any_differs = np.logical_or.reduceat(differs, starts)
        place = np.arange(len(tied)) - start
        still_tied = np.repeat(sizes, sizes) - place
        ends_step = np.repeat(any_differs, sizes)
        ends_step |= place == _MOST_AT_ONCE - 1
        looked_at = np.flatnonzero(place < _MOST_AT_ONCE)
        ends_step[looked_at] |= self._shares_nugget(tied[looked_at], len(tied))
        ended_before = ends_step.cumsum() - ends_step  # in all queries above, too
        is_next = ended_before == ended_before[start]
        return tied[is_next], still_tied[is_next]

    def _shares_nugget(self, rows: Array, n_tied: int) -> Array:
        """Which of these rows hold a nugget that another tied row holds, and that is not spent.

        If these are not all of the tied rows, a nugget that any open document holds counts.
        """
        held, entries = self.pool.entries_of(rows)
        nuggets = self.pool.nugget[entries]
        if len(rows) == n_tied:
            holders = np.bincount(nuggets)[nuggets]
        else:
            holders = self.nugget_starts[nuggets + 1] - self.nugget_starts[nuggets]
        is_shared = (holders > 1) & ~self.left.spent[nuggets]
        row = np.repeat(np.arange(len(rows)), held)
        shares = np.zeros(len(rows), dtype=bool)
        shares[row[is_shared]] = True
        return shares

    def _once(self, rows: Array) -> Array:
        """These rows in order, each once."""
        is_one = np.zeros(len(self.used), dtype=bool)
        is_one[rows] = True
        return np.flatnonzero(is_one)

    def without(self, chosen: Array) -> "_OpenRows":
        """The same without these rows of it, whose nuggets fade."""
        self.used[chosen] = True
        self._fade(chosen)
        n_used = np.count_nonzero(self.used)
        if n_used == len(self.used) or n_used < len(self.used) // _LEFT_OUT_AT:
            return self
        rest = np.flatnonzero(~self.used)
        _, entries = self.pool.entries_of(rest)
        fading = replace(
            self.fading,
            worth=self.fading.worth[entries],
            decay=self.fading.decay[entries],
        )
        return _OpenRows(self.pool.take(rest), self.left, fading, self.numbers[rest])

    def _fade(self, chosen: Array) -> None:
        """Let the nuggets of these rows fade, and sum anew what other rows would add."""
        _, entries = self.pool.entries_of(chosen)
        nuggets = self.pool.nugget[entries]
        # Spent nuggets may stand here more than once.
        np.multiply.at(self.left.weight, nuggets, self.fading.decay[entries])
        if self.are_few:
            self.gain = self._gains()
            return
        self.gain[chosen] = like(self.fading.weight, [-1])[0]
        noticed = nuggets[~self.left.spent[nuggets]]
        _, held_by = self._entries_with(noticed)
        holders = self.pool.row[held_by]
        touched = self._once(holders[~self.used[holders]])
        if not len(touched):
            return
        held, entries = self.pool.entries_of(touched)
        row = np.repeat(np.arange(len(touched)), held)
        worth = self.left.weight[self.pool.nugget[entries]] * self.fading.worth[entries]
        gain = total(worth, row, len(touched))
        self.gain[touched] = gain
        # A gain that has become small may show again what was too little before.
        unseen = 0 if is_exact(gain) else _UNSEEN * gain[row]
        shows = np.asarray(worth > unseen, dtype=bool)
        self.left.spent[noticed] = True
        self.left.spent[self.pool.nugget[entries[shows]]] = False


def _exact_order(
    pool: NuggetRows,
    k: int | None,
    fading: Fading,
    discount: Any,
) -> tuple[Array, Array]:
    """For each query, the order of most discounted gain down to the cut."""
    order: list[int] = []
    for q in range(pool.n):
        order += _exact_order_of(
            pool,
            k,
            fading,
            discount,
            q,
        )
    return np.array(order, dtype=np.intp), np.ones(len(order), dtype=np.intp)


# How many of each kind were taken, with the value of their best order and that order.
_Layer = dict[tuple[int, ...], tuple[Any, tuple[int, ...]]]


def _exact_order_of(
    pool: NuggetRows,
    k: int | None,
    fading: Fading,
    discount: Any,
    q: int,
) -> list[int]:
    """Go through all sets of documents, small to large, each in its best order.

    What the next document gains depends on which documents stand before it, not on their order.
    So the best order of a set is that of a smaller set and one document after it. Documents that
    hold the same nuggets are of one kind, and only how many of each kind were taken matters.
    """
    kinds = _kinds_of(pool, fading, q)
    contents = list(kinds)
    members = list(kinds.values())
    sizes = [len(rows) for rows in members]
    depth = sum(sizes) if k is None else min(k, sum(sizes))
    _refuse_if_large(
        sizes,
        depth,
        pool,
        q,
    )
    discounts = discount(ranks_to(fading.weight, depth))
    layer: _Layer = {(0,) * len(members): (0, ())}
    for place in range(depth):
        layer = _one_more(
            layer,
            contents,
            sizes,
            fading,
            discounts[place],
        )
    if not layer:
        return []
    sums, paths = zip(*layer.values(), strict=True)
    path = paths[best(np.array(sums, dtype=discounts.dtype))]
    used: Counter[int] = Counter()
    order: list[int] = []
    for which in path:
        order.append(members[which][used[which]])
        used[which] += 1
    return order


def _kinds_of(
    pool: NuggetRows,
    fading: Fading,
    q: int,
) -> dict[tuple[Any, ...], list[int]]:
    """The documents of a query by what they hold that is worth anything."""
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for row in np.flatnonzero(pool.query == q).tolist():
        entries = range(pool.entry_starts[row], pool.entry_starts[row + 1])
        worth = [entry for entry in entries if fading.worth[entry]]
        held = [(pool.nugget[entry], fading.worth[entry], fading.decay[entry]) for entry in worth]
        if held:
            kinds.setdefault(tuple(held), []).append(row)
    return kinds


def _one_more(
    layer: _Layer,
    contents: list[Any],
    sizes: list[int],
    fading: Fading,
    discount: Any,
) -> _Layer:
    """The sets with one more document, each with its best value and the order that gives it."""
    following: _Layer = {}
    for taken, (value, path) in layer.items():
        left = _faded(contents, taken, fading.weight)
        for which, held in enumerate(contents):
            if taken[which] == sizes[which]:
                continue
            gain = sum(left.get(nugget, fading.weight[nugget]) * worth for nugget, worth, _ in held)
            more = (*taken[:which], taken[which] + 1, *taken[which + 1 :])
            total = value + gain * discount
            best_so_far = following.get(more)
            if best_so_far is None or exceeds(total, best_so_far[0]):
                following[more] = (total, (*path, which))
    return following


def _faded(
    contents: list[Any],
    taken: tuple[int, ...],
    weight: Array,
) -> dict[int, Any]:
    """What is left of the weight of each nugget after these documents."""
    left: dict[int, Any] = {}
    for held, times in zip(contents, taken, strict=True):
        if times:
            for nugget, _, decay in held:
                left[nugget] = left.get(nugget, weight[nugget]) * decay**times
    return left


def _refuse_if_large(
    sizes: list[int],
    depth: int,
    pool: NuggetRows,
    q: int,
) -> None:
    """Count the sets of at most `depth` documents, and refuse to go through too many.

    More kinds of documents make more sets, so that counting ends with the first kind too many.
    """
    ways = [1] + [0] * min(depth, MOST_STATES)
    for size in sizes:
        up_to = [0, *accumulate(ways)]
        ways = [up_to[i + 1] - up_to[max(0, i - size)] for i in range(len(ways))]
        if sum(ways) > MOST_STATES:
            raise InputError(
                f"{pool.at(q)}ideal='exact' would go through more than {MOST_STATES:,} sets of "
                f"{sum(sizes):,} judged documents; choose a smaller k or ideal='greedy'"
            )
