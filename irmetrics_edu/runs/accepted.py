"""What a call that evaluates runs accepts: runs, judgments and measures, in the forms people have.

The readers tell these forms apart. The types here only name them.
"""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Protocol

from irmetrics_edu.runs.run_scores import AnyMeasure


class DataFrame(Protocol):
    """A table with named columns: of pandas, polars, pyarrow or another library."""

    @property
    def columns(self) -> Any:
        """The names of the columns, or the columns themselves."""


class Grid(Protocol):
    """An array of numpy or another library: a row of recommended ids for each user."""

    @property
    def shape(self) -> Any:
        """The number of rows, and of ids in a row."""


_FileOrTable = str | PathLike[str] | DataFrame | Grid
# Query -> ranking, a file, a data frame, an array, or an iterable of pieces of a run.
RunInput = Mapping[Any, Any] | _FileOrTable | Iterable[Any]
# Query -> document -> grade, a file, a data frame, or the relevant items of each user.
JudgmentsInput = Mapping[Any, Any] | _FileOrTable | Iterable[Any]
# "nDCG@10 AP", a metric, or several of either.
MeasuresInput = AnyMeasure | Iterable[AnyMeasure]
