"""From many queries to one number: MAP, GMAP, MRR, mean ERR, and how queries differ.

mean_average_precision(run, qrels) is the mean of average_precision over the queries. The other
aggregates are made in the same way, from a metric and a mean.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

from irmetrics_edu.libraries import OURS
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.user_models import err
from irmetrics_edu.numbers import plain
from irmetrics_edu.runs.accepted import JudgmentsInput, RunInput
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Columns, Working

Quantities = Callable[[Mapping[str, Working]], Mapping[str, Any]]
_OF_QUERIES = ("missing_queries", "unjudged_queries")


@dataclass(frozen=True)
class Aggregate:
    """A mean of a metric over queries, called with a run and its qrels.

    `run` and `qrels` are what `evaluate` takes, and the same queries count as there under the
    conventions "irmetrics_edu": every judged query. Without qrels, the rankings are lists of
    grades. `missing_queries` says what happens to a judged query that the run does not have:
    "zero" (the default), "skip" or "refuse". `unjudged_queries` says what happens to a query of the
    run that is not judged: "ignore" (the default) or "refuse". A query that the metric itself skips
    is left out. The working notes everything that is missing or left out.

    >>> mean_average_precision({"q1": ["a", "b"]}, {"q1": {"a": 1}, "q2": {"c": 1}})
    0.5
    >>> (mean_reciprocal_rank @ 3)({"q1": [0, 1], "q2": [0, 0, 0, 1]})
    0.25
    """

    name: str
    aggregation: Metric
    metric: Metric
    definition: str
    source: str
    quantities: Quantities | None = field(default=None, repr=False, compare=False)

    def __call__(
        self,
        run: RunInput,
        qrels: JudgmentsInput | None = None,
        **options: Any,
    ) -> Any:
        """The mean of the metric over the judged queries."""
        return self.working(run, qrels, **options).value

    def working(
        self,
        run: RunInput,
        qrels: JudgmentsInput | None = None,
        *,
        exact: bool = False,
        **options: Any,
    ) -> Working:
        """The mean with the score and the working of each query, and notes of what is missing."""
        of_run = {name: options.pop(name) for name in _OF_QUERIES if name in options}
        chosen = self.using(**options)
        evaluation = evaluate(
            run,
            qrels,
            chosen,
            OURS,
            **of_run,
        )
        name = evaluation.measures[0].name

        def of_query(query: Any) -> Working:
            one = evaluation.working(name, query, exact=exact)
            one.name = f"{query}: {one.name}"
            return one

        parts = Columns({str(query): partial(of_query, query) for query in evaluation.queries})
        if exact:
            kept = [evaluation.queries[i] for i in evaluation.counted(name).tolist()]
            counted = {query: parts[str(query)].value for query in kept}
            working = chosen.aggregation.working(counted, exact=True)
        else:
            working = evaluation.aggregation(name)
        working.name = chosen.title
        working.k = chosen.metric.k
        working.parts = parts
        working.notes = [*working.notes, *evaluation.notes(unjudged=False)]
        if self.quantities is not None:
            more = self.quantities(parts)
            working.quantities = {**working.quantities, **more}
            working.notes = [*working.notes, *(f"{name}: {_said(v)}" for name, v in more.items())]
        return working

    def using(self, **options: Any) -> Self:
        """The same aggregate with other conventions of its metric or its mean."""
        of_aggregation = {
            name: v for name, v in options.items() if name in self.aggregation.defaults
        }
        rest = {name: v for name, v in options.items() if name not in of_aggregation}
        return replace(
            self,
            aggregation=self.aggregation.using(**of_aggregation),
            metric=self.metric.using(**rest),
        )

    def __matmul__(self, k: Any) -> Self:
        """The aggregate of the metric cut off at rank k."""
        return replace(self, metric=self.metric @ k)

    @property
    def title(self) -> str:
        """The name with what differs from the defaults: MAP(rel=2)."""
        options = {**self.metric.params, **self.aggregation.params}
        inside = ",".join(f"{name}={value}" for name, value in options.items())
        return f"{self.name}({inside})" if inside else self.name

    def __repr__(self) -> str:
        return self.title + ("" if self.metric.k is None else f"@{self.metric.k}")


def _said(value: Any) -> str:
    return f"{steady(value):.4g}" if isinstance(value, float) else str(value)


def _mean_ranks(of_queries: Mapping[str, Working]) -> dict[str, Any]:
    """Where the first relevant document stands on average: MRR is 1 over the harmonic mean."""
    ranks = [plain(one["rank of the first relevant"][0]) for one in of_queries.values()]
    if not all(ranks):
        return {}
    return {
        "harmonic mean rank": len(ranks) / sum(1 / rank for rank in ranks),
        "arithmetic mean rank": sum(ranks) / len(ranks),
    }


mean_average_precision = Aggregate(
    "MAP",
    mean,
    average_precision,
    "Mean average precision is the arithmetic mean of average precision over all judged queries.",
    "Voorhees & Harman (2005), TREC: experiment and evaluation in information retrieval",
)
geometric_mean_average_precision = Aggregate(
    "GMAP",
    geometric_mean,
    average_precision,
    "GMAP is the geometric mean of average precision over all judged queries.",
    "Robertson (2006), On GMAP: and other transformations, CIKM",
)
mean_reciprocal_rank = Aggregate(
    name="MRR",
    aggregation=mean,
    metric=reciprocal_rank,
    definition=(
        "Mean reciprocal rank is the arithmetic mean of the reciprocal rank "
        "over all judged queries."
    ),
    source="Voorhees (1999), The TREC-8 question answering track report, TREC-8",
    quantities=_mean_ranks,
)
mean_err = Aggregate(
    "mERR",
    mean,
    err,
    "Mean ERR is the arithmetic mean of expected reciprocal rank over all judged queries.",
    "Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded relevance, "
    "CIKM",
)
AGGREGATES = {
    aggregate.name: aggregate
    for aggregate in (
        mean_average_precision,
        geometric_mean_average_precision,
        mean_reciprocal_rank,
        mean_err,
    )
}
