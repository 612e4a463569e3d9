"""The fixture `irm_baseline`: a gate against the baseline kept beside the test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NoReturn

import pytest

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline, Outdated
from irmetrics_edu.gate.decision import GateResult, WaysToAccept, judge
from irmetrics_edu.gate.failure import refused
from irmetrics_edu.gate.input_checks import failed_calls
from irmetrics_edu.gate.plugin import BASELINES, baseline_files, id_of_all_repetitions, option
from irmetrics_edu.gate.plugin.stale_baselines import Newcomer, hint
from irmetrics_edu.gate.policy import NAMES, Policy, policy_of
from irmetrics_edu.gate.setting_keywords import BESIDE, refuse_keywords, split, takes_settings
from irmetrics_edu.gate.verdict import FAIL, PASS
from irmetrics_edu.gate.worth_keeping import (
    answers_lost,
    doubts,
    newly_unanswered,
    too_few_answers,
    without_answers,
)
from irmetrics_edu.measured import HINT, revealing
from irmetrics_edu.metrics.notation import measures as measures_of
from irmetrics_edu.runs.segments import some
from irmetrics_edu.views.formatting import steady

__tracebackhide__ = True
_OWN = ("name", "depth", "corpus")  # keywords of this gate alone


@dataclass(frozen=True)
class _Call:
    """What a call of the gate says of its baseline."""

    key: str
    name: str  # which tells several baselines of one test apart
    reveal: str
    depth: int | None
    allowed: Policy
    run: Any


class BaselineGate:
    """Compares runs with the baselines of one test, or writes baselines if asked to."""

    def __init__(self, item: pytest.Item, session: Any) -> None:
        self.item, self.session = item, session
        self.path = item.path.parent / BASELINES
        session.folders.add(item.path.parent)
        self._calls: set[tuple[str, int, int]] = set()

    @takes_settings(*NAMES)
    def __call__(
        self,
        run: Any,
        qrels: Any = None,
        measures: Any = "nDCG@10",
        *,
        name: str = "",
        groups: Any = None,
        queries: Any = None,
        reveal: str | None = None,
        depth: int | None = None,
        corpus: Any = None,
        **options: Any,
    ) -> list[Any]:
        """Assert that a run is no worse than the baseline of this test, as assert_no_regression.

        `name` tells several baselines of one test apart. `depth` is how many documents are kept
        of each ranking (unless given, as many as the cut-offs need, or 100): with fewer the file
        is smaller, and changed judgments make it outdated. `corpus` says which documents there are:
        a version as text, ids, or id -> text. What is not given here is as the
        marker irm_baseline says, else the command line or the ini file.
        """
        settings, others = split(options, NAMES)
        try:
            chosen = measures_of(measures)
            refuse_keywords("irm_baseline", others, chosen, (*_OWN, *NAMES, *BESIDE))
            call = _Call(
                key=self._key(name),
                name=name,
                reveal=revealing(reveal),
                depth=depth,
                allowed=policy_of(settings),
                run=run,
            )
            if depth is not None:
                checks.whole("depth", depth, 1, why=" document, such as 10")
            gate = Gate(run, qrels, chosen, others, corpus)
            judged = self._kept_or_judged(call, gate, {"groups": groups, "queries": queries})
        except InputError as wrong:
            raise refused(wrong) from None
        return [] if judged is None else judged.settle(level=2)

    def _kept_or_judged(
        self,
        call: _Call,
        gate: Gate,
        about: Mapping[str, Any],
    ) -> GateResult | None:
        """The verdicts on the run; None if it was made the baseline."""
        entry = baseline_files.read_once(self.path).get(call.key)
        update = option(self.item.config, "update")
        failed = failed_calls(call.run)
        if update and failed:  # the outage would become the expectation
            raise InputError(f"{failed}; a baseline is made of a run without failures")
        if entry is None and update not in {"new", "all"}:
            self._none(call, gate)
        if entry is None or update == "all":
            self._keep(call, gate, entry)
            return None
        judged = self._judged(call, gate, entry, about)
        if judged is None or (update == "failing" and _fails(judged)):
            self._keep(call, gate, entry)
            return None
        if _fails(judged):
            self._tell_received(call, gate, entry)
        elif not judged.error:
            self._tell_of_pass(call, judged)
        return judged

    def _tell_of_pass(self, call: _Call, judged: GateResult) -> None:
        """Say of a gate without an error why it is not updated, or that the run is better."""
        update = option(self.item.config, "update")
        if update == "failing":
            self._tell_not_updated(call, judged)
        if judged.error is None:
            self._tell_better(call, judged)

    def _judged(
        self,
        call: _Call,
        gate: Gate,
        entry: Mapping[str, Any],
        about: Mapping[str, Any],
    ) -> GateResult | None:
        """The verdicts on the run; None if nothing can be compared and a new baseline is due."""
        ways = WaysToAccept(
            f"{self._accept('failing')}; then look at the diff of {self.path.name} and commit it",
            self._accept("all"),
        )
        try:
            pair = gate.against(Baseline.read(entry))
        except Outdated as outdated:
            if option(self.item.config, "update") == "failing":
                return None
            raise InputError(
                f"{outdated}; make the baseline anew with --irm-update=failing"
            ) from None
        return judge(
            pair,
            call.allowed,
            reveal=call.reveal,
            ways=ways,
            run=call.run,
            name=call.name,
            **about,
        )

    def _tell_not_updated(self, call: _Call, judged: GateResult) -> None:
        """Say why a gate that doesn't pass is not updated: only failing ones were asked for."""
        words = {v.word for v in judged.verdicts}
        if words == {PASS}:
            return
        why = "only advises" if FAIL in words else "is inconclusive"
        line = (
            f"not updated: {call.key}; its gate {why}, and --irm-update=failing updates only gates "
            "that fail. If the change is meant, --irm-update=all accepts it"
        )
        self.session.pending.append({"path": str(self.path), "key": call.key, "said": line})

    def _tell_better(self, call: _Call, judged: GateResult) -> None:
        """Say that a run is better than its baseline by more than the margin: nobody holds that."""
        rises: list[str] = []
        for verdict in judged.verdicts:
            if verdict.group is not None or verdict.word != PASS:
                continue
            if verdict.change > verdict.limit:
                rises.append(f"{verdict.measure} rose by {steady(verdict.change):.4f}")
        if rises and call.reveal != HINT:
            line = f"better: {call.key}, {', '.join(rises)}; --irm-update=all keeps it"
            self.session.pending.append({"path": str(self.path), "key": call.key, "said": line})

    @property
    def _id(self) -> str:
        return id_of_all_repetitions(self.item)

    def _accept(self, which: str) -> str:
        return (
            f"If the change is meant: pytest '{self._id}' --irm-update={which} makes this run the "
            "baseline"
        )

    def _key(self, name: str) -> str:
        test = self._id.partition("::")[2]
        key = f"{self.item.path.name}::{test}" + (f" #{name}" if name else "")
        state = self.session.state
        call = (key, state.attempt, state.calls)
        if call in self._calls:
            raise InputError(f"{key}: this test uses its baseline twice; give one of them a name=")
        self._calls.add(call)
        return key

    def _keep(self, call: _Call, gate: Gate, old: Mapping[str, Any] | None) -> None:
        """Let the run be the baseline, once the test has passed."""
        kept = Baseline.of(gate.after, gate.judged, call.depth, gate.corpus)
        objections = self._checked(call, gate, kept, _readable(old))
        for name, mean in kept.means.items():
            was = (old or {}).get("means", {}).get(name)
            is_told = was is not None and call.reveal != HINT
            told = measured.Measurement(
                name,
                mean,
                "new" if old is None else "updated",
                {"was": was} if is_told else {},
                queries=len(kept.scores),
                per_query=kept.per_query(name),
                conventions=gate.after.conventions.name,
                gate=call.name,
            )
            measured.tell(told)
        line = "" if call.reveal == HINT else _said(call.key, gate, kept, old)
        if objections:
            line = "\n".join(filter(None, [line, f"accepted: {call.key}, though {objections}"]))
        self.session.pending.append(
            {
                "path": str(self.path),
                "key": call.key,
                "entry": kept.entry(),
                "said": line,
                "first": old is None,
            }
        )

    def _checked(self, call: _Call, gate: Gate, kept: Baseline, was: Baseline | None) -> str:
        """What speaks against this baseline, if it is accepted all the same; InputError if not.

        A gate whose baseline can't be missed passes for ever. Only --irm-update=all accepts one. A
        baseline that leaves queries unanswered which the old one answers needs max_gone, too.
        """
        if was is not None:
            judged = {str(query): query for query in gate.after.queries}
            few = too_few_answers(was, newly_unanswered(was, kept, judged), call.allowed)
            if few:
                raise InputError(
                    f"{call.key}: no baseline is written, and the old one stays: {few}. If this is "
                    "what you mean, add --irm-max-gone=off"
                )
        objections = doubts(gate.after, call.run, kept, first=was is None)
        sentences = "; ".join(objections.values())
        if objections and option(self.item.config, "update") != "all":
            raise InputError(
                f"{call.key}: no baseline is written: {sentences}. If you mean this run: pytest "
                f"'{self._id}' --irm-update=all makes it the baseline"
            )
        return sentences

    def _none(self, call: _Call, gate: Gate) -> NoReturn:
        """Fail, since there is no baseline."""
        newcomer = Newcomer(
            str(self.path),
            call.key,
            [m.name for m in gate.after.measures],
            [str(query) for query in gate.after.queries],
        )
        explanation = (
            f"there is no baseline for {call.key} in {self.path.name}; write it with "
            "--irm-update=new"
        )
        renamed = hint(newcomer, self.session.stale_everywhere(self.path, self.item.session))
        if renamed:
            explanation = f"{explanation}; {renamed}"
        for chosen in gate.after.measures:
            told = measured.Measurement(
                chosen.name,
                None,
                "error",
                {},
                queries=0,
                explanation=explanation,
                gate=call.name,
            )
            measured.tell(told)
        self.session.pending.append(newcomer.facts())
        self._tell_received(call, gate, None)
        pytest.fail(explanation, pytrace=False)

    def _tell_received(self, call: _Call, gate: Gate, old: Mapping[str, Any] | None) -> None:
        """Keep the run for a file beside the report, unless it is not worth a baseline."""
        if not self.session.reports or call.reveal == HINT or failed_calls(call.run):
            return
        try:
            kept = Baseline.of(gate.after, gate.judged, call.depth, gate.corpus)
            self._checked(call, gate, kept, _readable(old))
        except InputError:  # it could not be accepted here either
            return
        self.session.pending.append(
            {"path": str(self.path), "key": call.key, "received": kept.entry(), "said": ""}
        )


def _fails(judged: GateResult) -> bool:
    """Whether a gate fails by what was compared, and not for want of judgments."""
    return judged.error is not None and not judged.unjudged


def _said(key: str, gate: Gate, kept: Baseline, old: Mapping[str, Any] | None) -> str:
    """What a write changes, in words: the means, and the queries that vanished; "" if nothing."""
    was = _readable(old)
    changes = _changes(kept, old)
    lost = set(kept.lacked)
    gone: list[str] = []
    unanswered: list[str] = []
    if was is not None:
        lost -= set(was.lacked)
        gone = [query for query in was.scores if query not in kept.scores]
        unanswered = _emptied(was, kept)
    if not any((changes, lost, gone, unanswered)):
        return ""
    done = "written" if old is None else "updated"
    sentences = [", ".join([f"{done}: {key}", *changes])]
    if not set(kept.lacked) <= set(gone):
        sentences += gate.after.counts.notes()[:1]  # the missing come first
    sentences += _finding_nothing(unanswered, kept)
    if was is not None and gone:
        sentences += _without(gone, was, kept)
    return "; ".join(sentences)


def _finding_nothing(unanswered: Sequence[str], kept: Baseline) -> list[str]:
    """Which queries find nothing: those that were answered before, and all others."""
    still = [query for query in _empty(kept) if query not in unanswered]
    return [sentence for sentence in (answers_lost(unanswered), without_answers(still)) if sentence]


def _changes(kept: Baseline, old: Mapping[str, Any] | None) -> list[str]:
    """The mean of each measure before and after, of those that changed."""
    changes: list[str] = []
    for name in kept.means:
        change = _change(name, kept, old)
        if change:
            changes.append(change)
    return changes


def _empty(kept: Baseline) -> list[str]:
    """The queries whose ranking is empty; those that the run lacks are told beside them."""
    return [query for query in kept.scores if query not in kept.lacked and not kept.answers(query)]


def _emptied(was: Baseline, kept: Baseline) -> list[str]:
    """The queries whose ranking is empty now, and was not."""
    there = [query for query in kept.scores if query not in kept.lacked]
    return newly_unanswered(was, kept, there)


def _without(gone: Sequence[str], was: Baseline, kept: Baseline) -> list[str]:
    """The queries of the old baseline that are gone, and what the means of the others were."""
    had = f"{len(gone):,} of the baseline's {len(was.scores):,} queries"
    verb = "is" if len(gone) == 1 else "are"
    sentences = [f"{had} {verb} gone ({some(gone, {})})"]
    both = [query for query in was.scores if query in kept.scores]
    if not both:
        return sentences
    means: list[str] = []
    for name in kept.means:
        if name in was.means:
            before = _mean(was, name, both)
            means.append(f"{name} {before} -> {_mean(kept, name, both)}")
    if means:
        sentences.append(f"on the {len(both):,} that are left {', '.join(means)}")
    return sentences


def _change(measure: str, kept: Baseline, old: Mapping[str, Any] | None) -> str:
    """The mean before and after; "" where it did not change."""
    now = kept.means[measure]
    if old is None:
        return f"{measure} {now:.4f}" if kept.lacked or _empty(kept) else ""
    was = old.get("means", {}).get(measure)
    if was == now:
        return ""
    before = "none" if was is None else f"{was:.4f}"
    return f"{measure} {before} -> {now:.4f}"


def _readable(entry: Mapping[str, Any] | None) -> Baseline | None:
    try:
        return None if entry is None else Baseline.read(entry)
    except Outdated:  # it is written anew for that
        return None


def _mean(baseline: Baseline, measure: str, queries: Sequence[str]) -> str:
    scores = baseline.per_query(measure)
    return f"{steady(fmean(scores[q] for q in queries)):.4f}"
