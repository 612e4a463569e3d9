"""The best order of the judged documents if a nugget that was seen before is worth less.

It is NP-hard to find (`vertex_cover` shows why, for gains without a discount). So it is
approximated greedily, or found exactly in small pools.
"""

from collections import Counter
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.nugget_decay import Fading
from irmetrics_edu.near_ties import best, exceeds, leading
from irmetrics_edu.numbers import Array, like, ranks_to, total
from irmetrics_edu.rows.nugget_rows import NuggetRows

MOST_STATES = 2**15


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
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    weight = fading.weight.copy()
    changes = np.flatnonzero(np.diff(pool.query, prepend=-1))
    group = np.repeat(np.arange(len(changes)), np.diff(np.append(changes, n)))
    steps = int(np.diff(np.append(changes, n)).max())
    minus_one = like(fading.weight, [-1])[0]
    used = np.zeros(n, dtype=bool)
    chosen = []
    tied = []
    for _ in range(steps if k is None else min(k, steps)):
        gain = total(weight[pool.nugget] * fading.worth, pool.row, n)
        gain[used] = minus_one
        most = np.maximum.reduceat(gain, changes)
        among = np.flatnonzero(leading(gain, changes) & (most > 0)[group])
        if not len(among):
            break
        query_of = group[among]
        here = (
            among[np.diff(query_of, append=-1) != 0]
            if last
            else among[np.diff(query_of, prepend=-1) != 0]
        )
        chosen.append(here)
        tied.append(np.bincount(query_of, minlength=len(changes))[group[here]])
        used[here] = True
        _, entries = pool.entries_of(here)
        weight[pool.nugget[entries]] *= fading.decay[entries]
    if not chosen:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    rows = np.concatenate(chosen)
    ties = np.concatenate(tied)
    order = np.argsort(pool.query[rows], kind="stable")
    return rows[order], ties[order]


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
    """Count the sets of at most `depth` documents, and refuse to go through too many."""
    ways = [1] + [0] * depth
    for size in sizes:
        ways = [sum(ways[max(0, i - size) : i + 1]) for i in range(depth + 1)]
    if sum(ways) > MOST_STATES:
        raise InputError(
            f"{pool.at(q)}ideal='exact' would go through {sum(ways):,} sets of {sum(sizes)} judged "
            f"documents, more than {MOST_STATES:,}; choose a smaller k or ideal='greedy'"
        )
