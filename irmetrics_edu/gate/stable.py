"""Whether repeated runs of a ranker have similar scores: a gate for rankers with noise."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.bounds import Bound
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.input_checks import refuse_unlikely
from irmetrics_edu.gate.policy import amount
from irmetrics_edu.gate.segments import named
from irmetrics_edu.gate.segments import texts as texts_of
from irmetrics_edu.measured import Measurement, word
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.runs.repeated_runs import RANGE, Stability, stability
from irmetrics_edu.views.formatting import number

__tracebackhide__ = True
__unittest = True
_SHOWN = 5  # queries in a message
_SIGNS = {"at_most": ">", "at_least": "<"}
_Asserted = tuple[str, float, Bound, Mapping[Hashable, float]]


def assert_stable(
    runs: Iterable[Any],
    qrels: Any,
    measure: Any = "nDCG@10",
    *,
    max_spread: float | None = None,
    max_query_spread: float | None = None,
    mean_at_least: float | None = None,
    spread: str = RANGE,
    queries: Any = None,
    **options: Any,
) -> Stability:
    """Assert that repeated runs of a ranker have similar scores, and return how much they differ.

    `runs` are two or more runs of the same queries (`build_runs`). `spread` chooses the range
    (the highest score minus the lowest) or the standard deviation over the repetitions (n - 1).
    `max_spread` bounds the spread of the runs' scores, which are means over queries.
    `max_query_spread` bounds the spread of every query. `mean_at_least` is a lower bound for the
    mean of the runs' scores. `queries` (query -> text) names queries in messages; other keywords
    are as for `evaluate`.

    Raises RankingAssertionError with the queries that differ most, and InputError for bad input.

    >>> runs = [{"q": ["a", "b"]}, {"q": ["a", "c"]}]
    >>> assert_stable(runs, {"q": {"a": 1}}, "RR", max_spread=0.01).spread
    0.0
    """
    try:
        limits = {
            name: amount(value, name)
            for name, value in (
                ("max_spread", max_spread),
                ("max_query_spread", max_query_spread),
                ("mean_at_least", mean_at_least),
            )
            if value is not None
        }
        if not limits:
            raise InputError(
                "assert_stable needs a bound: max_spread, max_query_spread or mean_at_least"
            )
        each = list(runs) if not isinstance(runs, (Mapping, str)) else runs
        for run in each if isinstance(each, list) else ():
            refuse_unlikely(run, qrels)
        found = stability(each, qrels, measure, spread=spread, **options)
        texts = texts_of(queries, found.queries)
    except InputError as error:
        raise refused(error) from None
    asserted = _asserted(found, limits)
    broken = [one for one in asserted if not _holds(one)]
    raised = _failure(found, broken, texts) if broken else None
    for one in asserted:
        name, value, bound, by_query = one
        told = Measurement(
            name,
            value,
            word(one not in broken),
            {bound.name: bound.value},
            queries=len(by_query),
            per_query={str(query): score for query, score in by_query.items()},
            error=raised if one in broken else None,
        )
        measured.tell(told)
    if raised is not None:
        raise raised
    return found


def _asserted(found: Stability, limits: Mapping[str, float]) -> list[_Asserted]:
    """Each bounded value: its name, its value, the bound, and the values of each query."""
    by_query, n = found.spread_by_query, len(found.runs)
    one = {
        "max_spread": (f"{found.kind} of {found.measure} over {n} runs", found.spread),
        "max_query_spread": (
            f"greatest {found.kind} of a query's {found.measure} over {n} runs",
            max(by_query.values()),
        ),
        "mean_at_least": (f"mean {found.measure} of {n} runs", found.mean),
    }
    return [
        (
            *one[name],
            Bound("at_least" if name == "mean_at_least" else "at_most", limit),
            found.mean_by_query if name == "mean_at_least" else by_query,
        )
        for name, limit in limits.items()
    ]


def _holds(one: _Asserted) -> bool:
    _, value, bound, _ = one
    if bound.name == "at_least":
        return value >= bound.value - TOLERANCE
    return value <= bound.value + TOLERANCE


def _failure(
    found: Stability, broken: Sequence[_Asserted], texts: Mapping[Hashable, str]
) -> RankingAssertionError:
    first, *others = [
        f"{name} {number(value)} {_SIGNS[bound.name]} {number(bound.value)}"
        for name, value, bound, _ in broken
    ]
    lines = [f"also {other}" for other in others]
    lines.append(f"runs: {', '.join(number(score) for score in found.runs.tolist())}")
    by_query = found.spread_by_query
    moved = [query for query in in_order(by_query, lambda q: by_query[q]) if by_query[query] > 0]
    if moved:
        lines.append("queries that differ most:")
    for query in moved[:_SHOWN]:
        place = found.queries.index(query)
        scores = ", ".join(number(score) for score in found.scores[:, place].tolist())
        lines.append(f"  {named(query, texts)}: {found.kind} {number(by_query[query])} ({scores})")
    return RankingAssertionError(
        f"{first} ({len(moved):,} of {len(found.queries):,} queries differ)", lines
    )
