"""Simulate gates, and write docs/gates.md with its figure: `python -m dev.benchmarks.gate`.

The results are kept in dev/benchmarks/gate.json; with --draw the page is written anew from them.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.benchmarks.gate_page import page
from dev.benchmarks.gate_simulation import (
    DROPS,
    KINDS,
    TOLERATED,
    Results,
    Shares,
    as_json,
    from_json,
    simulate,
)

HERE = Path(__file__).resolve().parent
KEPT, PAGE, FIGURE = HERE / "gate.json", Path("gates.md"), Path("gates.svg")
DOCS = HERE.parents[1] / "docs"
_STYLE = {
    "svg.hashsalt": "irmetrics",
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_SHAPES = {"lower": "many fall a little", "broken": "a few fall to 0"}


def draw(results: Results, path: Path) -> None:
    """The figure: false alarms, regressions found, and what passes."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    from irmetrics_edu.views.plotting import PALETTE

    with plt.rc_context(_STYLE):
        figure, (alarms, found, passed) = plt.subplots(
            1, 3, figsize=(11.5, 4.2), layout="constrained"
        )
        for name, label, style in (
            ("one", "nDCG@10, the test alone", "o-"),
            ("four", "four measures, the test alone", "s-"),
            ("groups", "four groups, the test alone", "^-"),
            ("four, limit 0.1", "four measures, limit 0.1", "D--"),
            ("four, limit 0.05", "four measures, limit 0.05", "v--"),
            ("four, limit 0.03", "four measures, limit 0.03", "x--"),
        ):
            color = PALETTE[[*"os^Dvx"].index(style[0])]
            _line(alarms, results.same, name, label, style, color)
        alarms.set_ylabel("share of pairs of versions")
        alarms.axhline(0.05, color="black", linewidth=0.8, linestyle=":")
        alarms.set(title="Nothing got worse: how often a gate fails", ylim=(-0.01, 0.36))
        for i, drop in enumerate(DROPS):
            for kind, marker in zip(KINDS, "os", strict=True):
                label = f"{drop:g}, {_SHAPES[kind]}"
                of = results.falls[kind, drop]
                _line(found, of, "one, limit 0.1", label, f"{marker}-", PALETTE[i])
                _line(found, of, "one", "", f"{marker}:", PALETTE[i])
        found.set(
            title="nDCG@10 fell: how often a gate fails\n(dotted: by its test alone)",
            ylim=(-0.02, 1.02),
        )
        for i, limit in enumerate(TOLERATED):
            name = f"pass at {limit:g}"
            _line(passed, results.same, name, f"margin={limit:g}", f"{'osD'[i]}-", PALETTE[i])
        passed.set(title="Nothing got worse: how often it passes", ylim=(-0.02, 1.02))
        for panel in (alarms, found, passed):
            panel.set_xscale("log")
            sizes = [one.n for one in results.same]
            panel.set_xticks(sizes, [f"{n:,}" for n in sizes])
            panel.minorticks_off()
            panel.set_xlabel("queries")
            panel.legend(fontsize=7, frameon=False)
        figure.savefig(path, metadata={"Date": None}, format=path.suffix[1:], dpi=150)
        plt.close(figure)


def _line(panel: Any, of: Sequence[Shares], name: str, label: str, style: str, color: str) -> None:
    shown = {"label": label} if label else {}
    panel.plot(
        [one.n for one in of],
        [one.share.get(name, 0.0) for one in of],
        style,
        color=color,
        markersize=4,
        **shown,
    )


def write(results: Results, docs: Path) -> None:
    """The page and its figure."""
    draw(results, docs / FIGURE)
    (docs / PAGE).write_text(page(results, FIGURE.name), encoding="utf-8")


def page_of_kept() -> str:
    """The page by the results that are kept, with the defaults of today."""
    return page(from_json(KEPT.read_text(encoding="utf-8")), FIGURE.name)


def main(given: list[str] | None = None) -> int:
    """Simulate unless only drawing is asked for, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m dev.benchmarks.gate", description=__doc__)
    parser.add_argument("--times", type=int, default=1000, help="pairs of versions for each point")
    parser.add_argument("--draw", action="store_true", help="from the results that are kept")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the results are kept")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder of the page")
    asked = parser.parse_args(given)
    if asked.draw:
        results = from_json(asked.kept.read_text(encoding="utf-8"))
    else:
        results = simulate(asked.times, tell=lambda said: sys.stderr.write(said + "\n"))
        asked.kept.write_text(as_json(results), encoding="utf-8")
    write(results, asked.docs)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
