"""The text of a gate's verdict: how much, which queries, and which documents moved."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from irmetrics_edu.assertions.message import LINES, told_apart
from irmetrics_edu.assertions.verdict import Verdict
from irmetrics_edu.runs.moves import Moves
from irmetrics_edu.significance import ROUNDING
from irmetrics_edu.views import formatting

_QUERIES, _DOCUMENTS = 3, 6
_FAR = 100  # times the queries there are: more than anybody will add


def dropped(v: Verdict) -> str:
    """The first line of a failure."""
    fell, allowed, _ = told_apart(-v.change, v.limit)
    return f"{v.measure} fell by {fell} > {allowed} ({_from_to(v)}; {_p(v)}; {_queries(v)})"


def no_improvement(v: Verdict) -> str:
    """The first line where an improvement is not shown."""
    rose = f"{'rose' if v.change >= 0 else 'fell'} by {abs(v.change):.4f}"
    by = f" by more than {v.limit:g}" if v.limit else ""
    if v.change > v.limit:
        return (
            f"{v.measure} {rose}, which chance may explain: {_queries(v)} can't tell ({_p(v)}), "
            f"{_needed(v)} ({_from_to(v)})"
        )
    return f"{v.measure} {rose}, does not improve{by} ({_from_to(v)}; {_queries(v)})"


def unsure(v: Verdict) -> str:
    """The warning that there are too few queries to tell."""
    moved = f"fell by {-v.change:.4f}" if v.change < 0 else f"rose by {v.change:.4f}"
    return (
        f"{v.measure} {moved}, {v.limit:.4f} is tolerated: {_queries(v)} can't tell ({_p(v)}), "
        f"{_needed(v)} ({_from_to(v)})"
    )


def hint_of_drop(v: Verdict) -> str:
    """The first line of a failure without what was expected."""
    return f"{v.measure} {v.after:.4f} is too low ({_queries(v)})"


def hint_of_no_improvement(v: Verdict) -> str:
    """The same where an improvement is not shown."""
    return f"{v.measure} {v.after:.4f} is no improvement ({_queries(v)})"


def hint_of_unsure(v: Verdict) -> str:
    """The same where there are too few queries to tell."""
    return f"{v.measure} {v.after:.4f}: {_queries(v)} can't tell whether it is too low"


def hint_lines(v: Verdict) -> list[str]:
    """Which queries to look at, without scores of the baseline and without judgments."""
    shown = [str(query) for query, _ in v.losers[:_QUERIES]]
    more = " ..." if len(v.losers) > _QUERIES else ""
    return [f"Lost most: {', '.join(shown)}{more}"] if shown else []


def lines(
    v: Verdict,
    verdicts: Sequence[Verdict],
    moves_of: Callable[[str, Hashable], Moves | None],
    verbosity: int,
    notes: Sequence[str] = (),
) -> list[str]:
    """Who lost, and what moved in the query that lost most."""
    losers = v.losers
    most = _QUERIES if verbosity < 2 else len(losers)
    unchanged = len(v.differences) - len(losers) - v.gained
    counts = f"{len(losers)} lost, {v.gained} gained, {unchanged} unchanged"
    said = [*notes]
    if losers:
        shown = ", ".join(f"{q} {d:.3f}" for q, d in losers[:most])
        more = " ..." if len(losers) > most else ""
        said.append(f"Lost most: {shown}{more}   {counts}")
    else:
        said.append(counts.capitalize())
    for query, _ in losers[: 1 if verbosity < 2 else _QUERIES]:
        found = moves_of(v.measure, query)
        if found is not None:
            said += _moved(found, _DOCUMENTS if not verbosity else len(found.moves))
    said += [
        f"{other.measure}: {other.word} ({_from_to(other)}; {_p(other)})"
        for other in verdicts
        if other is not v
    ]
    if v.detectable >= v.width:
        said.append(f"So few queries show no change at all (confidence {v.confidence:.0%})")
    elif v.detectable > 0:
        said.append(
            f"So many queries show a change of {v.detectable:.4f} or more, four times in five "
            f"(confidence {v.confidence:.0%})"
        )
    return said if verbosity else said[:LINES]


def _moved(found: Moves, most: int) -> list[str]:
    out = [f"{found.query}, what moved ({found.before:.4f} -> {found.after:.4f}):"]
    header: tuple[str, ...] = ("document", "grade", "rank before", "after")
    moved = [m for m in found.moves if m.worth]
    if moved:
        header += ("change of the score",)
        moved.sort(key=lambda m: (-abs(m.worth), str(m.document)))
    else:  # no sum over documents: what is relevant and moved is what there is to show
        moved = [m for m in found.moves if m.grade and m.rank_before != m.rank_after]
        moved.sort(key=lambda m: (-m.grade, str(m.document)))
    table = []
    for m in moved[:most]:
        line = (str(m.document), _whole(m.grade), _whole(m.rank_before), _whole(m.rank_after))
        table.append((*line, f"{m.worth:+.4f}")[: len(header)])
    if table:
        out += formatting.aligned(header, table, indent="  ").split("\n")
    if len(moved) > most:
        out.append(f"  ... and {len(moved) - most} more")
    if found.left_over and len(header) > 4:
        out.append(f"  not due to single documents: {found.left_over:+.4f}")
    return out


def _whole(value: Any) -> str:
    return "-" if value is None else f"{value:g}"


def _from_to(v: Verdict) -> str:
    return f"{v.before:.4f} -> {v.after:.4f}"


def _p(v: Verdict) -> str:
    return f"p = {v.p:.4f}" if v.p >= 0.0001 else "p < 0.0001"


def _queries(v: Verdict) -> str:
    n = len(v.differences)
    return f"{n:,} {'query' if n == 1 else 'queries'}"


def _needed(v: Verdict) -> str:
    """How many queries it would take; in words where the change is what is tolerated, or nearly."""
    if v.needed is not None and v.needed <= _FAR * len(v.differences):
        return f"about {v.needed:,} would"
    nearly = "" if v.margin < ROUNDING else "almost "
    number = "a million" if v.needed is None else f"fewer than about {v.needed:,}"
    return f"nor would {number}, since the mean lies {nearly}on the limit"
