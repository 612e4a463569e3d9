"""The study drawn: accuracy against diversity, whole lists and what hits, the groups of users."""

from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.study.diversity import CORRECTS, DIVERSITY, Study
from irmetrics_edu.study.rankers import BASE, DIVERSIFIERS
from irmetrics_edu.views.plotting import HATCHES, PALETTE, pyplot, save_figure

_MARKERS = ("o", "s", "^", "D", "v", "P")


def save_all(of: Study, folder: Path) -> list[Path]:
    """Draw every figure into the folder, as PNG: five for each cut-off."""
    paths = []
    for k in of.settings.cutoffs:
        for name, drawn in _FIGURES.items():
            paths.append(folder / f"{name}-at-{k}.png")
            save_figure(drawn(of, k), paths[-1], dpi=150)
    return paths


def accuracy_and_diversity(of: Study, k: int) -> Any:
    """Each old metric and the one that corrects it against Recall: a point for each ranker."""
    plt = pyplot()
    shown = [*dict.fromkeys(CORRECTS.values()), *CORRECTS]
    figure, panels = plt.subplots(
        1, len(shown), figsize=(2.7 * len(shown), 3.3), layout="constrained", sharex=True
    )
    for panel, metric in zip(panels, shown, strict=True):
        for i, ranker in enumerate(of.lists):
            panel.scatter(
                of.mean(ranker, "Recall", k),
                of.mean(ranker, metric, k),
                color=PALETTE[i],
                marker=_MARKERS[i],
                s=50,
                label=ranker,
                zorder=3,
            )
        panel.axhline(of.mean(BASE, metric, k), color="#bbbbbb", linewidth=1, linestyle="--")
        panel.set_title(f"{metric}@{k}", fontsize=10)
        panel.set_xlabel(f"Recall@{k}")
        panel.ticklabel_format(axis="y", scilimits=(-3, 3), useMathText=True)
        _bare(panel)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle(f"Diversity against accuracy (dashed: {BASE})", fontsize=11)
    return figure


def whole_and_effective(of: Study, k: int) -> Any:
    """The diversity of whole lists above that of their effective items alone."""
    plt = pyplot()
    figure, panels = plt.subplots(
        2, len(DIVERSITY), figsize=(3 * len(DIVERSITY), 5), layout="constrained", sharex=True
    )
    place = np.arange(len(of.lists))
    for line, of_what in zip(panels, ("whole list", "effective items alone"), strict=True):
        for panel, metric in zip(line, DIVERSITY, strict=True):
            effective = of_what != "whole list"
            means = [of.mean(r, metric, k, effective=effective) for r in of.lists]
            bars = panel.bar(place, means, width=0.7, color=PALETTE, edgecolor="white")
            for bar, hatch in zip(bars, HATCHES, strict=False):
                bar.set_hatch(hatch)
            base = of.mean(BASE, metric, k, effective=effective)
            panel.axhline(base, color="#888888", linewidth=1, linestyle="--")
            panel.set_title(f"{metric}@{k}, {of_what}", fontsize=9)
            panel.set_xticks(place, list(of.lists), rotation=40, ha="right", fontsize=8)
            panel.ticklabel_format(axis="y", scilimits=(-3, 3), useMathText=True)
            _bare(panel)
    figure.suptitle(f"Diversity of whole lists, and of what hits (dashed: {BASE})", fontsize=11)
    return figure


def groups(of: Study, k: int) -> Any:
    """The share of users with a hit, and the diversity of the lists of those with and without."""
    plt = pyplot()
    figure, panels = plt.subplots(
        1, 1 + len(DIVERSITY), figsize=(3 * (1 + len(DIVERSITY)), 3.4), layout="constrained"
    )
    names = list(of.lists)
    place = np.arange(len(names))
    share = [float(of.positive(r, k).mean()) for r in names]
    panels[0].bar(place, share, color=PALETTE[2], width=0.6)
    panels[0].set_title(f"Users with a hit at {k}", fontsize=10)
    panels[0].set_ylim(0, 1)
    panels[0].yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    for panel, metric in zip(panels[1:], DIVERSITY, strict=True):
        for g, (label, colour) in enumerate((("Recall > 0", 0), ("Recall = 0", 1))):
            means = [_mean_of(of, r, metric, k, hit=g == 0) for r in names]
            panel.bar(
                place + (g - 0.5) * 0.38,
                means,
                width=0.36,
                color=PALETTE[colour],
                hatch=HATCHES[colour],
                edgecolor="white",
                label=label,
            )
        panel.set_title(f"{metric}@{k}", fontsize=10)
    for panel in panels:
        panel.set_xticks(place, names, rotation=40, ha="right", fontsize=8)
        _bare(panel)
    handles, labels = panels[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _mean_of(of: Study, ranker: str, metric: str, k: int, *, hit: bool) -> float:
    group = of.positive(ranker, k) == hit
    return float(of.scores[ranker, metric, k][group].mean()) if group.any() else 0.0


def gains(of: Study, k: int) -> Any:
    """The gain of each diversifier over LightGCN, split into what each group of users adds."""
    plt = pyplot()
    figure, panels = plt.subplots(
        1, len(DIVERSITY), figsize=(3.2 * len(DIVERSITY), 3.3), layout="constrained"
    )
    place = np.arange(len(DIVERSIFIERS))
    for panel, metric in zip(panels, DIVERSITY, strict=True):
        for g, (label, colour) in enumerate((("Recall > 0", 0), ("Recall = 0", 1))):
            parts = []
            for ranker in DIVERSIFIERS:
                gain = of.gain(ranker, metric, k)
                parts.append(float(gain[of.positive(ranker, k) == (g == 0)].sum() / len(gain)))
            panel.bar(
                place + (g - 0.5) * 0.38,
                parts,
                width=0.36,
                color=PALETTE[colour],
                hatch=HATCHES[colour],
                edgecolor="white",
                label=f"users with {label}",
            )
        panel.axhline(0, color="black", linewidth=0.8)
        panel.set_title(f"{metric}@{k}", fontsize=10)
        panel.set_xticks(place, DIVERSIFIERS)
        _bare(panel)
    panels[0].set_ylabel("part of the mean gain")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle(f"Where the gain over {BASE} comes from", fontsize=11)
    return figure


def conditions(of: Study, k: int) -> Any:
    """The conditions on both discount coefficients at the precision observed."""
    from irmetrics_edu.tuning.plot import plot_conditions

    plt = pyplot()
    tall = max(len(c.tuning.conditions) for c in of.coefficients[k])
    figure, panels = plt.subplots(
        2, 1, figsize=(7.5, 3.4 + 0.5 * min(tall, 28)), layout="constrained"
    )
    for panel, coefficient in zip(panels, of.coefficients[k], strict=True):
        plot_conditions(coefficient.tuning, panel)
        p = coefficient.tuning.p
        panel.set_title(panel.get_title().replace(str(p), f"{float(p):.4g}"), fontsize=9)
    return figure


_FIGURES = {
    "accuracy-and-diversity": accuracy_and_diversity,
    "whole-and-effective": whole_and_effective,
    "groups": groups,
    "gains": gains,
    "coefficients": conditions,
}


def _bare(panel: Any) -> None:
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
