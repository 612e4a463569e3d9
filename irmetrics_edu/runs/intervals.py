"""Between which values the mean of all possible queries lies, as the queries at hand show it."""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import percent

_MOST = 1100  # queries: of more, 2^-n is 0 in a float
_HALVINGS = 60
_PIECES = 40
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)


def interval(
    values: Array,
    level: float,
    *,
    telling: int | None = None,
) -> tuple[float, float]:
    """Student's t interval of a mean: it misses the true mean with probability `level`.

    NaN if all values are equal, if a value is not finite, or if `telling` is below `enough(level)`.
    `telling` counts the values that tell something: without it all of them, and of differences
    those that are not 0. `docs/intervals.md` says how often it holds the true mean.

    >>> interval(np.array([0.1, 0.2, 0.3, 0.3, 0.4, 0.5]), 0.05)
    (0.1515..., 0.4484...)
    >>> interval(np.array([0.1, 0.2, 0.3]), 0.05)
    (nan, nan)
    """
    n = len(values)
    told = n if telling is None else telling
    if told < enough(level):
        return math.nan, math.nan
    if not np.isfinite(values).all():
        return math.nan, math.nan
    if np.ptp(values) == 0:
        return math.nan, math.nan
    largest = np.abs(values).max()
    exponent = int(np.frexp(largest)[1])  # so that neither sums nor squares overflow
    scaled = np.ldexp(values, -exponent)
    mean = math.fsum(scaled) / n
    spread = deviation(scaled)
    critical = student(level / 2, n - 1)
    half = critical * spread / math.sqrt(n)
    back = math.ldexp(1.0, exponent - 1)
    low = (mean - half) * 2 * back
    high = (mean + half) * 2 * back
    return low, high


def deviation(values: Array) -> float:
    """The standard deviation (n - 1), to the last digit the same in whatever order values come.

    >>> deviation(np.array([1.0, 2.0, 3.0]))
    1.0
    """
    return float(np.std(np.sort(values), ddof=1))


def wilson(passed: int, trials: int, level: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion: it misses the true one with probability `level`.

    Both ends lie from 0 to 1. Source: Wilson (1927), Probable inference, the law of succession, and
    statistical inference, JASA 22.

    >>> wilson(9, 10, 0.05)
    (0.5958..., 0.9821...)
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    squared = z * z
    divisor = trials + squared
    middle = (passed + squared / 2) / divisor
    variance = passed * (trials - passed) / trials
    variance += squared / 4
    half = z * math.sqrt(variance) / divisor
    low = middle - half if passed else 0.0
    high = middle + half if passed < trials else 1.0
    return low, high


def enough(level: float) -> int:
    """How many queries it takes until the randomisation test can give a p below the level.

    Of n queries that differ it gives no p below 2 / 2^n.

    >>> enough(0.05), enough(0.01)
    (6, 8)
    """
    reached = level * (1 - TOLERANCE)
    for n in range(2, _MOST):
        least = 2.0 ** (1 - n)
        if least < reached:
            return n
    raise InputError(f"level={level} is too small; give a level above 0")


@lru_cache
def student(tail: float, freedom: float) -> float:
    """The value that Student's t exceeds with probability `tail`, by its degrees of freedom.

    With t = sqrt(freedom) tan(angle), angles have a density in proportion to the power freedom - 1
    of their cosine. Its area is integrated piece by piece.

    >>> round(student(0.025, 4), 3), round(student(0.025, 100_000), 3)
    (2.776, 1.96)
    """
    right_angle = math.pi / 2
    far = min(right_angle, 60 / math.sqrt(freedom))
    whole = _area_beyond(0.0, far, freedom)
    sought = 2 * tail * whole
    low = 0.0
    high = far
    for _ in range(_HALVINGS):
        angle = (low + high) / 2
        area = _area_beyond(angle, far, freedom)
        if area > sought:
            low = angle
        else:
            high = angle
    angle = (low + high) / 2
    tangent = math.tan(angle)
    return math.sqrt(freedom) * tangent


def _area_beyond(angle: float, far: float, freedom: float) -> float:
    """The area below the density of angles from one angle to the furthest, piece by piece."""
    edges = np.linspace(angle, far, _PIECES + 1)
    begins = edges[:-1]
    ends = edges[1:]
    middle = (ends + begins) / 2
    half = (ends - begins) / 2
    half = half[:, None]
    angles = middle[:, None] + half * _NODES
    density = np.cos(angles) ** (freedom - 1)
    weights = half * _WEIGHTS
    pieces = weights * density
    return float(pieces.sum())


def interval_in_words(level: float, what: str, *, lacking: str = "") -> str:
    """What low and high are; if some are lacking, what it takes (`lacking` says of the queries)."""
    share = percent(1 - level)
    bounds = f"low and high bound the {share} interval of {what} (Student's t)"
    if not lacking:
        return bounds
    return f"{bounds}; it takes {enough(level)} queries{lacking}"
