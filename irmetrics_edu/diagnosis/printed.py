"""A printed number, whose digits are the tolerance."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.other_formats import about_no_number

# Sums of discounted gains in another order, or in the other precision that libraries use.
_DOUBLE = 1e-9
_SINGLE = 2e-7
_MOST = 12  # decimals of a float that are taken for what was printed
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|[+-]?inf(inity)?", re.IGNORECASE)
Printable = float | str
# What a diagnosis explains: a value, those of some queries, or those of several runs.
GivenValue = Printable | Mapping[Any, Printable] | Sequence[Printable]


@dataclass(frozen=True)
class Printed:
    """A value with the half unit of its last digit."""

    value: float
    tolerance: float
    text: str
    asked: bool = False  # whether somebody said the tolerance, instead of the digits

    @classmethod
    def of(cls, value_or_text: Any, tolerance: float | None = None) -> Self:
        """Read a number or its text; a text keeps its digits, a float has at least four.

        A whole number has four as well: "1" means 1, not every number that rounds to 1.

        >>> Printed.of("0.949").tolerance
        0.0005
        >>> Printed.of("94.9%").value
        0.949
        >>> Printed.of("1").tolerance
        5e-05
        """
        text = str(value_or_text).strip()
        percent = text.endswith("%")
        number = text[:-1].strip() if percent else text
        if isinstance(value_or_text, bool) or not _NUMBER.fullmatch(number):
            rather = about_no_number(value_or_text) or "; write it as printed, such as 0.949"
            raise InputError(f"value={value_or_text!r} is not a number{rather}")
        value = float(number)
        decimals = _decimals(number)
        if not isinstance(value_or_text, str) or (decimals <= 0 and not percent):
            decimals = min(max(decimals, 4), _MOST)
        if percent:
            decimals += 2
            value = float(f"{value / 100:.{decimals}f}")
        if tolerance is not None:
            return cls(
                value,
                tolerance,
                text,
                asked=True,
            )
        half = 0.5 * 10.0**-decimals if math.isfinite(value) else 0.0
        return cls(value, half, text)

    @property
    def decimals(self) -> int:
        """The digits behind the point that are compared."""
        unit = max(2 * self.tolerance, 10.0**-_MOST)
        return min(round(-math.log10(unit)), _MOST)

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
        if math.isnan(self.value):
            return 0.0 if math.isnan(score) else math.inf
        if math.isinf(self.value):
            return 0.0 if score == self.value else math.inf
        return abs(score - self.value) if math.isfinite(score) else math.inf

    def fits(self, score: float) -> bool:
        """Whether the score, rounded to the digits printed, is the value."""
        tolerance = self.tolerance
        if self.fine and math.isfinite(self.value):
            tolerance = max(tolerance, _SINGLE * max(1.0, abs(self.value)))
        return self.distance(score) <= tolerance + _DOUBLE


def _decimals(number: str) -> int:
    """How many digits stand behind the point; fewer than none if the last ones are left out."""
    mantissa, _, exponent = number.lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


@dataclass(frozen=True)
class Target:
    """The target to explain: the mean over queries, or the values of some queries or runs."""

    mean: Printed | None
    per_query: Mapping[Any, Printed]
    what: str = "queries"  # what per_query is of

    @classmethod
    def of(cls, value_or_values: Any, tolerance: float | None = None) -> Self:
        """Read a value, or a mapping from query to value."""
        if isinstance(value_or_values, cls):
            return value_or_values
        if isinstance(value_or_values, Mapping):
            if not value_or_values:
                raise InputError("value={}: give at least one query with its value")
            values = {
                query: Printed.of(value, tolerance) for query, value in value_or_values.items()
            }
            return cls(None, values)
        return cls(Printed.of(value_or_values, tolerance), {})

    @property
    def rounded_before(self) -> Self:
        """The same numbers if they were rounded once before, to more digits."""
        mean = None if self.mean is None else self.mean.rounded_before
        per_query = {query: value.rounded_before for query, value in self.per_query.items()}
        return replace(self, mean=mean, per_query=per_query)

    def is_exactly(self, mean: float) -> bool:
        """Whether the printed number is the mean itself, and not what it rounds to."""
        return self.mean is not None and self.mean.distance(mean) <= TOLERANCE

    def is_cut(self, mean: float) -> bool:
        """Whether the printed number is the mean without its further digits, and not rounded.

        >>> Target.of("0.666").is_cut(2 / 3), Target.of("0.667").is_cut(2 / 3)
        (True, False)
        """
        if self.mean is None or self.mean.asked:
            return False
        unit = 2 * self.mean.tolerance
        return -TOLERANCE <= mean - self.mean.value < unit

    def distance(
        self,
        mean: float,
        scores: Array,
        place: Mapping[Any, int],
    ) -> float:
        """The distance of the mean, or of the query that is furthest off."""
        if self.mean is not None:
            return self.mean.distance(mean)
        furthest = 0.0
        for query, value in self.per_query.items():
            if query not in place:
                return math.inf
            furthest = max(furthest, value.distance(float(scores[place[query]])))
        return furthest

    def fits(
        self,
        mean: float,
        scores: Array,
        place: Mapping[Any, int],
    ) -> bool:
        """Whether the scores equal the printed values, within the printed digits."""
        if self.mean is not None:
            return self.mean.fits(mean)
        for query, value in self.per_query.items():
            if query not in place or not value.fits(float(scores[place[query]])):
                return False
        return True

    @property
    def text(self) -> str:
        """The value as it was given."""
        if self.mean is not None:
            return self.mean.text
        if self.what == "runs":
            return " and ".join(value.text for value in self.per_query.values())
        return f"the values of {len(self.per_query)} queries"

    @property
    def only(self) -> Printed | None:
        """The number, if it is the only one: the mean, or the value of one query."""
        values = list(self.per_query.values())
        return values[0] if len(values) == 1 and self.what == "queries" else self.mean

    @property
    def finest(self) -> float:
        """The least tolerance of the numbers; many numbers of few digits are as good as one."""
        values = list(self.per_query.values())
        if self.mean is not None:
            values.append(self.mean)
        return math.prod(max(2 * value.tolerance, 1e-12) for value in values) / 2

    @property
    def digits(self) -> int:
        """Decimals that show whether a score fits."""
        values = list(self.per_query.values())
        if self.mean is not None:
            values.append(self.mean)
        tolerances = [value.tolerance for value in values if value.tolerance]
        least = min(tolerances, default=1e-4)
        return int(min(max(4, round(-np.log10(2 * least)) + 1), _MOST))
