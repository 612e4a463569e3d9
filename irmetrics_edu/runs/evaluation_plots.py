"""Plots of the scores of queries, and of the differences between two runs."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from irmetrics_edu.near_ties import in_order
from irmetrics_edu.views import escaping
from irmetrics_edu.views.plotting import PALETTE, SIZE, pyplot

_MOST_NAMES = 40  # queries that an axis can name


def plot_scores(
    shown: Mapping[Hashable, float], mean: float, name: Any, *, title: str = "", ax: Any = None
) -> Any:
    """The scores of each query, best first, with the mean as a line."""
    queries = in_order(sorted(shown, key=str), lambda q: np.nan_to_num(shown[q], nan=-np.inf))
    ax = _axes(ax)
    bars(ax, [str(q) for q in queries], np.array([shown[q] for q in queries]))
    ax.axhline(mean, color=PALETTE[3], linewidth=1.5, label=f"mean {mean:.4f}")
    ax.set_ylabel(escaping.figure(str(name)))
    ax.set_xlabel(f"{len(queries):,} queries, best first")
    ax.legend(frameon=False)
    if title:
        ax.set_title(escaping.figure(title))
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


def plot_differences(comparison: Any, run: str, name: Any, *, ax: Any = None) -> Any:
    """What each query gains (up) or loses (down) against the baseline, greatest gain first."""
    difference = comparison.differences(run, name)
    queries = in_order(sorted(difference, key=str), lambda q: difference[q])
    ax = _axes(ax)
    bars(ax, [str(q) for q in queries], np.array([difference[q] for q in queries]))
    ax.axhline(0, color="black", linewidth=0.8)
    values = np.array(list(difference.values()))
    gain, lose = int((values > 0).sum()), int((values < 0).sum())
    ax.axhline(values.mean(), color=PALETTE[3], linewidth=1.5, label=f"mean {values.mean():+.4f}")
    ax.set_ylabel(escaping.figure(f"{name}: {run} less {comparison.baseline}"))
    ax.set_xlabel(f"queries that gain: {gain}, lose: {lose}, equal: {len(values) - gain - lose}")
    ax.legend(frameon=False)
    return ax


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    return pyplot().subplots(figsize=SIZE, layout="constrained")[1]
