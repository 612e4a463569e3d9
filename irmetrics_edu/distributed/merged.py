"""The parts of a distributed evaluation, merged."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import NOT_JUDGED_ZERO
from irmetrics_edu.distributed.dask_and_spark import Engine, Parts
from irmetrics_edu.distributed.parts import DOCUMENTS, Part, Task
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import ByMeasure, Evaluation
from irmetrics_edu.runs.joining.queries import Look, Matched, matched
from irmetrics_edu.working import Working

_TOLD = 5  # partitions whose errors are told together
_SUMMED = (
    "retrieved",
    "relevant",
    "relevant_retrieved",
    "tied",
    "duplicates",
    "padding",
    "grades_cut",
    "lines_left_out",
)


class DistributedEvaluation(Evaluation):
    """An evaluation whose rankings stay on the workers: only scores and counts are here.

    It shows everything about scores and counts that `Evaluation` shows. For the working of one
    query, or its spread over ties, the rows of that query are fetched.
    """

    def __init__(
        self,
        task: Task,
        where: Engine,
        of_queries: Matched,
        scores: Mapping[str, Array],
        divisors: Mapping[str, Array],
        documents: Array,
        counts: Counts,
        *,
        name: str = "",
    ) -> None:
        self.name = name
        self.conventions = task.by
        self.measures = task.measures
        self.queries = of_queries.queries
        self._settled = {m.name: task.by.settle(m.metric) for m in task.measures}
        self._task, self._where = task, where
        self._missing = frozenset(of_queries.missing)
        self.scores = ByMeasure(scores)
        self._documents = documents
        self.divisors = ByMeasure(divisors)
        self.counts = counts
        self.look = Look.RIGHT

    def documents_per_query(self) -> dict[Hashable, dict[str, int]]:
        """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
        return {
            query: dict(zip(DOCUMENTS, numbers, strict=True))
            for query, numbers in zip(self.queries, self._documents.tolist(), strict=True)
        }

    def alone(self, query: Hashable) -> Evaluation:
        """The evaluation of one query, whose rows are fetched for it."""
        self._check_query(query)
        run = {query: []} if query in self._missing else self._where.rows(query)
        return self._task.evaluate(run, [query])

    def working(self, name: Any, query: Hashable, *, exact: bool = False) -> Working:
        """How one query's score came about, every rank a row; in fractions if `exact`."""
        return self.alone(query).working(name, query, exact=exact)

    @property
    def aligned(self) -> Any:
        """Not here: the rankings are on the workers."""
        raise InputError(
            "the rankings of a distributed evaluation are not here; .alone(query) fetches one query"
        )

    @property
    def workings(self) -> ByMeasure:
        """Not here: the rows of all queries are on the workers."""
        raise InputError(
            "the rows of a distributed evaluation are not here; .working(measure, query) fetches "
            "those of one query"
        )


def merged(parts: Parts, task: Task, where: Engine, *, name: str = "") -> DistributedEvaluation:
    """The evaluation that the parts make up, in the order of the judgments."""
    numbered = list(parts)
    errors = [f"partition {number}: {part.error}" for number, part in numbered if part.error]
    if errors:
        more = len(errors) - _TOLD
        rest = [f"and errors in {more:,} more partitions"] if more > 0 else []
        raise InputError("\n".join([*errors[:_TOLD], *rest]))
    home: dict[Any, int] = {}
    for number, part in numbered:
        for query in (*part.queries, *part.not_judged):
            if home.setdefault(query, number) != number:
                raise InputError(
                    f"query {query!r} is split over partitions {home[query]} and {number}; bring "
                    f"the rows of each query together: {where.by_query}"
                )
    judged = task.judgments
    not_judged = [query for _, part in numbered for query in part.not_judged]
    if not_judged and task.by.unjudged_queries is NOT_JUDGED_ZERO:
        raise InputError(
            f"query {not_judged[0]!r} is in the run but not judged, and unjudged_queries='zero' "
            "counts no such query over partitions; call evaluate with the whole run"
        )
    gone = np.array([query not in home for query in judged.queries])
    missing = [q for q, is_gone in zip(judged.queries, gone.tolist(), strict=True) if is_gone]
    of_queries = matched(judged.queries, missing, not_judged, task.by)
    _ = judged.kind  # an error if the judged documents are of several kinds
    there = [part for _, part in numbered]
    if missing and not of_queries.left_out:
        there.append(Part.of(task.evaluate({query: [] for query in missing}, missing)))
    place = {query: i for i, query in enumerate(of_queries.queries)}
    rows = np.array([place[q] for part in there for q in part.queries], dtype=np.intp)
    order = np.argsort(rows)
    full = [part for part in there if part.queries]
    scores = _in_order([part.scores for part in full], order)
    divisors = _in_order([part.divisors for part in full], order)
    documents = np.concatenate([part.documents for part in there])[order]
    counts = _counts(there, task, of_queries)
    return DistributedEvaluation(
        task=task,
        where=where,
        of_queries=of_queries,
        scores=scores,
        divisors=divisors,
        documents=documents,
        counts=counts,
        name=name,
    )


def _in_order(columns_of_parts: Sequence[Mapping[str, Array]], order: Array) -> dict[str, Array]:
    """The columns of several parts as one, in the order of the judgments' queries."""
    joined = {}
    for name in columns_of_parts[0]:
        joined[name] = np.concatenate([columns[name] for columns in columns_of_parts])[order]
    return joined


def _counts(there: Sequence[Part], task: Task, of_queries: Matched) -> Counts:
    """The counts of all parts in one."""
    counts = [part.counts for part in there]
    without = {query for c in counts for query in c.without_relevant}
    # A query that no partition has is scored as an empty ranking, and counted as missing.
    empty = {query for c in counts for query in c.empty} - set(of_queries.missing)
    run: Mapping[str, str] = next((c.columns["run"] for c in counts if "run" in c.columns), {})
    read = {"run": run, "judgments": task.judgments.noted.columns}  # all partitions have the same
    summed = {name: sum(getattr(c, name) for c in counts) for name in _SUMMED}
    summed["lines_left_out"] += task.judgments.noted.skipped
    return replace(
        next(part.counts for part in there if part.queries),  # conventions are those of all
        **summed,
        queries=len(of_queries.queries),
        missing=of_queries.missing,
        not_judged=of_queries.not_judged,
        without_relevant=[query for query in of_queries.queries if query in without],
        empty=[query for query in of_queries.queries if query in empty] or (),
        unjudged_documents=_by_cutoff([c.unjudged_documents for c in counts]),
        documents_within=_by_cutoff([c.documents_within for c in counts]),
        as_trec_eval=dict(task.judgments.noted.told),
        columns={what: names for what, names in read.items() if names},
        relevant_alone=not task.judgments.graded,
    )


def _by_cutoff(parts: Sequence[Mapping[int | None, int]]) -> Counter[int | None]:
    total: Counter[int | None] = Counter()
    for part in parts:
        total.update(part)
    return total
