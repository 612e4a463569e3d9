"""Small inputs for every kind of metric, for generic tests that know none of them."""

import math
from dataclasses import dataclass, field
from typing import Any

from irmetrics_edu.metrics.definition import Metric


@dataclass(frozen=True)
class Call:
    """What a metric can be called with; `own_names` are labels that come from the input."""

    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    own_names: frozenset[str] = frozenset()


NUGGETS = {"a": {"A", "B"}, "b": {"A"}, "c": {"A"}, "d": set(), "e": {"C", "D"}, "x": {"B", "E"}}
NUGGET_NAMES = frozenset("ABCDE")
CATEGORIES = {
    "i1": {"c1"},
    "i2": {"c1", "c2"},
    "i3": {"c2"},
    "i4": {"c3"},
    "i5": {"c1"},
    "i6": {"c4"},
}
POPULARITY = {"i1": 8, "i2": 4, "i3": 1, "i4": 2}
EMBEDDINGS = {
    "i1": [1.0, 0.0],
    "i2": [0.6, 0.8],
    "i3": [0.0, 1.0],
    "i4": [-1.0, 0.0],
    "i5": [0.8, 0.6],
    "i6": [0.0, -1.0],
}

# By the names of what a metric is called with.
CALLS: dict[tuple[str, ...], list[Call]] = {
    ("ranking", "judgments"): [
        Call(([3, 2, 3, 0, 0, 1, 2, 2, 3, 0],)),
        Call(([0, 1, None, 2],)),
        Call((["d6", "d7", "d2", "d9"], {"d3": 1, "d4": 1, "d6": 1, "d9": 2, "d7": 0})),
        Call((["d7"], {"d3": 1, "d7": 0})),
        Call(({"d1": 0.5, "d2": 2.5, "d3": 0.25}, {"d1": 1, "d3": 3, "d8": 0})),
        Call(([], {"d1": 2})),
    ],
    ("ranking", "nuggets"): [
        Call((["a", "b", "c", "d", "e"], NUGGETS), own_names=NUGGET_NAMES),
        Call((["d", "e", "z"], NUGGETS), own_names=NUGGET_NAMES),
        Call((["x"], NUGGETS), own_names=NUGGET_NAMES),
    ],
    ("relevance", "scores"): [
        Call(([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])),
        Call(([0, 1, 1, 0],)),
        Call(([1, 0, 0, 1], [0.5, 0.5, 0.5, 0.5])),
    ],
    ("lists", "catalogue"): [
        Call(({"u1": ["i1", "i2"], "u2": ["i1"]}, ["i1", "i2", "i3"])),
        Call(([["i4"], []], ["i4", "i5"])),
        Call(([], ["i1"])),
    ],
    ("ranked", "other"): [
        Call((["a", "b", "c", "d"], ["b", "a", "d", "c"])),
        Call((["a", "b", "c"], {"c": 0.5, "b": 0.25, "a": 0.125})),
        Call((["x", "y"], ["x", "y"])),
    ],
    ("values",): [
        Call(([0.25, 0.5, 1],)),
        Call(({"q1": 0.5, "q2": 0.125},)),
    ],
    ("recommended", "categories"): [
        Call((["i1", "i2", "i3", "i4"], CATEGORIES)),
        Call((["i1", "i5"], CATEGORIES)),
    ],
    ("recommended", "popularity"): [
        Call((["i1", "i2", "i3"], POPULARITY)),
        Call((["i3"], POPULARITY)),
    ],
    ("recommended", "relevant", "popularity"): [
        Call((["i1", "i2", "i3"], {"i3", "i4"}, POPULARITY)),
        Call((["i3"], {"i1": 1, "i2": 0}, POPULARITY)),
    ],
    ("recommended", "exposure"): [
        Call((["i1", "i2", "i3"], POPULARITY)),
        Call((["i3"], POPULARITY)),
    ],
    ("recommended", "relevant", "expected"): [
        Call((["i1", "i2", "i3"], {"i2", "i3", "i6"}, ["i1", "i2"])),
        Call((["i4", "i5"], {"i6"}, ["i1"])),
    ],
    ("recommended", "relevant", "categories"): [
        Call((["i1", "i2", "i3", "i4"], {"i2", "i6"}, CATEGORIES)),
        Call((["i4", "i5"], {"i6"}, CATEGORIES)),
    ],
    ("recommended", "embeddings"): [
        Call((["i1", "i2", "i3", "i4"], EMBEDDINGS)),
        Call((["i1", "i5"], EMBEDDINGS)),
    ],
    ("recommended", "relevant", "embeddings"): [
        Call((["i1", "i2", "i3", "i4"], {"i2", "i6"}, EMBEDDINGS)),
        Call((["i4", "i5"], {"i6"}, EMBEDDINGS)),
    ],
}

# Options without which a metric cannot be called.
NEEDED: dict[str, dict[str, Any]] = {
    "accuracy": {"collection": 100},
    "fall_out": {"collection": 100},
    "confusion": {"collection": 100},
    "interpolated_precision": {"recall": 0.5},
    "nugget_f": {"length": 150},
    "self_information": {"users": 8},
    "popularity_complement": {"users": 8},
    "personalisation": {"users": 8},
    "propensity_scored_precision": {"users": 8},
    "propensity_scored_ndcg": {"users": 8},
}

# The options under which a metric has an exact value, and the metrics that have none.
EXACT: dict[str, dict[str, Any]] = {
    **{
        name: {"discount": "reciprocal"}
        for name in ("dcg", "idcg", "ndcg", "alpha_dcg", "alpha_ndcg")
    },
    **{name: {"depth": 20} for name in ("insq", "inst")},
    "fdcc": {"base": 1000},
    "hit_rank": {"undefined": "zero"},  # a nan is no fraction
}
IRRATIONAL = {
    "ilad", "ilmd", "dilad", "entropy", "self_information", "awrf", "geometric_mean",
    "propensity_scored_precision", "propensity_scored_ndcg",
}  # fmt: skip

# What nothing retrieved is worth where that is not 0.
OF_NOTHING: dict[str, float] = {
    "accuracy": 0.99,
    "confusion": 0.99,
    "hit_rank": math.nan,
    "idcg": 1.0,
}


def needed(metric: Metric) -> dict[str, Any]:
    """The options that the metric must be given."""
    return dict(NEEDED.get(metric.kernel.__name__, {}))


def of(metric: Metric) -> list[Call]:
    """Calls of a metric: of its kind of input, with what it must be given."""
    more = needed(metric)
    return [
        Call(call.arguments, {**call.options, **more}, call.own_names)
        for call in CALLS[metric.inputs.arguments]
    ]


def of_nothing(metric: Metric) -> float:
    """The score of an empty ranking where something is judged."""
    return OF_NOTHING.get(metric.kernel.__name__, 0.0)
