"""The page of the matrix of gates: what was stopped, warned and passed, and why."""

from collections import Counter
from collections.abc import Iterable, Sequence

from dev.benchmarks.gate_breaks import BREAKS, CHANGES, HARMLESS, Named
from dev.benchmarks.gate_cells import Cell, Fate, fates
from dev.benchmarks.gate_writes import When, Write
from irmetrics_edu.gate.policy import POLICIES

_LONG = 110  # letters of a reason
_MARKS = {Fate.STOPPED: "S", Fate.WARNED: "w", Fate.PASSED: "p", Fate.CRASHED: "crash"}
_HEAD = """\
# What gates stop

A gate that passes over a ruined engine is worth less than none. So gates are tried on {breaks}
breaks of an engine, for retrieval, recommendations and answers, and on {harmless} harmless changes.
Each goes together with {changes} changes of the data and the judgments, and with each policy. This
page says what came of it: `make gate-matrix` makes it anew, and fails if a gate passes in vain.

- **{cells:,} gates** were tried, each against a baseline of the engine before the change.
- **{vacuous} passed in vain**: the engine got worse by more than the margin, and nobody was told.
- **{alarms} of {quiet:,} gates over harmless changes stopped** ({share:.1%}).
- **{writes:,} runs were offered as baselines**, and {refused:,} were refused: a gate whose baseline
  can't be missed passes for ever.

A break that no measure of the gate sees is no fall: such a gate may pass. Where the labels no
longer fit the documents, as after a new index with new ids, a gate can't compare, so it stops and
says so. Under `"sample"` a fall that may be chance is a warning, which says how many queries would
tell. `"advise"` never stops, unless there is nothing to compare.

To try another break, write a function with `@broken` above it in `dev/benchmarks/gate_breaks.py`.
"""


def page(cells: Sequence[Cell], writes: Sequence[Write]) -> str:
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
        writes=len(writes),
        refused=sum(one.is_refused for one in writes),
    )
    parts = [head, "## By break", "", *_by_engine(cells, BREAKS)]
    parts += ["", "## By harmless change", "", *_by_engine(cells, HARMLESS)]
    parts += ["", "## By change of the data", "", *_by_data(cells)]
    parts += ["", "## Each with each", "", *_each(cells)]
    parts += ["", "## As a baseline", "", *_by_write(writes), ""]
    return "\n".join(parts)


def _by_engine(cells: Sequence[Cell], engines: Sequence[Named]) -> list[str]:
    """What each policy did to an engine, and why, in the words of a gate for each fate."""
    header = ["engine", *POLICIES, "why"]
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for engine in engines:
        own = [cell for cell in cells if cell.engine is engine]
        if own:
            counts = [fates([c for c in own if c.policy == policy]) for policy in POLICIES]
            lines.append(f"| {' | '.join([engine.name, *counts, _why(own)])} |")
    return lines


def _by_data(cells: Sequence[Cell]) -> list[str]:
    lines = ["| change of the data | breaks | harmless changes | why |", "|---|---|---|---|"]
    for data in CHANGES:
        own = [cell for cell in cells if cell.data is data and cell.policy != "advise"]
        breaks = fates([cell for cell in own if not cell.harmless])
        harmless = [cell for cell in own if cell.harmless]
        lines.append(f"| {data.name} | {breaks} | {fates(harmless)} | {_why(harmless)} |")
    return lines


def _each(cells: Sequence[Cell]) -> list[str]:
    """A row for each engine and a column for each change of the data, with a letter a policy."""
    letters = "**S** stopped, **w** warned, **p** passed"
    lines = [
        f"The letters are those of {', '.join(POLICIES)}: {letters}. Where kinds of engine differ,",
        "each has its own. The columns are:",
        "",
    ]
    numbered = dict(enumerate(CHANGES, 1))
    lines += [f"{number}. {data.name}" for number, data in numbered.items()]
    header = ["engine", *map(str, numbered)]
    lines += ["", f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for engine in (*BREAKS, *HARMLESS):
        own = [cell for cell in cells if cell.engine is engine]
        marks = [_marks([cell for cell in own if cell.data is data]) for data in CHANGES]
        lines.append(f"| {' | '.join([engine.name, *marks])} |")
    return lines


def _marks(cells: Iterable[Cell]) -> str:
    """The letters of the policies, for each kind of engine; once if all kinds have the same."""
    by_kind: dict[str, str] = {}
    for cell in cells:
        by_kind[cell.kind] = by_kind.get(cell.kind, "") + _MARKS[cell.fate]
    return " ".join(dict.fromkeys(by_kind.values())) or "-"


def _by_write(writes: Sequence[Write]) -> list[str]:
    """How often a run was refused as a first and as a next baseline, and why."""
    header = ["engine", *(f"`{when.value}`" for when in When), "why"]
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for engine in (*BREAKS, *HARMLESS):
        own = [one for one in writes if one.engine is engine]
        if own:
            counts = [_refusals([one for one in own if one.when is when]) for when in When]
            lines.append(f"| {' | '.join([engine.name, *counts, _why_refused(own)])} |")
    return lines


def _refusals(writes: Sequence[Write]) -> str:
    refused = sum(one.is_refused for one in writes)
    kept = len(writes) - refused
    parts = []
    if refused:
        parts.append(f"{refused} refused")
    if kept:
        parts.append(f"{kept} written")
    return ", ".join(parts)


def _why_refused(writes: Sequence[Write]) -> str:
    """The commonest reason; where the data did not change, if it was refused there."""
    first = [one.why for one in writes if one.is_refused and one.data is CHANGES[0]]
    others = [one.why for one in writes if one.is_refused]
    if not others:
        return "nothing is wrong with it"
    commonest = Counter(first or others).most_common(1)
    return _cell(commonest[0][0])


def _why(cells: Sequence[Cell]) -> str:
    """What a gate said for each fate: where the data did not change, or else the first."""
    said: list[str] = []
    for fate in Fate:
        own = [cell for cell in cells if cell.fate is fate]
        if own:
            plain = [cell for cell in own if cell.data is CHANGES[0]]
            said.append(f"{fate.value}: {_reason((plain or own)[0])}")
    return "<br>".join(said) or "-"


def _reason(cell: Cell) -> str:
    """The words of a gate; of one that says nothing, by how much a measure falls."""
    if cell.tried.why:
        return _cell(cell.tried.why)
    if cell.fell > 0:
        return f"no measure fell by more than {cell.fell:.4f}, and the margin is 0.01"
    return "no measure fell"


def _cell(said: str) -> str:
    """A sentence as a cell of a table, cut if it is long."""
    text = said if len(said) <= _LONG else f"{said[: _LONG - 3]}..."
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
