"""An assertion for every metric and every aggregate, made from the registry."""

import inspect
from collections.abc import Callable
from typing import Any

from irmetrics_edu.conventions import Convention
from irmetrics_edu.gate.score import assert_metric
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.runs.aggregation import AGGREGATES, Aggregate

__tracebackhide__ = True
__unittest = True
PREFIX = "assert_"


def subjects() -> dict[str, Metric | Aggregate]:
    """The metric or aggregate of each assertion, by the assertion's name."""
    import_all()
    found: dict[str, Metric | Aggregate] = {
        PREFIX + name.casefold(): aggregate for name, aggregate in AGGREGATES.items()
    }
    found |= {PREFIX + metric.kernel.__name__: metric for metric in METRICS.values()}
    return found


def names() -> list[str]:
    """The names of all these assertions."""
    return list(subjects())


# Bounds that an assertion has by itself, where the metric is asked for one usual thing.
_USUAL: dict[str, dict[str, Any]] = {"assert_judged": {"k": 10, "at_least": 0.9}}


def assertion(name: str) -> Callable[..., float]:
    """The assertion with this name; AttributeError lists the names if there is none."""
    known = subjects()
    if name not in known:
        raise AttributeError(f"there is no {name}; there are {', '.join(sorted(known))}")
    return made(name, known[name])


def made(name: str, subject: Metric | Aggregate) -> Callable[..., float]:
    """An assertion about this metric."""
    usual = _USUAL.get(name, {})

    def check(*inputs: Any, **options: Any) -> float:
        if usual and not options.keys() & {"at_most", "equals", "every_query_at_least"}:
            options = {**usual, **options}
        return assert_metric(subject, *inputs, **options)

    check.__name__ = check.__qualname__ = name
    check.__module__ = "irmetrics_edu.gate"
    check.__signature__ = _signature(subject, usual)  # type: ignore[attr-defined]
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
    known = [p for p in keywords if metric.has_cutoff or p.name != "k"]
    known = [p.replace(default=usual.get(p.name, p.default)) for p in known]
    own = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default.name if isinstance(default, Convention) else default,
        )
        for name, default in metric.defaults.items()
        if name not in {p.name for p in known}
    ]
    return of_all.replace(parameters=[inputs, *known, *own, others])
