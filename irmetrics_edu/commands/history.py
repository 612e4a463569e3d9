"""`irmetrics-edu history FILE`: the measures of gates over commits, and what drifts."""

import argparse
import math
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import FAILED, FINE, put

if TYPE_CHECKING:
    from irmetrics_edu.gate.history import Entry

EXAMPLES = ("history history.jsonl", "history history.jsonl --measure nDCG@10 --svg ndcg.svg")
_COLUMNS = 30  # of the plot
_COMMIT = 10  # characters of a commit
_MOST_SERIES = 50  # of a figure, which matplotlib lays out in seconds
_TITLE = 200  # characters of a title, more than fit
_MOST_NAMED = 40  # commits below a series; of more every so-manieth is named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="what --irm-history wrote")
    parser.add_argument("--measure", metavar="NAME", help="show this measure alone")
    parser.add_argument("--svg", metavar="OUT", type=Path, help="draw the figure as well (.svg)")


def run(args: argparse.Namespace) -> int:
    """Print each series and its drift; the exit code is 1 if one drifts."""
    from irmetrics_edu.gate.history import drift, read, series

    if args.svg:
        _refuse_other_ending(args.svg)
    by_name = series(read(args.file))
    chosen = {}
    for name, timeline in by_name.items():
        _, measure = name
        if args.measure in (None, measure):
            chosen[name] = timeline
    if not chosen:
        names = {f"{measure} of {test}" for test, measure in by_name}
        names_in_order = ", ".join(sorted(names)) or "nothing"
        raise InputError(f"{args.file}: no such measure; it holds {names_in_order}")
    if args.svg:
        _refuse_too_many(chosen, args.svg)
    drifts = False
    for (test, measure), timeline in chosen.items():
        put(f"{measure}  {test}")
        put(_table(timeline))
        far = drift(timeline)
        if far is not None:
            drifts = True
            put(_said(timeline, *far))
        put("")
    if args.svg:
        _draw(chosen, args.svg)
    return FAILED if drifts else FINE


def _refuse_other_ending(svg: Path) -> None:
    """Refuse a figure that would be no SVG."""
    if svg.suffix != ".svg":
        raise InputError(f"--svg {svg}: the name ends in .svg")


def _refuse_too_many(chosen: "Mapping[tuple[str, str], list[Entry]]", svg: Path) -> None:
    """Refuse more series than a figure has room for."""
    if len(chosen) > _MOST_SERIES:
        raise InputError(
            f"--svg {svg}: {len(chosen):,} series are too many for a figure, which has room for "
            f"{_MOST_SERIES}; choose a measure by --measure, or leave --svg out"
        )


def _table(timeline: "Sequence[Entry]") -> str:
    """A series as a table, an entry in each line."""
    from irmetrics_edu.views.formatting import aligned

    least = min(number for one in timeline for number in _drawn(one))
    most = max(number for one in timeline for number in _drawn(one))
    rows = []
    for one in timeline:
        row = (
            _commit(one) or "-",
            _number(one.score),
            _number(one.low),
            _number(one.high),
            f"{one.queries:,}",
            one.verdict,
            _plotted(one, least, most),
        )
        rows.append(row)
    head = ("commit", "mean", "low", "high", "queries", "verdict", "")
    text = aligned(head, rows, indent="  ")
    lines = [line.rstrip() for line in text.split("\n")]
    return "\n".join(lines)


def _drawn(one: "Entry") -> list[float]:
    """The numbers of an entry that the plot has a place for: the mean need not lie in between."""
    return [number for number in (one.score, one.low, one.high) if number is not None]


def _number(value: float | None) -> str:
    """A score with four digits; a dash if there is none."""
    from irmetrics_edu.views.formatting import steady

    return "-" if value is None else f"{steady(value):.4f}"


def _commit(one: "Entry") -> str:
    """The commit, cut to a few characters; a + says that files were changed besides."""
    dirty = "+" if one.commit.endswith("-dirty") else ""
    commit = one.commit.removesuffix("-dirty")
    return f"{commit[:_COMMIT]}{dirty}"


def _plotted(one: "Entry", least: float, most: float) -> str:
    """The interval as a line and the mean as a circle, on the scale of the whole series."""
    from irmetrics_edu.views.formatting import steady

    def place(value: float) -> int:
        share = 0.5
        if most != least:
            share = (value - least) / (most - least)
        column = steady(share * (_COLUMNS - 1))
        return int(column + 0.5)

    marks = [" "] * _COLUMNS
    if one.low is not None and one.high is not None:
        first = place(one.low)
        last = place(one.high)
        for i in range(first, last + 1):
            marks[i] = "-"
    marks[place(one.score)] = "o"
    return "".join(marks)


def _said(timeline: "Sequence[Entry]", top: "Entry", last: "Entry") -> str:
    """That a series drifts, from where to where."""
    margin = max(one.margin for one in timeline if one.margin is not None)
    fell = _number(top.score - last.score)
    begin = _commit(top) or "its best"
    end = _commit(last) or "the last"
    sentence = (
        f"It drifts: it fell by {fell} from {begin} to {end}, and never "
        f"by more than the margin of {margin:g} at once, so that no gate failed."
    )
    return textwrap.fill(
        sentence,
        90,
        initial_indent="  ",
        subsequent_indent="  ",
    )


def _draw(chosen: "dict[tuple[str, str], list[Entry]]", path: Path) -> None:
    """Draw the series below each other."""
    from irmetrics_edu.views.plotting import pyplot, save_figure

    plt: Any = pyplot()
    figure, axes = plt.subplots(
        len(chosen),
        1,
        figsize=(8, 2.4 * len(chosen)),
        squeeze=False,
        layout="constrained",
    )
    for ax, ((test, measure), timeline) in zip(axes[:, 0], chosen.items(), strict=True):
        places = range(len(timeline))
        with_interval = [place for place in places if timeline[place].low is not None]
        lows = [timeline[place].low for place in with_interval]
        highs = [timeline[place].high for place in with_interval]
        scores = [one.score for one in timeline]
        commits = [_commit(one) for one in timeline]
        ax.vlines(with_interval, lows, highs, alpha=0.5)
        ax.plot(places, scores, marker="o")
        ax.set_title(f"{measure}, {test}"[:_TITLE], loc="left", fontsize=9)
        ax.set_ylabel(measure)
        named = slice(None, None, math.ceil(len(commits) / _MOST_NAMED))
        ax.set_xticks(places[named], commits[named], rotation=45, ha="right")
    save_figure(figure, path)
    plt.close(figure)
