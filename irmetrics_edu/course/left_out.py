"""How the score of a run depends on the judgments that exist only because it was pooled."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.over_queries import mean
from irmetrics_edu.runs.aggregation import Aggregate
from irmetrics_edu.runs.pooling import Pool, pool
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The score of a system without the judgments that exist only because of it.

    `pooled` is the working with all judgments, and `unpooled` the working without those in
    `removed`: query -> document -> grade.
    """

    system: Hashable
    depth: int
    removed: Mapping[Hashable, Mapping[Hashable, Any]]
    pooled: Working
    unpooled: Working

    @property
    def change(self) -> Any:
        """The mean score without, less the mean score with: below 0 if pooling helped."""
        return self.unpooled.value - self.pooled.value

    def __str__(self) -> str:
        lines = [
            f"{at(query)}without the judgment of {document!r} (grade {grade})"
            for query, grades in self.removed.items()
            for document, grade in grades.items()
        ]
        title = (
            f"{self.system}: {steady(self.pooled.value):.4f} if pooled to depth {self.depth}, "
            f"{steady(self.unpooled.value):.4f} if not: {steady(self.change):+.4f}"
        )
        return "\n".join([title, *(f"  {line}" for line in lines)])


def leave_out(
    system: Hashable,
    runs: Mapping[Hashable, Any],
    judgments: Mapping[Hashable, Any],
    metric: Metric,
    *,
    depth: int,
    exact: bool = False,
) -> LeftOut:
    """Leaving a run out of the pool shows how its score depends on judgments that only it added.

    `runs` is given as for `pool`. `judgments` maps documents to grades. For runs over many queries
    it maps queries to such mappings, and the score is the mean over all judged queries. A judgment
    is removed if the document is within `depth` in this run and in no other. Judged documents that
    no run has within `depth` keep their judgments. After Zobel (1998), How reliable are the results
    of large-scale information retrieval experiments?, SIGIR.

    >>> from irmetrics_edu.metrics.set_based import precision
    >>> runs = {"A": ["x", "y"], "B": ["y", "z"]}
    >>> print(leave_out("A", runs, {"x": 1, "y": 1, "z": 0}, precision, depth=2))
    A: 1.0000 if pooled to depth 2, 0.5000 if not: -0.5000
      without the judgment of 'x' (grade 1)
    """
    pools, qrels = _by_query(pool(runs, depth), judgments)
    if system not in runs:
        names = ", ".join(repr(name) for name in runs)
        raise InputError(f"no system {system!r} is among the runs; there are {names}")
    single = None in pools
    run = {None: runs[system]} if single else runs[system]
    removed: dict[Hashable, dict[Hashable, Any]] = {}
    rest: dict[Hashable, Any] = {}
    for query, judged in qrels.items():
        grades = _grades(judged)
        only = pools[query].only(system) if query in pools else []
        removed[query] = {document: grades[document] for document in only if document in grades}
        # A query that loses all its judgments stays, as one for which nothing relevant is known.
        rest[query] = _without(grades, removed[query]) or dict.fromkeys(removed[query])
    return LeftOut(
        system,
        depth,
        removed,
        pooled=_score(metric, run, qrels, exact=exact),
        unpooled=_score(metric, run, rest, exact=exact),
    )


def _by_query(
    pooled: Pool | Mapping[Any, Pool],
    judgments: Mapping[Hashable, Any],
) -> tuple[Mapping[Any, Pool], Mapping[Any, Any]]:
    """The pools and the judgments of each query; a single query is named None."""
    if isinstance(pooled, Pool):
        return {None: pooled}, {None: judgments}
    if not isinstance(judgments, Mapping):
        raise InputError(
            "the judgments are of one query, but the runs are over many; map "
            "each query to its judgments"
        )
    return pooled, judgments


def _grades(judged: Mapping[Hashable, Any] | Iterable[Hashable]) -> dict[Hashable, Any]:
    """The judgments of a query as grades; documents without grades have grade 1."""
    if isinstance(judged, Mapping):
        return dict(judged)
    return dict.fromkeys(judged, 1)


def _without(grades: Mapping[Hashable, Any], removed: Iterable[Hashable]) -> dict[Hashable, Any]:
    """The grades of the other documents."""
    rest = dict(grades)
    for document in removed:
        del rest[document]
    return rest


def _score(
    metric: Metric,
    run: Any,
    qrels: Any,
    *,
    exact: bool,
) -> Working:
    """The metric of one query (named None), or its mean over many."""
    if None in qrels:
        return metric.working(run[None], qrels[None], exact=exact)
    over_queries = Aggregate(
        f"mean {metric.name}",
        mean,
        metric,
        f"The mean of {metric.name} over all judged queries.",
        metric.source,
    )
    return over_queries.working(run, qrels, exact=exact)
