"""How much scores differ between repeated runs of one system: the noise of its rankings."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.numbers import Array
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.views.formatting import number

RANGE, DEVIATION = "range", "standard deviation"
SPREADS = (RANGE, DEVIATION)


@dataclass(frozen=True, eq=False)
class Stability:
    """The scores of repeated runs: of each run its mean over queries, of each query its scores.

    `runs` holds a score per run. `scores` has a row per run and a column per query. `kind` says
    what a spread is. "range" is the highest less the lowest score. "standard deviation" is over the
    repetitions, with n - 1 in the denominator. Spreads are in the unit of the measure, at least 0.
    """

    measure: str
    queries: tuple[Hashable, ...]
    runs: Array
    scores: Array
    kind: str = RANGE

    @cached_property
    def mean(self) -> float:
        """The mean of the runs' scores."""
        return float(np.mean(self.runs))

    @cached_property
    def spread(self) -> float:
        """The spread of the runs' scores."""
        return float(_spread(self.runs[:, None], self.kind)[0])

    @cached_property
    def mean_by_query(self) -> dict[Hashable, float]:
        """The mean of each query's scores over the runs."""
        return dict(zip(self.queries, np.mean(self.scores, axis=0).tolist(), strict=True))

    @cached_property
    def spread_by_query(self) -> dict[Hashable, float]:
        """The spread of each query's scores over the runs."""
        return dict(zip(self.queries, _spread(self.scores, self.kind).tolist(), strict=True))

    def __str__(self) -> str:
        moved = sum(spread > 0 for spread in self.spread_by_query.values())
        return (
            f"{self.measure} over {len(self.runs)} runs: mean {number(self.mean)}, {self.kind} "
            f"{number(self.spread)}; {moved:,} of {len(self.queries):,} queries differ"
        )


def stability(
    runs: Iterable[Any],
    qrels: Any,
    measure: Any = "nDCG@10",
    *,
    spread: str = RANGE,
    **options: Any,
) -> Stability:
    """The stability of a ranker: how much a measure differs between repeated runs of it.

    `runs` are two or more runs of the same queries, as `build_runs` gives them. `qrels`, `measure`
    and other keywords are those of `evaluate`. `spread` says what a spread is: "range" or "standard
    deviation". Raises InputError for a single run, or for several measures.

    >>> runs = [{"q": ["a", "b"]}, {"q": ["b", "a"]}]
    >>> print(stability(runs, {"q": {"a": 1}}, "RR"))
    RR over 2 runs: mean 0.7500, range 0.5000; 1 of 1 queries differ
    """
    if spread not in SPREADS:
        raise InputError(f"spread={spread!r} is unknown; use one of {', '.join(SPREADS)}")
    if isinstance(runs, (Mapping, str)) or not isinstance(runs, Iterable):
        raise InputError("only one run is given; give two or more of the same queries, in a list")
    each = list(runs)
    if len(each) < 2:
        raise InputError(
            f"{len(each)} run is given, but a spread needs two; give two or more "
            "of the same queries"
        )
    found = [evaluate(run, qrels, measure, **options) for run in each]
    if len(found[0].measures) != 1:
        raise InputError(f"{measure!r} names several measures; give one")
    name = found[0].measures[0].name
    queries = tuple(found[0].queries)
    for number_, (run, one) in enumerate(zip(each, found, strict=True), 1):
        _same_queries(run, each[0], number_)
        if tuple(one.queries) != queries:
            raise InputError(f"run {number_} was evaluated on other queries than run 1")
    rows = np.array([one.scores[name] for one in found], dtype=np.float64)
    means = np.array([one.mean[name] for one in found])
    if not (np.isfinite(rows).all() and np.isfinite(means).all()):
        q = queries[int(np.flatnonzero(~np.isfinite(rows).all(axis=0))[0])]
        raise InputError(f"query {q!r} has no score (NaN) in one of the runs, so no spread")
    return Stability(name, queries, means, rows, spread)


def _same_queries(run: Any, first: Any, number_: int) -> None:
    """Refuse runs of different queries: a query that lacks would score 0, and be no noise."""
    if not (isinstance(run, Mapping) and isinstance(first, Mapping)):
        return
    for query in [*(q for q in first if q not in run), *(q for q in run if q not in first)]:
        lacks = 1 if query in run else number_
        raise InputError(
            f"query {query!r} is not in run {lacks}, but it is in another run; give repeated "
            "runs of the same queries"
        )


def _spread(scores: Array, kind: str) -> Any:
    """The spread of each column; what differs by rounding alone does not differ."""
    high, low = scores.max(axis=0), scores.min(axis=0)
    apart = exceeds(high, low)
    found = high - low if kind == RANGE else np.std(scores, axis=0, ddof=1)
    return np.where(apart, found, 0.0)
