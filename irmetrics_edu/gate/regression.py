"""Gates against noise: compare a run with a baseline, query by query."""

from dataclasses import replace
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.decision import GateResult, WaysToAccept, complete, judge
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.gated import Gated
from irmetrics_edu.gate.given import Judgments, Measures, Run
from irmetrics_edu.gate.input_checks import refuse_whole_range
from irmetrics_edu.gate.paired import PairedScores, paired
from irmetrics_edu.gate.policy import NAMES, Policy, amount, policy_of
from irmetrics_edu.gate.regression_message import ReasonToFail, Wording
from irmetrics_edu.gate.setting_keywords import BESIDE, refuse_keywords, split, takes_settings
from irmetrics_edu.gate.verdict import PASS, Verdict, greatest_loss_first, improvement
from irmetrics_edu.measured import HINT, revealing
from irmetrics_edu.metrics.notation import measures as measures_of
from irmetrics_edu.runs.segments import OfQueries
from irmetrics_edu.runs.segments import texts as texts_of
from irmetrics_edu.runs.significance import scipy_special

__tracebackhide__ = True
__unittest = True
_ACCEPT = "If the change is meant: make this run the baseline, or allow more (margin={limit:g} now)"
_OF_IMPROVEMENT = ("confidence", "max_gone", "max_unanswered")


@takes_settings(*NAMES)
def assert_no_regression(
    run: Run,
    baseline: Run,
    qrels: Judgments = None,
    measures: Measures = "nDCG@10",
    *,
    groups: OfQueries = None,
    queries: OfQueries = None,
    reveal: str | None = None,
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is no worse than a baseline by more than a tolerated drop.

    `run` and `baseline` are runs, or evaluations made before; `measures` and other keywords are as
    for `evaluate`. They are compared on the queries that both have; a note counts the others.

    `policy` says what the queries are:

    - "sample": a sample of all that users type. The gate passes if a paired randomisation test
      shows non-inferiority, a drop of less than `margin`; it fails if the drop is larger and more
      than chance. Else the queries are too few to tell, and it warns and says how many it would
      take. It also fails if the mean falls by more than a hard limit.
    - "strict": all that count. The gate fails if the mean of the queries, or of a group of them,
      falls by more than `margin`. No test is involved.
    - "advise": as "sample", but what would fail only warns.

    Single settings count beside a policy. What is not given is as the session says (pytest's ini
    options and marker). With `groups` (query -> language, class, tenant: a mapping, a column
    indexed by query, a function) each group is tested as well, and Holm's correction covers all
    tests: measures x (groups and all queries). `queries` (query -> text, in the same forms) gives
    the texts of queries for messages. With reveal="hint" neither the baseline nor the judgments are
    shown, for graded exercises. Needs scipy, which the extra `gate` brings.

    Raises RankingAssertionError with the queries that lost most and the documents that moved, and
    InputError for bad input. Returns the verdicts of each measure, then of each group.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> same = {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_no_regression(same, same, qrels, "RR", margin=0.01)]
    ['pass']
    """
    settings, others = split(options, NAMES)
    try:
        chosen = measures_of(measures)
        refuse_keywords("assert_no_regression", others, chosen, (*NAMES, *BESIDE))
        policy = policy_of(settings)
        reveal = revealing(reveal)
        scipy_special()  # missing, it is missed at the first run and not at the first regression
        judged = judge(
            paired(run, baseline, qrels, chosen, others),
            policy,
            groups=groups,
            queries=queries,
            reveal=reveal,
            ways=WaysToAccept(_ACCEPT.format(limit=policy.margin)),
            run=run,
        )
    except InputError as error:
        raise refused(error) from None
    return judged.settle(level=2)


@takes_settings(*_OF_IMPROVEMENT)
def assert_improves(
    run: Run,
    baseline: Run,
    qrels: Judgments = None,
    measures: Measures = "nDCG@10",
    *,
    by: float = 0.0,
    queries: OfQueries = None,
    reveal: str | None = None,
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is better than a baseline, and by more than chance.

    A paired randomisation test over the queries must show that every measure rises by more than
    `by`. The other keywords are those of `assert_no_regression`.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> old, new = {q: ["b", "a"] for q in qrels}, {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_improves(new, old, qrels, "RR")]
    ['pass']
    """
    settings, others = split(options, _OF_IMPROVEMENT)
    try:
        chosen = measures_of(measures)
        keywords = ("by", *_OF_IMPROVEMENT, "queries", "reveal")
        refuse_keywords("assert_improves", others, chosen, keywords)
        policy = policy_of(settings)
        reveal = revealing(reveal)
        scipy_special()
        pair = paired(run, baseline, qrels, chosen, others)
        verdicts = _of_improvement(pair, policy, amount(by, "by"))
        texts = texts_of(queries, pair.queries)
    except InputError as error:
        raise refused(error) from None
    error_raised: RankingAssertionError | None = None
    explained: dict[str, list[Exception]] = {}
    worst = greatest_loss_first(v for v in verdicts if v.word != PASS)[:1]
    for v in worst:
        notes = [] if reveal == HINT else pair.all_notes(texts)
        wording = Wording(verdicts, pair.moves_of, notes, texts, reveal=reveal)
        error_raised = wording.error([ReasonToFail(v, *v.broken)])
        explained[v.measure] = [error_raised]
    told = [
        Gated(
            measure=v.measure,
            verdicts=verdicts,
            pair=pair,
            limits={},
            reveal=reveal,
            explained=explained.get(v.measure, []),
            texts=texts,
        )
        for v in verdicts
    ]
    return GateResult(verdicts, error_raised, [], told).settle(level=2)


def _of_improvement(pair: PairedScores, policy: Policy, by: float) -> list[Verdict]:
    """The verdicts of a run that has to rise by more than `by`."""
    for chosen in pair.run.measures:
        refuse_whole_range("by", by, chosen)
    verdicts = improvement(pair.before, pair.after, by=by, confidence=policy.confidence)
    measured_in = [replace(v, width=pair.widths[v.measure]) for v in verdicts]
    return complete(measured_in, pair, policy)
