"""Runs that somebody accepts: each break and each change of data as a first or a next baseline.

A gate whose baseline can't be missed passes for ever. So what is wrong with a run is found here
from the run and its judgments alone, and compared with what the package says of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from dev.benchmarks.gate_breaks import BREAKS, CHANGES, HARMLESS, Named, Qrels, Run, World, worlds
from dev.benchmarks.gate_cells import baseline, is_let_in, judged
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.policy import Policy
from irmetrics_edu.gate.worth_keeping import Doubt, doubts, newly_unanswered, too_few_answers
from irmetrics_edu.runs.evaluation import evaluate


class Lost(Enum):
    """What speaks against a next baseline alone."""

    ANSWERS = "it leaves too many queries unanswered that the old one answers"


Reason = Doubt | Lost
MOST_LOST = 0.05  # of the old baseline's queries, as a policy has it that says nothing else


class When(Enum):
    """Whether there is a baseline already."""

    FIRST = "--irm-update=new"
    NEXT = "--irm-update=failing"


@dataclass(frozen=True)
class Write:
    """One run that is to be a baseline: what is wrong with it, and what was said of it."""

    kind: str
    engine: Named
    data: Named
    when: When
    wrong_with_it: frozenset[Reason]
    told: frozenset[Reason]
    refusal: str = ""  # of input that can't be measured

    @property
    def is_refused(self) -> bool:
        """Whether it is not written."""
        return bool(self.refusal or self.told)

    @property
    def why(self) -> str:
        """What was said of it, or "" if it is written."""
        if self.refusal:
            return self.refusal
        return "; ".join(sorted(reason.value for reason in self.told))


def matrix(every: int = 1) -> list[Write]:
    """All writes, or every so-manieth pair of an engine's change and a change of data."""
    found: list[Write] = []
    pairs = 0
    for world in worlds().values():
        old = Baseline.read(baseline(world))
        for engine in (*HARMLESS, *BREAKS):
            for data in CHANGES:
                if world.kind not in engine.kinds or world.kind not in data.kinds:
                    continue
                pairs += 1
                if pairs % every == 0:
                    found += [_tried(world, old, engine, data, when) for when in When]
    return found


def _tried(
    world: World,
    old: Baseline,
    engine: Named,
    data: Named,
    when: When,
) -> Write:
    run, qrels = data.make(engine.make(world), world.qrels)
    none: frozenset[Reason] = frozenset()
    try:
        taken, by = judged(world, run, qrels)
        gate = Gate(taken, by, world.measures, {})
        kept = Baseline.of(gate.after, gate.judged)
    except InputError as error:
        return Write(world.kind, engine, data, when, none, none, str(error).partition("\n")[0])
    told: set[Reason] = {*doubts(gate.after, taken, kept, first=when is When.FIRST)}
    if when is When.NEXT:
        lost = newly_unanswered(old, kept, [str(query) for query in gate.after.queries])
        if too_few_answers(old, lost, Policy()):
            told.add(Lost.ANSWERS)
    wrong = _wrong(world, taken, by, when)
    return Write(world.kind, engine, data, when, wrong, frozenset(told))


def _wrong(world: World, run: Run, qrels: Qrels, when: When) -> frozenset[Reason]:
    """What is wrong with a run, by itself: nobody judged it, it scores 0, or it has no answers."""
    found: set[Reason] = set()
    asked = [query for query in qrels if qrels[query]]
    retrieved = 0
    known = 0
    for query in asked:
        for document in list(run.get(query, ()))[: world.depth]:
            retrieved += 1
            known += document in qrels[query]
    if retrieved and not known:
        found.add(Doubt.UNJUDGED)
    if 0 in evaluate(run, qrels, world.measures).mean.values():
        found.add(Doubt.LEAST)
    empty = [query for query in asked if not len(run.get(query, ()))]
    if when is When.FIRST and 2 * len(empty) > len(asked):
        found.add(Doubt.UNANSWERED)
    answered = [query for query, ranking in world.run.items() if len(ranking)]
    lost = [query for query in empty if query in answered]
    if when is When.NEXT and len(lost) > MOST_LOST * len(answered):
        found.add(Lost.ANSWERS)
    return frozenset(found)


def faults(writes: Sequence[Write]) -> list[str]:
    """Baselines that are written though something is wrong, and refusals of sound ones."""
    found: list[str] = []
    for one in writes:
        named = f"{one.kind}, {one.engine.name}, data: {one.data.name}, {one.when.value}"
        if is_let_in(one.engine, one.data, one.refusal):
            found.append(f"is not refused for what it is: {named}: {one.refusal or 'written'}")
        missed = sorted(reason.value for reason in one.wrong_with_it - one.told)
        found += [f"is written, though {reason}: {named}" for reason in missed]
        in_vain = sorted(reason.value for reason in one.told - one.wrong_with_it)
        found += [f"is refused in vain, since {reason}: {named}" for reason in in_vain]
    return found
