"""Minimising a convex sum, and refusing a search that did not come to the minimum."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.pairs import Pairs
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady

_ENOUGH = 1e-12  # of the sum that is minimised: what is left is rounding
_MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a search ended: the point, its sum, and how far the sum may be above the minimum."""

    point: Array
    value: float
    gap: float
    steps: int

    def require_end(self, data: RankingData, what: str) -> None:
        """InputError if the search stopped before the sum was within a millionth of its least."""
        if not np.isfinite(self.gap):
            raise InputError(
                f"{what} can't compute with features of this size: the largest is "
                f"{np.abs(data.features).max():.3g}; put them on one scale with data.normalised()"
            )
        share = self.gap / max(abs(self.value), np.finfo(float).tiny)
        if share <= 1e-6 or self.gap <= np.finfo(float).eps:
            return
        above = f"{steady(100 * share):.3g}%" if share < 1e6 else f"{steady(self.gap):.3g}"
        raise InputError(
            f"{what} stopped after {self.steps} steps: the sum that it minimises is at most "
            f"{above} above its least. Try a smaller C, such as a hundredth of it; put features of "
            "very different size on one scale with data.normalised(); leave out features that copy "
            "one another"
        )


def newton(
    value: Callable[[Array], float],
    slopes: Callable[[Array], tuple[Array, Array]],
    start: Array,
) -> Minimum:
    """Newton's method steps to the minimum of the parabola at a point, and halves steps that fail.

    `value` is a convex sum, infinite if it is not defined. `slopes` gives its gradient and Hessian.
    It ends if a step would lower the sum by no more than rounding. The gap is what is left by the
    last parabola.

    >>> found = newton(lambda x: float(x @ x), lambda x: (2 * x, 2 * np.eye(2)), np.ones(2))
    >>> found.point.tolist(), found.steps
    ([0.0, 0.0], 1)
    """
    point = start
    now = value(start)
    lost = Minimum(start, now, math.inf, 0)
    for step in range(_MOST_STEPS + 1):
        with np.errstate(over="ignore", invalid="ignore"):
            gradient, hessian = slopes(point)
        if not np.isfinite(hessian).all():
            return lost
        try:
            move = -np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            return lost
        gap = max(float(-gradient @ move) / 2, 0.0)
        if not np.isfinite(gap):
            return lost
        if gap <= _ENOUGH * abs(now) or step == _MOST_STEPS:
            break
        size = 1.0
        while not (after := value(point + size * move)) <= now - 1e-4 * size * 2 * gap:
            size /= 2
            if size < 1e-12:
                return Minimum(point, now, gap, step)
        point, now = point + size * move, after
    # A last step: what is left of the sum is its square.
    last = value(point + move)
    if gap <= _ENOUGH * abs(now) and last <= now + _ENOUGH * abs(now):
        point, now = point + move, last
    return Minimum(point, now, gap, step)


class _Interior:
    """A point inside the bounds 0 < a < c, with the multipliers of both, and steps from it."""

    def __init__(self, pairs: Pairs, most: Array) -> None:
        self.pairs, self.most = pairs, most
        self.a = self.rest = most / 2  # the rest, c - a, is kept: near 0 a difference would be 0
        slope = pairs.times(pairs.summed(self.a)) - 1
        spare = max(float(np.abs(slope).mean()), 1.0)
        self.low = np.maximum(slope, 0) + spare
        self.high = np.maximum(-slope, 0) + spare

    def ended(self, step: int) -> Minimum:
        """The weights that belong to the point, and the gap between the sum and its dual."""
        weights = self.pairs.summed(self.a)
        square = float(weights @ weights) / 2
        slack = np.maximum(1 - self.pairs.times(weights), 0)
        value = square + float(self.most @ slack)
        gap = max(value + square - float(self.a.sum()), 0.0)
        return Minimum(weights, value, gap, step)

    def step(self, weights: Array) -> None:
        """Predict how far the products a * low and (c - a) * high can fall, then go there."""
        a = self.a
        rest = self.rest
        low = self.low
        high = self.high
        theta = 1 / (low / a + high / rest)
        factor = np.eye(len(weights)) + self.pairs.squared(theta)
        unmet = low - high - self.pairs.times(weights) + 1

        def towards(at_low: Array, at_high: Array) -> tuple[Array, Array, Array]:
            right = unmet + at_low / a - at_high / rest
            turn = np.linalg.solve(factor, self.pairs.summed(theta * right))
            move = theta * (right - self.pairs.times(turn))
            return move, (at_low - low * move) / a, (at_high + high * move) / rest

        def reach(move: Array, by_low: Array, by_high: Array) -> float:
            sides = ((a, move), (rest, -move), (low, by_low), (high, by_high))
            return min(1.0, *(0.995 * _until_zero(x, d) for x, d in sides))

        move, by_low, by_high = towards(-a * low, -rest * high)
        size = reach(move, by_low, by_high)
        mean = (a @ low + rest @ high) / (2 * len(a))
        left = (a + size * move) @ (low + size * by_low)
        left += (rest - size * move) @ (high + size * by_high)
        aim = mean * (left / (2 * len(a)) / mean) ** 3
        move, by_low, by_high = towards(
            aim - a * low - move * by_low, aim - rest * high + move * by_high
        )
        size = reach(move, by_low, by_high)
        self.a = a + size * move
        self.rest = rest - size * move
        self.low = low + size * by_low
        self.high = high + size * by_high


def _until_zero(values: Array, move: Array) -> float:
    """How many moves it takes until the first of the values, all above 0, is 0."""
    falling = move < 0
    return float((-values[falling] / move[falling]).min(initial=np.inf))


def interior_point(pairs: Pairs, most: Array) -> Minimum:
    """The weights of least |w|^2 / 2 + sum of c max(0, 1 - D w), with `most` the c of each pair.

    It is solved in its dual: the largest sum of a - |D'a|^2 / 2 with a in [0, c], and w = D'a.
    Newton steps keep a inside its bounds, with Mehrotra's corrector. The gap between both sums
    bounds how far the sum is above its minimum.

    Source: Ferris & Munson (2003), Interior-point methods for massive support vector machines, SIAM
    Journal on Optimization 13(3).
    """
    point = _Interior(pairs, most)
    best = now = point.ended(0)
    # Once rounding is all that is left, steps bring nothing, and the last equations are singular.
    with np.errstate(all="ignore"), suppress(np.linalg.LinAlgError):
        while best.gap > _ENOUGH * best.value and now.steps < min(best.steps + 5, _MOST_STEPS):
            point.step(now.point)
            now = point.ended(now.steps + 1)
            if now.gap < best.gap:
                best = now
    return best
