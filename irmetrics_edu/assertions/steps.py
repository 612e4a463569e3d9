"""How the score of one query came about, in a few lines: steps, what it missed, conventions.

Read off the query's working; nothing is computed here.
"""

import re
import textwrap
from collections.abc import Hashable, Sequence
from typing import Any

from irmetrics_edu.assertions.outcome import Outcome
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.rows.ranking import RANKED, Rows
from irmetrics_edu.views import formatting
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.working import Working

WIDTH = 100
_DOCUMENTS, _ROWS = 3, 6  # shown of each


def steps_of(working: Working, room: int) -> list[str]:
    """The steps of one query, in no more than `room` lines."""
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
    below = missed(working, working.k, None)
    room -= len(below)
    shown = rows
    if len(rows) > min(room, _ROWS):
        shown = rows[: max(0, min(room - 1, _ROWS))]
        last = int(of.table.labels["rank"][len(shown) - 1]) if "rank" in of.table.labels else None
        if working.k is None and last:
            below = missed(working, None, last)
    out = []
    if shown:
        marked = _marked(of, shown)
        out = formatting.aligned((*table.header, ""), marked, indent="  ").split("\n")
        out = [line.rstrip() for line in out]
        if len(shown) < len(rows):
            out.append(f"  ... and {len(rows) - len(shown):,} more")
    return [*out, *(f"  {line}" for line in equation), *below]


def _marked(working: Working, shown: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    judged = working.table.labels.get("judged")
    return [
        (*line, "" if judged is None or judged[i] else "unjudged") for i, line in enumerate(shown)
    ]


def missed(working: Working, k: int | None, shown: int | None) -> list[str]:
    """The relevant documents that stand below rank k (or the last one shown), or nowhere."""
    rows = working.rows
    if not isinstance(rows, Rows) or rows.document is None or rows.pool_document is None:
        return []
    least = float(working.params.get("rel", 0) or 0)
    rank = dict(zip(rows.document, rows.rank.tolist(), strict=True))
    pool = zip(rows.pool_document, rows.pool_grade.tolist(), strict=True)
    wanted = sorted(
        ((d, g) for d, g in pool if g > 0 and g >= least), key=lambda item: (-item[1], str(item[0]))
    )
    cut = k if k is not None else shown
    below = [
        f"{d} (grade {_grade(g)}, rank {int(rank[d])})"
        for d, g in wanted
        if d in rank and cut is not None and rank[d] > cut
    ]
    absent = [f"{d} (grade {_grade(g)})" for d, g in wanted if d not in rank]
    said = []
    if below:
        said.append(f"relevant but below rank {cut}: {_some(below)}")
    if absent:
        said.append(f"not retrieved: {_some(absent)}")
    line = "  " + "; ".join(said)
    if not said or len(line) <= WIDTH:
        return [line] if said else []
    return [f"  {part}" for part in said]


def _grade(grade: float) -> str:
    return f"{grade:g}"


def _some(items: Sequence[str]) -> str:
    more = f" and {len(items) - _DOCUMENTS:,} more" if len(items) > _DOCUMENTS else ""
    return ", ".join(items[:_DOCUMENTS]) + more


def conventions(outcome: Outcome, query: Hashable, *, whole: bool = False) -> list[str]:
    """Which choices the number rests on; in at most two lines unless `whole`."""
    working = outcome.working(query)
    chosen = dict(working.conventions)
    if not whole and not outcome.counts.without_relevant:
        chosen.pop("no_relevant", None)  # it decided nothing here
    means = {n: v.meaning if whole else _IN_SHORT.split(v.meaning)[0] for n, v in chosen.items()}
    said = "; ".join(f"{name} = {meaning}" for name, meaning in means.items())
    by = outcome.bundle
    if by is not None and working.metric.inputs is RANKED and _follows(working, by):
        said = f"{said} (as {as_bundle(by)})" if said else f"as {as_bundle(by)}"
    elif by is not None and outcome.is_run:
        said += f"{'; ' if said else ''}ties and missing queries as {as_bundle(by)}"
    if not said:
        return []
    wrapped = textwrap.wrap(f"Convention: {said}", WIDTH, subsequent_indent="  ")
    if whole or len(wrapped) <= 2:
        return wrapped
    return [wrapped[0], textwrap.shorten("  " + " ".join(wrapped[1:]), WIDTH, placeholder=" ...")]


_IN_SHORT = re.compile("[,;:]")


def _follows(working: Working, by: Bundle) -> bool:
    """Whether every convention of the metric is as the bundle has it."""
    settled = by.settle(METRICS[working.metric.name])
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
    changed = (
        []
        if known is None
        else [
            f"{name}={value}" for name, value in facts.items() if value != known.facts().get(name)
        ]
    )
    return by.name + (f", but {', '.join(changed)}" if changed else "")
