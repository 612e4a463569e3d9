"""The conditions on a discount coefficient, drawn: where each holds, and where all do."""

from typing import TYPE_CHECKING

from irmetrics_edu.lab.tuning.tune import Condition, Tuning

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Blue and orange are told apart by nearly everybody; hatches do the same in print.
_HOLDS = "#0072b2"
_BINDS = "#d55e00"
_NEVER = "#999999"


def plot_conditions(result: Tuning, ax: "Axes") -> None:
    """Draw where in [0, 1] each condition on the coefficient holds, and the feasible part.

    `result` comes from `tune_alpha` or `tune_beta`. `ax` is a matplotlib axis. A bar covers the
    coefficients for which its condition holds, and a dot is its end, which does not belong to it. A
    hatched bar is a condition that keeps the coefficient from being larger. A cross marks a
    condition that never holds. The scale is logarithmic, because the ends are near 0.
    """
    ends = [float(i.high) for c in result.conditions for i in c.holds.intervals if i.high.value > 0]
    left = min([*ends, 0.1]) / 10
    for line, condition in enumerate(result.conditions):
        _draw(
            ax,
            line,
            condition,
            left,
            binds=condition in {*result.binding, *result.conflict},
        )
    for interval in result.feasible_set.intervals:
        ax.axvspan(
            max(float(interval.low), left),
            float(interval.high),
            color=_HOLDS,
            alpha=0.12,
        )
    if result.value is not None:
        ax.axvline(
            float(result.value),
            color="black",
            linestyle="--",
            linewidth=1.2,
        )
    ax.set_xscale("log")
    ax.set_xlim(left, 1)
    labels = [f"$R_{{{c.i}}}$ over $R_{{{c.j}}}$" for c in result.conditions]
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_xlabel(f"{result.symbol} (logarithmic scale; 0 lies beyond the left edge)")
    setting = f"k = {result.k}, p = {result.p}, τ = {result.tau}, N = {result.n_tau}"
    ax.set_title(
        f"Conditions on {result.symbol}: {setting}\n{result.working.notes[1]}", fontsize=10
    )
    ax.spines[["top", "right"]].set_visible(False)


def _draw(
    ax: "Axes",
    line: int,
    condition: Condition,
    left: float,
    *,
    binds: bool,
) -> None:
    colour = _BINDS if binds else _HOLDS
    for interval in condition.holds.intervals:
        low = max(float(interval.low), left)
        high = float(interval.high)
        hatch, inside = ("////", "white") if binds else (None, colour)
        ax.barh(
            line,
            high - low,
            0.55,
            low,
            facecolor=inside,
            edgecolor=colour,
            hatch=hatch,
        )
        if high < 1:
            ax.plot(
                high,
                line,
                "o",
                markersize=6,
                markeredgecolor=colour,
                markerfacecolor="white",
            )
    if not condition.holds:
        cross = _BINDS if binds else _NEVER
        ax.plot(
            left * 1.4,
            line,
            "x",
            markersize=8,
            markeredgewidth=2,
            color=cross,
        )
        ax.text(
            left * 1.9,
            line,
            "holds nowhere",
            va="center",
            fontsize=9,
        )
