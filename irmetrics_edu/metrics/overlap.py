"""How much two orders have in common down to each depth, if items may tie.

c_i,d  = how much of item i the first d places of the first order hold
c'_i,d = the same for the second order
X_d    = the sum of c_i,d c'_i,d over all items
"""

from dataclasses import dataclass

import numpy as np

from irmetrics_edu.conventions import TiedOverlap
from irmetrics_edu.numbers import Array, running_total, zeros
from irmetrics_edu.rows.two_orders import Orders


@dataclass(frozen=True)
class Common:
    """For each depth: the overlap, and what is assumed of the shorter order."""

    overlap: Array
    divisor: Array
    lacking: Array  # how many places of the shorter order are not seen
    likely: Array  # how much of an item that one order alone has stands there, on average
    most: Array  # how much of such items what is not seen can hold at most


def common(rows: Orders, k: int | None, tied: TiedOverlap) -> Common:
    """The overlap of each pair of orders, down to depth k."""
    top = rows.top(k)
    short = top.count(np.minimum(top.length, top.other_length))
    lacking = np.maximum(top.depth - short[top.query], top.depth * 0)
    found = Common(
        running_total(_new_in_both(top), top.starts),
        top.depth.copy(),
        lacking,
        zeros(top.depth, len(lacking)) + 1,
        lacking.copy(),
    )
    if tied.name != "refuse":
        for q in np.flatnonzero(rows.tied).tolist():
            lines = slice(int(top.starts[q]), int(top.starts[q + 1]))
            _tied(rows.of(q), top.depth[lines], tied, found, lines)
    return found


def _new_in_both(top: Orders) -> Array:
    """How many items come to be in both lists at each depth: at the deeper of their two places."""
    met = np.maximum(top.depth.astype(np.intp), top.place)
    long = np.maximum(top.length, top.other_length)
    found = (top.place > 0) & (met <= long[top.query])
    lines = top.starts[:-1][top.query[found]] + met[found] - 1
    return top.count(np.bincount(lines, minlength=len(top.query)))


def _tied(pair: Orders, depth: Array, tied: TiedOverlap, found: Common, lines: slice) -> None:
    """The values of one pair with equal scores, into its lines."""
    n, m = int(pair.length[0]), int(pair.other_length[0])
    one = _held(pair.level[:n], depth, tied)
    other = _held(pair.own_level[:m], depth, tied)
    place = pair.place[:n]
    found.overlap[lines] = (one[place > 0] * other[place[place > 0] - 1]).sum(axis=0)
    lacking = found.lacking[lines]
    alone = one[place == 0] if n > m else np.delete(other, place[place > 0] - 1, axis=0)
    there = (alone > 0).sum(axis=0)
    whole = alone.sum(axis=0)
    found.likely[lines] = [w / t if t else w * 0 + 1 for w, t in zip(whole, there, strict=True)]
    so_far = np.concatenate([zeros(depth, len(depth))[None, :], alone.cumsum(axis=0)])
    found.most[lines] = so_far[lacking.astype(np.intp), np.arange(len(depth))]
    # Of the shorter order each place that is not seen holds an item of its own.
    longest = int(lacking.max(initial=0))
    beyond = np.arange(1, longest + 1)[:, None] <= lacking[None, :]
    rest = pair.count(beyond.ravel()).reshape(beyond.shape)
    if n > m:
        other = np.concatenate([other, rest])
    else:
        one = np.concatenate([one, rest])
    found.divisor[lines] = tied.divisor(one, other)


def _held(level: Array, depth: Array, tied: TiedOverlap) -> Array:
    """How much of each item of an order stands within each depth."""
    first = np.searchsorted(level, level, side="left")
    size = np.searchsorted(level, level, side="right") - first
    kind = depth[:1] * 0  # fractions stay fractions
    return tied.held(depth[None, :], first[:, None] + 1 + kind, size[:, None] + kind)
