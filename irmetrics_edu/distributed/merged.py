"""The parts of a distributed evaluation, merged."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

import numpy as np

from irmetrics_edu.conventions import NOT_JUDGED_ZERO
from irmetrics_edu.distributed.dask_and_spark import Engine, Parts
from irmetrics_edu.distributed.parts import DOCUMENTS, Part, Task
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.runs.joining.queries import Matched, matched
from irmetrics_edu.runs.run_scores import AnyMeasure
from irmetrics_edu.runs.shown_scores import ShownScores
from irmetrics_edu.working import Working

_TOLD = 5  # partitions whose errors are told together
_SUMMED = (
    "unrated",
    "retrieved",
    "relevant",
    "relevant_retrieved",
    "tied",
    "duplicates",
    "padding",
    "grades_cut",
    "lines_left_out",
    "judged_not_retrieved",
)


@dataclass(frozen=True, eq=False)
class MergedParts:
    """What all partitions sent, put together in the order of the judgments.

    `documents` has a row for each query: documents retrieved, relevant, and both.
    """

    of_queries: Matched
    scores: Mapping[str, Array]
    divisors: Mapping[str, Array]
    undefined_scored: Mapping[str, Array]
    documents: Array
    counts: Counts


class DistributedEvaluation(ShownScores):
    """The scores of a run whose rankings stay on the workers: only scores and counts are here.

    It shows everything about scores and counts that `Evaluation` shows. For the working of one
    query, or its spread over ties, the rows of that query are fetched.
    """

    def __init__(
        self,
        task: Task,
        where: Engine,
        merged_parts: MergedParts,
        *,
        name: str = "",
    ) -> None:
        self._task = task
        self._where = where
        self._parts = merged_parts
        self.undefined_scored = merged_parts.undefined_scored
        super().__init__(
            task.measures,
            merged_parts.of_queries.queries,
            merged_parts.scores,
            conventions=task.by,
            settled={m.name: task.by.settle(m.metric) for m in task.measures},
            divisors=merged_parts.divisors,
            name=name,
        )

    @cached_property
    def counts(self) -> Counts:
        """What the workers met: queries and documents missing, unjudged, tied."""
        return self._parts.counts

    def documents_per_query(self) -> dict[Hashable, dict[str, int]]:
        """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
        rows = self._parts.documents.tolist()
        return {
            query: dict(zip(DOCUMENTS, numbers, strict=True))
            for query, numbers in zip(self.queries, rows, strict=True)
        }

    def alone(self, query: Hashable) -> Evaluation:
        """The evaluation of one query, whose rows are fetched for it."""
        self.require_query(query)
        missing = self._parts.of_queries.missing
        run = {query: []} if query in missing else self._where.rows(query)
        return self._task.evaluate(run, [query])

    def working(
        self,
        name: AnyMeasure | None,
        query: Hashable,
        *,
        exact: bool = False,
    ) -> Working:
        """How one query's score came about, every rank a row; in fractions if `exact`."""
        return self.alone(query).working(
            name,
            query,
            exact=exact,
        )

    @property
    def aligned(self) -> NoReturn:
        """Not here: the rankings are on the workers."""
        raise InputError(
            "the rankings of a distributed evaluation are not here; .alone(query) fetches one query"
        )

    @property
    def workings(self) -> NoReturn:
        """Not here: the rows of all queries are on the workers."""
        raise InputError(
            "the rows of a distributed evaluation are not here; .working(measure, query) fetches "
            "those of one query"
        )


def merged(
    parts: Parts,
    task: Task,
    where: Engine,
    *,
    name: str = "",
) -> DistributedEvaluation:
    """The evaluation that the parts make up, in the order of the judgments."""
    numbered = list(parts)
    _refuse_errors(numbered)
    home = _homes(numbered, where)
    judged = task.judgments
    not_judged = [query for _, part in numbered for query in part.not_judged]
    if not_judged and task.by.unjudged_queries is NOT_JUDGED_ZERO:
        raise InputError(
            f"query {not_judged[0]!r} is in the run but not judged, and unjudged_queries='zero' "
            "counts no such query over partitions; call evaluate with the whole run"
        )
    missing = [query for query in judged.queries if query not in home]
    of_queries = matched(
        judged.queries,
        missing,
        not_judged,
        task.by,
    )
    _require_one_kind(task)
    there = [part for _, part in numbered]
    if missing and not of_queries.left_out:
        there.append(Part.of(task.evaluate({query: [] for query in missing}, missing)))
    return DistributedEvaluation(
        task,
        where,
        _together(there, task, of_queries),
        name=name,
    )


def _refuse_errors(numbered: Sequence[tuple[int, Part]]) -> None:
    """Raise the errors of the partitions as one, the first few of many."""
    errors = [f"partition {number}: {part.error}" for number, part in numbered if part.error]
    if not errors:
        return
    lines = errors[:_TOLD]
    more = len(errors) - _TOLD
    if more > 0:
        lines.append(f"and errors in {more:,} more partitions")
    raise InputError("\n".join(lines))


def _homes(
    numbered: Sequence[tuple[int, Part]],
    where: Engine,
) -> dict[Hashable, int]:
    """The partition of each query of the run; InputError if a query is split over several."""
    home: dict[Hashable, int] = {}
    for number, part in numbered:
        for query in (*part.queries, *part.not_judged):
            if home.setdefault(query, number) != number:
                raise InputError(
                    f"query {query!r} is split over partitions {home[query]} and {number}; bring "
                    f"the rows of each query together: {where.by_query}"
                )
    return home


def _require_one_kind(task: Task) -> str:
    """The kind of ids of the judged documents; InputError if they are of several kinds."""
    return task.judgments.kind


def _together(
    there: Sequence[Part],
    task: Task,
    of_queries: Matched,
) -> MergedParts:
    """The scores, documents and counts of all parts, in the order of the judgments' queries."""
    place = {query: i for i, query in enumerate(of_queries.queries)}
    rows = np.array([place[query] for part in there for query in part.queries], dtype=np.intp)
    order = np.argsort(rows)
    full = [part for part in there if part.queries]
    return MergedParts(
        of_queries=of_queries,
        scores=_in_order([part.scores for part in full], order),
        divisors=_in_order([part.divisors for part in full], order),
        undefined_scored=_in_order([part.undefined_scored for part in full], order),
        documents=np.concatenate([part.documents for part in there])[order],
        counts=_counts(there, task, of_queries),
    )


def _in_order(
    columns_of_parts: Sequence[Mapping[str, Array]],
    order: Array,
) -> dict[str, Array]:
    """The columns of several parts as one, in the order of the judgments' queries."""
    joined = {}
    for name in columns_of_parts[0]:
        joined[name] = np.concatenate([columns[name] for columns in columns_of_parts])[order]
    return joined


def _lowest_relevant(counts: Sequence[Counts]) -> float:
    """The lowest grade above 0 of all partitions; 0 where none has one."""
    return min((one.lowest_relevant for one in counts if one.lowest_relevant), default=0)


def _counts(there: Sequence[Part], task: Task, of_queries: Matched) -> Counts:
    """The counts of all parts in one."""
    counts = [part.counts for part in there]
    noted = task.judgments.noted
    summed = {name: sum(getattr(one, name) for one in counts) for name in _SUMMED}
    summed["lines_left_out"] += noted.skipped
    without_relevant = _named_by_a_part(counts, "without_relevant")
    # A query that no partition has is scored as an empty ranking, and counted as missing.
    empty = _named_by_a_part(counts, "empty") - set(of_queries.missing)
    queries = of_queries.queries
    return replace(
        next(part.counts for part in there if part.queries),  # conventions are those of all
        **summed,
        queries=len(queries),
        missing=of_queries.missing,
        not_judged=of_queries.not_judged,
        without_relevant=_in_their_order(queries, without_relevant),
        empty=_in_their_order(queries, empty) or (),
        unjudged_documents=_by_cutoff([one.unjudged_documents for one in counts]),
        documents_within=_by_cutoff([one.documents_within for one in counts]),
        as_trec_eval=dict(noted.told),
        columns=_columns(counts, noted.columns),
        lowest_relevant=_lowest_relevant(counts),
        highest_grade=max(one.highest_grade for one in counts),
        longest=max(one.longest for one in counts),
        relevant_alone=not task.judgments.graded,
    )


def _named_by_a_part(counts: Sequence[Counts], name: str) -> set[Hashable]:
    """The queries that a count of some part lists."""
    named: set[Hashable] = set()
    for one in counts:
        named.update(getattr(one, name))
    return named


def _in_their_order(queries: Sequence[Hashable], some: set[Hashable]) -> list[Hashable]:
    """Some of the queries, in the order of all."""
    return [query for query in queries if query in some]


def _columns(
    counts: Sequence[Counts], of_judgments: Mapping[str, str]
) -> dict[str, Mapping[str, str]]:
    """Which columns were read as what: of the run those of the first part that has any."""
    columns: dict[str, Mapping[str, str]] = {}
    for one in counts:
        of_run = one.columns.get("run")  # all partitions have the same
        if of_run is not None:
            columns["run"] = of_run
            break
    columns["judgments"] = of_judgments
    return {what: names for what, names in columns.items() if names}


def _by_cutoff(parts: Sequence[Mapping[int | None, int]]) -> Counter[int | None]:
    total: Counter[int | None] = Counter()
    for part in parts:
        total.update(part)
    return total
