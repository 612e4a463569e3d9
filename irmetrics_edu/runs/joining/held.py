"""An input that is joined under one convention after another: read once, and joined once each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.engine.run import PiecedRun, ReadRun, Run
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.reading import frames
from irmetrics_edu.reading.tables import Source, is_readable, source
from irmetrics_edu.runs.joining.judgments import Judged


@dataclass
class HeldInput:
    """A run and its judgments, kept in memory as each way of reading gives them."""

    given: Any  # the run as it came
    again: bool = True  # whether it is joined more than once
    _runs: dict[Any, Run] = field(default_factory=dict)
    _judgments: dict[Any, Any] = field(default_factory=dict)
    _judged: dict[Any, Judged] = field(default_factory=dict)

    def run(self, by: Bundle, read: Callable[[], Run]) -> Run:
        """The run as it is read under these conventions; pieces may come but once."""
        way = (by.reading, by.duplicates, by.identical_ids)
        if way in self._runs:
            return self._runs[way]
        run = read()
        if not self.again:
            return run
        if isinstance(run, PiecedRun):
            return run
        if isinstance(run, ReadRun):
            assert isinstance(run.source, Source)  # noqa: S101 -- no other reader makes a run
            run.source = run.source.kept()
        run.joins = {}
        self._runs[way] = run
        return run

    def judged(self, by: Bundle, read: Callable[[], Judged]) -> Judged:
        """The judgments as they count under these conventions."""
        in_memory = (by.reading, by.whole_grades, by.unjudged_queries)
        way = (*in_memory, by.negative_read)
        judged = self._judged.get(in_memory) or self._judged.get(way)
        if judged is None:
            judged = read()
            # Negative grades that are in memory are settled later, as each measure takes them.
            self._judged[way if judged.held is None else in_memory] = judged
        return judged

    def columns_of_judgments(
        self,
        qrels: Any,
        by: Bundle,
        roles: Mapping[str, str],
    ) -> Any:
        """Judgments of a file or a frame as columns, as they are read under these conventions."""
        if not self.again or not (is_readable(qrels) or frames.is_table(qrels)):
            return qrels
        if by.reading not in self._judgments:
            read = source(qrels, run=False, reading=by.reading, columns=roles)
            self._judgments[by.reading] = read.kept() if isinstance(read, Source) else read
        return self._judgments[by.reading]
