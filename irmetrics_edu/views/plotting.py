"""Plots of a working's columns. They show what is there and compute nothing.

matplotlib is imported on use (the extra `plot`).
"""

import io
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working
from irmetrics_edu.writing import write

# Okabe & Ito's palette (2008): told apart with any kind of colour vision.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#F0E442", "#000000")
HATCHES = ("", "//", "\\\\", "xx", "--", "++", "..", "oo")
SIZE = (6.4, 3.6)
TOOLTIP = "tooltip:"  # begins the gid of what an SVG shows a text for, under the pointer
_TOOLTIP = re.compile(f'<g id="{TOOLTIP}([^"]*)">')
_MOST_LINES = 40
_MOST_SEGMENTS = 8
_ACROSS = 3
_MOST_PANELS = 12
_LINE = 14  # points that a line of text takes
_TITLE_WIDTH = 42  # characters above a panel
_STYLE = {
    "svg.hashsalt": "irmetrics",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
# What would tell when and by what a figure was written is left out of it.
_METADATA = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None},
}


class Axes(Protocol):
    """What a plot uses of matplotlib's Axes, which is imported only to draw."""

    @property
    def figure(self) -> Any:
        """The figure that holds the axes."""

    def bar(self, *args: Any, **options: Any) -> Any:
        """Draw bars."""

    def fill_between(self, *args: Any, **options: Any) -> Any:
        """Fill an area."""

    def plot(self, *args: Any, **options: Any) -> Any:
        """Draw a line."""

    def axhline(self, *args: Any, **options: Any) -> Any:
        """Draw a horizontal line."""

    def set_title(self, *args: Any, **options: Any) -> Any:
        """Write the title."""

    def set_xlabel(self, *args: Any, **options: Any) -> Any:
        """Write what the x-axis shows."""

    def set_ylabel(self, *args: Any, **options: Any) -> Any:
        """Write what the y-axis shows."""

    def set_ylim(self, *args: Any, **options: Any) -> Any:
        """Bound the y-axis."""

    def set_xlim(self, *args: Any, **options: Any) -> Any:
        """Set where the x-axis begins and ends."""

    def set_xticks(self, *args: Any, **options: Any) -> Any:
        """Set the ticks of the x-axis and their names."""

    def legend(self, *args: Any, **options: Any) -> Any:
        """Draw the legend."""


def can_draw(working: Working) -> bool:
    """Whether there is a column of numbers to plot."""
    return any(_columns_of(w) for w in _with_parts(working))


def draw(working: Working) -> Any:
    """A figure of a working: for each score with columns, its last two columns by rank.

    The column that is summed is shown as bars, and the cumulated column as a line. If parts have
    such columns too (DCG and IDCG), each has a panel of its own, on one scale, three in a row. If a
    working has very many parts, only the first are drawn, and the title says how many.
    """
    plt = pyplot()
    every = [w for w in _with_parts(working) if _columns_of(w)]
    shown = every[:_MOST_PANELS]
    if not shown:
        raise InputError(f"{working.title} has no column to draw")
    across = min(_ACROSS, len(shown))
    rows = -(-len(shown) // across)
    width = max(SIZE[0], 3.6 * across)
    height = SIZE[1] if rows == 1 else 3.0 * rows
    with plt.rc_context(_STYLE):
        figure, panels = plt.subplots(
            rows,
            across,
            figsize=(width, height),
            squeeze=False,
            layout="constrained",
        )
        for panel in panels.flat[len(shown) :]:
            panel.remove()
        drawn = list(zip(panels.flat, shown, strict=False))
        for panel, part in drawn:
            _panel(panel, part)
        _on_one_scale(drawn)
        heading = working.title if len(shown) > 1 else ""
        heading = textwrap.fill(heading, int(11 * figure.get_figwidth()))
        if len(every) > len(shown):
            heading += f"\n{len(shown)} of {len(every)} panels are drawn"
        if heading:
            figure.suptitle(escaping.figure(heading))
    return figure


def _on_one_scale(drawn: Sequence[tuple[Any, Working]]) -> None:
    """Give panels of the same columns one scale, such as those of DCG and IDCG."""
    alike: dict[tuple[str, ...], list[Any]] = {}
    for panel, working in drawn:
        alike.setdefault(tuple(_columns_of(working)), []).append(panel)
    for panels in alike.values():
        low = min(panel.get_ylim()[0] for panel in panels)
        high = max(panel.get_ylim()[1] for panel in panels)
        for panel in panels:
            panel.set_ylim(low, high)


def stacked(working: Working, *, title: str = "") -> Any:
    """A sum as one bar: the shares of the documents stacked, with the ideal next to it."""
    plt = pyplot()
    summed = [w for w in _with_parts(working) if _summed(w)]
    if not summed:
        raise InputError(f"{working.title} is not the sum of a column")
    with plt.rc_context(_STYLE):
        figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
        for place, part in enumerate(summed):
            bottom = 0.0
            values = [float(v) for v in part[_summed(part)]]
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
            axes.text(
                place,
                bottom,
                f"{bottom:.4g}",
                ha="center",
                va="bottom",
            )
        axes.set_xticks(range(len(summed)), [escaping.figure(w.title) for w in summed])
        axes.set_ylabel(escaping.figure(_summed(summed[0])))
        axes.set_title(escaping.figure(title or working.title))
        axes.legend(
            loc="center left",
            bbox_to_anchor=(1, 0.5),
            frameon=False,
        )
    return figure


def save_figure(
    figure: Any,
    path: str | Path,
) -> None:
    """Write a figure to a file, whole or not at all, the same bytes every time; it is closed."""
    write(path, figure_bytes(figure, kind_of_figure(path)))


def figure_bytes(figure: Any, kind: str) -> bytes:
    """A figure as the bytes of a file, such as "svg", the same every time; it is closed."""
    plt = pyplot()
    drawn = io.BytesIO()
    with plt.rc_context(_STYLE):
        figure.savefig(
            drawn,
            format=kind,
            metadata=_METADATA.get(kind),
        )
    plt.close(figure)
    if kind != "svg":
        return drawn.getvalue()
    # As an id the text may stand twice and hold blanks; as a title a browser shows it.
    return _TOOLTIP.sub(r"<g><title>\1</title>", drawn.getvalue().decode()).encode()


def kind_of_figure(path: str | Path) -> str:
    """The kind of figure in a file's name, such as "svg"; InputError for an unknown kind."""
    canvas = extra("matplotlib.backend_bases", what="drawing").FigureCanvasBase
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in canvas.get_supported_filetypes():
        suffixes = ", ".join(f".{name}" for name in sorted(canvas.get_supported_filetypes()))
        raise InputError(f"{path} does not end as the file of a figure; use one of {suffixes}")
    return kind


def pyplot() -> Any:
    """matplotlib.pyplot, imported on use; if it is missing, the error says what to install."""
    return extra("matplotlib.pyplot", what="drawing")


def _with_parts(working: Working) -> list[Working]:
    """A working, its parts, then the parts of these: AdaRank's rounds before their candidates."""
    workings = [working]
    for each in workings:
        workings.extend(each.parts.values())
    return workings


def _summed(working: Working) -> str:
    """The column that the score is the sum of."""
    name = working.how.strip("{}")
    return name if working.how == f"{{{name}}}" and name in working.columns else ""


def _columns_of(working: Working) -> list[str]:
    """The columns worth drawing: the last one, and what it adds up."""
    numeric = [name for name, values in working.columns.items() if _numeric(values)]
    if not numeric or not 0 < len(working.columns[numeric[0]]) <= _MOST_LINES:
        return []
    chosen = [_summed(working)] if _summed(working) in numeric else []
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
    texts = _texts(values)
    if len(set(texts)) < len(texts) and len(labels) > 1:  # pairs need both of their names
        columns = [_texts(v) for v in labels.values()]
        return ", ".join(labels), [", ".join(line) for line in zip(*columns, strict=True)]
    return name, texts


def _texts(values: Any) -> list[str]:
    return [f"{v:g}" if isinstance(v, float) else str(v) for v in np.asarray(values, dtype=object)]


_ORDERED = ("rank", "round", "recall level", "threshold", "effective items")


def _is_a_term(
    working: Working,
    name: str,
    axis: str,
    values: Any,
) -> bool:
    """Whether a column holds terms, each for itself (bars), and no running value (a line)."""
    return (
        f"{{{name}}}" in working.how
        or axis not in _ORDERED
        or bool(np.isin(values, (0.0, 1.0)).all())
    )


def _panel(axes: Any, working: Working) -> None:
    from matplotlib.transforms import ScaledTranslation

    names = _columns_of(working)
    axis, texts = _places(working)
    places = np.arange(len(texts))
    for name in names:
        values = np.asarray(working.columns[name], dtype=np.float64)
        shown = escaping.figure(name)
        if _is_a_term(working, name, axis, values):
            axes.bar(
                places,
                values,
                color=PALETTE[0],
                hatch="//",
                edgecolor="white",
                label=shown,
            )
        else:
            axes.plot(
                places,
                values,
                color=PALETTE[3],
                marker="o",
                linewidth=1.5,
                label=shown,
                clip_on=False,
            )
    step = max(1, len(texts) // 12)
    ticks = texts[::step]
    axes.set_xticks(places[::step], list(map(escaping.figure, ticks)))
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))
    axes.set_xlabel(escaping.figure(axis))
    heading = f"{working.title} = {steady(working.value):.4f}"
    axes.set_title(escaping.figure(textwrap.fill(heading, _TITLE_WIDTH)), fontsize="medium")
    height = float(_LINE)
    if sum(map(len, ticks)) > 24:
        axes.tick_params(axis="x", rotation=60)
        height = _LINE * (0.4 * max(map(len, ticks)) + 0.4)
    legend = axes.legend(
        frameon=False,
        fontsize="small",
        loc="upper center",
        ncols=2,
        borderaxespad=0,
    )
    # Below the axis and its label, in points, so that it hides neither.
    below = ScaledTranslation(
        0,
        -(height + 1.7 * _LINE) / 72,
        axes.figure.dpi_scale_trans,
    )
    legend.set_bbox_to_anchor((0.5, 0), transform=axes.transAxes + below)
