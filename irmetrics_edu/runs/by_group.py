"""Scores by groups of queries: a mean and an interval of each group in each measure."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.conventions import MACRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure
from irmetrics_edu.runs import segments
from irmetrics_edu.runs.intervals import interval
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.runs.weighted import weighted_interval
from irmetrics_edu.working import Working


@dataclass(frozen=True)
class GroupScores:
    """A group of queries: which they are, and mean and interval by measure; NaN if there is none.

    Of a measure of several queries together, a group has no mean.
    """

    group: Hashable
    queries: Sequence[Hashable]
    mean: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]

    def facts(self) -> dict[str, Any]:
        """The group in plain values, as JSON has them."""
        return {
            "group": str(self.group),
            "queries": len(self.queries),
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
        }


def aggregation_among(
    scores: RunScores,
    measure: Measure,
    members: Sequence[Hashable],
) -> Working | None:
    """The working of a measure's mean over some queries; None if none of them counts in it."""
    if measure.name in scores.together:
        return None
    wanted = set(members)
    among = [i for i in scores.counted(measure.name).tolist() if scores.queries[i] in wanted]
    if not among:
        return None
    try:
        return scores.aggregation(measure.name, among)
    except InputError:  # all of them weigh 0
        if scores.weights and not any(scores.weights[scores.queries[i]] for i in among):
            return None
        raise


def ends_of(
    scores: RunScores,
    measure: Measure,
    aggregation: Working,
    level: float,
) -> tuple[float, float]:
    """The ends of the interval of a mean, within the range of its measure; NaN if it has none."""
    if scores.averaging(measure) is not MACRO:
        return math.nan, math.nan
    values = aggregation.rows.value
    if measure.aggregate == GEOMETRIC_MEAN:
        low, high = np.exp(interval(aggregation["logarithm"], level)).tolist()
    elif scores.weights:
        weight = segments.weight_array(scores.weights, list(aggregation.rows.label))
        low, high = weighted_interval(values, weight, level)
    else:
        low, high = interval(values, level)
    least, most = measure.metric.range
    return float(np.clip(low, least, most)), float(np.clip(high, least, most))


def group_scores(scores: RunScores, level: float = 0.05) -> list[GroupScores]:
    """Each group of queries with its means and their intervals."""
    of_groups = []
    for group, members in scores.groups.items():
        mean: dict[str, float] = {}
        low: dict[str, float] = {}
        high: dict[str, float] = {}
        for measure in scores.measures:
            name = measure.name
            aggregation = aggregation_among(scores, measure, members)
            mean[name] = low[name] = high[name] = math.nan
            if aggregation is not None:
                mean[name] = float(aggregation.score[0])
                low[name], high[name] = ends_of(scores, measure, aggregation, level)
        of_groups.append(GroupScores(group, members, mean, low, high))
    return of_groups


def group_of_each(scores: RunScores) -> dict[Hashable, Hashable]:
    """The group of each query."""
    return group_of_members(scores.groups)


def group_of_members(
    groups: Mapping[Hashable, Sequence[Hashable]],
) -> dict[Hashable, Hashable]:
    """The group of each query, of groups with their queries."""
    return {query: group for group, members in groups.items() for query in members}
