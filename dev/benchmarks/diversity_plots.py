"""The study as plots: gains, where they come from, and groups of users.

Every point has its 95 % interval. Axes need not start at 0, and the title says so.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from irmetrics_edu.lab.study.claims import ClaimPlace, case, case_of
from irmetrics_edu.lab.study.diversity_study import Study
from irmetrics_edu.lab.study.scoring import DIVERSITY
from irmetrics_edu.numbers import Array
from irmetrics_edu.views.escaping import figure as escaped
from irmetrics_edu.views.plotting import HATCHES, PALETTE, pyplot

_CUT = "lines: 95 % intervals; axes need not start at 0"


def gains(of: Study, k: int) -> Any:
    """The gain of each ranker over the base, of whole lists above and of their hits alone below."""
    figure, panels = _panels(2, len(DIVERSITY), (3.2, 2.6), sharex=True)
    for line, effective in zip(panels, (False, True), strict=True):
        for panel, metric in zip(line, DIVERSITY, strict=True):
            cases = [
                case_of(of, r, of.gain(r, metric, k, effective=effective)) for r in of.compared
            ]
            _points(panel, cases, of, PALETTE[effective])
            panel.axhline(0, color="black", linewidth=0.8)
            panel.set_title(f"{metric}@{k}{', hits alone' if effective else ''}", fontsize=10)
            _names(panel, of.compared)
    figure.suptitle(f"Gain over {escaped(of.base)}; lines: 95 % intervals", fontsize=11)
    return figure


def parts(of: Study, k: int) -> Any:
    """The gain of each ranker over the base, split into what each group of users adds."""
    figure, (panels,) = _panels(1, len(DIVERSITY), (3.2, 3.3))
    place = np.arange(len(of.compared))
    for panel, metric in zip(panels, DIVERSITY, strict=True):
        for g, label in enumerate(_GROUPS):
            cases = [
                case_of(of, r, np.where(of.positive(r, k) == (g == 0), of.gain(r, metric, k), 0))
                for r in of.compared
            ]
            panel.bar(
                place + (g - 0.5) * 0.38,
                [c.mean for c in cases],
                yerr=_errors(cases),
                capsize=3,
                width=0.36,
                color=PALETTE[g],
                hatch=HATCHES[g],
                edgecolor="white",
                label=label,
            )
        panel.axhline(0, color="black", linewidth=0.8)
        panel.set_title(f"{metric}@{k}", fontsize=10)
        _names(panel, of.compared)
    panels[0].set_ylabel("part of the mean gain")
    _legend(figure, panels[0], 2)
    figure.suptitle(
        f"Where the gain over {escaped(of.base)} comes from; lines: 95 % intervals", fontsize=11
    )
    return figure


def groups(of: Study, k: int) -> Any:
    """The share of users with a hit, and the diversity of the lists of those with and without."""
    figure, (panels,) = _panels(1, 1 + len(DIVERSITY), (2.9, 3.4))
    names = list(of.lists)
    _points(panels[0], [case_of(of, r, of.positive(r, k).astype(float)) for r in names], of)
    panels[0].set_title(f"users with a hit at {k}", fontsize=10)
    panels[0].yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")
    _names(panels[0], names)
    for panel, metric in zip(panels[1:], DIVERSITY, strict=True):
        for g, label in enumerate(_GROUPS):
            cases = [_of_group(of, r, metric, k, hit=g == 0) for r in names]
            _points(panel, cases, of, PALETTE[g], shift=(g - 0.5) * 0.3, label=label)
        panel.set_title(f"{metric}@{k}", fontsize=10)
        _names(panel, names)
    _legend(figure, panels[1], 2)
    figure.suptitle(f"Users with a hit and without; {_CUT}", fontsize=11)
    return figure


_GROUPS = ("users with a hit", "users without")


def _panels(rows: int, across: int, size: tuple[float, float], **options: Any) -> Any:
    figure, panels = pyplot().subplots(
        rows,
        across,
        figsize=(size[0] * across, size[1] * rows),
        layout="constrained",
        squeeze=False,
        **options,
    )
    for panel in panels.flat:
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    return figure, panels


def _points(
    panel: Any,
    cases: Sequence[ClaimPlace],
    of: Study,
    colour: str = PALETTE[2],
    *,
    shift: float = 0.0,
    label: str | None = None,
) -> None:
    """A point with its interval for each ranker; of the base a dashed line as well."""
    there = [(i, c) for i, c in enumerate(cases) if np.isfinite(c.mean)]
    shown = [c for _, c in there]
    panel.errorbar(
        [i + shift for i, _ in there],
        [c.mean for c in shown],
        yerr=_errors(shown),
        fmt="o" if shift <= 0 else "s",
        color=colour,
        capsize=3,
        markersize=5,
        label=label,
    )
    if len(cases) == len(of.lists) and not shift:
        base = cases[list(of.lists).index(of.base)].mean
        panel.axhline(base, color="#bbbbbb", linewidth=1, linestyle="--")
    panel.margins(x=0.12)


def _errors(cases: Sequence[ClaimPlace]) -> Array:
    """Half the width of each interval, below and above; none of a single user."""
    half = np.array([[c.mean - c.low, c.high - c.mean] for c in cases]).reshape(-1, 2).T
    return np.where(np.isfinite(half), np.maximum(half, 0), 0)


def _of_group(of: Study, ranker: str, metric: str, k: int, *, hit: bool) -> ClaimPlace:
    """The mean of the users of a group, each with the mean of the seeds in which it is in it."""
    member = (of.positive(ranker, k) == hit).reshape(of.seeds, -1)
    values = np.where(member, of.scores[ranker, metric, k].reshape(of.seeds, -1), 0.0)
    times = member.sum(axis=0)
    there = times > 0
    if not there.any():
        return ClaimPlace(ranker, np.nan, np.nan, np.nan)
    return case(ranker, values.sum(axis=0)[there] / times[there])


def _names(panel: Any, names: Sequence[str]) -> None:
    shown = [name if len(name) < 16 else f"{name[:14]}…" for name in names]
    panel.set_xticks(
        range(len(names)), list(map(escaped, shown)), rotation=40, ha="right", fontsize=8
    )
    panel.tick_params(axis="y", labelsize=8)


def _legend(figure: Any, panel: Any, columns: int) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)
