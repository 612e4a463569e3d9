"""A gate's decision about a pair of runs: verdicts, the error to raise, warnings and reports."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from irmetrics_edu import measured
from irmetrics_edu.gate import regression_message as message
from irmetrics_edu.gate.failure import RankingAssertionError
from irmetrics_edu.gate.gated import Gated
from irmetrics_edu.gate.input_checks import none_judged, question_of_ids, refuse_whole_range
from irmetrics_edu.gate.paired import BaselineWarning, PairedScores, refuse_unknown_queries
from irmetrics_edu.gate.policy import GONE, UNANSWERED, Policy
from irmetrics_edu.gate.regression_message import ReasonToFail, Wording
from irmetrics_edu.gate.verdict import (
    FAIL,
    INCONCLUSIVE,
    Broken,
    Verdict,
    greatest_loss_first,
    regression,
)
from irmetrics_edu.measured import HINT, MISFIT
from irmetrics_edu.runs.segments import OfQueries
from irmetrics_edu.runs.segments import groups as groups_of
from irmetrics_edu.runs.segments import texts as texts_of
from irmetrics_edu.views.escaping import visible

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
    told: Sequence[Gated]
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


NO_WAY = WaysToAccept()


@dataclass(frozen=True)
class _Findings:
    """What a gate found: the reasons to fail, and whether the labels fit at all."""

    reasons: Sequence[ReasonToFail]
    ids_changed: bool  # or so it looks: no judged document was retrieved
    unjudged: bool  # the baseline's rankings hold too few judged documents

    @property
    def misfit(self) -> bool:
        """Whether the labels no longer fit, so that the scores say nothing."""
        return bool(self.reasons) and (self.ids_changed or self.unjudged)

    @property
    def asks_of_ids(self) -> bool:
        """Whether to ask first if the ids changed; that labels do not fit asks the same."""
        return self.ids_changed and not self.unjudged

    @property
    def measures(self) -> set[str]:
        """The measures that a reason is about."""
        return {reason.verdict.measure for reason in self.reasons}

    @property
    def starts_with_answers(self) -> bool:
        """Whether the first reason is that queries find nothing."""
        return bool(self.reasons) and self.reasons[0].limit == UNANSWERED


def judge(
    pair: PairedScores,
    policy: Policy,
    *,
    groups: OfQueries = None,
    queries: OfQueries = None,
    reveal: str,
    ways: WaysToAccept = NO_WAY,
    run: Any = None,
    name: str = "",
) -> GateResult:
    """The verdicts on a pair by this policy.

    `ways` say how to accept a change. `run` is the run as given, which may know what was expected
    of a query. `name` tells the gate from the others of its test.
    """
    _refuse_what_can_not_fail(pair, policy)
    texts = texts_of(queries, pair.queries)
    grouped = groups_of(groups, pair.queries)
    verdicts = regression(pair.before, pair.after, policy, grouped, pair.widths)
    verdicts = complete(verdicts, pair, policy)
    findings = _findings(verdicts, policy, ids_changed=none_judged(pair.run.counts, run))
    stopped = bool(findings.reasons) and not policy.advisory
    of_answers = not (stopped and findings.starts_with_answers)
    notes = pair.all_notes(texts, of_answers=of_answers, of_order=stopped)
    wording = Wording(
        verdicts=verdicts,
        moves_of=pair.moves_of,
        notes=[] if reveal == HINT else notes,
        texts=texts,
        accept=_how_to_accept(findings, ways),
        cause=f"{question_of_ids(pair.corpus)} " if findings.asks_of_ids else "",
        run=run,
        reveal=reveal,
    )
    if stopped:
        cautions = _warnings(wording, policy, [], "")
    else:
        shown = [note.change for note in pair.notes] if reveal == HINT else notes
        cautions = _warnings(wording, policy, shown, ways.warning)
    explained = _explained(wording, findings, cautions, stopped=stopped)
    told = _gated(explained, pair, policy, findings, wording=wording, name=name)
    error = wording.error(findings.reasons) if findings.reasons else None
    if stopped:
        return GateResult(verdicts, error, [], told, unjudged=findings.misfit)
    listed = [warning for _, warning in cautions]
    if error is not None:
        listed.insert(0, advice(error))
    return GateResult(verdicts, None, listed, told)


def _gated(
    explained: Mapping[str, list[Exception]],
    pair: PairedScores,
    policy: Policy,
    findings: _Findings,
    *,
    wording: Wording,
    name: str,
) -> list[Gated]:
    """What reports have of each measure."""
    told = []
    for measure, at_length in explained.items():
        gated = Gated(
            measure=measure,
            verdicts=wording.verdicts,
            pair=pair,
            limits=_limits(policy),
            reveal=wording.reveal,
            explained=at_length,
            advised=measure in findings.measures and policy.advisory,
            misfit=findings.misfit,
            gate=name,
            texts=wording.texts,
        )
        told.append(gated)
    return told


def _refuse_what_can_not_fail(pair: PairedScores, policy: Policy) -> None:
    """Refuse limits that no change can break, and protected queries that are not compared."""
    for chosen in pair.run.measures:
        for setting, limit in {"margin": policy.margin, **policy.limits}.items():
            refuse_whole_range(setting, limit, chosen)
    refuse_unknown_queries(policy.protected, pair)


def _findings(verdicts: Sequence[Verdict], policy: Policy, *, ids_changed: bool) -> _Findings:
    """The reasons to fail. Labels that do not fit say nothing, however many queries there are."""
    unsure_too = policy.inconclusive == "fail" or ids_changed
    reasons = message.findings(verdicts, unsure_too=unsure_too)
    unjudged = any(reason.limit == MISFIT for reason in reasons)
    return _Findings(reasons, ids_changed, unjudged)


def _how_to_accept(findings: _Findings, ways: WaysToAccept) -> str:
    if findings.ids_changed:
        return _JUDGE_ANEW
    if findings.unjudged:
        return ways.warning or _OTHER_BASELINE
    return ways.failing


def _limits(policy: Policy) -> dict[str, Any]:
    """The hard limits, as reports have them."""
    limits: dict[str, Any] = dict(policy.limits)
    if policy.protected:
        limits["protected"] = [str(query) for query in policy.protected]
    return limits


def _explained(
    wording: Wording,
    findings: _Findings,
    cautions: Sequence[tuple[str, Warning]],
    *,
    stopped: bool,
) -> dict[str, list[Exception]]:
    """What is said of each measure at length, in reports, also where it only warns."""
    names = dict.fromkeys(v.measure for v in wording.verdicts)
    explained: dict[str, list[Exception]] = {name: [] for name in names}
    for measure in findings.measures:
        reasons = [reason for reason in findings.reasons if reason.verdict.measure == measure]
        explained[measure].append(wording.error(reasons))
    for measure, warning in cautions:  # of the others, also beside one that fails
        if not (stopped and measure in findings.measures):
            explained[measure].append(warning)
    return explained


def complete(verdicts: list[Verdict], pair: PairedScores, policy: Policy) -> list[Verdict]:
    """The verdicts over all queries fail if more of the baseline's are not compared than allowed.

    A mean over the queries that are left is no answer about those that the baseline promised. They
    are gone, or the baseline's rankings of them hold no judged document any more. If none is left,
    the gate fails whatever is allowed. It fails, too, if more queries find nothing than may.
    """
    reasons = _not_compared(pair, policy)
    limit = policy.number(UNANSWERED)
    if len(pair.unanswered) > limit:
        reasons.append(Broken(UNANSWERED, limit, tuple(pair.unanswered)))
    if not reasons:
        return verdicts
    completed = []
    for v in verdicts:
        if v.group is None:
            completed.append(replace(v, word=FAIL, broken=(*reasons, *v.broken)))
        else:
            completed.append(v)
    return completed


def _not_compared(pair: PairedScores, policy: Policy) -> list[Broken]:
    """Why too few of the baseline's queries are compared; nothing if there are enough."""
    share = (len(pair.gone) + len(pair.unjudged)) / pair.had
    allowed = policy.number(GONE)
    if share <= allowed and not pair.nothing_left:
        return []
    reasons = []
    if pair.unjudged:
        reasons.append(Broken(MISFIT, allowed, tuple(pair.unjudged)))
    if pair.gone:
        reasons.append(Broken(GONE, allowed, tuple(pair.gone)))
    return reasons


def advice(error: RankingAssertionError) -> AdvisoryWarning:
    """The warning of a gate that only advises, instead of a failure."""
    return AdvisoryWarning(f"policy=advise, so nothing fails: {error.summary}")


@dataclass
class _Said:
    """A warning as it is put together: its measure, its text and its kind."""

    measure: str
    text: str
    kind: type[Warning]


def _warnings(
    wording: Wording,
    policy: Policy,
    notes: Sequence[str],
    how_to_accept: str,
) -> list[tuple[str, Warning]]:
    """The warnings of a gate that does not fail: one for each measure, and one for groups.

    Each comes with its measure; the last warning says how to accept the change.
    """
    hinting = wording.reveal == HINT
    cautions: list[_Said] = []
    if policy.inconclusive == "warn":
        cautions += _unsure(wording, hinting=hinting)
    if notes:
        cautions.append(_Said(wording.verdicts[0].measure, "; ".join(notes), BaselineWarning))
    if cautions and how_to_accept and not hinting:
        cautions[-1].text = f"{cautions[-1].text.removesuffix('.')}. {how_to_accept}"
    return [(one.measure, one.kind(visible(one.text, keep="\n"))) for one in cautions]


def _unsure(wording: Wording, *, hinting: bool) -> list[_Said]:
    """That the queries are too few to tell: of each measure, and of the group that lost most."""

    def words(v: Verdict) -> str:
        return message.hint(ReasonToFail(v)) if hinting else message.warning(v, wording)

    unsure = [v for v in wording.verdicts if v.word == INCONCLUSIVE]
    cautions = [_Said(v.measure, words(v), InconclusiveWarning) for v in unsure if v.group is None]
    of_groups = greatest_loss_first(v for v in unsure if v.group is not None)
    if of_groups:
        worst = of_groups[0]
        text = words(worst)
        if len(of_groups) > 1:
            text += f"; {len(of_groups) - 1} more groups can't tell either"
        cautions.append(_Said(worst.measure, text, InconclusiveWarning))
    return cautions
