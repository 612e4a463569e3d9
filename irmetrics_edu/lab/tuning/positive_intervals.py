"""Where in [0, 1] a polynomial of degree 2 at most is positive: unions of intervals, exactly."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from irmetrics_edu.rows.exact_roots import Surd

Polynomial = tuple[Fraction, Fraction, Fraction]  # c0 + c1 x + c2 x^2

_ZERO = Surd.make(0)
_ONE = Surd.make(1)


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two ends; each end belongs to it or not."""

    low: Surd
    high: Surd
    low_belongs: bool
    high_belongs: bool

    def __and__(self, other: "Interval") -> "Interval":
        low = max(self.low, other.low)
        high = min(self.high, other.high)
        return Interval(
            low,
            high,
            all(i.low_belongs for i in (self, other) if i.low == low),
            all(i.high_belongs for i in (self, other) if i.high == high),
        )

    def __bool__(self) -> bool:
        return self.low < self.high or (
            self.low == self.high and self.low_belongs and self.high_belongs
        )

    def __str__(self) -> str:
        left = "[" if self.low_belongs else "("
        right = "]" if self.high_belongs else ")"
        return f"{left}{self.low}, {self.high}{right}"


@dataclass(frozen=True, slots=True)
class Union:
    """The numbers in any of several intervals, which do not touch and are in rising order.

    >>> str(positive((Fraction(-1), Fraction(2), Fraction(0))))
    '(1/2, 1]'
    """

    intervals: tuple[Interval, ...]

    def __and__(self, other: "Union") -> "Union":
        met = (a & b for a in self.intervals for b in other.intervals)
        return Union(tuple(i for i in met if i))

    def __bool__(self) -> bool:
        return bool(self.intervals)

    def __str__(self) -> str:
        return " or ".join(map(str, self.intervals)) or "none"

    @property
    def supremum(self) -> Surd | None:
        """The least number that no number of the union exceeds; None if the union is empty."""
        return self.intervals[-1].high if self.intervals else None

    @property
    def attained(self) -> bool:
        """Whether the supremum belongs to the union: then it is the largest."""
        return bool(self.intervals) and self.intervals[-1].high_belongs


UNIT = Union((Interval(_ZERO, _ONE, low_belongs=True, high_belongs=True),))


def at(polynomial: Polynomial, x: Any) -> Any:
    """The value of the polynomial at x, exact for a fraction."""
    c0, c1, c2 = polynomial
    return c0 + x * (c1 + x * c2)


def roots(polynomial: Polynomial) -> list[Surd]:
    """The real roots, each once, in rising order; none for a constant."""
    c0, c1, c2 = polynomial
    if c2 == 0:
        return [] if c1 == 0 else [Surd.make(-c0 / c1)]
    middle = -c1 / (2 * c2)
    square = middle * middle - c0 / c2
    if square < 0:
        return []
    return sorted({Surd.make(middle, square), Surd.make(middle, -square)})


def positive(polynomial: Polynomial) -> Union:
    """The numbers in [0, 1] at which the polynomial is above 0."""
    inside = [r for r in roots(polynomial) if _ZERO < r < _ONE]
    points = [_ZERO, *inside, _ONE]
    # Between neighbouring roots the sign is that of any one number there.
    intervals = [
        Interval(
            low,
            high,
            low_belongs=low == _ZERO and at(polynomial, Fraction(0)) > 0,
            high_belongs=high == _ONE and at(polynomial, Fraction(1)) > 0,
        )
        for low, high in pairwise(points)
        if at(polynomial, _between(low, high)) > 0
    ]
    return Union(tuple(intervals))


def _between(low: Surd, high: Surd) -> Fraction:
    """A fraction strictly between two different numbers."""
    bits = 16
    while True:
        left = low.between(bits)[1]
        right = high.between(bits)[0]
        if left < right:
            return (left + right) / 2
        bits *= 2
