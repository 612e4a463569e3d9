"""What reading a run or judgments met, and what the engine asks of a reader."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from irmetrics_edu.engine.columns import RunColumns


class RowReport(Protocol):
    """The malformed lines of one input: the engine adds to them, and a reader shows them."""

    file: str
    unit: str  # what is counted: a line, a row
    count: int
    told: Counter[str]
    columns: dict[str, str]
    unnamed: bool

    @property
    def room(self) -> bool:
        """Whether another malformed line would be kept."""

    def add(
        self,
        line: int,
        text: str,
        wrong: str,
    ) -> None:
        """One more malformed line."""

    def check(self, *, any_good: bool = True) -> None:
        """Raise an error with what was found, unless it may be left out."""


AnyReport = TypeVar("AnyReport", bound=RowReport)


class Readable(Protocol[AnyReport]):
    """Columns of whole queries, some at a time, from a place that can be read again."""

    name: str
    unit: str
    skip_bad: bool
    asked: Mapping[str, str]  # columns of a table with the roles that they are given
    problems: AnyReport  # of the last reading

    @property
    def pieces(self) -> Callable[[AnyReport, int], Iterator[RunColumns]]:
        """What reads the columns, from a byte of the input on."""

    def fresh(self) -> AnyReport:
        """A new, empty report."""


@dataclass
class Noted:
    """What reading a run or judgments met, to be said beside the scores."""

    skipped: int = 0  # malformed lines that were left out
    told: Counter[str] = field(default_factory=Counter)  # lines taken as trec_eval does, by kind
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what
    unnamed: bool = False  # whether columns are called by their places, as no line names them
    duplicates: int = 0
    interleaved: bool = False  # a query's documents came in several pieces, so all was held

    @classmethod
    def of(cls, problems: RowReport) -> "Noted":
        """What one file met, of which malformed lines may be left out."""
        return cls(
            problems.count,
            problems.told,
            problems.columns,
            problems.unnamed,
        )

    def add(self, other: "Noted") -> None:
        """Add what something else met."""
        self.skipped += other.skipped
        self.told += other.told
        self.columns |= other.columns
        self.unnamed |= other.unnamed
        self.duplicates += other.duplicates
        self.interleaved |= other.interleaved
