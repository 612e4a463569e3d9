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
    size = np.abs(values)
    size = np.minimum(size, _LARGEST)
    size = np.maximum(size, scale)
    return TOLERANCE * size


def exceeds(
    value: Any,
    other: Any,
    scale: Any = 0.0,
) -> Any:
    """Whether a number is above another one, and not only by rounding; arrays go by element.

    >>> bool(exceeds(0.1 + 0.2, 0.3)), bool(exceeds(0.31, 0.3))
    (False, True)
    """
    bound = value - _margin(value, scale)
    return other < bound


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
    if starts is not None and len(starts) == 1:  # one part is a list, which is quicker
        return leading(values, scale=np.max(scale))
    if starts is None:
        size = _by_line(scale)
        least = values.max(axis=-1, keepdims=True)
    else:
        size = scale
        sizes = np.diff(starts, append=len(values))
        least = np.maximum.reduceat(values, starts)
    while True:
        bound = least - _margin(least, size)
        top = least
        if starts is not None:
            bound = np.repeat(bound, sizes)
            top = np.repeat(top, sizes)
        tied: Array = values >= bound
        members = np.where(tied, values, top)
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
    if np.all(alone):
        return place
    leaders = leading(values, scale=scale)
    return leaders.argmax(axis=-1)


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
    place_by_line = np.expand_dims(place, -1)
    top = np.take_along_axis(values, place_by_line, axis=-1)
    bound = top - _margin(top, _by_line(scale))
    leaders = np.count_nonzero(values >= bound, axis=-1)
    return place, leaders == 1


def _by_line(scale: Any) -> Any:
    """A scale for each line beside all numbers of its line; one number for all stays as it is."""
    if np.ndim(scale):
        return np.expand_dims(scale, -1)
    return scale


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
        margin = np.where(
            np.isfinite(values),
            _margin(values, scale),
            0.0,
        )
        lowest = values - margin
        highest = values + margin
        floor = lowest.max(axis=-1, keepdims=True)
        scale_of_leaders = np.where(highest >= floor, scale, 0.0)
    largest: Array = scale_of_leaders.max(axis=-1)
    return largest


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
    order, _ = _groups(np.asarray(values), group, scale)
    return order


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
    groups = np.zeros(n, dtype=np.intp) if group is None else np.asarray(group)
    order = np.argsort(values, kind="stable")[::-1]
    by_group = np.argsort(groups[order], kind="stable")
    order = order[by_group]
    in_order = values[order]
    size = np.broadcast_to(scale, n)[order]
    above = in_order[:-1]
    below = in_order[1:]
    bound = above - _margin(above, size[:-1])
    group_in_order = groups[order]
    new_group = group_in_order[1:] != group_in_order[:-1]
    begins = np.ones(n, dtype=bool)
    begins[1:] = (below < bound) | new_group
    number = np.cumsum(begins)
    first_of_each = order[begins]
    first = first_of_each[number - 1]
    as_given = np.lexsort((order, number))
    return order[as_given], first


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
    column = np.reshape(scale, (-1, 1))
    size = np.broadcast_to(column, (lines, 1))
    n = min(n, width)
    top = _largest(values, n)
    # The group of the n-th: it begins after the last gap above it, and may go on below it.
    upper = top[:, :-1]
    lower = top[:, 1:]
    apart = lower < upper - _margin(upper, size)
    begins = np.where(apart, np.arange(1, n), 0)
    begin = begins.max(axis=1, keepdims=True, initial=0)
    first = np.take_along_axis(top, begin, axis=1)
    least = top[:, -1:]
    while True:
        bound = least - _margin(least, size)
        more = (values < least) & (values >= bound)
        if not more.any():
            break
        members = np.where(more, values, least)
        least = members.min(axis=1, keepdims=True)
    above = values > first
    tied = (values >= least) & (values <= first)
    room = n - above.sum(axis=1, keepdims=True)
    full = tied.sum(axis=1) > room[:, 0]
    number_in_tie = np.cumsum(tied[full], axis=1)
    tied[full] &= number_in_tie <= room[full]
    chosen = np.flatnonzero(above | tied)
    places: Array = chosen.reshape(lines, n) % width
    kept = np.take_along_axis(values, places, axis=1)
    kept = np.where(kept > first, kept, first)  # a group that lost members is still one
    line = np.repeat(np.arange(lines), n)
    size_of_each = np.repeat(size, n)
    order = falling(kept.ravel(), line, size_of_each)
    from_high = places.ravel()[order]
    by_line: Array = from_high.reshape(lines, n)
    return by_line


def _largest(
    values: Array,
    n: int,
) -> Array:
    """The n highest numbers of each line, from high to low."""
    lines, width = values.shape
    size = width // max(1, 4 * n)
    if size > 1:  # n columns hold a number from the bound up, so that few others need a look
        blocks = width // size
        of_blocks = values[:, : blocks * size].reshape(lines, size, blocks)
        highs = of_blocks.max(axis=1)
        nth = blocks - n
        bound = np.partition(highs, nth, axis=1)[:, nth, None]
        candidates = np.flatnonzero(values >= bound)
        line, place = np.divmod(candidates, width)
        starts = np.searchsorted(line, np.arange(lines + 1))
        width = np.diff(starts).max(initial=n)
        few = np.full((lines, width), -np.inf)
        number_in_line = np.arange(len(line)) - starts[line]
        few[line, number_in_line] = values[line, place]
        values = few
    least = width - n
    top = np.partition(values, least, axis=1)[:, least:]
    rising = np.sort(-top, axis=1)
    return -rising


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
    things = list(items)
    values = np.array([value(item) for item in things])
    if rising:
        values = -values
    order = falling(values)
    return [things[place] for place in order.tolist()]
