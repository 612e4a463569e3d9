"""Plots of the scores of queries, and of the differences between two runs."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from irmetrics_edu.near_ties import in_order
from irmetrics_edu.numbers import Array
from irmetrics_edu.views import escaping
from irmetrics_edu.views.plotting import PALETTE, SIZE, Axes, pyplot

_MOST_NAMES = 40  # queries that an axis can name
_LEVEL_NAMES = 8  # queries whose names fit beside each other


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
    axes.set_xlabel(f"{n:,} queries, best first")
    if gains:
        axes.axhline(0, color="black", linewidth=0.8)
        gain = sum(value > 0 for value in values.values())
        lose = sum(value < 0 for value in values.values())
        axes.set_xlabel(f"queries that gain: {gain}, lose: {lose}, equal: {n - gain - lose}")
    axes.legend(frameon=False)
    return axes


def plot_levels(
    recalls: Sequence[float],
    precisions: Sequence[float],
    name: str,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Interpolated precision at levels of recall, averaged over queries: the curve of a run."""
    axes = _new_axes() if ax is None else ax
    order = np.argsort(recalls)
    axes.plot(
        np.array(recalls)[order],
        np.array(precisions)[order],
        color=PALETTE[0],
        marker="o",
    )
    axes.set_xlabel("recall")
    axes.set_ylabel("interpolated precision, mean over queries")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(0, 1.02)
    if name:
        axes.set_title(escaping.figure(name))
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
    if len(labels) <= _MOST_NAMES:
        colours = [PALETTE[0] if value >= 0 else PALETTE[1] for value in values]
        ax.bar(
            places,
            values,
            color=colours,
            width=0.8,
        )
        names = [escaping.figure(label) for label in labels]
        rotation = 90 if len(labels) > _LEVEL_NAMES else 0
        ax.set_xticks(
            places,
            names,
            rotation=rotation,
            fontsize=8,
        )
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
    ax.set_xlim(-0.6, len(labels) - 0.4)
