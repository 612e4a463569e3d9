"""What plots of queries ask of their axes: each call is noted, and nothing is drawn."""

import numpy as np
import pytest

from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.runs import evaluation_plots
from irmetrics_edu.runs.evaluation_plots import bars, levels_of, plot_levels, plot_queries
from irmetrics_edu.views.plotting import PALETTE, TOOLTIP
from tests.tables import rows


class _Bar:
    def set_gid(self, told):
        self.told = told


class _Noting:
    """Axes that note what they are asked."""

    def __init__(self):
        self.calls = []
        self.bars = []

    def __getattr__(self, name):
        def call(*given, **options):
            self.calls.append((name, given, options))
            if name == "bar":
                self.bars = [_Bar() for _ in given[1]]
            return self.bars

        return call

    def of(self, name):
        return [(given, options) for called, given, options in self.calls if called == name]

    def text_of(self, name):
        ((given, _),) = self.of(name)
        return given[0]


VALUES = {"b": 0.5, "a": 0.5, "c": -0.25, "e": 0.0, "d": float("nan")}


@rows("gains", [False, True])
def test_queries_are_bars_best_first_with_their_mean(gains):
    """Equal ones by their ids, and those without a value at the end."""
    axes = _Noting()
    assert plot_queries(VALUES, 0.1875, "nDCG", gains=gains, ax=axes) is axes
    (((places, heights), options),) = axes.of("bar")
    assert places.tolist() == [0, 1, 2, 3, 4]
    assert heights.tolist()[:4] == [0.5, 0.5, 0.0, -0.25]
    assert options["color"] == [PALETTE[0]] * 3 + [PALETTE[1]] * 2
    assert options["width"] == 0.8
    assert [one.told for one in axes.bars[:4]] == [
        f"{TOOLTIP}{told}" for told in ("a: 0.5000", "b: 0.5000", "e: 0.0000", "c: -0.2500")
    ]
    lines = axes.of("axhline")
    assert lines[0][0] == (0.1875,)
    assert lines[0][1]["color"] == PALETTE[3]
    assert lines[0][1]["linewidth"] == 1.5
    assert lines[0][1]["label"] == ("mean +0.1875" if gains else "mean 0.1875")
    assert [(given, options["linewidth"]) for given, options in lines[1:]] == [((0,), 0.8)] * gains
    below = "queries that gain: 2, lose: 1, equal: 2" if gains else "5 queries, best first"
    assert axes.text_of("set_xlabel") == below
    assert axes.text_of("set_ylabel") == "nDCG"
    assert axes.of("legend") == [((), {"frameon": False})]
    assert axes.of("set_xlim") == [((-0.6, 4.6), {})]


@pytest.mark.parametrize("n", [1, 8, 9, 40, 41, 50])
def test_as_many_queries_are_named_as_have_room(n):
    """Up to eight beside each other, up to forty upright; of more the first and the last five."""
    axes = _Noting()
    plot_queries({f"q{i:03}": 1 - i / n for i in range(n)}, 0.5, "RR", ax=axes)
    ((_, options),) = axes.of("bar")
    assert options["width"] == (0.8 if n <= 40 else 1)
    told = axes.text_of("set_xlabel").split("\n")
    assert told[0] == f"{n} queries, best first"
    if n <= 40:
        (((places, names), options),) = axes.of("set_xticks")
        assert places.tolist() == list(range(n))
        assert names == [f"q{i:03}" for i in range(n)]
        assert (options["rotation"], options["fontsize"]) == (90 if n > 8 else 0, 8)
        assert len(told) == 1
    else:
        assert axes.of("set_xticks") == []
        assert told[1] == "best: q000, q001, q002, q003, q004"
        assert told[2] == "last: " + ", ".join(f"q{i:03}" for i in range(n - 5, n))


@pytest.mark.parametrize("n", [1000, 1001])
def test_of_more_bars_than_can_be_seen_an_area_is_drawn(n):
    """What is above 0 or at it in one colour, what is below in another."""
    axes = _Noting()
    values = np.arange(n) - 2.0
    bars(axes, [str(i) for i in range(n)], values)
    if n == 1000:
        assert axes.of("fill_between") == []
        assert len(axes.bars) == n
    else:
        assert axes.of("bar") == []
        areas = axes.of("fill_between")
        assert [options["color"] for _, options in areas] == [PALETTE[0], PALETTE[1]]
        assert areas[0][1]["where"].tolist() == [value >= 0 for value in values]
        assert areas[1][1]["where"].tolist() == [value < 0 for value in values]
        assert [options["step"] for _, options in areas] == ["mid", "mid"]


@rows("runs", [["one"], ["old", "new"], [f"run{i}" for i in range(9)]])
def test_curves_go_over_the_levels_of_recall(runs):
    """In rising order, each run with a colour and a marker; one run alone is the title."""
    axes = _Noting()
    precisions = {name: [0.2, 0.8, 0.5 + i / 100] for i, name in enumerate(runs)}
    assert plot_levels([1.0, 0.0, 0.5], precisions, ax=axes) is axes
    drawn = axes.of("plot")
    assert [options["label"] for _, options in drawn] == runs
    for i, ((levels, values), options) in enumerate(drawn):
        assert levels.tolist() == [0.0, 0.5, 1.0]
        assert values.tolist() == [0.8, 0.5 + i / 100, 0.2]
        assert options["color"] == PALETTE[i % len(PALETTE)]
        markers = evaluation_plots._MARKERS
        assert options["marker"] == markers[i % len(markers)]
    assert axes.text_of("set_xlabel") == "recall"
    assert "precision" in axes.text_of("set_ylabel")
    assert axes.of("set_xlim") == [((-0.02, 1.02), {})]
    assert axes.of("set_ylim") == [((0, 1.02), {})]
    assert axes.of("legend") == ([] if len(runs) == 1 else [((), {"frameon": False})])
    assert axes.of("set_title") == ([((runs[0],), {})] if len(runs) == 1 else [])


@rows(
    ("names", "levels"),
    [
        ("IPrec@0.0 IPrec@0.5", [0.0, 0.5]),
        ("IPrec@0.1", []),
        ("IPrec@0.0 IPrec@0.5 AP", []),
        ("AP RR", []),
    ],
)
def test_two_interpolated_precisions_or_more_are_a_curve(names, levels):
    """If there is nothing beside them."""
    assert levels_of(measures(names)) == levels
