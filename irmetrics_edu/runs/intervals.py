"""Between which values the mean of all possible queries lies, as the queries at hand show it."""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.formatting import percent

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
    if (n if telling is None else telling) < enough(level) or not np.isfinite(values).all():
        return math.nan, math.nan
    if np.ptp(values) == 0:
        return math.nan, math.nan
    exponent = int(np.frexp(np.abs(values).max())[1])  # so that neither sums nor squares overflow
    scaled = np.ldexp(values, -exponent)
    mean = math.fsum(scaled) / n
    half = student(level / 2, n - 1) * float(np.std(scaled, ddof=1)) / math.sqrt(n)
    back = math.ldexp(1.0, exponent - 1)
    return (mean - half) * 2 * back, (mean + half) * 2 * back


def wilson(passed: int, trials: int, level: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion: it misses the true one with probability `level`.

    Both ends lie from 0 to 1. Source: Wilson (1927), Probable inference, the law of succession, and
    statistical inference, JASA 22.

    >>> wilson(9, 10, 0.05)
    (0.5958..., 0.9821...)
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    middle = (passed + z * z / 2) / (trials + z * z)
    half = z * math.sqrt(passed * (trials - passed) / trials + z * z / 4) / (trials + z * z)
    return (middle - half if passed else 0.0), (middle + half if passed < trials else 1.0)


def enough(level: float) -> int:
    """How many queries it takes until the randomisation test can give a p below the level.

    Of n queries that differ it gives no p below 2 / 2^n.

    >>> enough(0.05), enough(0.01)
    (6, 8)
    """
    return next(n for n in range(2, 1100) if 2.0 ** (1 - n) < level * (1 - TOLERANCE))


@lru_cache
def student(tail: float, freedom: int) -> float:
    """The value that Student's t exceeds with probability `tail`, by its degrees of freedom.

    With t = sqrt(freedom) tan(angle), angles have a density in proportion to the power freedom - 1
    of their cosine. Its area is integrated piece by piece.

    >>> round(student(0.025, 4), 3), round(student(0.025, 100_000), 3)
    (2.776, 1.96)
    """
    far = min(math.pi / 2, 60 / math.sqrt(freedom))

    def beyond(angle: float) -> float:
        edges = np.linspace(angle, far, 41)
        middle = (edges[1:] + edges[:-1]) / 2
        half = np.diff(edges) / 2
        angles = middle[:, None] + half[:, None] * _NODES
        return float((half[:, None] * _WEIGHTS * np.cos(angles) ** (freedom - 1)).sum())

    sought = 2 * tail * beyond(0.0)
    low, high = 0.0, far
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if beyond(angle) > sought else (low, angle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def interval_in_words(level: float, what: str, *, lacking: str = "") -> str:
    """What low and high are; if some are lacking, what it takes (`lacking` says of the queries)."""
    said = f"low and high bound the {percent(1 - level)} interval of {what} (Student's t)"
    return f"{said}; it takes {enough(level)} queries{lacking}" if lacking else said
