"""From many queries to one number: MAP, GMAP, MRR, mean ERR, and how queries differ.

mean_average_precision(run, qrels) is the mean of average_precision over the queries. The other
aggregates are made in the same way, from a metric and a mean.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import COUNTED, NOT_EXPECTED, MissingQueries, UnjudgedQueries
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.over_queries import geometric_mean, mean
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.metrics.user_models import err
from irmetrics_edu.numbers import as_fraction, like, plain
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working

Quantities = Callable[[Working], Mapping[str, Any]]


class Queries(Mapping[str, Working]):
    """The working of each query, taken from that of all of them when it is looked at."""

    def __init__(self, working: Working, names: Mapping[str, int]) -> None:
        self.working, self.numbers = working, names

    def __getitem__(self, name: str) -> Working:
        one = self.working.of(self.numbers[name])
        one.name = f"{name}: {one.name}"
        return one

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Aggregate:
    """A mean of a metric over queries, called with a run and its qrels.

    `run` maps queries to rankings and `qrels` maps queries to judgments, each as the metric takes
    them. Without qrels, the rankings are lists of grades. Every judged query counts.
    `missing_queries` says what happens to a judged query that the run does not have: "zero" (the
    default), "skip" or "refuse". `unjudged_queries` says what happens to a query of the run that is
    not judged: "refuse" (the default) or "ignore". A query that the metric itself skips is left
    out. The working notes everything that is missing or left out.

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

    def __call__(self, run: Any, qrels: Any = None, **options: Any) -> Any:
        """The mean of the metric over the judged queries."""
        return self.working(run, qrels, **options).value

    def working(
        self,
        run: Any,
        qrels: Any = None,
        *,
        exact: bool = False,
        missing_queries: MissingQueries | str = COUNTED,
        unjudged_queries: UnjudgedQueries | str = NOT_EXPECTED,
        **options: Any,
    ) -> Working:
        """The mean with the score and the working of each query, and notes of what is missing."""
        chosen = self.using(**options)
        queries, notes = _queries(
            run,
            qrels,
            MissingQueries.named(missing_queries),
            UnjudgedQueries.named(unjudged_queries),
        )
        scored = _scored(chosen.metric, queries, exact=exact)
        values = dict(zip(queries, scored.score.tolist(), strict=True))
        if _skips(chosen.metric):
            skipped = [query for query, value in values.items() if math.isnan(value)]
            values = {query: value for query, value in values.items() if not math.isnan(value)}
            if not values:
                raise InputError(
                    f"{chosen!r} has no value, because no query has a relevant "
                    "document; check the judgments"
                )
            if skipped:
                notes.append(f"nothing relevant is judged, so left out: {_listed(skipped)}")
        working = chosen.aggregation.working(values, exact=exact)
        working.name, working.k = chosen.title, chosen.metric.k
        working.parts = Queries(scored, {str(query): i for i, query in enumerate(queries)})
        working.notes = [*working.notes, *notes]
        if self.quantities is not None:
            more = self.quantities(scored)
            working.quantities = {**working.quantities, **more}
            working.notes = [*working.notes, *(f"{name}: {_said(v)}" for name, v in more.items())]
        return working

    def using(self, **options: Any) -> Self:
        """The same aggregate with other conventions of its metric or its mean."""
        own = {name: v for name, v in options.items() if name in self.aggregation.defaults}
        rest = {name: v for name, v in options.items() if name not in own}
        return replace(
            self, aggregation=self.aggregation.using(**own), metric=self.metric.using(**rest)
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


def _queries(
    run: Any, qrels: Any, missing: MissingQueries, unjudged: UnjudgedQueries
) -> tuple[dict[Hashable, tuple[Any, ...]], list[str]]:
    """What the metric is called with for each query that counts, and notes of what does not."""
    _refuse_unmapped(run, qrels)
    if qrels is None:
        if not run:
            raise InputError("the run has no queries, so there is no score")
        return {query: (ranking,) for query, ranking in run.items()}, []
    if not qrels:
        raise InputError("no query is judged, so there is no score; give qrels")
    _same_kind_of_queries(run, qrels)
    notes = []
    extra = [query for query in run if query not in qrels]
    if extra and unjudged.name == "refuse":
        raise InputError(
            f"the run has {_listed(extra)}, for which nothing is judged; leave it out or give "
            "unjudged_queries='ignore'"
        )
    if extra:
        notes.append(f"nothing is judged, so ignored: {_listed(extra)}")
    absent = [query for query in qrels if query not in run]
    if absent and missing.name == "refuse":
        raise InputError(
            f"the run does not have {_listed(absent)}, which is judged; rank it or give "
            "missing_queries='zero' or 'skip'"
        )
    if absent:
        how = "left out" if missing.name == "skip" else "counted as an empty ranking"
        notes.append(f"judged but not in the run, so {how}: {_listed(absent)}")
    counted = [query for query in qrels if query in run or missing.name == "zero"]
    if not counted:
        raise InputError("no judged query is in the run, so there is no score")
    return {query: (run.get(query, ()), qrels[query]) for query in counted}, notes


def _refuse_unmapped(run: Any, qrels: Any) -> None:
    if not isinstance(run, Mapping):
        raise InputError(f"{run!r:.80} is not a run; map queries to rankings")
    if not isinstance(qrels, Mapping) and qrels is not None:
        raise InputError(f"{qrels!r:.80} are not qrels; map queries to judgments")


def _same_kind_of_queries(run: Mapping[Any, Any], qrels: Mapping[Any, Any]) -> None:
    """Refuse query ids that match a judged one only after a change of type or trimming."""
    judged = {str(query).strip(): query for query in qrels if query not in run}
    for query in run:
        other = judged.get(str(query).strip())
        if other is not None and query not in qrels:
            how = "white space" if isinstance(query, str) and isinstance(other, str) else "type"
            raise InputError(
                f"{at(query)}differs from the judged query {other!r} only in {how}; "
                "write ids the same way in run and qrels"
            )


def _listed(queries: Sequence[Hashable], most: int = 10) -> str:
    named = ", ".join(repr(query) for query in queries[:most])
    more = f" and {len(queries) - most} more" if len(queries) > most else ""
    return f"{'query' if len(queries) == 1 else 'queries'} {named}{more}"


def _scored(metric: Metric, queries: Mapping[Hashable, tuple[Any, ...]], *, exact: bool) -> Working:
    """The metric over all queries at once."""
    rows = [metric.align(*inputs, exact=exact, query=query) for query, inputs in queries.items()]
    params = {name: v for name, v in metric.params.items() if name in metric.defaults}
    if exact:
        params = {n: as_fraction(v) if isinstance(v, float) else v for n, v in params.items()}
    return metric.measured(type(rows[0]).joined(rows), metric.k, **params)


def _skips(metric: Metric) -> bool:
    return str({**metric.defaults, **metric.params}.get("no_relevant")) == "skip"


def _said(value: Any) -> str:
    return f"{steady(value):.4g}" if isinstance(value, float) else str(value)


def _mean_ranks(scored: Working) -> dict[str, Any]:
    """Where the first relevant document stands on average: MRR is 1 over the harmonic mean."""
    rank = scored["rank of the first relevant"]
    if not (rank > 0).all():
        return {}
    one = like(rank, np.ones(len(rank)))
    return {
        "harmonic mean rank": plain(one.sum() / (one / rank).sum()),
        "arithmetic mean rank": plain(rank.sum() / one.sum()),
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
    "MRR",
    mean,
    reciprocal_rank,
    "Mean reciprocal rank is the arithmetic mean of the reciprocal rank over all judged queries.",
    "Voorhees (1999), The TREC-8 question answering track report, TREC-8",
    _mean_ranks,
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
