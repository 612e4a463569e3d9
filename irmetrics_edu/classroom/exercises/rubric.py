"""Questions that a person marks, by a rubric: free text, or a part of the code."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Criterion:
    """A criterion of a rubric: its name, its maximum points, and what earns them."""

    name: str
    points: float
    text: str = ""


@dataclass(frozen=True)
class ByHand:
    """A question that the teacher marks: its answer is a cell tagged with its name.

    >>> ByHand("why", "Why it fell", [Criterion("cause", 2), Criterion("evidence", 1)]).marks
    3
    """

    name: str
    title: str
    rubric: Sequence[Criterion]

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise InputError(f"question {self.name!r}: a name must be one that Python can have")
        names = [criterion.name for criterion in self.rubric]
        if not names or len(set(names)) != len(names) or not all(names):
            raise InputError(f"question {self.name}: a rubric has criteria of different names")
        for criterion in self.rubric:
            if not (math.isfinite(criterion.points) and criterion.points > 0):
                raise InputError(
                    f"question {self.name}: criterion {criterion.name!r} has {criterion.points} "
                    "points; give a number above 0"
                )

    @property
    def marks(self) -> float:
        """The maximum points of all criteria together."""
        return sum(criterion.points for criterion in self.rubric)
