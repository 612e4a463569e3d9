"""Plots of the scores of queries, and of the differences between two runs."""

import textwrap
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.views.plotting import PALETTE, SIZE, TOOLTIP, Axes, pyplot

_MOST_NAMES = 40  # queries that an axis can name
_MOST_BARS = 1_000  # each with its tooltip; matplotlib draws them without a wait
_OUTERMOST = 5  # queries at each end that are named where the axis can't name all
_LINE = 90  # letters below a figure
_LEVEL_NAMES = 8  # queries whose names fit beside each other
_MARKERS = "os^Dv*Px"  # curves are told apart without colour, too


def plot_queries(
    values: Mapping[Hashable, float],
    mean: float,
    what: str,
    *,
    gains: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """The values of each query, highest first, with their mean as a line.

    With `gains` they are differences: it counts the queries above 0, below it and at it.
    """
    by_id = sorted(values, key=str)
    queries = in_order(by_id, lambda query: np.nan_to_num(values[query], nan=-np.inf))
    axes = _new_axes() if ax is None else ax
    bars(
        axes,
        [str(query) for query in queries],
        np.array([values[query] for query in queries]),
    )
    sign = "+" if gains else ""
    axes.axhline(
        mean,
        color=PALETTE[3],
        linewidth=1.5,
        label=f"mean {mean:{sign}.4f}",
    )
    axes.set_ylabel(escaping.figure(what))
    n = len(queries)
    below = f"{n:,} queries, best first"
    if gains:
        axes.axhline(0, color="black", linewidth=0.8)
        gain = sum(value > 0 for value in values.values())
        lose = sum(value < 0 for value in values.values())
        below = f"queries that gain: {gain}, lose: {lose}, equal: {n - gain - lose}"
    if n > _MOST_NAMES:
        below += f"\n{_outermost(queries)}"
    axes.set_xlabel(below)
    axes.legend(frameon=False)
    return axes


def _outermost(queries: Sequence[Hashable]) -> str:
    """The first and the last queries, in lines that fit below a figure."""
    lines = []
    for end, named in (("best", queries[:_OUTERMOST]), ("last", queries[-_OUTERMOST:])):
        names = ", ".join(escaping.visible(str(query)) for query in named)
        lines.append(escaping.figure(textwrap.fill(f"{end}: {names}", _LINE)))
    return "\n".join(lines)


def levels_of(measures: Sequence[Measure]) -> list[float]:
    """The levels of recall of measures that draw a curve: two interpolated precisions or more."""
    levels = [m.metric.params["recall"] for m in measures if m.metric.name == "IPrec"]
    return levels if 1 < len(levels) == len(measures) else []


def plot_levels(
    recalls: Sequence[float],
    precisions: Mapping[str, Sequence[float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Interpolated precision at levels of recall, averaged over queries: a curve for each run."""
    axes = _new_axes() if ax is None else ax
    order = np.argsort(recalls)
    for i, (name, of_run) in enumerate(precisions.items()):
        axes.plot(
            np.array(recalls)[order],
            np.array(of_run)[order],
            color=PALETTE[i % len(PALETTE)],
            marker=_MARKERS[i % len(_MARKERS)],
            label=escaping.figure(name),
        )
    axes.set_xlabel("recall")
    axes.set_ylabel("interpolated precision, mean over queries")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(0, 1.02)
    if len(precisions) > 1:
        axes.legend(frameon=False)
    else:
        axes.set_title(escaping.figure(*precisions))
    return axes


def _new_axes() -> Axes:
    """The axes of a new figure."""
    axes: Axes
    _, axes = pyplot().subplots(figsize=SIZE, layout="constrained")
    return axes


def bars(
    ax: Axes,
    labels: list[str],
    values: Array,
) -> None:
    """A bar per query, or an area if there are too many bars to see."""
    places = np.arange(len(labels))
    named = len(labels) <= _MOST_NAMES
    if len(labels) <= _MOST_BARS:
        colours = [PALETTE[0] if value >= 0 else PALETTE[1] for value in values]
        drawn = ax.bar(
            places,
            values,
            color=colours,
            width=0.8 if named else 1,
        )
        for bar, label, value in zip(drawn, labels, values.tolist(), strict=True):
            bar.set_gid(f"{TOOLTIP}{escaping.visible(label)}: {steady(value):.4f}")
    else:
        ax.fill_between(
            places,
            values,
            where=values >= 0,
            color=PALETTE[0],
            step="mid",
        )
        ax.fill_between(
            places,
            values,
            where=values < 0,
            color=PALETTE[1],
            step="mid",
        )
    if named:
        names = [escaping.figure(label) for label in labels]
        rotation = 90 if len(labels) > _LEVEL_NAMES else 0
        ax.set_xticks(
            places,
            names,
            rotation=rotation,
            fontsize=8,
        )
    ax.set_xlim(-0.6, len(labels) - 0.4)
