"""Marks as the points of a platform, whose maximum may be another."""

import math
import re
from fractions import Fraction

from irmetrics_edu.numbers import as_fraction


def maximum(text: str) -> Fraction | None:
    """The maximum that stands in a platform's table, such as 100.00 or 7,5; None if none does."""
    match = re.fullmatch(r"\s*(\d{1,6})(?:[.,](\d{1,6}))?\s*", text)
    return (Fraction(f"{match[1]}.{match[2] or 0}") or None) if match else None


def scaled(marks: float, most: Fraction | None, out_of: float) -> float:
    """The platform's points for marks; bonus marks may lead beyond its maximum.

    Marks are scaled by the ratio of the maximum and the exercise's own total, and rounded to two
    decimals, a half up. Where the two are equal, or there is no maximum, marks stay as they are.

    >>> scaled(2.5, Fraction(100), 7), scaled(2.3333, Fraction(7), 7.0), scaled(2.5, None, 7)
    (35.71, 2.3333, 2.5)
    """
    total = as_fraction(out_of)
    if most is None or most == total or not total:
        return marks
    points = as_fraction(marks) * most / total
    return math.floor(points * 100 + Fraction(1, 2)) / 100
