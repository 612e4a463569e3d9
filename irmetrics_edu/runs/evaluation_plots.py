"""Plots of the scores of queries, and of the differences between two runs."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from irmetrics_edu.near_ties import in_order
from irmetrics_edu.views import escaping
from irmetrics_edu.views.plotting import PALETTE, SIZE, pyplot

_MOST_NAMES = 40  # queries that an axis can name


def plot_queries(
    values: Mapping[Hashable, float],
    mean: float,
    what: str,
    *,
    gains: bool = False,
    ax: Any = None,
) -> Any:
    """The values of each query, highest first, with their mean as a line.

    With `gains` they are differences: it counts the queries above 0, below it and at it.
    """
    queries = in_order(sorted(values, key=str), lambda q: np.nan_to_num(values[q], nan=-np.inf))
    ax = pyplot().subplots(figsize=SIZE, layout="constrained")[1] if ax is None else ax
    bars(ax, [str(q) for q in queries], np.array([values[q] for q in queries]))
    ax.axhline(mean, color=PALETTE[3], linewidth=1.5, label=f"mean {mean:{'+' * gains}.4f}")
    ax.set_ylabel(escaping.figure(what))
    n = len(queries)
    ax.set_xlabel(f"{n:,} queries, best first")
    if gains:
        ax.axhline(0, color="black", linewidth=0.8)
        gain, lose = (sum(sign * v > 0 for v in values.values()) for sign in (1, -1))
        ax.set_xlabel(f"queries that gain: {gain}, lose: {lose}, equal: {n - gain - lose}")
    ax.legend(frameon=False)
    return ax


def bars(ax: Any, labels: list[str], values: Any) -> None:
    """A bar per query, or an area if there are too many bars to see."""
    places = np.arange(len(labels))
    colours = [PALETTE[0] if v >= 0 else PALETTE[1] for v in values]
    if len(labels) <= _MOST_NAMES:
        ax.bar(places, values, color=colours, width=0.8)
        names = list(map(escaping.figure, labels))
        ax.set_xticks(places, names, rotation=90 if len(labels) > 8 else 0, fontsize=8)
    else:
        ax.fill_between(places, values, where=values >= 0, color=PALETTE[0], step="mid")
        ax.fill_between(places, values, where=values < 0, color=PALETTE[1], step="mid")
    ax.set_xlim(-0.6, len(labels) - 0.4)
