"""What runs on the workers: one partition is evaluated, and its scores are sent back."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from irmetrics_edu.conventions import IGNORED
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.frames import of_frame
from irmetrics_edu.reading.tables import Source
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import Evaluation, evaluate

DOCUMENTS = ("num_ret", "num_rel", "num_rel_ret")


@dataclass(frozen=True, eq=False)
class Task:
    """What every partition is evaluated by. `judgments` are as they were read, not yet settled."""

    judgments: JudgedPool
    measures: tuple[Measure, ...]
    by: Bundle
    beside: dict[str, Any]
    skip_bad: bool

    def evaluate(
        self,
        run: Any,
        queries: Sequence[Any],
    ) -> Evaluation:
        """The run evaluated with the judgments of these queries, all of them in the run."""
        judged = self.judgments
        return evaluate(
            run,
            {query: judged.of(judged.number[query]) for query in queries},
            self.measures,
            self.by.using(unjudged_queries=IGNORED),  # refused, if so, for the whole run at once
            skip_bad=self.skip_bad,
            **self.beside,
        )


@dataclass(eq=False)
class Part:
    """The scores and counts of some queries: what goes from a partition to the driver.

    `documents` has a row for each of the queries: documents retrieved, relevant, and both.
    """

    queries: Sequence[Hashable] = ()
    scores: dict[str, Array] = field(default_factory=dict)
    divisors: dict[str, Array] = field(default_factory=dict)
    undefined_scored: dict[str, Array] = field(default_factory=dict)
    documents: Array = field(default_factory=lambda: np.zeros((0, len(DOCUMENTS)), dtype=np.intp))
    counts: Counts = field(default_factory=lambda: Counts(queries=0))
    not_judged: Sequence[Hashable] = ()
    error: str = ""

    @classmethod
    def of(
        cls,
        e: Evaluation,
        not_judged: Sequence[Hashable] = (),
    ) -> Self:
        """What to send of an evaluation."""
        documents = e.documents_per_query().values()
        return cls(
            queries=e.queries,
            scores=dict(e.scores),
            divisors=dict(e.divisors),
            undefined_scored=dict(e.undefined_scored),
            documents=np.array([[numbers[name] for name in DOCUMENTS] for numbers in documents]),
            counts=e.counts,
            not_judged=not_judged,
        )


def part_of(rows: Any, task: Task) -> Part:
    """One partition, a data frame or an Arrow table, evaluated; an error is sent like a result.

    Each engine wraps the errors of its workers in its own errors. Because an error is sent as a
    result, all engines report it in the same way, and errors of several partitions together.
    """
    met = Problems("the run", "row", task.skip_bad)

    def pieces(problems: Problems, _: int) -> Iterator[RunColumns]:
        problems.count += met.count  # read once, told with what else is found
        problems.kept += met.kept
        problems.columns = met.columns
        return iter([items])

    try:
        if not len(rows):
            return Part()
        items = RunColumns.joined([of_frame(rows, met, run=True)])
        judged = [query for query in items.queries if query in task.judgments.number]
        not_judged = [query for query in items.queries if query not in task.judgments.number]
        if judged:
            run = Source("the run", pieces, "row", task.skip_bad)
            return Part.of(task.evaluate(run, judged), not_judged)
        met.check()
    except InputError as error:
        return Part(error=str(error))
    counts = Counts(
        queries=0,
        lines_left_out=met.count,
        columns={"run": met.columns},
    )
    return Part(counts=counts, not_judged=not_judged)
