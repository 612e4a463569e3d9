"""Minimising a convex sum, and refusing a search that did not come to the minimum."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.pairs import Pairs
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import steady

_ENOUGH = 1e-12  # of the sum that is minimised: what is left is rounding
_MOST_STEPS = 100

# What is minimised, as a function of a point; and its gradient and Hessian there.
Sum = Callable[[Array], float]
Slopes = Callable[[Array], tuple[Array, Array]]


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
        rounding = np.finfo(float)
        share = self.gap / max(abs(self.value), rounding.tiny)
        if share <= 1e-6 or self.gap <= rounding.eps:
            return
        above = f"{steady(100 * share):.3g}%" if share < 1e6 else f"{steady(self.gap):.3g}"
        raise InputError(
            f"{what} stopped after {self.steps} steps: the sum that it minimises is at most "
            f"{above} above its least. Try a smaller C, such as a hundredth of it; put features of "
            "very different size on one scale with data.normalised(); leave out features that copy "
            "one another"
        )


def newton(
    value: Sum,
    slopes: Slopes,
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
    undefined = Minimum(start, now, math.inf, 0)
    parabola = _parabola_at(point, slopes)
    if parabola is None:
        return undefined
    for step in range(_MOST_STEPS + 1):
        if parabola.gap <= _ENOUGH * abs(now) or step == _MOST_STEPS:
            break
        lower = _lower_point(value, point, now, parabola)
        if lower is None:
            return Minimum(point, now, parabola.gap, step)
        point, now = lower
        next_parabola = _parabola_at(point, slopes)
        if next_parabola is None:
            return undefined
        parabola = next_parabola
    # A last step: what is left of the sum is its square.
    end = point + parabola.move
    last = value(end)
    rounding = _ENOUGH * abs(now)
    if parabola.gap <= rounding and last <= now + rounding:
        point = end
        now = last
    return Minimum(point, now, parabola.gap, step)


class _Parabola(NamedTuple):
    """The parabola that has a sum's slopes at a point: the way to its minimum, and how far down."""

    move: Array
    gap: float


def _parabola_at(
    point: Array,
    slopes: Slopes,
) -> _Parabola | None:
    """The parabola at a point; None if it has no minimum that floats can hold."""
    with np.errstate(over="ignore", invalid="ignore"):
        gradient, hessian = slopes(point)
    if not np.isfinite(hessian).all():
        return None
    try:
        move = -np.linalg.solve(hessian, gradient)
    except np.linalg.LinAlgError:
        return None
    gap = max(float(-gradient @ move) / 2, 0.0)
    if not np.isfinite(gap):
        return None
    return _Parabola(move, gap)


def _lower_point(
    value: Sum,
    point: Array,
    now: float,
    parabola: _Parabola,
) -> tuple[Array, float] | None:
    """A point on the way where the sum is lower, and its sum; None if rounding hides it.

    The condition is Armijo's, with 1e-4 of the fall that the slope promises.
    """
    size = 1.0
    while size >= 1e-12:
        after = point + size * parabola.move
        sum_after = value(after)
        promised = 1e-4 * size * 2 * parabola.gap
        if sum_after <= now - promised:
            return after, sum_after
        size /= 2
    return None


class _Interior:
    """A point inside the bounds 0 < a < c, with the multipliers of both, and steps from it."""

    def __init__(self, pairs: Pairs, most: Array) -> None:
        self.pairs = pairs
        self.most = most
        self.a = most / 2
        self.rest = most / 2  # c - a is kept: near 0 a difference would be 0
        slope = pairs.times(pairs.summed(self.a)) - 1
        spare = max(float(np.abs(slope).mean()), 1.0)
        self.low = np.maximum(slope, 0) + spare
        self.high = np.maximum(-slope, 0) + spare

    def ended(self, step: int) -> Minimum:
        """The weights that belong to the point, and the gap between the sum and its dual."""
        weights = self.pairs.summed(self.a)
        square = float(weights @ weights) / 2
        margin = self.pairs.times(weights)
        slack = np.maximum(1 - margin, 0)
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

        def towards(at_low: Array, at_high: Array) -> _Move:
            right = unmet + at_low / a - at_high / rest
            summed = self.pairs.summed(theta * right)
            turn = np.linalg.solve(factor, summed)
            move = theta * (right - self.pairs.times(turn))
            by_low = (at_low - low * move) / a
            by_high = (at_high + high * move) / rest
            return _Move(move, by_low, by_high)

        predicted = towards(-a * low, -rest * high)
        size = self._reach(predicted)
        number = 2 * len(a)
        mean = (a @ low + rest @ high) / number
        next_a = a + size * predicted.a
        next_rest = rest - size * predicted.a
        next_low = low + size * predicted.low
        next_high = high + size * predicted.high
        products = next_a @ next_low
        products += next_rest @ next_high
        aim = mean * (products / number / mean) ** 3
        corrected = towards(
            aim - a * low - predicted.a * predicted.low,
            aim - rest * high + predicted.a * predicted.high,
        )
        size = self._reach(corrected)
        self.a = a + size * corrected.a
        self.rest = rest - size * corrected.a
        self.low = low + size * corrected.low
        self.high = high + size * corrected.high

    def _reach(self, move: "_Move") -> float:
        """How much of a move keeps all sides above 0: nearly as far as the first one that ends."""
        ends = (
            _until_zero(self.a, move.a),
            _until_zero(self.rest, -move.a),
            _until_zero(self.low, move.low),
            _until_zero(self.high, move.high),
        )
        return min(1.0, *(0.995 * end for end in ends))


class _Move(NamedTuple):
    """A step of an interior point: of a, and of the multipliers of both its bounds."""

    a: Array
    low: Array
    high: Array


def _until_zero(values: Array, move: Array) -> float:
    """How many moves it takes until the first of the values, all above 0, is 0."""
    falling = move < 0
    moves = -values[falling] / move[falling]
    return float(np.min(moves, initial=np.inf))


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
        while best.gap > _ENOUGH * best.value:
            if now.steps >= min(best.steps + 5, _MOST_STEPS):
                break
            point.step(now.point)
            now = point.ended(now.steps + 1)
            if now.gap < best.gap:
                best = now
    return best
