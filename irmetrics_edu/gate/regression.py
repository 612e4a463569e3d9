"""Gates against noise: compare a run with a baseline, query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.checked_value import OF_RUNS
from irmetrics_edu.gate.decision import Gated, GateResult, WaysToAccept, complete, judge
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.input_checks import refuse_whole_range
from irmetrics_edu.gate.paired import paired
from irmetrics_edu.gate.policy import NAMES, amount, made, policy_of, sure
from irmetrics_edu.gate.regression_message import ReasonToFail, Wording
from irmetrics_edu.gate.segments import texts as texts_of
from irmetrics_edu.gate.verdict import PASS, Verdict, greatest_loss_first, improvement
from irmetrics_edu.measured import HINT, revealing
from irmetrics_edu.metrics.notation import measures as measures_of
from irmetrics_edu.runs.joining.join import JUDGMENTS
from irmetrics_edu.runs.keywords import refuse_unknown
from irmetrics_edu.runs.significance import scipy_special

__tracebackhide__ = True
__unittest = True
BESIDE = ("groups", "queries", "reveal")
_ACCEPT = "If the change is meant: make this run the baseline, or allow more (margin={limit:g} now)"


def assert_no_regression(
    run: Any,
    baseline: Any,
    qrels: Any = None,
    measures: Any = "nDCG@10",
    *,
    policy: str | None = None,
    margin: float | None = None,
    confidence: float | None = None,
    max_observed_drop: float | str | None = None,
    max_group_drop: float | str | None = None,
    max_query_drop: float | str | None = None,
    protected: Any = None,
    max_gone: float | str | None = None,
    inconclusive: str | None = None,
    groups: Any = None,
    queries: Any = None,
    reveal: str | None = None,
    **options: Any,
) -> list[Verdict]:
    """Assert that a run is no worse than a baseline by more than a tolerated drop.

    `run` and `baseline` are runs, or evaluations made before; `measures` and other keywords are as
    for `evaluate`. They are compared on the queries that both have; a note counts the others.

    `margin` is the drop of the mean that is tolerated, in units of the measure (0.01). The queries
    in `protected` may not fall at all. `policy` says what the queries are:

    - "sample" (the default): a sample of all that users type. The gate passes if a paired
      randomisation test shows non-inferiority, a drop of less than the margin; it fails if the drop
      is larger and more than chance. Else the queries are too few to tell, and it warns and says
      how many it would take. It also fails if the mean falls by a tenth of the measure's range.
    - "strict": all that count. The gate fails if the mean of the queries, or of a group of them,
      falls by more than the margin. No test is involved.
    - "advise": as "sample", but what would fail only warns.

    Single settings count beside a policy: `confidence` of the test (0.95); `max_observed_drop`,
    `max_group_drop` and `max_query_drop`, hard limits on the mean, on each group's mean and on each
    query ("off" lifts one); `max_gone`, the share of the baseline's queries that may be gone, that
    is, not compared (0.05); and `inconclusive`, what happens where the queries are too few: "pass",
    "warn" or "fail". What is not given is as the session says (pytest's ini options and marker).

    With `groups` (query -> language, class, tenant: a mapping, a column indexed by query, a
    function) each group is tested as well, and Holm's correction covers all tests: measures x
    (groups and all queries). `queries` (query -> text, in the same forms) gives the texts of
    queries for messages. With reveal="hint" neither the baseline nor the judgments are shown, for
    graded exercises. Needs scipy: pip install "irmetrics-edu[gate]".

    Raises RankingAssertionError with the queries that lost most and the documents that moved, and
    InputError for bad input. Returns the verdicts of each measure, then of each group.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(8)}
    >>> same = {q: ["a", "b"] for q in qrels}
    >>> [v.word for v in assert_no_regression(same, same, qrels, "RR", margin=0.01)]
    ['pass']
    """
    given = {name: value for name, value in locals().items() if name in NAMES}
    try:
        refuse_keywords("assert_no_regression", options, measures, (*NAMES, *BESIDE))
        allowed = policy_of(given)
        reveal = revealing(reveal)
        scipy_special()  # missing, it is missed at the first run and not at the first regression
        judged = judge(
            paired(run, baseline, qrels, measures, options),
            allowed,
            groups=groups,
            queries=queries,
            reveal=reveal,
            ways=WaysToAccept(_ACCEPT.format(limit=allowed.margin)),
            run=run,
        )
    except InputError as error:
        raise refused(error) from None
    return judged.settle(level=2)


def assert_improves(
    run: Any,
    baseline: Any,
    qrels: Any = None,
    measures: Any = "nDCG@10",
    *,
    by: float = 0.0,
    confidence: float = 0.95,
    max_gone: float | str = 0.05,
    queries: Any = None,
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
    try:
        refuse_keywords(
            "assert_improves",
            options,
            measures,
            ("by", "confidence", "max_gone", "queries", "reveal"),
        )
        promised = made({"max_gone": max_gone})
        limit, confidence = amount(by, "by"), sure(confidence)
        reveal = revealing(reveal)
        scipy_special()
        pair = paired(run, baseline, qrels, measures, options)
        for chosen in pair.run.measures:
            refuse_whole_range("by", limit, chosen)
        texts = texts_of(queries, pair.queries)
        verdicts = [
            replace(v, width=pair.widths[v.measure])
            for v in improvement(pair.before, pair.after, by=limit, confidence=confidence)
        ]
        verdicts = complete(verdicts, pair, promised)
    except InputError as error:
        raise refused(error) from None
    failed: list[RankingAssertionError] = []
    lacking = greatest_loss_first(v for v in verdicts if v.word != PASS)[:1]
    for v in lacking:
        notes = [] if reveal == HINT else pair.all_notes(texts)
        wording = Wording(verdicts, pair.moves_of, notes, texts, reveal=reveal)
        failed.append(wording.error([ReasonToFail(v, *v.broken)]))
    told = [
        Gated(
            measure=v.measure,
            verdicts=verdicts,
            pair=pair,
            limits={},
            reveal=reveal,
            explained=failed if v in lacking else [],
        )
        for v in verdicts
    ]
    return GateResult(verdicts, failed[0] if failed else None, [], told).settle(level=2)


def refuse_keywords(
    who: str,
    options: Mapping[str, Any],
    measures: Any,
    known: Sequence[str],
) -> None:
    """Refuse a keyword that a gate does not take: it would change the evaluation in silence."""
    chosen = measures_of(measures)
    inputs = {name for m in chosen for name in m.metric.inputs.arguments[1:]}
    beside = sorted(inputs - {*JUDGMENTS})
    takes = ["measures", *known, *beside, *sorted(OF_RUNS)]
    refuse_unknown(options, takes, chosen, who)
