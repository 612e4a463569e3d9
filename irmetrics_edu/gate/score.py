"""Whether a score is within its bounds, for one ranking or a whole run.

Below it an assertion is made for every metric and every aggregate of the registry.
"""

import inspect
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.conventions import Convention
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import message
from irmetrics_edu.gate.bounds import (
    TOLERANCE,
    Bound,
    bounds,
    refuse_out_of_range,
    refuse_unknown_groups,
    worst_group_first,
)
from irmetrics_edu.gate.checked_value import Outcome, configured, outcome_of
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.input_checks import none_judged
from irmetrics_edu.measured import ALL, HINT, Measurement, revealing
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.runs.aggregation import AGGREGATES, Aggregate

__tracebackhide__ = True
__unittest = True


def assert_metric(
    metric: Any,
    *inputs: Any,
    at_least: float | None = None,
    at_most: float | None = None,
    equals: float | None = None,
    abs: float = TOLERANCE,  # noqa: A002 -- as in pytest.approx
    every_query_at_least: float | None = None,
    every_group_at_least: float | Mapping[Hashable, float] | None = None,
    k: int | None = None,
    groups: Any = None,
    queries: Any = None,
    reveal: str | None = None,
    **options: Any,
) -> float:
    """Assert that a metric of a run (or of one ranking) lies within bounds, and return its value.

    `metric` is a metric, an aggregate or a name such as "nDCG@10"; `inputs` are a run and its
    qrels as `evaluate` takes them, or what the metric is called with for one ranking. `equals`
    holds within `abs`. `every_query_at_least` bounds each query; the other bounds are for the mean.
    With `groups` (query -> language, class, tenant: a mapping, a column indexed by query, a
    function) `every_group_at_least` bounds the mean of each group: a number, or group -> number.
    `queries` (query -> text, given alike) names queries in messages. Other keywords are conventions
    and inputs, as for `evaluate`, whose default conventions apply. With reveal="hint" a failure
    shows neither bounds nor judgments, for graded exercises.

    Raises RankingAssertionError for a score out of bounds, and InputError for bad input: a bound
    that is no number or outside the metric's range (45 for 45 %), an empty run, nothing judged. NaN
    is never within bounds.

    >>> round(assert_metric("nDCG@5", ["d1", "d2"], {"d1": 2, "d3": 1}, at_least=0.5), 4)
    0.7602
    """
    limits = {
        "at_least": at_least,
        "at_most": at_most,
        "equals": equals,
        "every_query_at_least": every_query_at_least,
        "every_group_at_least": every_group_at_least,
    }
    try:
        chosen, rest = configured(metric, k, options)
        asserted = bounds(limits, abs)
        reveal = revealing(reveal)
        outcome = outcome_of(chosen, inputs, rest)
        outcome.told(groups, queries)
        refuse_unknown_groups(asserted, outcome)
        refuse_out_of_range(asserted, outcome)
        broken = worst_group_first([b for b in asserted if not b.holds(outcome)], outcome)
        outcome.groups_short = len({g for b in broken for g in b.groups_below(outcome)})
    except InputError as error:
        raise refused(error) from None
    failed = failure(outcome, broken, reveal) if broken else None
    if measured.current() is not None:
        measured.tell(_measurement(outcome, asserted, failed, reveal))
    if failed is not None:
        raise failed
    return outcome.score


def failure(outcome: Outcome, broken: Sequence[Bound], reveal: str) -> RankingAssertionError:
    """The error that names the broken bounds and explains them."""
    if reveal == HINT:
        lowest = message.which(outcome, broken[0])
        return RankingAssertionError(message.hint(outcome, broken[0]), lowest)
    first = message.first_line(outcome, broken[0])
    return RankingAssertionError(first, partial(message.lines, outcome, broken))


def _measurement(
    outcome: Outcome,
    bounds: Sequence[Bound],
    error: RankingAssertionError | None,
    reveal: str,
) -> Measurement:
    """What an assertion measured, as reports and tables receive it."""
    misfit = error and outcome.is_run and none_judged(outcome.counts, outcome.run)
    groups = _groups_measured(outcome, bounds)
    return Measurement(
        outcome.name,
        measured.finite(outcome.score),
        measured.MISFIT if misfit else measured.word(error is None),
        _asserted(bounds) if reveal == ALL else {},
        queries=len(outcome.queries),
        per_query=_per_query(outcome),
        error=error,
        conventions="" if outcome.bundle is None else outcome.bundle.name,
        **({"groups": groups} if groups else {}),
    )


def _asserted(bounds: Sequence[Bound]) -> dict[str, Any]:
    """The bounds by name; those of single groups by group."""
    asserted: dict[str, Any] = {}
    floors: dict[str, float] = {}
    for bound in bounds:
        if bound.group is None:
            asserted[bound.name] = bound.value
        else:
            floors[str(bound.group)] = bound.value
    if floors:
        asserted["every_group_at_least"] = floors
    return asserted


def _groups_measured(outcome: Outcome, bounds: Sequence[Bound]) -> list[dict[str, Any]]:
    """Each group with its size, its score, and whether it is below a bound."""
    below: set[Hashable] = set()
    for bound in bounds:
        below.update(bound.groups_below(outcome))
    groups = []
    for group, score in outcome.group_scores.items():
        facts = {
            "group": str(group),
            "queries": len(outcome.groups[group]),
            "score": measured.finite(score),
            "verdict": "fail" if group in below else "pass",
        }
        groups.append(facts)
    return groups


def _per_query(outcome: Outcome) -> dict[str, float | None]:
    """The score of each query of a run, None where it is not finite."""
    if not outcome.is_run:
        return {}
    scores: dict[str, float | None] = {}
    for query, score in zip(outcome.queries, outcome.scores.tolist(), strict=True):
        scores[str(query)] = score if math.isfinite(score) else None
    return scores


def subjects() -> dict[str, Metric | Aggregate]:
    """The metric or aggregate of each assertion, by the assertion's name."""
    import_all()
    by_assertion: dict[str, Metric | Aggregate] = {
        f"assert_{name.casefold()}": aggregate for name, aggregate in AGGREGATES.items()
    }
    return by_assertion | {
        f"assert_{metric.kernel.__name__}": metric for metric in METRICS.values()
    }


# Bounds that an assertion has by itself, where the metric is asked for one usual thing.
_USUAL: dict[str, dict[str, Any]] = {"assert_judged": {"k": 10, "at_least": 0.9}}


def assertion(name: str) -> Callable[..., float]:
    """The assertion with this name; AttributeError lists the names if there is none."""
    metrics = subjects()
    if name not in metrics:
        raise AttributeError(f"there is no {name}; there are {', '.join(sorted(metrics))}")
    subject = metrics[name]
    usual = _USUAL.get(name, {})

    def check(*inputs: Any, **options: Any) -> float:
        if usual and not options.keys() & {"at_most", "equals", "every_query_at_least"}:
            options = {**usual, **options}
        return assert_metric(subject, *inputs, **options)

    check.__name__ = check.__qualname__ = name
    check.__module__ = "irmetrics_edu.gate"
    check.__signature__ = _signature(subject, usual)  # type: ignore[attr-defined]  # inspect reads it from any function
    check.__doc__ = (
        f"Assert that {subject.name} lies within bounds; takes what `assert_metric` takes.\n\n"
        f"{subject.definition}\n\n`inputs` are a run and its qrels, or what the metric is called "
        "with for one ranking;\nother conventions are keywords, too."
    )
    return check


def _signature(subject: Metric | Aggregate, usual: dict[str, Any]) -> inspect.Signature:
    """The signature: the keywords of `assert_metric`, and the metric's own options."""
    metric = subject.metric if isinstance(subject, Aggregate) else subject
    of_all = inspect.signature(assert_metric)
    _, inputs, *keywords, others = of_all.parameters.values()
    usual_parameters = [p for p in keywords if metric.has_cutoff or p.name != "k"]
    usual_parameters = [p.replace(default=usual.get(p.name, p.default)) for p in usual_parameters]
    metric_parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default.name if isinstance(default, Convention) else default,
        )
        for name, default in metric.defaults.items()
        if name not in {p.name for p in usual_parameters}
    ]
    return of_all.replace(parameters=[inputs, *usual_parameters, *metric_parameters, others])
