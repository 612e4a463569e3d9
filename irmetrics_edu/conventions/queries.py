"""Queries on which there is nothing to measure."""

import numpy as np

from irmetrics_edu.conventions.base import Convention, kind


@kind
class NoRelevant(Convention):
    """What a query is worth for which nothing relevant is judged."""

    @property
    def value(self) -> float:
        """The score of such a query."""
        return float(self.latex) if self.latex in ("0", "1") else np.nan


ZERO = NoRelevant("zero", "0", "a query without relevant documents scores 0")
ONE = NoRelevant("one", "1", "a query without relevant documents scores 1")
UNDEFINED = NoRelevant("nan", r"\mathrm{NaN}", "a query without relevant documents has no score")
SKIPPED = NoRelevant("skip", r"\text{skipped}", "such a query is left out of the mean")
NoRelevant.register(ZERO, ONE, UNDEFINED, SKIPPED)


@kind
class MissingQueries(Convention):
    """What a judged query is worth that the run does not have."""


COUNTED = MissingQueries("zero", "0", "it counts as an empty ranking: nothing found, so 0")
LEFT_OUT = MissingQueries("skip", r"\text{skipped}", "it is left out of the mean")
FORBIDDEN = MissingQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
MissingQueries.register(COUNTED, LEFT_OUT, FORBIDDEN)


@kind
class UnjudgedQueries(Convention):
    """What a query of the run is worth for which nothing is judged."""


NOT_EXPECTED = UnjudgedQueries("refuse", r"\text{refused}", "nothing: it is refused as an error")
IGNORED = UnjudgedQueries("ignore", r"\text{ignored}", "it is left out of the mean")
NOT_JUDGED_ZERO = UnjudgedQueries(
    "zero", "0", "it scores 0 if the judgments name it, with no document"
)
UnjudgedQueries.register(NOT_EXPECTED, IGNORED, NOT_JUDGED_ZERO)
