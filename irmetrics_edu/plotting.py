"""Drawings of a working's columns. Draws what it finds; computes nothing.

matplotlib is imported on use (the extra `plot`).
"""

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.working import Working

# Okabe & Ito's palette (2008): told apart with any kind of colour vision.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")
HATCHES = ("", "//", "..", "xx", "\\\\", "oo", "++", "--")
SIZE = (6.4, 3.6)
_MOST_LINES = 40
_MOST_SEGMENTS = 8
_STYLE = {
    "svg.hashsalt": "irmetrics",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def can_draw(working: Working) -> bool:
    """Whether there is a column of numbers to draw."""
    return any(_columns_of(w) for w in _with_parts(working))


def draw(working: Working, *, title: str = "") -> Any:
    """A figure of a working: for each score with columns, its last two columns by rank.

    The column that is summed up stands as bars, the cumulated one as a line; where parts have
    such columns too (DCG and IDCG) each has a panel of its own, on one scale.
    """
    plt = _matplotlib()
    shown = [w for w in _with_parts(working) if _columns_of(w)]
    if not shown:
        raise InputError(f"{working.title} has no column to draw")
    with plt.rc_context(_STYLE):
        figure, panels = plt.subplots(
            1,
            len(shown),
            figsize=(max(SIZE[0], 3.6 * len(shown)), SIZE[1]),
            squeeze=False,
            layout="constrained",
        )
        for panel, part in zip(panels[0], shown, strict=True):
            _panel(panel, part)
        for alike in {tuple(_columns_of(w)) for w in shown}:  # DCG and IDCG on one scale
            group = [
                p for p, w in zip(panels[0], shown, strict=True) if tuple(_columns_of(w)) == alike
            ]
            top = max(panel.get_ylim()[1] for panel in group)
            for panel in group:
                panel.set_ylim(top=top)
        figure.suptitle(textwrap.fill(title or working.title, int(11 * figure.get_figwidth())))
    return figure


def stacked(working: Working, *, column: str = "", title: str = "") -> Any:
    """A sum as one bar: each document's share stacked on the others', ideal beside actual."""
    plt = _matplotlib()
    summed = [w for w in _with_parts(working) if _summed(w, column)]
    if not summed:
        raise InputError(f"{working.title} is no sum of a column")
    with plt.rc_context(_STYLE):
        figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
        for place, part in enumerate(summed):
            bottom = 0.0
            values = [float(v) for v in part[_summed(part, column)]]
            for i, value in enumerate(values):
                label = f"rank {i + 1}" if i < _MOST_SEGMENTS else "lower ranks"
                axes.bar(
                    place,
                    value,
                    bottom=bottom,
                    width=0.6,
                    color=PALETTE[min(i, _MOST_SEGMENTS - 1) % len(PALETTE)],
                    hatch=HATCHES[min(i, _MOST_SEGMENTS - 1) % len(HATCHES)],
                    edgecolor="white",
                    label=label if place == 0 and i <= _MOST_SEGMENTS else None,
                )
                bottom += value
            axes.text(place, bottom, f"{bottom:.4g}", ha="center", va="bottom")
        axes.set_xticks(range(len(summed)), [w.title for w in summed])
        axes.set_ylabel(_summed(summed[0], column))
        axes.set_title(title or working.title)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def save(working: Working, path: str | Path, *, title: str = "") -> None:
    """Draw a working and write the figure to a file."""
    plt = _matplotlib()
    figure = draw(working, title=title)
    figure.savefig(path, dpi=120, metadata={"Software": None})
    plt.close(figure)


def alt_text(working: Working) -> str:
    """What the figure of a working shows, in words."""
    shown = [w for w in _with_parts(working) if _columns_of(w)]
    what = "; ".join(f"{', '.join(_columns_of(w))} of {w.title} by {_places(w)[0]}" for w in shown)
    value = working.value
    return f"{what}. {working.title} is {float(value):.4f}."


def _matplotlib() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError:
        raise InputError("drawing needs matplotlib: pip install 'irmetrics-edu[plot]'") from None
    return plt


def _with_parts(working: Working) -> list[Working]:
    return [working, *(w for part in working.parts.values() for w in _with_parts(part))]


def _summed(working: Working, column: str) -> str:
    """The column that the score is the sum of."""
    if column:
        return column if column in working.columns else ""
    name = working.how.strip("{}")
    return name if working.how == f"{{{name}}}" and name in working.columns else ""


def _columns_of(working: Working) -> list[str]:
    """The columns worth drawing: the last one, and what it adds up."""
    numeric = [name for name, values in working.columns.items() if _numeric(values)]
    if not numeric or not 0 < len(working.columns[numeric[0]]) <= _MOST_LINES:
        return []
    chosen = [_summed(working, "")] if _summed(working, "") in numeric else []
    last = numeric[-1]
    return [*chosen, *([last] if last not in chosen else [])]


def _numeric(values: Any) -> bool:
    try:
        return bool(np.isfinite(np.asarray(values, dtype=np.float64)).all())
    except (TypeError, ValueError):
        return False


def _places(working: Working) -> tuple[str, list[str]]:
    labels = working.table.labels
    name = next((n for n in ("rank", *labels) if n in labels), "line")
    values = labels.get(name, range(1, len(next(iter(working.columns.values()))) + 1))
    texts = [f"{v:g}" if isinstance(v, float) else str(v) for v in np.asarray(values, dtype=object)]
    return name, texts


_ORDERED = ("rank", "recall level", "threshold", "effective items")


def _is_a_term(working: Working, name: str, axis: str, values: Any) -> bool:
    """Whether a column holds terms, each for itself (bars), and no running value (a line)."""
    return (
        f"{{{name}}}" in working.how
        or axis not in _ORDERED
        or bool(np.isin(values, (0.0, 1.0)).all())
    )


def _panel(axes: Any, working: Working) -> None:
    names = _columns_of(working)
    axis, texts = _places(working)
    places = np.arange(len(texts))
    for name in names:
        values = np.asarray(working.columns[name], dtype=np.float64)
        if _is_a_term(working, name, axis, values):
            axes.bar(places, values, color=PALETTE[0], hatch="//", edgecolor="white", label=name)
        else:
            axes.plot(places, values, color=PALETTE[3], marker="o", linewidth=1.5, label=name)
    step = max(1, len(texts) // 12)
    axes.set_xticks(places[::step], texts[::step])
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    axes.set_xlabel(axis)
    axes.set_title(f"{working.title} = {float(working.value):.4f}", fontsize="medium")
    if sum(map(len, texts[::step])) > 24:
        axes.tick_params(axis="x", rotation=60)
    axes.legend(  # below the axis, where it hides nothing
        frameon=False, fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2
    )
