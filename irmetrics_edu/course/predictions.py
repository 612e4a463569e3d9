"""What a reader may answer to a prediction: the right number, and the number of each mistake.

Nothing is computed where a page is read: a page holds every text that it takes for an answer, so
that no answer is right in one browser and wrong in another.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from irmetrics_edu.diagnosis.mistakes import mistakes_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.views.formatting import number, steady
from irmetrics_edu.views.language import said

_DIGITS = 6
_DENOMINATOR = 1000
_NEAR = 0.02  # 1.0 is no answer where 0.965 is right


@dataclass(frozen=True)
class Outcome:
    """A number that a reader may come to, and what to say to it."""

    value: float
    says: str
    right: bool = False

    @property
    def forms(self) -> list[str]:
        """The number as somebody may write it: rounded, with two digits or more, or a fraction.

        >>> Outcome(0.75, "").forms[:3], Outcome(6.392789, "").forms[:3]
        (['3/4', '0.75', '0.750'], ['6.4', '6.39', '6.393'])
        """
        found = [str(f)] if (f := _fraction(self.value)) is not None and f.denominator > 1 else []
        for digits in range(_DIGITS + 1):
            text = number(self.value, digits)
            far = abs(float(text) - self.value) > _NEAR * abs(self.value)
            long = len(text.lstrip("-0.").replace(".", "")) > 1
            if float(text) == steady(self.value) or (long and not far):
                found.append(text)
        return found


def _fraction(value: float) -> Fraction | None:
    near = Fraction(value).limit_denominator(_DENOMINATOR)
    return near if _same(float(near), value) else None


def _same(a: float, b: float) -> bool:
    return steady(a) == steady(b)


def outcomes(
    answer: float | None, of: tuple[Any, ...], mistaken: Mapping[float, str]
) -> list[Outcome]:
    """The right number first, then what the mistakes give that come to another number.

    `of` is a metric with what it is called with: the catalogue's mistakes are called with the same.
    """
    if of and answer is not None:
        raise InputError("a prediction has answer= or of=, not both")
    found = []
    if of:
        metric, *inputs = of
        answer = float(metric(*inputs))
        found = [*_catalogued(metric, inputs)]
    if answer is None:
        return []
    if not isfinite(answer):
        raise InputError(f"a prediction asks for a number, not {answer!r}")
    right = Outcome(float(answer), said("Right."), right=True)
    own = [Outcome(float(value), says) for value, says in mistaken.items()]
    if same := [o for o in own if _same(o.value, right.value)]:
        raise InputError(f"{same[0].value:g} is the right answer and can't be a mistake")
    kept: list[Outcome] = []
    for outcome in [*own, *found]:
        if not any(_same(outcome.value, other.value) for other in [right, *kept]):
            kept.append(outcome)
    return [right, *kept]


def _catalogued(metric: Metric, inputs: list[Any]) -> Iterator[Outcome]:
    for mistake in mistakes_of(metric):
        try:
            value = float(mistake.instead_of(metric)(*inputs))
        except InputError:
            continue  # the mistake has no value here, so nobody comes to it
        if isfinite(value):
            says = said("Your number is that of {says}.", says=said(mistake.says))
            yield Outcome(value, f"{says} {said(mistake.why)}")


def as_data(expected: list[Outcome]) -> str:
    """The outcomes for a page, as JSON."""
    return json.dumps(
        [{"forms": o.forms, "right": o.right, "says": o.says} for o in expected],
        ensure_ascii=False,
    )
