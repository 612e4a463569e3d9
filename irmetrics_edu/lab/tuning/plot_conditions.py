"""The conditions on a discount coefficient, drawn: where each holds, and where all do."""

from typing import Any

from irmetrics_edu.errors import extra
from irmetrics_edu.lab.tuning.tune import Condition, Tuning

_MOST = 28  # more lines than that can't be read
# Blue and orange are told apart by nearly everybody; hatches do the same in print.
_HOLDS, _BINDS, _NEVER = "#0072b2", "#d55e00", "#999999"


def plot_conditions(result: Tuning, ax: Any = None) -> Any:
    """Draw where in [0, 1] each condition on the coefficient holds, and the feasible part.

    `result` comes from `tune_alpha` or `tune_beta`. `ax` is a matplotlib axis. Without it a new
    axis is made, and returned. A bar covers the coefficients for which its condition holds. A
    hatched bar is a condition that keeps the coefficient from being larger. A cross marks a
    condition that never holds. The scale is logarithmic, because the ends are near 0. If there are
    more than 28 conditions, only those between neighbouring groups are drawn, and only the last 28
    of these.
    """
    plt = extra("matplotlib.pyplot", what="drawing")
    shown = _shown(result)
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 1.4 + 0.34 * len(shown)), layout="constrained")
    ends = [float(i.high) for c in shown for i in c.holds.intervals if float(i.high) > 0]
    left = min([*ends, 0.1]) / 10
    for line, condition in enumerate(shown):
        _draw(ax, line, condition, left, binds=condition in {*result.binding, *result.conflict})
    if result.value is not None:
        for interval in result.feasible_set.intervals:
            ax.axvspan(
                max(float(interval.low), left), float(interval.high), color=_HOLDS, alpha=0.12
            )
        ax.axvline(float(result.value), color="black", linestyle="--", linewidth=1.2)
    ax.set_xscale("log")
    ax.set_xlim(left, 1)
    ax.set_yticks(range(len(shown)), [f"$R_{{{c.i}}}$ over $R_{{{c.j}}}$" for c in shown])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.set_xlabel(f"{result.symbol} (logarithmic scale; 0 lies beyond the left edge)")
    ax.set_title(_title(result, len(shown)), fontsize=10)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _shown(result: Tuning) -> list[Condition]:
    if len(result.conditions) <= _MOST:
        return list(result.conditions)
    return [c for c in result.conditions if c.i == c.j + 1][-_MOST:]


def _draw(ax: Any, line: int, condition: Condition, left: float, *, binds: bool) -> None:
    colour = _BINDS if binds else _HOLDS
    for interval in condition.holds.intervals:
        low = max(float(interval.low), left)
        ax.barh(
            line,
            float(interval.high) - low,
            left=low,
            height=0.55,
            facecolor="white" if binds else colour,
            edgecolor=colour,
            hatch="////" if binds else None,
        )
        if float(interval.high) < 1:
            ax.plot(
                float(interval.high),
                line,
                marker="o",
                markersize=6,
                markeredgecolor=colour,
                markerfacecolor=colour if interval.high_belongs else "white",
            )
    if not condition.holds:
        ax.plot(
            left * 1.4,
            line,
            marker="x",
            markersize=8,
            markeredgewidth=2,
            color=_BINDS if binds else _NEVER,
        )
        ax.text(left * 1.9, line, "holds nowhere", va="center", fontsize=9)


def _written(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value} = {float(value):.4g}"


def _title(result: Tuning, shown: int) -> str:
    setting = f"k = {result.k}, p = {result.p}, τ = {result.tau}, N = {result.n_tau}"
    more = "" if shown == len(result.conditions) else f" ({shown} of {len(result.conditions)})"
    if result.value is None:
        pairs = " and ".join(f"$R_{{{c.i}}}$ over $R_{{{c.j}}}$" for c in result.conflict)
        found = f"no {result.symbol} is feasible: {pairs}"
    else:
        bound = "up to" if result.attained else "below"
        found = f"feasible (shaded): {result.symbol} {bound} {_written(result.value)}"
    return f"Conditions on {result.symbol}{more}: {setting}\n{found}"
