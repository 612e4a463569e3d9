"""Judgments of any kind: query -> its judgments, and all of them as a pool."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from irmetrics_edu.conventions import REFUSED, Negative
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.reading.tables import source
from irmetrics_edu.runs.joining.any_run import Run
from irmetrics_edu.runs.joining.judgment_pool import Pool, pool_of
from irmetrics_edu.runs.joining.matching import with_documents
from irmetrics_edu.runs.joining.run_kinds import read_pool


class Judged(Mapping[Any, Any]):
    """Query -> judged document -> grade (or what it holds)."""

    by_subtopic: ClassVar[bool] = False
    settled: ClassVar[bool] = False  # whether negative grades are worth what a convention says
    skipped: int = 0  # malformed lines that were left out
    columns: Mapping[str, str] = MappingProxyType({})  # of a table: which were read, as what
    told: Mapping[str, int] = MappingProxyType({})  # lines taken as trec_eval does, by kind

    @property
    @abstractmethod
    def queries(self) -> Mapping[Any, Any]:
        """A mapping whose keys are the queries, in their order."""

    @abstractmethod
    def pool(self, negative: Negative) -> Pool:
        """All judged documents; a run is joined with them."""

    @abstractmethod
    def of(self, query: Any, negative: Negative = REFUSED) -> Any:
        """What is judged of one query."""

    def beside(self, run: Run, by: Bundle) -> "Judged":  # noqa: ARG002 -- held ones look
        """The judgments for this run: what a query without judged documents scores."""
        return self

    def __getitem__(self, query: Any) -> Any:
        return self.of(query)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)


class HeldJudgments(Judged):
    """Judgments that came as a mapping."""

    def __init__(self, qrels: Mapping[Any, Any]) -> None:
        self.held = qrels
        self._pools: dict[str, Pool] = {}

    def beside(self, run: Run, by: Bundle) -> "Judged":
        """The judgments beside this run: what counts of queries without a judged document."""
        return HeldJudgments(with_documents(run, self.held, by)) if run.at_hand else self

    def pool(self, negative: Negative) -> Pool:
        """All judged documents, what a run is joined with."""
        if negative.name not in self._pools:
            self._pools[negative.name] = pool_of(self.held, negative)
        return self._pools[negative.name]

    def of(self, query: Any, negative: Negative = REFUSED) -> Any:  # noqa: ARG002
        """What is judged of one query, as it was given."""
        return self.held[query]

    @property
    def queries(self) -> Mapping[Any, Any]:
        """What has the queries, in their order, as its keys."""
        return self.held


class ReadJudgments(Judged):
    """Judgments from a file, a frame or columns, or a pool that was read before."""

    settled = True

    def __init__(self, qrels: Any, *, negative: Negative, skip_bad: bool = False) -> None:
        self._qrels, self._negative, self._skip_bad = qrels, negative, skip_bad
        self._pools: dict[str, Pool] = {}

    def pool(self, negative: Negative) -> Pool:
        """All judged documents, what a run is joined with."""
        if negative.name not in self._pools:
            self._pools[negative.name] = read_pool(
                self._qrels, negative=negative, skip_bad=self._skip_bad
            )
            self.skipped = self._pools[negative.name].skipped
            self.columns = self._pools[negative.name].columns
            self.told = self._pools[negative.name].told
        return self._pools[negative.name]

    def of(self, query: Any, negative: Negative | None = None) -> Any:
        """What is judged of one query: document to grade, `None` where nobody judged."""
        pool = self.pool(negative or self._negative)
        return pool.of(pool.number[query])

    @property
    def queries(self) -> Mapping[Any, Any]:
        """What has the queries, in their order, as its keys."""
        return self.pool(self._negative).number


def judged_of(qrels: Any, by: Bundle, *, skip_bad: bool = False) -> Judged:
    """Judgments by grade, of any kind."""
    read = qrels
    if not isinstance(qrels, Pool):
        read = source(qrels, run=False, skip_bad=skip_bad, reading=by.reading)
    if isinstance(read, Mapping):
        return HeldJudgments(read)
    return ReadJudgments(read, negative=by.negative_read, skip_bad=skip_bad)
