"""Exact numbers a + sqrt(b): the roots of a quadratic, compared without rounding."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering

_FIRST_BITS = 64


def rational_root(value: Fraction) -> Fraction | None:
    """The square root of a fraction if it is a fraction, else None."""
    if value < 0:
        return None
    top = math.isqrt(value.numerator)
    bottom = math.isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return None


@total_ordering
@dataclass(frozen=True, slots=True)
class Surd:
    """The number a + sqrt(b), or a - sqrt(-b) for a negative b.

    `Surd.make` folds a rational root into a, so that equal numbers have equal fields.

    >>> Surd.make(1, 2) < Surd.make(Fraction(5, 2))
    True
    """

    a: Fraction
    b: Fraction = Fraction(0)

    @classmethod
    def make(cls, a: Fraction | int, b: Fraction | int = 0) -> "Surd":
        """The number in its one form."""
        a, b = Fraction(a), Fraction(b)
        root = rational_root(abs(b))
        if root is None:
            return cls(a, b)
        return cls(a + root if b > 0 else a - root)

    @property
    def value(self) -> Fraction | float:
        """The number exactly if it is rational, else as a float."""
        return self.a if not self.b else float(self)

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two fractions with the number between them, 2^-bits apart or less."""
        if not self.b:
            return self.a, self.a
        size = abs(self.b)
        scale = 1 << bits
        # sqrt(n/d) = sqrt(n d) / d, and the whole part of sqrt(n d) 2^bits is a whole root.
        whole = math.isqrt(size.numerator * size.denominator * scale * scale)
        low = Fraction(whole, size.denominator * scale)
        high = Fraction(whole + 1, size.denominator * scale)
        if self.b > 0:
            return (self.a + low, self.a + high)
        return (self.a - high, self.a - low)

    def __lt__(self, other: "Surd") -> bool:
        if self == other:
            return False
        bits = _FIRST_BITS
        while True:  # unequal numbers part sooner or later
            (low, high) = self.between(bits)
            (other_low, other_high) = other.between(bits)
            if high < other_low:
                return True
            if other_high < low:
                return False
            bits *= 2

    def __float__(self) -> float:
        # A difference of near-equal parts loses digits in floats: go through the fractions.
        bits = _FIRST_BITS
        while True:
            low, high = (float(end) for end in self.between(bits))
            if low == high or bits > 16 * _FIRST_BITS:
                return low
            bits *= 2

    def __str__(self) -> str:
        return str(self.a) if not self.b else f"{float(self):.6g}"
