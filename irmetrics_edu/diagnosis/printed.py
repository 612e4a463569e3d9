"""A printed number, whose digits are the tolerance."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array

# Sums of discounted gains in another order, or in the other precision that libraries use.
_DOUBLE, _SINGLE = 1e-9, 2e-7
_MOST = 12  # decimals of a float that are taken for what was printed


@dataclass(frozen=True)
class Printed:
    """A value with the half unit of its last digit."""

    value: float
    tolerance: float
    text: str
    asked: bool = False  # whether somebody said the tolerance, instead of the digits

    @classmethod
    def of(cls, given: Any, tolerance: float | None = None) -> Self:
        """Read a number or its text; a text keeps its digits, a float has at least four.

        A whole number has four as well: "1" means 1, not every number that rounds to 1.

        >>> Printed.of("0.949").tolerance
        0.0005
        >>> Printed.of("94.9%").value
        0.949
        >>> Printed.of("1").tolerance
        5e-05
        """
        text = str(given).strip()
        number, percent = (text[:-1].strip(), True) if text.endswith("%") else (text, False)
        if isinstance(given, bool) or not re.fullmatch(
            r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|[+-]?inf(inity)?", number, re.IGNORECASE
        ):
            raise InputError(f"value={given!r} is not a number; write it as printed, such as 0.949")
        value = float(number)
        mantissa, _, exponent = number.lower().partition("e")
        decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
        if not isinstance(given, str) or (decimals <= 0 and not percent):
            decimals = min(max(decimals, 4), _MOST)
        if percent:
            value, decimals = float(f"{value / 100:.{decimals + 2}f}"), decimals + 2
        half = 0.5 * 10.0**-decimals if math.isfinite(value) else 0.0
        return cls(value, half if tolerance is None else tolerance, text, tolerance is not None)

    @property
    def fine(self) -> bool:
        """Whether the number has more digits than single precision holds."""
        return self.tolerance < _SINGLE

    @property
    def rounded_before(self) -> Self:
        """The same number if it was rounded before, to one or more further digits.

        0.123446 is 0.12345 to five digits, and that is 0.1235 to four: up to 0.55 of the last
        digit lie between a score and the number, not 0.5.

        >>> Printed.of("0.1235").fits(0.123446), Printed.of("0.1235").rounded_before.fits(0.123446)
        (False, True)
        """
        return self if self.asked else replace(self, tolerance=1.1 * self.tolerance)

    def distance(self, score: float) -> float:
        """The distance of a score from the value: 0 if both are infinite or both are NaN."""
        if math.isnan(self.value) or math.isinf(self.value):
            same = math.isnan(score) if math.isnan(self.value) else score == self.value
            return 0.0 if same else math.inf
        return abs(score - self.value) if math.isfinite(score) else math.inf

    def fits(self, score: float) -> bool:
        """Whether the score, rounded to the digits printed, is the value."""
        slack = _SINGLE * max(1.0, abs(self.value)) if self.fine else _DOUBLE
        return self.distance(score) <= max(self.tolerance, slack if self.fine else 0) + _DOUBLE


@dataclass(frozen=True)
class Target:
    """The target to explain: the mean over queries, or the values of some queries or runs."""

    mean: Printed | None
    per_query: Mapping[Any, Printed]
    what: str = "queries"  # what per_query is of

    @classmethod
    def of(cls, given: Any, tolerance: float | None = None) -> Self:
        """Read a value, or a mapping from query to value."""
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            if not given:
                raise InputError("value={}: give at least one query with its value")
            return cls(None, {q: Printed.of(v, tolerance) for q, v in given.items()})
        return cls(Printed.of(given, tolerance), {})

    @property
    def rounded_before(self) -> Self:
        """The same numbers if they were rounded once before, to more digits."""
        mean = None if self.mean is None else self.mean.rounded_before
        return replace(
            self, mean=mean, per_query={q: p.rounded_before for q, p in self.per_query.items()}
        )

    def is_exactly(self, mean: float) -> bool:
        """Whether the printed number is the mean itself, and not what it rounds to."""
        return self.mean is not None and self.mean.distance(mean) <= TOLERANCE

    def distance(self, mean: float, scores: Array, place: Mapping[Any, int]) -> float:
        """The distance of the mean, or of the query that is furthest off."""
        if self.mean is not None:
            return self.mean.distance(mean)
        return max(
            p.distance(float(scores[place[q]])) if q in place else np.inf
            for q, p in self.per_query.items()
        )

    def fits(self, mean: float, scores: Array, place: Mapping[Any, int]) -> bool:
        """Whether the scores equal the printed values, within the printed digits."""
        if self.mean is not None:
            return self.mean.fits(mean)
        return all(
            q in place and p.fits(float(scores[place[q]])) for q, p in self.per_query.items()
        )

    @property
    def text(self) -> str:
        """The value as it was given."""
        if self.mean is not None:
            return self.mean.text
        if self.what == "runs":
            return " and ".join(p.text for p in self.per_query.values())
        return f"the values of {len(self.per_query)} queries"

    @property
    def digits(self) -> int:
        """Decimals that show whether a score fits."""
        least = min(
            (
                p.tolerance
                for p in (self.mean, *self.per_query.values())
                if p is not None and p.tolerance
            ),
            default=1e-4,
        )
        return int(min(max(4, round(-np.log10(2 * least)) + 1), _MOST))
