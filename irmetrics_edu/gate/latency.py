"""Whether a retriever answers in time, by quantiles of the latencies of a built run."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.measured import Measurement, word
from irmetrics_edu.near_ties import exceeds, in_order
from irmetrics_edu.runs.segments import named

__tracebackhide__ = True
__unittest = True
_SLOWEST = 5  # named in a message
Calls = list[tuple[Hashable, float]]


class Timed(Protocol):
    """A run that knows how long each query took, such as one of `build_run`."""

    @property
    def latencies(self) -> Mapping[Any, float]:
        """The seconds of each query's call."""


Latencies = Mapping[Any, float] | Timed


def assert_latency(
    measured_by: Latencies | Sequence[Latencies],
    *,
    p50: float | None = None,
    p95: float | None = None,
    p99: float | None = None,
) -> dict[str, float]:
    """Assert that latencies stay within bounds, in seconds, and return the measured values.

    `measured_by` is a run of `build_run`, several of them, or query -> seconds. The quantile p95
    is by nearest rank: of n latencies in rising order it is the latency at rank ceil(0.95 n). So it
    is always a measured latency, and nothing is interpolated. A failed call counts with the time
    until it failed.

    Raises RankingAssertionError, which names the slowest queries. Raises InputError if no bound is
    given, if a bound is not a positive number, or if there is no latency.

    >>> assert_latency({"q1": 0.1, "q2": 0.3}, p50=0.2)
    {'p50': 0.1}
    """
    limits = {"p50": p50, "p95": p95, "p99": p99}
    try:
        bounds = _bounds(limits)
        calls, texts, failed = _calls(measured_by)
    except InputError as error:
        raise refused(error) from None
    times = [seconds for _, seconds in calls]
    percentiles = {name: _measured(name, times) for name in bounds}
    over = {}
    for name, bound in bounds.items():
        if exceeds(percentiles[name], bound):
            over[name] = f"{percentiles[name]:.4g} s > {bound:.4g} s"
    raised = None
    if over:
        raised = _failure(over, calls, texts, failed)
    slowest = _slowest_of_each(calls)
    for name, bound in bounds.items():
        told = Measurement(
            f"{name} latency (s)",
            percentiles[name],
            word(name not in over),
            {"at_most": bound},
            queries=len(slowest),
            per_query=slowest,
            error=raised if name in over else None,
            unit="seconds",
        )
        measured.tell(told)
    if raised is not None:
        raise raised
    return percentiles


def _bounds(limits: Mapping[str, float | None]) -> dict[str, float]:
    """The bounds that are given, checked."""
    bounds = {}
    for name, value in limits.items():
        if value is not None:
            bounds[name] = _seconds(name, value)
    if not bounds:
        names = ", ".join(limits)
        raise InputError(f"assert_latency needs a bound in seconds: {names}")
    return bounds


def _slowest_of_each(calls: Calls) -> dict[str, float]:
    """The slowest call of each query, of repeated runs."""
    rising = sorted(calls, key=lambda call: call[1])
    return {str(query): seconds for query, seconds in rising}


def _seconds(name: str, value: Any) -> float:
    """A bound in seconds."""
    seconds = float(checks.number(value, f"{name} ="))
    if isinstance(value, bool) or seconds <= 0:
        raise InputError(f"{name}={value!r}: give seconds above 0, such as {name}=0.5 for 500 ms")
    return seconds


def _calls(sources: Any) -> tuple[Calls, dict[Hashable, str], int]:
    """The calls with their seconds, the texts of the queries, and the number of failed calls."""
    runs = (
        [sources] if isinstance(sources, Mapping) or not isinstance(sources, Sequence) else sources
    )
    calls: Calls = []
    texts: dict[Hashable, str] = {}
    failed = 0
    for run in runs:
        latencies = getattr(run, "latencies", run)
        if not isinstance(latencies, Mapping):
            raise InputError(
                f"{run!r:.80} has no latencies; give a run of build_run, or query -> seconds"
            )
        calls += [(query, _latency(query, value)) for query, value in latencies.items()]
        texts_of_run = getattr(run, "texts", {})
        texts |= {query: text for query, text in texts_of_run.items() if isinstance(text, str)}
        failed += len(getattr(run, "errors", ()))
    if not calls:
        raise InputError("there is no latency: no query was asked")
    return calls, texts, failed


def _latency(query: Hashable, value: Any) -> float:
    """The seconds that a call took."""
    if isinstance(value, Mapping) or not hasattr(value, "__float__"):
        raise InputError(
            f"query {query!r} has latency {value!r:.60}; give a run of build_run, "
            "which has latencies, or query -> seconds"
        )
    seconds = float(checks.number(value, "latency", f"query {query!r}: "))
    if seconds < 0:
        raise InputError(f"query {query!r}: latency {seconds!r} is below 0")
    return seconds


def rank_of(percent: int, n: int) -> int:
    """The nearest rank of a percentile among n values: ceil(percent / 100 n), exactly.

    >>> rank_of(95, 40), rank_of(50, 3), rank_of(99, 10)
    (38, 2, 10)
    """
    return -(-percent * n // 100)


def _measured(name: str, seconds: list[float]) -> float:
    """The quantile with this name, such as p95."""
    rank = _rank(name, len(seconds))
    return sorted(seconds)[rank - 1]


def _rank(name: str, n: int) -> int:
    """The nearest rank of a quantile with this name, such as p95."""
    percent = int(name.removeprefix("p"))
    return rank_of(percent, n)


def _failure(
    over: Mapping[str, str],
    calls: Calls,
    texts: Mapping[Hashable, str],
    failed: int,
) -> RankingAssertionError:
    """The error that names the bounds that do not hold, and the slowest calls."""
    n = len(calls)
    (first, *others) = over
    rank = _rank(first, n)
    where = f"rank {rank:,} of {n:,} calls"
    lines = [f"also {name} {over[name]}" for name in others]
    if failed:
        lines.append(f"{failed:,} of {n:,} calls failed; each counts with the time until it failed")
    slowest = in_order(calls, lambda call: call[1])
    shown = slowest[:_SLOWEST]
    noun = "slowest calls" if len(shown) > 1 else "slowest call"
    lines.append(f"the {noun}:")
    lines += [f"  {named(query, texts)}: {seconds:.4g} s" for query, seconds in shown]
    summary = f"{first} latency {over[first]} ({where}, slowest: {slowest[0][0]})"
    return RankingAssertionError(summary, lines)
