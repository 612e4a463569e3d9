"""A gate that noise cannot flap: a run against a baseline, query by query."""

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.assertions import regression_message as message
from irmetrics_edu.assertions.failure import RankingAssertionError
from irmetrics_edu.assertions.verdict import (
    FAIL,
    INCONCLUSIVE,
    PASS,
    Verdict,
    improvement,
    regression,
    settings,
    worst,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.evaluation import Evaluation, evaluate
from irmetrics_edu.moves import Moves, moves
from irmetrics_edu.summary import scipy_stats

__tracebackhide__ = True
__unittest = True

MovesOf = Callable[[str, Hashable], Moves | None]


class InconclusiveWarning(UserWarning):
    """Too few queries to tell whether a run got worse."""


def assert_no_regression(
    run: Any,
    baseline: Any,
    qrels: Any = None,
    metrics: Any = "nDCG@10",
    *,
    max_drop: float,
    confidence: float = 0.95,
    inconclusive: str = "warn",
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is no worse than a baseline by more than a tolerated drop.

    `run` and `baseline` are runs, or evaluations made before; `metrics` and other keywords are as
    for `evaluate`. `max_drop` is the tolerated drop of the mean, in units of the metric. A paired
    randomisation test over the queries decides: fail where the drop is more than that and more
    than chance, pass where it is shown to be less, inconclusive where the queries are too few to
    tell. An inconclusive gate warns and says how many queries it would take; with
    inconclusive="fail" it fails. Needs scipy: pip install "irmetrics-edu[stats]".

    Raises RankingAssertionError, with the queries that lost most and the documents that moved;
    InputError for bad input. Returns the verdicts.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> same = {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_no_regression(same, same, qrels, "RR", max_drop=0.01)]
    ['pass']
    """
    try:
        limit, confidence = settings(max_drop, confidence, "max_drop")
        if inconclusive not in ("warn", "fail"):
            raise InputError(f"inconclusive={inconclusive!r} is not known; use 'warn' or 'fail'")
        scipy_stats()  # missing, it is missed at the first run and not at the first regression
        before, after = both(run, baseline, qrels, metrics, options)
        verdicts = regression(
            *per_query(before, after), means(before, after), max_drop=limit, confidence=confidence
        )
    except InputError as error:
        raise error.with_traceback(None) from None
    failed = settled(verdicts, after, moves_between(before, after), inconclusive)
    if failed is not None:
        raise failed
    return verdicts


def assert_improves(
    run: Any,
    baseline: Any,
    qrels: Any = None,
    metrics: Any = "nDCG@10",
    *,
    by: float = 0.0,
    confidence: float = 0.95,
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is better than a baseline, and by more than chance.

    Every one of `metrics` must rise by more than `by`, as a paired randomisation test over the
    queries finds. Otherwise as `assert_no_regression`.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> old, new = {q: ["b", "a"] for q in qrels}, {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_improves(new, old, qrels, "RR")]
    ['pass']
    """
    try:
        limit, confidence = settings(by, confidence, "by")
        scipy_stats()
        before, after = both(run, baseline, qrels, metrics, options)
        verdicts = improvement(
            *per_query(before, after), means(before, after), by=limit, confidence=confidence
        )
    except InputError as error:
        raise error.with_traceback(None) from None
    tell(verdicts, after)
    lacking = worst(verdicts, FAIL, INCONCLUSIVE)
    if lacking is not None:
        raise RankingAssertionError(
            message.no_improvement(lacking),
            message.lines(lacking, verdicts, moves_between(before, after), 0),
        )
    return verdicts


def settled(
    verdicts: Sequence[Verdict],
    after: Evaluation,
    moves_of: MovesOf,
    inconclusive: str = "warn",
    notes: Sequence[str] = (),
) -> RankingAssertionError | None:
    """Tell what was found; warn of what can't be told; the error to raise, if there is one."""
    tell(verdicts, after)
    failed = worst(verdicts, FAIL) or (
        worst(verdicts, INCONCLUSIVE) if inconclusive == "fail" else None
    )
    if failed is not None:
        return RankingAssertionError(
            message.dropped(failed) if failed.word == FAIL else message.unsure(failed),
            message.lines(failed, verdicts, moves_of, 0, notes),
            lambda verbosity: message.lines(failed, verdicts, moves_of, verbosity, notes),
        )
    for verdict in verdicts:
        if verdict.word == INCONCLUSIVE:
            warnings.warn(message.unsure(verdict), InconclusiveWarning, stacklevel=3)
    return None


def both(
    run: Any, baseline: Any, qrels: Any, metrics: Any, options: Mapping[str, Any]
) -> tuple[Evaluation, Evaluation]:
    """The evaluations of baseline and run, over the same queries and measures."""
    after, before = (
        one if isinstance(one, Evaluation) else evaluate(one, qrels, metrics, **options)
        for one in (run, baseline)
    )
    if [m.name for m in before.measures] != [m.name for m in after.measures]:
        raise InputError(
            f"the baseline was evaluated by {', '.join(m.name for m in before.measures)}, "
            f"the run by {', '.join(m.name for m in after.measures)}; evaluate both alike"
        )
    for query in {*before.queries} ^ {*after.queries}:
        where = "baseline" if query in before.queries else "run"
        raise InputError(
            f"query {query!r} is evaluated in the {where} alone; compare over the same queries, "
            "or say missing_queries='zero'"
        )
    return before, after


def per_query(
    before: Evaluation, after: Evaluation
) -> tuple[dict[str, Mapping[Hashable, float]], dict[str, Mapping[Hashable, float]]]:
    """The scores of both by measure and query."""
    names = [m.name for m in after.measures]
    return {n: before.per_query[n] for n in names}, {n: after.per_query[n] for n in names}


def means(before: Evaluation, after: Evaluation) -> dict[str, tuple[float, float]]:
    """The means of both by measure."""
    return {m.name: (before.mean[m.name], after.mean[m.name]) for m in after.measures}


def moves_between(before: Evaluation, after: Evaluation) -> MovesOf:
    """What moved in a query, once it is asked for."""

    def found(measure: str, query: Hashable) -> Moves | None:
        try:
            return moves(before.working(measure, query), after.working(measure, query), query)
        except (InputError, AttributeError):  # a measure whose rows are no documents
            return None

    return found


class Gated:
    """A gate's verdict, for whoever listens."""

    def __init__(self, verdict: Verdict, after: Evaluation) -> None:
        self.verdict, self.after = verdict, after

    def facts(self) -> dict[str, Any]:
        """The verdict in plain values, as JSON has them."""
        v = self.verdict
        return {
            "measure": v.measure,
            "score": measured.finite(v.after),
            "verdict": v.word,
            "bounds": {"baseline": v.before, "max_drop": v.limit},
            "p": measured.finite(v.p),
            "queries": len(v.differences),
            "queries_needed": None if v.word == PASS else v.needed,
            "conventions": self.after.conventions.name,
            "per_query": {
                str(q): measured.finite(s) for q, s in self.after.per_query[v.measure].items()
            },
            "differences": {str(q): d for q, d in v.differences.items()},
        }


def tell(verdicts: Sequence[Verdict], after: Evaluation) -> None:
    """Tell whoever listens."""
    for verdict in verdicts:
        measured.tell(Gated(verdict, after))
