"""A gate that noise cannot flap: a run against a baseline, query by query."""

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.assertions import regression_message as message
from irmetrics_edu.assertions.failure import RankingAssertionError, refused
from irmetrics_edu.assertions.given import refuse_unlikely, refuse_whole_range
from irmetrics_edu.assertions.outcome import is_run
from irmetrics_edu.assertions.reveal import HINT, revealing
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
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.runs.moves import Moves, moves
from irmetrics_edu.runs.summary import scipy_stats

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
    reveal: str | None = None,
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is no worse than a baseline by more than a tolerated drop.

    `run` and `baseline` are runs, or evaluations made before; `metrics` and other keywords are as
    for `evaluate`. `max_drop` is the tolerated drop of the mean, in units of the metric. A paired
    randomisation test over the queries decides: fail where the drop is more than that and more
    than chance, pass where it is shown to be less, inconclusive where the queries are too few to
    tell. An inconclusive gate warns and says how many queries it would take; with
    inconclusive="fail" it fails. With reveal="hint" neither the baseline nor the judgments are
    shown, for graded exercises. Needs scipy: pip install "irmetrics-edu[stats]".

    Raises RankingAssertionError, with the queries that lost most and the documents that moved;
    InputError for bad input. Returns the verdicts.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> same = {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_no_regression(same, same, qrels, "RR", max_drop=0.01)]
    ['pass']
    """
    try:
        limit, confidence = settings(max_drop, confidence, "max_drop")
        refuse_unknown(inconclusive)
        reveal = revealing(reveal)
        scipy_stats()  # missing, it is missed at the first run and not at the first regression
        before, after = both(run, baseline, qrels, metrics, options)
        for chosen in after.measures:
            refuse_whole_range("max_drop", limit, chosen)
        verdicts = regression(
            *per_query(before, after), means(before, after), max_drop=limit, confidence=confidence
        )
    except InputError as error:
        raise refused(error) from None
    failed = settled(
        verdicts, after, moves_between(before, after), inconclusive, reveal=reveal, level=3
    )
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
    reveal: str | None = None,
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
        reveal = revealing(reveal)
        scipy_stats()
        before, after = both(run, baseline, qrels, metrics, options)
        for chosen in after.measures:
            refuse_whole_range("by", limit, chosen)
        verdicts = improvement(
            *per_query(before, after), means(before, after), by=limit, confidence=confidence
        )
    except InputError as error:
        raise refused(error) from None
    verdicts = _within(verdicts, after)
    _tell(verdicts, after, "by", reveal)
    lacking = worst(verdicts, FAIL, INCONCLUSIVE)
    if lacking is not None:
        first = message.hint_of_no_improvement if reveal == HINT else message.no_improvement
        raise _error(first(lacking), lacking, verdicts, moves_between(before, after), reveal=reveal)
    return verdicts


def refuse_unknown(inconclusive: str) -> None:
    """Refuse another fate of an inconclusive gate than those there are."""
    if inconclusive not in ("warn", "fail"):
        raise InputError(f"inconclusive={inconclusive!r} is not known; use 'warn' or 'fail'")


def settled(
    verdicts: Sequence[Verdict],
    after: Evaluation,
    moves_of: MovesOf,
    inconclusive: str = "warn",
    notes: Sequence[str] = (),
    *,
    reveal: str,
    level: int,
) -> RankingAssertionError | None:
    """Tell what was found; warn of what can't be told; the error to raise, if there is one.

    `level` is how many calls up the test is, for the warning's place.
    """
    verdicts = _within(verdicts, after)
    _tell(verdicts, after, "max_drop", reveal)
    failed = worst(verdicts, FAIL) or (
        worst(verdicts, INCONCLUSIVE) if inconclusive == "fail" else None
    )
    unsure = message.hint_of_unsure if reveal == HINT else message.unsure
    if failed is not None:
        dropped = message.hint_of_drop if reveal == HINT else message.dropped
        first = dropped(failed) if failed.word == FAIL else unsure(failed)
        return _error(first, failed, verdicts, moves_of, notes, reveal=reveal)
    for verdict in verdicts:
        if verdict.word == INCONCLUSIVE:
            warnings.warn(unsure(verdict), InconclusiveWarning, stacklevel=level)
    return None


def _within(verdicts: Sequence[Verdict], after: Evaluation) -> list[Verdict]:
    """The verdicts with the widths of their measures' ranges."""
    ranges = [m.metric.range for m in after.measures]
    return [replace(v, width=r[1] - r[0]) for v, r in zip(verdicts, ranges, strict=True)]


def _error(
    first: str,
    v: Verdict,
    verdicts: Sequence[Verdict],
    moves_of: MovesOf,
    notes: Sequence[str] = (),
    *,
    reveal: str,
) -> RankingAssertionError:
    if reveal == HINT:
        return RankingAssertionError(first, message.hint_lines(v))

    def lines(verbosity: int) -> list[str]:
        return message.lines(v, verdicts, moves_of, verbosity, notes)

    return RankingAssertionError(first, lines(0), lines)


def both(
    run: Any, baseline: Any, qrels: Any, metrics: Any, options: Mapping[str, Any]
) -> tuple[Evaluation, Evaluation]:
    """The evaluations of baseline and run, over the same queries and measures."""
    for name, one in (("run", run), ("baseline", baseline)):
        refuse_no_run(one, name, qrels)
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


def refuse_no_run(value: Any, name: str, qrels: Any) -> None:
    """Refuse one ranking where the rankings of several queries are compared."""
    if isinstance(value, Evaluation):
        return
    if value is None or not is_run(value):
        what = "None" if value is None else f"one ranking ({type(value).__name__})"
        raise InputError(
            f"the {name} is {what}; runs are compared, query by query: query -> ranking"
        )
    refuse_unlikely(value, qrels)


class Gated:
    """A gate's verdict, for whoever listens; `limit` names what was allowed or asked for."""

    def __init__(self, verdict: Verdict, after: Evaluation, limit: str, reveal: str) -> None:
        self.verdict, self.after, self.limit, self.reveal = verdict, after, limit, reveal

    def facts(self) -> dict[str, Any]:
        """The verdict in plain values, as JSON has them."""
        v = self.verdict
        expected = self.reveal != HINT
        return {
            "measure": v.measure,
            "score": measured.finite(v.after),
            "verdict": v.word,
            "bounds": {"baseline": v.before, self.limit: v.limit} if expected else {},
            "p": measured.finite(v.p),
            "queries": len(v.differences),
            "queries_needed": None if v.word == PASS else v.needed,
            "conventions": self.after.conventions.name,
            "per_query": {
                str(q): measured.finite(s) for q, s in self.after.per_query[v.measure].items()
            },
            "differences": {str(q): d for q, d in v.differences.items()} if expected else {},
        }


def _tell(verdicts: Sequence[Verdict], after: Evaluation, limit: str, reveal: str) -> None:
    for verdict in verdicts:
        measured.tell(Gated(verdict, after, limit, reveal))
