"""Whether a retriever answers in time, by quantiles of the latencies of a built run."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.segments import named
from irmetrics_edu.measured import Measurement, word
from irmetrics_edu.near_ties import exceeds, in_order

__tracebackhide__ = True
__unittest = True
_SLOWEST = 5  # named in a message
Calls = list[tuple[Hashable, float]]


def assert_latency(
    measured_by: Any,
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
    given = {"p50": p50, "p95": p95, "p99": p99}
    try:
        bounds = {name: _seconds(name, value) for name, value in given.items() if value is not None}
        if not bounds:
            raise InputError(f"assert_latency needs a bound in seconds: {', '.join(given)}")
        calls, texts, failed = _calls(measured_by)
    except InputError as error:
        raise refused(error) from None
    found = {name: _measured(name, [seconds for _, seconds in calls]) for name in bounds}
    over = {
        name: f"{found[name]:.4g} s > {bound:.4g} s"
        for name, bound in bounds.items()
        if exceeds(found[name], bound)
    }
    raised = _failure(over, calls, texts, failed) if over else None
    # Of repeated runs the slowest call of a query, which comes last.
    slowest = {str(query): seconds for query, seconds in sorted(calls, key=lambda call: call[1])}
    for name, bound in bounds.items():
        told = Measurement(
            f"{name} latency (s)",
            found[name],
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
    return found


def _seconds(name: str, value: Any) -> float:
    seconds = float(checks.number(value, f"{name} ="))
    if isinstance(value, bool) or seconds <= 0:
        raise InputError(f"{name}={value!r}: give seconds above 0, such as {name}=0.5 for 500 ms")
    return seconds


def _calls(given: Any) -> tuple[Calls, dict[Hashable, str], int]:
    """The calls with their seconds, the texts of the queries, and the number of failed calls."""
    runs = [given] if isinstance(given, Mapping) or not isinstance(given, Sequence) else given
    calls: Calls = []
    texts: dict[Hashable, str] = {}
    failed = 0
    for run in runs:
        latencies = getattr(run, "latencies", run)
        if not isinstance(latencies, Mapping):
            raise InputError(
                f"{run!r:.80} has no latencies; give a run of build_run, or query -> seconds"
            )
        for query, value in latencies.items():
            if isinstance(value, Mapping) or not hasattr(value, "__float__"):
                raise InputError(
                    f"query {query!r} has latency {value!r:.60}; give a run of build_run, "
                    "which has latencies, or query -> seconds"
                )
            seconds = float(checks.number(value, "latency", f"query {query!r}: "))
            if seconds < 0:
                raise InputError(f"query {query!r}: latency {seconds!r} is below 0")
            calls.append((query, seconds))
        known = getattr(run, "texts", {})
        texts |= {query: text for query, text in known.items() if isinstance(text, str)}
        failed += len(getattr(run, "errors", ()))
    if not calls:
        raise InputError("there is no latency: no query was asked")
    return calls, texts, failed


def rank_of(percent: int, n: int) -> int:
    """The nearest rank of a percentile among n values: ceil(percent / 100 n), exactly.

    >>> rank_of(95, 40), rank_of(50, 3), rank_of(99, 10)
    (38, 2, 10)
    """
    return -(-percent * n // 100)


def _measured(name: str, seconds: list[float]) -> float:
    return sorted(seconds)[rank_of(int(name[1:]), len(seconds)) - 1]


def _failure(
    over: Mapping[str, str],
    calls: Calls,
    texts: Mapping[Hashable, str],
    failed: int,
) -> RankingAssertionError:
    n = len(calls)
    (first, *others) = over
    where = f"rank {rank_of(int(first[1:]), n):,} of {n:,} calls"
    lines = [f"also {name} {over[name]}" for name in others]
    if failed:
        lines.append(f"{failed:,} of {n:,} calls failed; each counts with the time until it failed")
    slowest = in_order(calls, lambda call: call[1])
    shown = slowest[:_SLOWEST]
    lines.append(f"the {'slowest calls' if len(shown) > 1 else 'slowest call'}:")
    lines += [f"  {named(query, texts)}: {seconds:.4g} s" for query, seconds in shown]
    summary = f"{first} latency {over[first]} ({where}, slowest: {slowest[0][0]})"
    return RankingAssertionError(summary, lines)
