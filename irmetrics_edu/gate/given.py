"""What assertions take: runs, judgments and measures, in all the forms that `evaluate` reads."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol

from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs import segments
from irmetrics_edu.runs.aggregation import Aggregate
from irmetrics_edu.runs.run_scores import RunScores


class NamedColumns(Protocol):
    """A data frame, or another table with named columns."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""


File = str | PathLike[str]
Ranking = Sequence[Any] | Mapping[Any, Any] | Array
Run = Ranking | File | NamedColumns | RunScores
Judgments = Ranking | File | NamedColumns | None
OneMeasure = str | Metric | Measure | Aggregate
Measures = OneMeasure | Iterable[OneMeasure]
OfQueries = segments.OfQueries
