"""Choosing among numbers that are nearly equal, so that rounding decides nothing.

Numbers that are equal by definition differ in their last bits once they are computed. How they
differ depends on the processor. So a choice goes by tie groups. The numbers are sorted, and a
number joins the group of the next higher number if it is less by at most `TOLERANCE` times the size
of that number. Within a group the given order decides.

Real ties are about 1e-16 apart, and other numbers are much further apart than `TOLERANCE`. So a gap
near `TOLERANCE` itself is very unlikely. A grid of rounded numbers would not be safe: two equal
numbers may be on two sides of an edge. "Close to the best" is not safe for a whole order either,
because closeness passes from neighbour to neighbour. Groups are such chains.

A difference of larger numbers has their rounding: `scale` is the size of what it was computed from.
Whole numbers and fractions are exact: they tie only if they are equal.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from irmetrics_edu.numbers import Array

# About 5,000 times the relative rounding of one operation, for sums of many terms.
TOLERANCE = 1e-12
_LARGEST = float(np.finfo(np.float64).max)

_T = TypeVar("_T")


def _margin(
    upper: Any,
    scale: Any,
) -> Any:
    """By how much a number may lie below the next higher one and still tie with it."""
    values = np.asarray(upper)
    if values.dtype.kind in "biuO":  # exact
        return 0
    return TOLERANCE * np.maximum(np.minimum(np.abs(values), _LARGEST), scale)


def exceeds(
    value: Any,
    other: Any,
    scale: Any = 0.0,
) -> Any:
    """Whether a number is above another one, and not only by rounding; arrays go by element.

    >>> bool(exceeds(0.1 + 0.2, 0.3)), bool(exceeds(0.31, 0.3))
    (False, True)
    """
    return other < value - _margin(value, scale)


def leading(
    values: Array,
    starts: Array | None = None,
    scale: Any = 0.0,
) -> Array:
    """Which numbers are the highest, but for rounding: the first tie group; for tables, by line.

    With `starts`, part g holds the numbers from starts[g] on, at least one, and each part has its
    highest. `scale` is a number, or one for each line or part.

    >>> leading(np.array([0.3, 0.1 + 0.2, 0.1])).tolist()
    [True, True, False]
    """
    if starts is None:
        size = np.expand_dims(scale, -1) if np.ndim(scale) else scale
        least = values.max(axis=-1, keepdims=True)
    else:
        size = scale
        sizes = np.diff(starts, append=len(values))
        least = np.maximum.reduceat(values, starts)
    while True:
        bound = least - _margin(least, size)
        known = least
        if starts is not None:
            bound, known = np.repeat(bound, sizes), np.repeat(known, sizes)
        tied: Array = values >= bound
        members = np.where(tied, values, known)
        if starts is None:
            below = members.min(axis=-1, keepdims=True)
        else:
            below = np.minimum.reduceat(members, starts)
        if (below == least).all():
            return tied
        least = below


def best(
    values: Array,
    scale: Any = 0.0,
) -> Any:
    """The place of the highest number, or of the first that ties with it; for tables, by line.

    >>> int(best(np.array([0.3, 0.1 + 0.2, 0.1])))
    0
    """
    place, alone = sole(values, scale)
    return place if np.all(alone) else leading(values, scale=scale).argmax(axis=-1)


def sole(
    values: Array,
    scale: Any = 0.0,
) -> tuple[Any, Any]:
    """The place of the highest number, and whether no other ties with it; for tables, by line.

    If none ties at this scale, none ties at a smaller one.

    >>> place, alone = sole(np.array([[0.3, 0.1 + 0.2], [0.1, 0.4]]))
    >>> place.tolist(), alone.tolist()
    ([1, 1], [False, True])
    """
    place = values.argmax(axis=-1)
    top = np.take_along_axis(values, np.expand_dims(place, -1), axis=-1)
    size = np.expand_dims(scale, -1) if np.ndim(scale) else scale
    return place, np.count_nonzero(values >= top - _margin(top, size), axis=-1) == 1


def scale_of_highest(
    values: Array,
    scale: Array,
) -> Array:
    """The scale for a choice among numbers of unlike scales: the largest scale of possible leaders.

    A number may lead if it is not below the highest by more than the rounding of both. For tables,
    by line.

    >>> scale_of_highest(np.array([2.0, 2.0, 1.0]), np.array([1.0, 50.0, 9000.0])).tolist()
    50.0
    """
    with np.errstate(invalid="ignore"):  # -inf: no candidate
        margin = np.where(np.isfinite(values), _margin(values, scale), 0.0)
        floor = (values - margin).max(axis=-1, keepdims=True)
        out: Array = np.where(values + margin >= floor, scale, 0.0).max(axis=-1)
    return out


def falling(
    values: Any,
    group: Any = None,
    scale: Any = 0.0,
) -> Array:
    """The places of the numbers from high to low; numbers that tie stay in the order given.

    `group` gives the number of the group of each value; then each group is sorted by itself.
    `scale` is a number, or one for each value.

    >>> falling([0.1, 0.3, 0.1 + 0.2, 0.4]).tolist()
    [3, 1, 2, 0]
    """
    return _groups(np.asarray(values), group, scale)[0]


def levelled(
    values: Array,
    group: Any = None,
    scale: Any = 0.0,
) -> Array:
    """The numbers, with those that tie made equal: each becomes the highest that it ties with.

    >>> levelled(np.array([0.3, 0.1 + 0.2])).tolist()
    [0.30000000000000004, 0.30000000000000004]
    """
    order, first = _groups(values, group, scale)
    out = values.copy()
    out[order] = values[first]
    return out


def _groups(
    values: Array,
    group: Any,
    scale: Any,
) -> tuple[Array, Array]:
    """The places from high to low, and for each of them that of the highest of its tie group."""
    n = len(values)
    of = np.zeros(n, dtype=np.intp) if group is None else np.asarray(group)
    order = np.argsort(values, kind="stable")[::-1]
    order = order[np.argsort(of[order], kind="stable")]
    sorted_ = values[order]
    size = np.broadcast_to(scale, n)[order]
    above = sorted_[:-1]
    below = sorted_[1:]
    begins = np.ones(n, dtype=bool)
    begins[1:] = (below < above - _margin(above, size[:-1])) | (of[order[1:]] != of[order[:-1]])
    number = np.cumsum(begins)
    first = order[np.flatnonzero(begins)][number - 1]
    return order[np.lexsort((order, number))], first


def highest(
    values: Array,
    n: int,
    scale: Any = 0.0,
) -> Array:
    """The places of the n highest numbers of each line, from high to low, ties in the order given.

    `scale` is a number, or one for each line. If a tie group has no room, its first members are
    taken.

    >>> highest(np.array([[0.3, 0.1, 0.1 + 0.2, 0.4]]), 2).tolist()
    [[3, 0]]
    """
    lines, width = values.shape
    size = np.broadcast_to(np.reshape(scale, (-1, 1)), (lines, 1))
    n = min(n, width)
    top = _largest(values, n)
    # The group of the n-th: it begins after the last gap above it, and may go on below it.
    apart = top[:, 1:] < top[:, :-1] - _margin(top[:, :-1], size)
    begin = np.where(apart, np.arange(1, n), 0).max(axis=1, keepdims=True, initial=0)
    first = np.take_along_axis(top, begin, axis=1)
    least = top[:, -1:]
    while True:
        more = (values < least) & (values >= least - _margin(least, size))
        if not more.any():
            break
        least = np.where(more, values, least).min(axis=1, keepdims=True)
    above = values > first
    tied = (values >= least) & (values <= first)
    room = n - above.sum(axis=1, keepdims=True)
    full = tied.sum(axis=1) > room[:, 0]
    tied[full] &= np.cumsum(tied[full], axis=1) <= room[full]
    places: Array = np.flatnonzero(above | tied).reshape(lines, n) % width
    kept = np.take_along_axis(values, places, axis=1)
    kept = np.where(kept > first, kept, first)  # a group that lost members is still one
    line = np.repeat(np.arange(lines), n)
    order = falling(kept.ravel(), line, np.repeat(size, n))
    out: Array = places.ravel()[order].reshape(lines, n)
    return out


def _largest(
    values: Array,
    n: int,
) -> Array:
    """The n highest numbers of each line, from high to low."""
    lines, width = values.shape
    size = width // max(1, 4 * n)
    if size > 1:  # n columns hold a number from the bound up, so that few others need a look
        blocks = width // size
        highs = values[:, : blocks * size].reshape(lines, size, blocks).max(axis=1)
        bound = np.partition(highs, blocks - n, axis=1)[:, blocks - n, None]
        line, place = np.divmod(np.flatnonzero(values >= bound), width)
        starts = np.searchsorted(line, np.arange(lines + 1))
        few = np.full((lines, np.diff(starts).max(initial=n)), -np.inf)
        few[line, np.arange(len(line)) - starts[line]] = values[line, place]
        values = few
        width = few.shape[1]
    return -np.sort(-np.partition(values, width - n, axis=1)[:, width - n :], axis=1)


def in_order(
    items: Iterable[_T],
    value: Callable[[_T], Any],
    *,
    rising: bool = False,
) -> list[_T]:
    """Things by falling (or rising) value; things whose values tie stay in the order given.

    >>> in_order([("b", 0.3), ("a", 0.1 + 0.2), ("c", 1.0)], lambda item: item[1])
    [('c', 1.0), ('b', 0.3), ('a', 0.30000000000000004)]
    """
    given = list(items)
    values = np.array([value(item) for item in given])
    return [given[i] for i in falling(-values if rising else values).tolist()]
