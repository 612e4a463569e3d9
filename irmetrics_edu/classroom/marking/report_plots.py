"""The plots of the report: how the marks are spread, and how hard the questions were.

matplotlib (the extra `plot`) draws them as SVG inside the page. Without it the report has only its
tables, which hold the same numbers.
"""

import io
from collections.abc import Sequence
from typing import Any

from irmetrics_edu.classroom.marking.items import Bin, Item
from irmetrics_edu.errors import extra
from irmetrics_edu.views import escaping
from irmetrics_edu.views.formatting import number
from irmetrics_edu.views.plotting import PALETTE

_STYLE = {
    "svg.hashsalt": "irmetrics", "svg.fonttype": "none", "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"], "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False,
}  # fmt: skip
_NOTHING_ELSE = {"Date": None, "Creator": None, "Format": None, "Type": None}


def figure(title: str, bins: Sequence[Bin], questions: Sequence[Item]) -> str:
    """Both plots of an exercise as SVG with a text alternative; "" without marks.

    MissingExtra if matplotlib is not installed.
    """
    if not bins or not questions:
        return ""
    matplotlib = extra("matplotlib", what="drawing")
    figures = extra("matplotlib.figure", what="drawing")
    with matplotlib.rc_context(_STYLE):
        drawn = figures.Figure(figsize=(9.0, 2.2 + 0.22 * len(questions)), layout="constrained")
        left, right = drawn.subplots(1, 2)
        _marks(left, bins)
        _difficulties(right, questions)
        out = io.StringIO()
        drawn.savefig(out, format="svg", facecolor="white", metadata=_NOTHING_ELSE)
    svg = out.getvalue()
    inside = svg[svg.index("<svg") + len("<svg") :]
    return f'<svg role="img" aria-label="{escaping.html(words(title, bins, questions))}"{inside}'


def words(title: str, bins: Sequence[Bin], questions: Sequence[Item]) -> str:
    """What the plots show."""
    spread = "; ".join(f"{b.low:g} to {b.high:g}: {b.count}" for b in bins if b.count)
    shares = "; ".join(
        f"{q.name} {number(q.difficulty, 2)}" for q in questions if q.difficulty is not None
    )
    return f"{title}. Students by marks: {spread}. Mean share of marks by question: {shares}."


def _marks(axes: Any, bins: Sequence[Bin]) -> None:
    places = range(len(bins))
    axes.bar(places, [b.count for b in bins], width=0.92, color=PALETTE[0], align="edge")
    axes.set_xticks([*places, len(bins)], [f"{b.low:g}" for b in bins] + [f"{bins[-1].high:g}"])
    axes.set_xlabel("marks")
    axes.set_ylabel("students")
    axes.yaxis.get_major_locator().set_params(integer=True)


def _difficulties(axes: Any, questions: Sequence[Item]) -> None:
    shares = [q.difficulty or 0.0 for q in questions]
    axes.barh(range(len(questions)), shares, color=PALETTE[2], height=0.7)
    for place, question in enumerate(questions):
        shown = "not marked" if question.difficulty is None else number(question.difficulty, 2)
        if question.discrimination is not None:
            shown += f", r = {number(question.discrimination, 2)}"
        axes.text(shares[place] + 0.02, place, shown, va="center")
    axes.set_yticks(range(len(questions)), [escaping.figure(q.name) for q in questions])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.4)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_xlabel("mean share of the marks (r: correlation with the other questions)")
