"""The gates of the matrix: every break of an engine, every change of data, and every policy."""

import math
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import fmean
from typing import Any

from dev.benchmarks.gate_breaks import (
    ANSWERS,
    BREAKS,
    CHANGES,
    HARMLESS,
    Named,
    Qrels,
    Run,
    World,
    worlds,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.decision import judge
from irmetrics_edu.gate.policy import OFF, POLICIES, made
from irmetrics_edu.judging import judge_claims
from irmetrics_edu.runs.evaluation import evaluate

MOST_ALARMS = 0.05  # of the harmless changes
SEEN = 1e-9  # a fall that is none
LENIENT = {"max_gone"}  # settings that let more through; the others are there to stop a break


class Fate(Enum):
    """What a gate did. One that crashes says nothing that anybody understands."""

    STOPPED = "stopped"
    WARNED = "warned"
    PASSED = "passed"
    CRASHED = "crashed"


@dataclass(frozen=True)
class Tried:
    """What a gate did, the first line of what it said, and whether it refused its input."""

    fate: Fate
    why: str = ""
    refused: bool = False


@dataclass(frozen=True)
class Cell:
    """One gate of the matrix: what was tried, what the gate did, and what it had to do."""

    kind: str
    engine: Named
    data: Named
    policy: str
    tried: Tried
    fell: float  # by how much a measure fell in truth, at most; NaN where nothing can be compared
    unanswered: bool  # whether a query finds nothing that found something
    harmless: bool

    @property
    def fate(self) -> Fate:
        """What the gate did."""
        return self.tried.fate

    @property
    def let_in(self) -> bool:
        """Whether a mistake in the input is measured, or refused in words about something else."""
        return is_let_in(self.engine, self.data, self.tried.why if self.tried.refused else "")

    @property
    def has_to_stop(self) -> bool:
        """Whether no policy but "advise" may let it through."""
        if self.policy == "advise":
            return False
        if self.harmless:
            return not self.data.comparable
        if math.isnan(self.fell) or self.unanswered or self.engine.settings.keys() - LENIENT:
            return True
        return self.policy == "strict" and self.fell > 0.01 + SEEN

    @property
    def vacuous(self) -> bool:
        """Whether an engine that is worse by more than the margin passes without a word."""
        if self.harmless or self.fate is not Fate.PASSED:
            return False
        return math.isnan(self.fell) or self.unanswered or self.fell > 0.01 + SEEN

    @property
    def wrong(self) -> bool:
        """Whether the gate lets through what it has to stop."""
        if self.let_in or self.vacuous or self.fate is Fate.CRASHED:
            return True
        return self.has_to_stop and self.fate is not Fate.STOPPED

    @property
    def alarm(self) -> bool:
        """Whether a harmless change is stopped, and its data can be compared."""
        return self.harmless and self.data.comparable and self.fate is Fate.STOPPED


def is_let_in(engine: Named, data: Named, refusal: str) -> bool:
    """Whether a mistake in the input is not refused in the words that tell of it.

    Where a broken engine and the data have a mistake each, either may be told.
    """
    if not (engine.refused or data.refused):
        return False
    if engine.refused and data.comparable:
        return engine.refused not in refusal
    if data.refused and engine in HARMLESS:
        return data.refused not in refusal
    return not refusal


def matrix(every: int = 1) -> list[Cell]:
    """All cells, or every so-manieth pair of an engine's change and a change of data."""
    cells: list[Cell] = []
    pairs = 0
    for world in worlds().values():
        entry = baseline(world)
        for harmless, engines in ((True, HARMLESS), (False, BREAKS)):
            for engine in engines:
                for data in CHANGES:
                    if world.kind in engine.kinds and world.kind in data.kinds:
                        pairs += 1
                        if pairs % every == 0:
                            cells += _cells(world, entry, engine, data, harmless=harmless)
    return cells


def judged(world: World, run: Run, qrels: Qrels) -> tuple[Any, Any]:
    """What a gate takes: of answers the claims are both the run and its judgments."""
    return judge_claims(run) if world.kind == ANSWERS else (run, qrels)


def baseline(world: World) -> dict[str, Any]:
    """The baseline of an engine before a change, as a file has it."""
    gate = Gate(*judged(world, world.run, world.qrels), world.measures, {})
    return Baseline.of(gate.after, gate.judged).entry()


def _cells(
    world: World, entry: dict[str, Any], engine: Named, data: Named, *, harmless: bool
) -> Iterator[Cell]:
    """The gates of all policies over one change of the engine and one of the data."""
    try:
        run, qrels = data.make(engine.make(world), world.qrels)
        good, _ = data.make(world.run, world.qrels)
        fell, unanswered = _truth(world, good, run, qrels)
    except (InputError, TypeError, ValueError):  # what can't be evaluated has to stop
        run, qrels = data.make(engine.make(world), world.qrels)
        fell, unanswered = math.nan, False
    let_through = bool(data.unless) and engine.settings.get(data.unless) == OFF
    if not data.comparable and not let_through:
        fell = math.nan
    for policy in POLICIES:
        tried = _tried(world, entry, run, qrels, engine, policy)
        yield Cell(world.kind, engine, data, policy, tried, fell, unanswered, harmless)


def _truth(world: World, good: Run, run: Run, qrels: Qrels) -> tuple[float, bool]:
    """By how much a measure falls at most, by the same judgments; and whether an answer is lost.

    Over the queries that both answer or lack: a query that is not asked scores 0.
    """
    before = evaluate(*judged(world, good, qrels), world.measures)
    after = evaluate(*judged(world, run, qrels), world.measures)
    falls = []
    for name in before.mean:
        was = before.per_query[name]
        now = after.per_query[name]
        both = [q for q in was if q in world.run]
        falls.append(fmean(was[q] - now.get(q, 0.0) for q in both))
    lost = any(len(good[q]) and not len(run.get(q, ())) for q in good if q in world.run)
    return max(falls), lost


def _tried(
    world: World,
    entry: dict[str, Any],
    run: Run,
    qrels: Qrels,
    engine: Named,
    policy: str,
) -> Tried:
    """What a gate of this policy does, and the first line of what it says."""
    settings = dict(engine.settings)
    groups = None
    if settings.pop("groups", False):
        settings["max_group_drop"] = 0.2
        of = {q: str(i % 10) for i, q in enumerate(world.run)}
        groups = {q: of.get(q, "0") for q in run}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            gate = Gate(*judged(world, run, qrels), world.measures, {})
            pair = gate.against(Baseline.read(entry))
            found = judge(pair, made({"policy": policy, **settings}), groups=groups, reveal="all")
        except InputError as error:
            return Tried(Fate.STOPPED, str(error).partition("\n")[0], refused=True)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            return Tried(Fate.CRASHED, repr(error))
    if found.error is not None:
        return Tried(Fate.STOPPED, found.error.summary)
    if found.warnings:
        return Tried(Fate.WARNED, str(found.warnings[0]).partition("\n")[0])
    return Tried(Fate.PASSED)


def faults(cells: Sequence[Cell]) -> list[str]:
    """What must not be: gates that pass in vain, that let through, or that raise false alarms."""
    found: list[str] = []
    for cell in cells:
        if cell.vacuous:
            found.append(f"passes in vain: {_named(cell)}")
        elif cell.let_in:
            found.append(f"is not refused: {_named(cell)}: {cell.fate.value} {cell.tried.why}")
        elif cell.wrong:
            found.append(f"is not stopped: {_named(cell)}: {cell.fate.value} {cell.tried.why}")
    harmless = [cell for cell in cells if cell.harmless and cell.data.comparable]
    alarms = [cell for cell in harmless if cell.alarm]
    if harmless and len(alarms) / len(harmless) > MOST_ALARMS:
        found += [f"is a false alarm: {_named(cell)}: {cell.tried.why}" for cell in alarms]
    return found


def _named(cell: Cell) -> str:
    return f"{cell.kind}, {cell.engine.name}, data: {cell.data.name}, {cell.policy}"


def fates(cells: Sequence[Cell]) -> str:
    """How many of them were stopped, warned and passed."""
    counts = Counter(cell.fate for cell in cells)
    return ", ".join(f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate]) or "-"
