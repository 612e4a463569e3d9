"""Try gates on every break of an engine, times every change of data, times every policy.

python -m dev.benchmarks.gate_matrix [--write] [--every N]

What stopped, warned and passed is counted, and dev/benchmarks/gate-matrix.md says why. The exit
code is 1 if a gate passes in vain (the engine got worse by more than the margin, and nothing was
said), if a gate that has to stop does not, or if more than 5 % of the harmless changes are stopped.
"""

import argparse
import math
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
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
from irmetrics_edu.gate.policy import POLICIES, made
from irmetrics_edu.judging import judge_claims
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.writing import write

PAGE = Path(__file__).with_name("gate-matrix.md")
MOST_ALARMS = 0.05  # of the harmless changes
SEEN = 1e-9  # a fall that is none


class Fate(Enum):
    """What a gate did."""

    STOPPED = "stopped"
    WARNED = "warned"
    PASSED = "passed"


@dataclass(frozen=True)
class Cell:
    """One gate of the matrix: what was tried, what the gate did, and what it had to do."""

    kind: str
    engine: Named
    data: Named
    policy: str
    fate: Fate
    why: str
    fell: float  # by how much a measure fell in truth, at most; NaN where nothing can be compared
    unanswered: bool  # whether a query finds nothing that found something
    harmless: bool

    @property
    def has_to_stop(self) -> bool:
        """Whether no policy but "advise" may let it through."""
        if self.policy == "advise" or self.harmless:
            return False
        if math.isnan(self.fell) or self.unanswered or self.engine.settings:
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
        return self.vacuous or (self.has_to_stop and self.fate is not Fate.STOPPED)

    @property
    def alarm(self) -> bool:
        """Whether a harmless change is stopped, and its data can be compared."""
        return self.harmless and self.data.comparable and self.fate is Fate.STOPPED


def matrix(every: int = 1) -> list[Cell]:
    """All cells, or every so-manieth pair of an engine's change and a change of data."""
    cells: list[Cell] = []
    pairs = 0
    for world in worlds().values():
        entry = _baseline(world)
        for harmless, engines in ((True, HARMLESS), (False, BREAKS)):
            for engine in engines:
                for data in CHANGES:
                    if world.kind in engine.kinds and world.kind in data.kinds:
                        pairs += 1
                        if pairs % every == 0:
                            cells += _cells(world, entry, engine, data, harmless=harmless)
    return cells


def _judged(world: World, run: Run, qrels: Qrels) -> tuple[Any, Any]:
    """What a gate takes: of answers the claims are both the run and its judgments."""
    return judge_claims(run) if world.kind == ANSWERS else (run, qrels)


def _baseline(world: World) -> dict[str, Any]:
    gate = Gate(*_judged(world, world.run, world.qrels), world.measures, {})
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
    if not data.comparable:
        fell = math.nan
    for policy in POLICIES:
        fate, why = _tried(world, entry, run, qrels, engine, policy)
        yield Cell(world.kind, engine, data, policy, fate, why, fell, unanswered, harmless)


def _truth(world: World, good: Run, run: Run, qrels: Qrels) -> tuple[float, bool]:
    """By how much a measure falls at most, by the same judgments; and whether an answer is lost.

    Over the queries that both answer or lack: a query that is not asked scores 0.
    """
    before = evaluate(*_judged(world, good, qrels), world.measures)
    after = evaluate(*_judged(world, run, qrels), world.measures)
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
) -> tuple[Fate, str]:
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
            gate = Gate(*_judged(world, run, qrels), world.measures, {})
            pair = gate.against(Baseline.read(entry))
            found = judge(pair, made({"policy": policy, **settings}), groups=groups, reveal="all")
        except (InputError, TypeError, ValueError) as error:
            return Fate.STOPPED, str(error).partition("\n")[0]
    if found.error is not None:
        return Fate.STOPPED, found.error.summary
    if found.warnings:
        return Fate.WARNED, str(found.warnings[0]).partition("\n")[0]
    return Fate.PASSED, ""


# -- what came of it


def faults(cells: Sequence[Cell]) -> list[str]:
    """What must not be: gates that pass in vain, that let through, or that raise false alarms."""
    found = [f"passes in vain: {_named(cell)}" for cell in cells if cell.vacuous]
    found += [
        f"is not stopped: {_named(cell)}" for cell in cells if cell.wrong and not cell.vacuous
    ]
    harmless = [cell for cell in cells if cell.harmless and cell.data.comparable]
    alarms = [cell for cell in harmless if cell.alarm]
    if harmless and len(alarms) / len(harmless) > MOST_ALARMS:
        found += [f"is a false alarm: {_named(cell)}: {cell.why}" for cell in alarms]
    return found


def _named(cell: Cell) -> str:
    return f"{cell.kind}, {cell.engine.name}, data: {cell.data.name}, {cell.policy}"


_HEAD = """\
# What gates stop

A gate that passes over a ruined engine is worth less than none. So gates are tried on {breaks}
breaks of an engine, for retrieval, recommendations and answers, and on {harmless} harmless changes.
Each goes together with {changes} changes of the data and the judgments, and with each policy. This
page says what came of it: `make gate-matrix` makes it anew, and fails if a gate passes in vain.

- **{cells:,} gates** were tried, each against a baseline of the engine before the change.
- **{vacuous} passed in vain**: the engine got worse by more than the margin, and nobody was told.
- **{alarms} of {quiet:,} gates over harmless changes stopped** ({share:.1%}).

A break that no measure of the gate sees is no fall: such a gate may pass. Where the labels no
longer fit the documents, as after a new index with new ids, a gate can't compare, so it stops and
says so. Under `"sample"` a fall that may be chance is a warning, which says how many queries would
tell. `"advise"` never stops.

To try another break, add it to `dev/benchmarks/gate_breaks.py`.
"""


def page(cells: Sequence[Cell]) -> str:
    """The page in Markdown."""
    quiet = [cell for cell in cells if cell.harmless and cell.data.comparable]
    alarms = sum(cell.alarm for cell in quiet)
    head = _HEAD.format(
        breaks=len(BREAKS),
        harmless=len(HARMLESS),
        changes=len(CHANGES),
        cells=len(cells),
        vacuous=sum(cell.vacuous for cell in cells),
        alarms=alarms,
        quiet=len(quiet),
        share=alarms / len(quiet),
    )
    parts = [head, "## By break", "", *_by_engine(cells, harmless=False)]
    parts += ["", "## By harmless change", "", *_by_engine(cells, harmless=True)]
    parts += ["", "## By change of the data", "", *_by_data(cells), ""]
    return "\n".join(parts)


def _by_engine(cells: Sequence[Cell], *, harmless: bool) -> list[str]:
    header = ["engine", *POLICIES, "why, where the data did not change"]
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for engine in HARMLESS if harmless else BREAKS:
        own = [cell for cell in cells if cell.engine is engine]
        if own:
            counts = [_counts([c for c in own if c.policy == policy]) for policy in POLICIES]
            lines.append(f"| {' | '.join([engine.name, *counts, _why(own)])} |")
    return lines


def _by_data(cells: Sequence[Cell]) -> list[str]:
    lines = ["| change of the data | breaks | harmless changes |", "|---|---|---|"]
    for data in CHANGES:
        own = [cell for cell in cells if cell.data is data and cell.policy != "advise"]
        breaks = _counts([cell for cell in own if not cell.harmless])
        rest = _counts([cell for cell in own if cell.harmless])
        lines.append(f"| {data.name} | {breaks} | {rest} |")
    return lines


def _counts(cells: Sequence[Cell]) -> str:
    counts = Counter(cell.fate for cell in cells)
    return ", ".join(f"{counts[fate]} {fate.value}" for fate in Fate if counts[fate]) or "-"


def _why(cells: Sequence[Cell]) -> str:
    """The first words of a gate over it, where the data did not change."""
    for cell in cells:
        if cell.data is CHANGES[0]:
            said = cell.why or "no score fell by more than the margin"
            text = said.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
            return text if len(text) <= 110 else f"{text[:107]}..."
    return "-"


def main(given: Sequence[str] | None = None) -> int:
    """Try the gates, and say what must not be; the exit code is 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="python -m dev.benchmarks.gate_matrix")
    parser.add_argument("--write", action="store_true", help="write gate-matrix.md")
    parser.add_argument("--every", type=int, default=1, help="try every N-th pair alone")
    asked = parser.parse_args(given)
    cells = matrix(asked.every)
    if asked.write:
        write(PAGE, page(cells))
    found = faults(cells)
    said = [*found, f"{len(cells):,} gates: {_counts(cells)}; faults: {len(found):,}"]
    sys.stdout.write("\n".join(said) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
