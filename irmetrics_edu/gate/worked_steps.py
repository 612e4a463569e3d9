"""The working of one query in a few lines: its steps, what it missed, its conventions.

Read off the query's working; nothing is computed here.
"""

import textwrap
from collections.abc import Hashable, Sequence
from numbers import Real
from typing import Any

from irmetrics_edu.gate.checked_value import Outcome
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.runs.moves import contributions
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.working import Working

WIDTH = 100
_DOCUMENTS, _ROWS = 3, 6  # shown of each
_TAIL = 3  # lines that name the rows with gain that a table has no room for


def steps_of(working: Working, room: int) -> list[str]:
    """The steps of one query in at most `room` lines; every row with gain is named."""
    explanation = Explanation(working)
    top = explanation.sections[0]
    table, of = top, working
    part = working
    for section in explanation.sections[1:]:
        # A metric that is a quotient has its steps in its first part: nDCG in DCG.
        if not part.parts or set(part.columns) - {part.name} or not section.lines:
            break
        part = next(iter(part.parts.values()))
        table, of = section, part
    equation = textwrap.wrap(top.equation, WIDTH - 2)[:2]
    rows = list(table.lines)
    room -= len(equation) + 1  # the table's header
    below = missed(working)
    room -= len(below)
    shown, hidden = _chosen(_gained(of, len(rows)), room)
    out = []
    if shown:
        judged = of.table.labels.get("judged", [True] * len(rows))
        marked = [(*rows[i], "" if judged[i] else "unjudged") for i in shown]
        table_text = formatting.aligned((*table.header, ""), marked, indent="  ")
        out = [line.rstrip() for line in table_text.split("\n")]
    return [
        *out,
        *_left_out(of, len(rows), len(shown), hidden),
        *(f"  {e}" for e in equation),
        *below,
    ]


def _chosen(gained: Sequence[bool], room: int) -> tuple[list[int], list[int]]:
    """The rows that fit into the table, rows with gain first, and the other rows with gain."""
    n = len(gained)
    with_gain = [i for i, gains in enumerate(gained) if gains]
    if n <= min(room, _ROWS):
        return list(range(n)), []
    most = max(0, min(room - (1 if len(with_gain) <= _ROWS else _TAIL), _ROWS))
    chosen = with_gain[:most]
    chosen += [i for i in range(n) if i not in set(chosen)][: most - len(chosen)]
    return sorted(chosen), with_gain[most:]


def _left_out(of: Working, n: int, shown: int, hidden: Sequence[int]) -> list[str]:
    """How many of `n` rows are left out, and the ones with gain, in a few lines."""
    rest = n - shown
    noun = "row" if rest == 1 else "rows"
    if not rest:
        return []
    if not hidden:
        return [f"  ... and {rest:,} more {noun} without gain"]
    count = f"... and {rest:,} more" if shown else f"{rest:,} {noun} (-v)"
    labels = of.table.labels
    named = [
        f"{labels['document'][i]} at {labels['rank'][i]:g}" if "document" in labels else str(i + 1)
        for i in hidden
    ]
    return textwrap.wrap(
        f"{count}, {len(named):,} with gain: {', '.join(named)}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        max_lines=_TAIL,
        placeholder=" ... (-v)",
    )


def _gained(of: Working, n: int) -> list[bool]:
    """The rows that add to the score or could: relevant documents, by grade or nugget."""
    labels = of.table.labels
    parts = contributions(of) or [0] * n
    relevant = labels.get("grade", labels.get("nuggets", [0] * n))
    judged = labels.get("judged", [True] * n)
    worth = [
        bool(known) and (float(value) > 0 if isinstance(value, Real) else bool(value))
        for value, known in zip(relevant, judged, strict=True)
    ]
    if len(parts) != n:
        return worth
    return [bool(part) or worthy for part, worthy in zip(parts, worth, strict=True)]


def missed(working: Working) -> list[str]:
    """The relevant documents that are below the cut or not retrieved."""
    rows = working.rows
    if not isinstance(rows, Rows) or rows.document is None or rows.pool_document is None:
        return []
    least = float(working.params.get("rel", 0) or 0)
    rank = dict(zip(rows.document, rows.rank.tolist(), strict=True))
    pool = zip(rows.pool_document, rows.pool_grade.tolist(), strict=True)
    wanted = sorted(
        ((d, g) for d, g in pool if g > 0 and g >= least), key=lambda item: (-item[1], str(item[0]))
    )
    cut = working.k
    below = [
        f"{d} (grade {g:g}, rank {int(rank[d])})"
        for d, g in wanted
        if d in rank and cut is not None and rank[d] > cut
    ]
    absent = [f"{d} (grade {g:g})" for d, g in wanted if d not in rank]
    said = []
    if below:
        said.append(f"relevant but below rank {cut}: {_some(below)}")
    if absent:
        said.append(f"not retrieved: {_some(absent)}")
    line = "  " + "; ".join(said)
    if not said or len(line) <= WIDTH:
        return [line] if said else []
    return [f"  {part}" for part in said]


def _some(items: Sequence[str]) -> str:
    more = f" and {len(items) - _DOCUMENTS:,} more" if len(items) > _DOCUMENTS else ""
    return ", ".join(items[:_DOCUMENTS]) + more


def conventions(outcome: Outcome, query: Hashable, *, whole: bool = False) -> list[str]:
    """The conventions of the score: their names in one line, or if `whole` what they mean."""
    working = outcome.working(query)
    chosen = dict(working.conventions)
    if not whole and not outcome.counts.without_relevant:
        chosen.pop("no_relevant", None)  # it decided nothing here
    if whole:
        said = "; ".join(f"{name} = {value.meaning}" for name, value in chosen.items())
    else:
        said = ", ".join(f"{name}={value.name}" for name, value in chosen.items())
    by = outcome.bundle
    if by is not None and working.metric.inputs is RANKED and _follows(working, by):
        said = f"as {as_bundle(by)}{': ' if said else ''}{said}"
    elif by is not None and outcome.is_run:
        said = f"ties and missing queries as {as_bundle(by)}{'; ' if said else ''}{said}"
    if not said:
        return []
    said = f"Convention: {said}"
    if whole:
        return textwrap.wrap(said, WIDTH, subsequent_indent="  ")
    return [textwrap.shorten(said, WIDTH, placeholder=" ...")]


def _follows(working: Working, by: Bundle) -> bool:
    """Whether every convention of the metric is as the bundle has it."""
    metric = METRICS[working.metric.name]
    settled = by.settle(metric if working.k is None else metric @ working.k)
    theirs = {**settled.defaults, **settled.params}
    return all(
        value == (theirs[n] if not isinstance(theirs[n], str) else type(value).named(theirs[n]))
        for n, value in working.conventions.items()
        if n in theirs
    )


def as_bundle(by: Bundle) -> str:
    """A bundle's name, and what was changed in it."""
    known = BUNDLES.get(by.name)
    facts: dict[str, Any] = by.facts()
    if known is None:
        changed = []
    else:
        changed = [
            f"{name}={value}" for name, value in facts.items() if value != known.facts().get(name)
        ]
    return by.name + (f", but {', '.join(changed)}" if changed else "")
