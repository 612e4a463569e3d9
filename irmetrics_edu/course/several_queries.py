"""Scores of several queries: how they vary, by how much they rise, and pairs counted over all."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from irmetrics_edu.checks import at, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.over_queries import mean, variance
from irmetrics_edu.numbers import Array, exact, plain
from irmetrics_edu.rows.query_values import Values, align_values
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Table, Working

Number = float | Fraction
ScoresOfQueries = Mapping[Any, Number] | Sequence[Number] | Array


@dataclass(frozen=True, eq=False)
class Spread:
    """The variances of a table of scores: of each system over queries, of each query over systems.

    `across_queries` is the working of the variance of each system over the queries, a score per
    system. `across_systems` is that of each query over the systems, a score per query.
    """

    systems: tuple[Hashable, ...]
    queries: tuple[Hashable, ...]
    across_queries: Working
    across_systems: Working

    @property
    def by_system(self) -> dict[Hashable, Any]:
        """The variance of each system's scores across the queries."""
        return dict(
            zip(
                self.systems,
                self.across_queries.score.tolist(),
                strict=True,
            )
        )

    @property
    def by_query(self) -> dict[Hashable, Any]:
        """The variance of each query's scores across the systems."""
        return dict(
            zip(
                self.queries,
                self.across_systems.score.tolist(),
                strict=True,
            )
        )

    @property
    def mean_across_queries(self) -> Number:
        """How much one system varies over the queries, as the mean over all systems."""
        return _mean(self.across_queries.score)

    @property
    def mean_across_systems(self) -> Number:
        """How much the systems vary on one query, as the mean over all queries."""
        return _mean(self.across_systems.score)

    def __str__(self) -> str:
        lines = ["variance across queries"]
        for system, value in self.by_system.items():
            lines.append(f"  system {system}: {steady(value):.4g}")
        lines.append(f"  mean: {steady(self.mean_across_queries):.4g}")
        lines.append("variance across systems")
        for query, value in self.by_query.items():
            lines.append(f"  query {query}: {steady(value):.4g}")
        lines.append(f"  mean: {steady(self.mean_across_systems):.4g}")
        return "\n".join(lines)


def spread(table: Mapping[Any, Mapping[Any, Number]], *, exact: bool = False) -> Spread:
    """The variance across queries of each system, and across systems of each query.

    `table` maps each system to its scores, query by query. It needs at least two systems, and the
    same two or more queries for each. If a score is missing, InputError names the place.

    >>> found = spread({"A": {"q1": 0, "q2": 1}, "B": {"q1": 0.5, "q2": 1}})
    >>> found.mean_across_queries, found.mean_across_systems
    (0.3125, 0.0625)
    """
    _require_table(table)
    systems = tuple(table)
    queries = _queries(table)
    rows = []
    for system in systems:
        scores = {query: table[system][query] for query in queries}
        rows.append(align_values(scores, exact=exact, query=system))
    columns = []
    for query in queries:
        scores = {system: table[system][query] for system in systems}
        columns.append(align_values(scores, exact=exact, query=query))
    return Spread(
        systems,
        queries,
        variance.measured(Values.joined(rows)),
        variance.measured(Values.joined(columns)),
    )


def _require_table(table: object) -> None:
    """InputError for anything but a mapping of mappings."""
    if isinstance(table, Mapping) and all(isinstance(v, Mapping) for v in table.values()):
        return
    raise InputError("the table is not a mapping; map each system to a mapping from query to score")


def _queries(table: Mapping[Any, Mapping[Any, Number]]) -> tuple[Hashable, ...]:
    """The queries of the table, which all systems must have."""
    first_seen: dict[Hashable, None] = {}
    for scores in table.values():
        first_seen.update(dict.fromkeys(scores))
    queries = tuple(first_seen)
    if len(table) < 2 or len(queries) < 2:
        raise InputError(
            f"the table has {len(table)} system(s) and {len(queries)} query or queries; "
            "variances both ways need at least two of each"
        )
    for system, scores in table.items():
        for query in queries:
            if query not in scores:
                raise InputError(
                    f"{at(query)}system {system!r} has no score; give all systems the same queries"
                )
    return queries


def _mean(values: Array) -> Number:
    aligned = align_values(values, exact=values.dtype == object)
    working = mean.measured(aligned)
    value: Number = plain(working.score[0])
    return value


def improvement(
    values: ScoresOfQueries,
    baseline: ScoresOfQueries,
    *,
    exact: bool = False,
) -> Working:
    """The improvement of a value is its gain over a baseline, as a share of the baseline.

    `values` and `baseline` are mappings from the same queries, or lists in the same order. The
    score of the working is the mean improvement. A baseline of 0 or below is an error.

    >>> improvement({"q1": 0.08, "q2": 0.04}, {"q1": 0.02, "q2": 0.02})["improvement"]
    array([3., 1.])
    """
    after = align_values(values, exact=exact)
    before = align_values(baseline, exact=exact)
    lacking = [query for query in after.label if query not in set(before.label)]
    lacking += [query for query in before.label if query not in set(after.label)]
    if lacking or after.labelled != before.labelled:
        raise InputError(
            "values and baseline are not of the same queries: "
            f"{lacking or 'a list and a mapping'}; give both for each query"
        )
    place = {query: i for i, query in enumerate(before.label)}
    order = [place[query] for query in after.label]
    base = before.value[order]
    for i, value in enumerate(base.tolist()):
        if value <= 0:
            raise InputError(
                f"{after.place(i)}the baseline {value} can't be improved on; give a baseline "
                "above 0"
            )
    gained = (after.value - base) / base
    return Working(
        after.total(gained) / after.size,
        how="({improvement}) / {number of values}",
        columns={"baseline": base, "value": after.value, "improvement": gained},
        table=after.table(),
        quantities={"number of values": after.size},
        rows=after,
        name="mean improvement",
    )


def _require_counts(counts: object) -> None:
    """InputError unless each query has its two numbers of pairs, not both 0."""
    if not isinstance(counts, Mapping) or not counts:
        raise InputError(
            f"counts map a query to (pairs right, pairs wrong), such as {{'q1': (770, 10)}}; "
            f"got {counts!r}"
        )
    for query, pairs in counts.items():
        if not isinstance(pairs, (tuple, list)) or len(pairs) != 2:
            raise InputError(f"{at(query)}counts are (pairs right, pairs wrong), not {pairs!r}")
        for number in pairs:
            whole(f"{at(query)}pairs", number, 0)
        if not sum(pairs):
            raise InputError(
                f"{at(query)}it has no pair, so no accuracy; leave it out of the counts"
            )


@dataclass(frozen=True)
class PairAccuracy:
    """The accuracies of several queries together, by document and by query."""

    by_document: Fraction
    by_query: Fraction
    working: Working


def pair_accuracy_table(counts: Mapping[Any, Sequence[int]]) -> PairAccuracy:
    """Pair accuracy over queries is taken by document (pairs pooled) or by query (a mean).

    `counts` maps a query to its numbers of pairs ranked right and wrong. They are whole numbers,
    not both 0. Both accuracies are exact fractions between 0 and 1. The working has a line per
    query.

    >>> table = pair_accuracy_table({"q1": (770, 10), "q2": (10, 0)})
    >>> f"{float(table.by_document):.2%} {float(table.by_query):.2%}"
    '98.73% 99.36%'
    """
    _require_counts(counts)
    right = exact([pairs[0] for pairs in counts.values()])
    wrong = exact([pairs[1] for pairs in counts.values()])
    lines = Table.of_one({"query": list(counts)})
    pooled = Working(
        right.sum(keepdims=True) / (right + wrong).sum(keepdims=True),
        how="{concordant pairs} / ({concordant pairs} + {discordant pairs})",
        columns={"concordant pairs": right, "discordant pairs": wrong},
        table=lines,
        name="by document",
    )
    accuracy = right / (right + wrong)
    number_of_queries = exact([len(counts)])
    mean = Working(
        accuracy.sum(keepdims=True) / number_of_queries,
        how="{accuracy of the query} / {number of queries}",
        columns={"accuracy of the query": accuracy},
        table=lines,
        quantities={"number of queries": number_of_queries},
        name="by query",
    )
    whole_table = Working(
        mean.score,
        how="{by query}",
        parts={"by document": pooled, "by query": mean},
        name="pair accuracy",
        notes=("by document, a query with more pairs counts more; by query, all count the same",),
    )
    return PairAccuracy(pooled.value, mean.value, whole_table)
