"""The tables and texts of scores: each is a function of a `RunScores`."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import MACRO
from irmetrics_edu.errors import extra
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.runs.by_group import (
    aggregation_among,
    ends_of,
    group_of_each,
    group_scores,
)
from irmetrics_edu.runs.intervals import deviation
from irmetrics_edu.runs.run_scores import AnyMeasure, RunScores
from irmetrics_edu.runs.segments import ALL_QUERIES
from irmetrics_edu.views.result_table import ResultTable
from irmetrics_edu.working import Working

if TYPE_CHECKING:
    import pandas as pd

    from irmetrics_edu.views.plotting import Axes

_OF_SUMMARY = ("n", "mean", "sd", "min", "q1", "median", "q3", "max", "low", "high")


def mean_table(scores: RunScores, *, digits: int = 4) -> ResultTable:
    """A line per measure: its mean. With groups of queries a line per group, all queries first."""
    if scores.groups:
        return group_table(scores, digits=digits)
    lines = [[name, value] for name, value in scores.mean.items()]
    return ResultTable(
        ("measure", "mean"),
        lines,
        scores.caption,
        scores.notes(),
        digits,
    )


def group_table(scores: RunScores, *, digits: int = 4) -> ResultTable:
    """A line for all queries and one for each group: how many queries it has, and its means."""
    groups = group_scores(scores)
    of_all: list[Any] = [ALL_QUERIES, len(scores.queries), *scores.mean.values()]
    lines = [[str(one.group), len(one.queries), *one.mean.values()] for one in groups]
    lines.insert(0, of_all)
    return ResultTable(
        ("group", "queries", *scores.mean),
        lines,
        scores.caption,
        scores.notes(),
        digits,
    )


def query_table(scores: RunScores, *, digits: int = 4) -> ResultTable:
    """A line per query, a column per measure, and the means in the last line."""
    columns = [array.tolist() for array in scores.scores.values()]
    besides = _besides(scores)
    lines: list[list[Any]] = []
    for query, *values in zip(scores.queries, *columns, strict=True):
        told = [by_query[query] for by_query in besides.values()]
        lines.append([str(query), *told, *values])
    for one in group_scores(scores):
        blank = [None] * (len(besides) - 1)
        lines.append([ALL_QUERIES, str(one.group), *blank, *one.mean.values()])
    lines.append([ALL_QUERIES, *[None] * len(besides), *scores.mean.values()])
    header = ("query", *besides, *scores.mean)
    return ResultTable(
        header,
        lines,
        scores.caption,
        scores.notes(),
        digits,
    )


def _besides(scores: RunScores) -> dict[str, dict[Hashable, Any]]:
    """What is told of each query besides its scores, by the name of its column."""
    besides: dict[str, dict[Hashable, Any]] = {}
    if scores.groups:
        besides["group"] = {query: str(g) for query, g in group_of_each(scores).items()}
    if scores.weights:
        besides["weight"] = dict(scores.weights)
    return besides


def long_table(scores: RunScores) -> ResultTable:
    """A line per measure and query, "all" being the mean; the group and weight if there are any."""
    besides = _besides(scores)
    groups = group_scores(scores)
    lines: list[list[Any]] = []
    for name, by_query in scores.per_query.items():
        for query, value in by_query.items():
            told = [of_queries[query] for of_queries in besides.values()]
            lines.append([name, query, *told, value])
        blank = [None] * (len(besides) - 1)
        lines += [[name, ALL_QUERIES, str(one.group), *blank, one.mean[name]] for one in groups]
        lines.append([name, ALL_QUERIES, *[None] * len(besides), scores.mean[name]])
    return ResultTable(
        ("measure", "query", *besides, "score"),
        lines,
        notes=scores.notes(),
    )


def summary(scores: RunScores, *, confidence: float = 0.95, digits: int = 4) -> ResultTable:
    """Mean, standard deviation over queries (n-1), quartiles and an interval of the mean."""
    from irmetrics_edu.runs.intervals import interval_in_words

    checks.between(
        "confidence",
        confidence,
        0,
        1,
        open_low=True,
        open_high=True,
    )
    level = 1 - confidence
    scores.refuse_together(scores.mean, "its scores have no spread over queries")
    header = ("measure", "group", *_OF_SUMMARY) if scores.groups else ("measure", *_OF_SUMMARY)
    lines: list[list[Any]] = []
    for measure in scores.measures:
        spread = _spread(scores, measure, scores.aggregation(measure.name), level)
        lines.append([measure.name, *([ALL_QUERIES] if scores.groups else []), *spread])
        for group, members in scores.groups.items():
            aggregation = aggregation_among(scores, measure, members)
            spread = [0, *[np.nan] * (len(_OF_SUMMARY) - 1)]
            if aggregation is not None:
                spread = _spread(scores, measure, aggregation, level)
            lines.append([measure.name, str(group), *spread])
    # Means that are not those of queries' values: their spread says nothing of the mean.
    untold = [m for m in scores.measures if scores.averaging(m) is not MACRO]
    untold_lines = len(untold) * (1 + len(scores.groups))
    lacking = sum(np.isnan(line[-1]) for line in lines) > untold_lines
    of_scores = ", not all of one score" if lacking else ""
    without = [
        f"{m.name} has no interval, because it is not a mean of queries' values" for m in untold
    ]
    if scores.weights:
        without.append(
            "low and high are by the jackknife, with Student's t for the effective number of "
            "queries; sd and quartiles count each query once"
        )
    of_interval = interval_in_words(level, "the mean", lacking=of_scores)
    notes = (*scores.notes(), *without, of_interval)
    return ResultTable(
        header,
        lines,
        scores.caption,
        notes,
        digits,
    )


def _spread(
    scores: RunScores,
    measure: Measure,
    aggregation: Working,
    level: float,
) -> list[Any]:
    """What the summary has of a mean besides its name; its interval is NaN where it has none."""
    values = aggregation.rows.value
    low, high = ends_of(scores, measure, aggregation, level)
    spread = deviation(values) if len(values) > 1 else np.nan
    quartiles = [float(q) for q in np.quantile(values, [0, 0.25, 0.5, 0.75, 1])]
    return [
        len(values),
        float(aggregation.score[0]),
        spread,
        *quartiles,
        low,
        high,
    ]


def lowest(
    scores: RunScores,
    n: int = 10,
    name: AnyMeasure | None = None,
) -> list[Hashable]:
    """The n queries with the lowest scores, by the first measure or by `name`, lowest first.

    A query without a score is left out. Queries that tie stay in the order of the judgments.
    """
    checks.whole("n", n, 1, why=" query")
    measure = scores.measure_named(name).name
    scores.refuse_together([measure], "no query has a score")
    values = scores.scores[measure]
    with_score = np.flatnonzero(~np.isnan(values)).tolist()
    rising = in_order(
        with_score,
        lambda i: values[i],
        rising=True,
    )
    return [scores.queries[i] for i in rising[:n]]


def worst_table(
    scores: RunScores,
    n: int = 10,
    name: AnyMeasure | None = None,
    *,
    digits: int = 4,
) -> ResultTable:
    """The scores of the n lowest queries, lowest first by the first measure or by `name`."""
    lines: list[list[Any]] = []
    for query in lowest(scores, n, name):
        values = [by_query[query] for by_query in scores.per_query.values()]
        lines.append([str(query), *values])
    caption = f"{scores.caption}; the lowest {scores.measure_named(name).name} first"
    return ResultTable(
        ("query", *scores.mean),
        lines,
        caption,
        scores.notes(),
        digits,
    )


def frame(scores: RunScores) -> "pd.DataFrame":
    """A pandas data frame: a row per query, a column per measure."""
    pandas = extra("pandas", what="a data frame")
    index = pandas.Index(list(scores.queries), name="query")
    made: pd.DataFrame = pandas.DataFrame(dict(scores.scores), index=index)
    return made


def facts(scores: RunScores) -> dict[str, Any]:
    """Means, scores, counts and conventions, as JSON has them."""
    told: dict[str, Any] = {
        "name": scores.name,
        "conventions": {"name": scores.conventions.name, **scores.conventions.facts()},
        "mean": dict(scores.mean),
        "per_query": {name: dict(by_query) for name, by_query in scores.per_query.items()},
        "counts": scores.counts.facts(),
        "notes": list(scores.notes()),
    }
    if scores.groups:
        told["groups"] = [one.facts() for one in group_scores(scores)]
        told["group_of"] = {str(q): str(group) for q, group in group_of_each(scores).items()}
    if scores.weights:
        told["weights"] = {str(query): weight for query, weight in scores.weights.items()}
    return told


def trec_text(scores: RunScores, *, per_query: bool = False) -> str:
    """The text that trec_eval prints, with its names and its four digits.

    As in trec_eval, queries come in the order of their ids. A query that is missing from the
    run is only in the means. The geometric mean is not printed for single queries.
    """
    lines = _trec_lines_of_queries(scores) if per_query else []
    counts = scores.counts
    totals: dict[str, int | str] = {
        "runid": scores.name or "run",
        "num_q": counts.queries,
        "num_ret": counts.retrieved,
        "num_rel": counts.relevant,
        "num_rel_ret": counts.relevant_retrieved,
    }
    for label, total in totals.items():
        lines.append(trec_format.line(label, "all", total))
    for name in trec_format.in_trec_order(scores.mean):
        label = trec_format.theirs(name)[2]
        lines.append(
            trec_format.line(
                label,
                "all",
                scores.mean[name],
            )
        )
    return "\n".join(lines)


def _trec_lines_of_queries(scores: RunScores) -> list[str]:
    lines = []
    missing = set(scores.counts.missing)
    numbers = scores.documents_per_query()
    names = [
        name
        for name in trec_format.in_trec_order(scores.mean)
        if name != "GMAP" and name not in scores.together
    ]
    for query in sorted((q for q in scores.queries if q not in missing), key=str):
        for label, number in numbers[query].items():
            lines.append(
                trec_format.line(
                    label,
                    str(query),
                    number,
                )
            )
        for name in names:
            label = trec_format.theirs(name)[2]
            lines.append(
                trec_format.line(
                    label,
                    str(query),
                    scores.per_query[name][query],
                )
            )
    return lines


def plot(
    scores: RunScores,
    name: AnyMeasure | None = None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """A plot of the scores of each query, best first, with their mean (matplotlib).

    If all measures are interpolated precisions, it is their curve over the levels of recall.
    """
    from irmetrics_edu.runs.evaluation_plots import levels_of, plot_levels, plot_queries
    from irmetrics_edu.views import escaping

    levels = levels_of(scores.measures)
    if name is None and levels:
        means = [scores.mean[m.name] for m in scores.measures]
        return plot_levels(levels, {scores.name: means}, ax=ax)
    measure = scores.measure_named(name).name
    scores.refuse_together([measure], "no query has a score, so there is nothing to plot")
    label = measure if name is None else str(name)
    ax = plot_queries(
        scores.per_query[measure],
        scores.mean[measure],
        label,
        ax=ax,
    )
    if scores.name:
        ax.set_title(escaping.figure(scores.name))
    return ax
