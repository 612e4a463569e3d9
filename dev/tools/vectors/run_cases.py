"""Cases of whole runs: which queries count, and the value of queries without relevant documents."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from dev.tools.vectors.grid import DEFAULTS
from dev.tools.vectors.oracles.rankings import Number, added, as_decimal, divided
from dev.tools.vectors.reading_cases import read_value
from irmetrics_edu.diagnosis.conformance.vectors import (
    GEOMETRIC_MEAN,
    MEAN,
    OF_RUNS,
    VectorCase,
    named,
)

_RUNS: Mapping[str, Mapping[str, Any]] = {
    "missing-query": {
        "run": {"1": ["a", "b", "c"], "3": ["b", "a"]},
        "qrels": {"1": {"a": 1, "c": 2}, "2": {"a": 1}, "3": {"a": 3, "b": 1}},
        "why": "query 2 is judged, and the run lacks it",
    },
    "query-without-relevant": {
        "run": {"1": ["a", "b", "c"], "2": ["a", "b"], "3": ["b", "a"]},
        "qrels": {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 0, "b": 0}, "3": {"a": 1, "x": 1}},
        "why": "nothing that is judged of query 2 is relevant",
    },
    "query-not-judged": {
        "run": {"1": ["a", "b", "c"], "2": ["a", "b"], "3": ["b", "a"]},
        "qrels": {"1": {"a": 1, "c": 2}, "3": {"a": 3, "b": 1}},
        "why": "query 2 is in the run, and nothing is judged of it",
    },
    "queries-that-score-0": {
        "run": {"1": ["a", "b", "c"], "2": ["b"], "3": ["b", "a"]},
        "qrels": {"1": {"a": 1, "c": 2}, "2": {"a": 1}, "3": {"a": 3, "b": 1}},
        "why": "one query scores 0, and the geometric mean with it unless there is a floor",
    },
}
_TURNED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "missing-query": ("missing_queries", ("zero", "skip")),
    "query-without-relevant": ("no_relevant", ("zero", "one", "nan", "skip")),
    "query-not-judged": ("unjudged_queries", ("ignore",)),
}
_FLOORS = ("0", "0.00001")
_MEASURES = (("AP", None), ("nDCG", 2), ("P", 2))


def of_runs() -> Iterator[VectorCase]:
    """The mean under each convention for queries, and the geometric mean."""
    for name, (switch, values) in _TURNED.items():
        given = _RUNS[name]
        for metric, k in _MEASURES:
            for choice in values:
                said = {**DEFAULTS[metric], switch: choice}
                yield _case(
                    name, metric, k, given, said, MEAN, mean(scores(metric, k, given, said))
                )
    name = "queries-that-score-0"
    for floor in _FLOORS:
        said = {**DEFAULTS["AP"], "floor": floor}
        found = geometric_mean(scores("AP", None, _RUNS[name], said), floor)
        yield _case(name, "AP", None, _RUNS[name], said, GEOMETRIC_MEAN, found)


def _case(
    name: str,
    metric: str,
    k: int | None,
    given: Mapping[str, Any],
    said: dict[str, Any],
    aggregate: str,
    exact: Number,
) -> VectorCase:
    id_ = named(name, metric, k, said, aggregate)
    return VectorCase(
        id_, name, metric, k, given, said, exact, given["why"],
        aggregate=aggregate, topic=name.replace("-", " "), reading=OF_RUNS,
    )  # fmt: skip


def scores(
    metric: str, k: int | None, given: Mapping[str, Any], said: Mapping[str, Any]
) -> list[Number]:
    """The value of each query that counts."""
    by = {**OF_RUNS, **said}
    own = {n: v for n, v in said.items() if n in DEFAULTS[metric] and n != "no_relevant"}
    found: list[Number] = []
    for query, judgments in given["qrels"].items():
        if query not in given["run"] and by["missing_queries"] == "skip":
            continue
        if by["no_relevant"] == "skip" and all(g < 1 for g in judgments.values()):
            continue
        one = {"ranking": given["run"].get(query, []), "judgments": judgments}
        empty = {"no_relevant": "zero" if by["no_relevant"] == "skip" else by["no_relevant"]}
        found.append(read_value(metric, k, one, {**own, **empty}))
    return found


def mean(values: list[Number]) -> Number:
    """The sum over the number."""
    return divided(added(values), Fraction(len(values)))


def geometric_mean(values: list[Number], floor: str) -> Number:
    """The root of the product; what is below the floor counts as the floor."""
    with localcontext() as context:
        context.prec = 40
        raised = [max(as_decimal(v), Decimal(floor)) for v in values]
        if not all(raised):
            return Fraction(0)
        return (sum((v.ln() for v in raised), Decimal(0)) / len(raised)).exp()
