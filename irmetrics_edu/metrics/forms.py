"""The forms in which people give one ranking, its judgments, and the probabilities of nuggets.

The alignment tells these forms apart, and refuses what is none of them. The types here only name
them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol, SupportsFloat, TypeAlias

from irmetrics_edu.working import Working

Grade: TypeAlias = SupportsFloat | None  # None: not judged
# Grades or documents in ranked order, or document -> score.
OneRanking: TypeAlias = Iterable[Hashable] | Mapping[Any, Grade]
# Document -> grade, or the relevant documents.
OneJudgments: TypeAlias = Mapping[Any, Grade] | Iterable[Hashable]
# Numbers in one order: grades, or the scores beside them.
Numbers: TypeAlias = Iterable[Grade]
# One number for all nuggets, nugget -> number, or query -> nugget -> number.
Probabilities: TypeAlias = float | Fraction | Mapping[Any, Any]


class HasWorking(Protocol):
    """A result that keeps its working, or makes it when it is called."""

    @property
    def working(self) -> Any:
        """The working, or a function of the inputs that gives it."""


# A metric or its name, a working, a result that has a working, or a function with such a result.
Explainable: TypeAlias = str | Working | HasWorking | Callable[..., Any]
