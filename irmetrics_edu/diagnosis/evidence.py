"""How much a name says: how often a number like this one gets a name by chance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.diagnosis.invented import invented_means
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.search import Search, SettingScores

_SHORT = 12  # the largest divisor of a short fraction
_CHANCE = 0.05  # the share of invented formulas from which a name may be chance
_COVERED = 0.02  # the share of all numbers of so many digits from which it may be


@dataclass(frozen=True)
class Evidence:
    """What one number can say: its queries, all that was tried, and what chance would name.

    `numbers` are the different ones that the conventions and mistakes give that were tried. Of
    the `invented` formulas, which nobody has, `named` would get a name by their numbers, too.
    `fraction` is the number as a short fraction, which many formulas give.
    """

    queries: int
    tried: int
    numbers: int
    invented: int
    named: int
    fraction: Fraction | None
    covered: float  # the share of all numbers of so many digits that were met

    @property
    def is_weak(self) -> bool:
        """Whether a name may well be chance."""
        if self.fraction is not None and self.queries == 1:
            return True
        return self.named > _CHANCE * self.invented or self.covered > _COVERED

    @property
    def sentence(self) -> str:
        """What it says; "" where the value is of several queries, and chance names nothing."""
        if self.queries > 1 and not self.is_weak:
            return ""
        queries = "one query" if self.queries == 1 else f"{self.queries} queries"
        tried = f"{self.tried} conventions and mistakes tried"
        chance = ""
        if self.invented:
            meet = "meet" if self.named > 1 else "meets"
            chance = f", and {self.named or 'none'} of {self.invented} invented formulas {meet} one"
        sentences = [
            f"This is one value of {queries}.",
            f"The {tried} give {self.numbers} different numbers{chance}.",
        ]
        if self.fraction is not None:
            what = "" if self.fraction.denominator == 1 else "a short fraction, "
            sentences.append(f"Many formulas give {what}{self.fraction}.")
        if self.is_weak:
            sentences.append("So the name may be chance: give more values.")
        return " ".join(sentences)

    def facts(self) -> dict[str, Any]:
        """In plain values."""
        return {
            "queries": self.queries,
            "tried": self.tried,
            "numbers": self.numbers,
            "invented": self.invented,
            "named": self.named,
            "weak": self.is_weak,
        }


def evidence_of(search: Search, target: Target, tried: Sequence[SettingScores]) -> Evidence | None:
    """The evidence that one value is; None for several values, which are seldom met by chance."""
    printed = target.only
    if printed is None or not math.isfinite(printed.value):
        return None
    numbers = _numbers(printed, [scores.mean for scores in tried])
    right = search.score(search.switches.base)
    invented = _printed(printed, invented_means(search))
    if right is not None:  # where it can't be seen, no name would be false
        invented = invented[np.abs(invented - right.mean) > printed.tolerance]
    return Evidence(
        queries=len(search.queries),
        tried=len(tried),
        numbers=len(numbers),
        invented=len(invented),
        named=int(np.isin(invented, numbers).sum()),
        fraction=_short_fraction(printed),
        covered=len(numbers) * 10.0**-printed.decimals / max(1.0, abs(printed.value)),
    )


def _numbers(printed: Printed, scores: Sequence[float]) -> Any:
    """The different numbers, as they are printed."""
    return np.unique(_printed(printed, scores))


def _printed(printed: Printed, scores: Sequence[float]) -> Any:
    """Scores with as many digits as a number was printed with."""
    finite = np.array([score for score in scores if math.isfinite(score)], dtype=np.float64)
    return np.round(finite, printed.decimals)


def _short_fraction(printed: Printed) -> Fraction | None:
    """The number as a fraction with a small divisor, if it is one to all its digits."""
    short = Fraction(printed.value).limit_denominator(_SHORT)
    return short if printed.fits(float(short)) else None
