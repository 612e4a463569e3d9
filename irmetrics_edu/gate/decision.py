"""A gate's decision about a pair of runs: verdicts, the error to raise, warnings and reports."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.gate import regression_message as message
from irmetrics_edu.gate.failure import RankingAssertionError
from irmetrics_edu.gate.input_checks import changed_ids, refuse_whole_range
from irmetrics_edu.gate.paired import BaselineWarning, PairedScores, refuse_unknown_queries
from irmetrics_edu.gate.policy import GONE, OFF, Policy
from irmetrics_edu.gate.regression_message import ReasonToFail, Wording
from irmetrics_edu.gate.segments import groups as groups_of
from irmetrics_edu.gate.segments import texts as texts_of
from irmetrics_edu.gate.verdict import (
    FAIL,
    INCONCLUSIVE,
    PASS,
    Broken,
    Verdict,
    greatest_loss_first,
    regression,
)
from irmetrics_edu.measured import HINT, MISFIT
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.views.escaping import visible

_WORDS = (PASS, INCONCLUSIVE, FAIL)  # the worse the later
ADVISED = "advisory"
_JUDGE_ANEW = (
    "If the ids changed: write the new ids into the judgments, or judge the new documents. These "
    "scores are no baseline"
)


_OTHER_BASELINE = "If the ids changed: give a baseline with the ids of the judgments"


class InconclusiveWarning(UserWarning):
    """Queries or trials are too few to tell whether a gate's limit holds."""


class AdvisoryWarning(UserWarning):
    """A run got worse, but its labels only advise, so nothing fails."""


@dataclass(frozen=True)
class GateResult:
    """The result of a gate. It reports, warns and raises nothing before `settle`."""

    verdicts: list[Verdict]
    error: RankingAssertionError | None
    warnings: Sequence[Warning]
    told: Sequence["Gated"]
    unjudged: bool = False  # nothing was compared: too few of the documents are judged

    def settle(self, level: int) -> list[Verdict]:
        """Report, warn and raise; `level` is how many calls up the test is, for the warning."""
        for one in self.told:
            measured.tell(one)
        if self.error is not None:
            raise self.error
        for warning in self.warnings:
            warnings.warn(warning, stacklevel=level + 1)
        return self.verdicts


@dataclass(frozen=True)
class WaysToAccept:
    """How to accept a change, if it is meant: one that fails, and one that only warns."""

    failing: str = ""
    warning: str = ""


def judge(
    pair: PairedScores,
    policy: Policy,
    *,
    groups: Any = None,
    queries: Any = None,
    reveal: str,
    ways: WaysToAccept | None = None,
    run: Any = None,
    name: str = "",
) -> GateResult:
    """The verdicts on a pair by this policy.

    `ways` say how to accept a change. `run` is the run as given, which may know what was expected
    of a query. `name` tells the gate from the others of its test.
    """
    ways = ways or WaysToAccept()
    for chosen in pair.run.measures:
        for setting, limit in {"margin": policy.margin, **policy.limits}.items():
            refuse_whole_range(setting, limit, chosen)
    refuse_unknown_queries(policy.protected, pair)
    texts = texts_of(queries, pair.queries)
    grouped = groups_of(groups, pair.queries)
    verdicts = regression(pair.before, pair.after, policy, grouped, pair.widths)
    verdicts = complete(verdicts, pair, policy)
    cause = changed_ids(pair.run.counts, run, pair.same_corpus)
    # Labels that no longer fit say nothing about the ranking, however many queries there are.
    unsure_too = policy.inconclusive == "fail" or bool(cause)
    found = message.findings(verdicts, unsure_too=unsure_too)
    unjudged = any(one.broken and one.broken.limit == MISFIT for one in found)
    notes = [] if reveal == HINT else pair.all_notes(texts)
    accept = ways.failing
    if unjudged:
        accept = ways.warning or _OTHER_BASELINE
    if cause:
        accept = _JUDGE_ANEW
    wording = Wording(
        verdicts=verdicts,
        moves_of=pair.moves_of,
        notes=notes,
        texts=texts,
        accept=accept,
        cause="" if unjudged else cause,  # which asks the same
        run=run,
        reveal=reveal,
    )
    if reveal == HINT:  # that something changed, but not to what
        notes = [note.partition(";")[0] for note in pair.notes]
    error = wording.error(found) if found else None
    stopped = bool(found) and not policy.advisory
    failing = {finding.verdict.measure for finding in found}
    said = _warnings(wording, policy, [] if stopped else notes, "" if stopped else ways.warning)
    explained: dict[str, list[Exception]] = {m.name: [] for m in pair.run.measures}
    for measure in failing:  # at length, in reports, also where it only warns
        own = [finding for finding in found if finding.verdict.measure == measure]
        explained[measure].append(wording.error(own))
    for measure, exception in said:  # of the others, also beside one that fails
        if not (stopped and measure in failing):
            explained[measure].append(exception)
    guarded = [str(query) for query in policy.protected]
    limits = {**policy.limits, **({"protected": guarded} if guarded else {})}
    told = [
        Gated(
            measure=measure,
            verdicts=verdicts,
            pair=pair,
            limits=limits,
            reveal=reveal,
            explained=why,
            advised=measure in failing and not stopped,
            misfit=bool((cause or unjudged) and found),
            gate=name,
        )
        for measure, why in explained.items()
    ]
    if stopped:
        return GateResult(verdicts, error, [], told, unjudged=bool(cause) or unjudged)
    listed = [warning for _, warning in said]
    return GateResult(verdicts, None, [advice(error), *listed] if error else listed, told)


def complete(verdicts: list[Verdict], pair: PairedScores, policy: Policy) -> list[Verdict]:
    """The verdicts over all queries fail if more of the baseline's are not compared than allowed.

    A mean over the queries that are left is no answer about those that the baseline promised. They
    are gone, or the baseline's rankings of them hold no judged document any more. If none is left,
    the gate fails whatever is allowed.
    """
    share = (len(pair.gone) + len(pair.unjudged)) / pair.had
    allowed = math.inf if policy.max_gone == OFF else float(policy.max_gone)
    if share <= allowed and not pair.nothing_left:
        return verdicts
    reasons = [
        Broken(limit, allowed, tuple(queries))
        for limit, queries in ((MISFIT, pair.unjudged), (GONE, pair.gone))
        if queries
    ]
    return [
        v if v.group is not None else replace(v, word=FAIL, broken=(*reasons, *v.broken))
        for v in verdicts
    ]


def advice(error: RankingAssertionError) -> AdvisoryWarning:
    """The warning of a gate that only advises, instead of a failure."""
    return AdvisoryWarning(f"policy=advise, so nothing fails: {error.summary}")


def _warnings(
    wording: Wording,
    policy: Policy,
    notes: Sequence[str],
    anew: str,
) -> list[tuple[str, Warning]]:
    """The warnings of a gate that does not fail: one for each measure, and one for groups.

    Each comes with its measure; the last warning says how to accept the change.
    """

    def words(v: Verdict) -> str:
        return message.hint(ReasonToFail(v)) if hinting else message.warning(v, wording)

    hinting = wording.reveal == HINT
    said: list[tuple[str, str, type[Warning]]] = []
    unsure = [v for v in wording.verdicts if v.word == INCONCLUSIVE]
    if policy.inconclusive == "warn":
        said += [(v.measure, words(v), InconclusiveWarning) for v in unsure if v.group is None]
        of_groups = greatest_loss_first(v for v in unsure if v.group is not None)
        if of_groups:
            more = len(of_groups) - 1
            rest = f"; {more} more groups can't tell either" if more else ""
            said.append((of_groups[0].measure, words(of_groups[0]) + rest, InconclusiveWarning))
    if notes:
        said.append((wording.verdicts[0].measure, "; ".join(notes), BaselineWarning))
    if said and anew and not hinting:
        measure, text, kind = said[-1]
        said[-1] = (measure, f"{text.removesuffix('.')}. {anew}", kind)
    return [(measure, kind(visible(text, keep="\n"))) for measure, text, kind in said]


@dataclass(frozen=True)
class Gated:
    """A gate's verdict on one measure, as reports receive it; `limits` are its hard limits."""

    measure: str
    verdicts: Sequence[Verdict]
    pair: PairedScores
    limits: Mapping[str, Any]
    reveal: str
    explained: Sequence[Exception] = ()
    advised: bool = False
    misfit: bool = False  # the labels no longer fit the documents
    gate: str = ""  # what tells the gate from the others of its test

    def facts(self) -> dict[str, Any]:
        """The verdict in plain values, as JSON has them."""
        v, *groups = own = [v for v in self.verdicts if v.measure == self.measure]
        run: RunScores = self.pair.run
        expected = self.reveal != HINT
        limit = "by" if v.rise else "margin"
        facts: dict[str, Any] = {
            "gate": self.gate,
            "measure": v.measure,
            "score": measured.finite(v.after),
            "verdict": max((one.word for one in own), key=_WORDS.index),
            "bounds": {"baseline": v.before, limit: v.limit, **self.limits} if expected else {},
            "p": measured.finite(v.p),
            "queries": len(v.differences),
            "queries_needed": None if v.word == PASS else v.needed,
            "conventions": run.conventions.name,
            "per_query": {
                str(q): measured.finite(s) for q, s in self.pair.after[v.measure].items()
            },
            "differences": {str(q): d for q, d in v.differences.items()} if expected else {},
        }
        if expected and (self.pair.new or self.pair.gone or self.pair.unjudged):
            facts["not_compared"] = {
                "new": [str(q) for q in self.pair.new],
                "gone": [str(q) for q in self.pair.gone],
                "unjudged": [str(q) for q in self.pair.unjudged],
            }
        if groups:
            facts["groups"] = [_group(g, expected=expected) for g in greatest_loss_first(groups)]
        if self.misfit:
            facts["verdict"] = measured.MISFIT
        if self.advised:
            facts["verdict"] = ADVISED
        if self.explained:  # as long as the terminal has it, which decides after this is made
            facts["explanation"] = "\n".join(map(str, self.explained))
        return facts


def _group(v: Verdict, *, expected: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "group": str(v.group),
        "queries": len(v.differences),
        "score": measured.finite(v.after),
        "verdict": v.word,
    }
    if expected:
        corrected = v.adjusted if v.dropped else None  # else p is of another hypothesis
        found |= {"baseline": v.before, "p": measured.finite(v.p), "p_corrected": corrected}
    return found
