"""Figures draw what a working holds; they are told apart without colour."""

import numpy as np
import pytest

from irmetrics_edu import ndcg, reciprocal_rank
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import plotting
from irmetrics_edu.working import Table, Working

WORKING = ndcg.working([3, 2, 3, 0, 0, 1, 2, 2, 3, 0], discount="jk")


def close(figure):
    """Figures pile up otherwise."""
    import matplotlib.pyplot as plt

    plt.close(figure)


def test_the_bars_are_the_working_s_numbers():
    """Nothing is computed in a drawing: heights are the column's values."""
    figure = plotting.draw(WORKING)
    panel = next(axes for axes in figure.axes if axes.get_title().startswith("DCG"))
    heights = [bar.get_height() for bar in panel.patches]
    np.testing.assert_allclose(heights, WORKING["DCG"]["discounted gain"])
    np.testing.assert_allclose(panel.lines[0].get_ydata(), WORKING["DCG"]["cumulated"])
    close(figure)


def test_dcg_and_its_ideal_share_a_scale():
    """Two sums that are held against each other are drawn alike."""
    figure = plotting.draw(WORKING)
    tops = {axes.get_ylim()[1] for axes in figure.axes if "DCG = " in axes.get_title()[-20:]}
    limits = [axes.get_ylim()[1] for axes in figure.axes][1:]
    assert limits[0] == limits[1]
    assert tops
    close(figure)


def test_a_stack_adds_up_to_the_score():
    """Each document's share on top of the others'."""
    figure = plotting.stacked(ndcg.working([2, 3, 5]))
    tops = [text.get_text() for text in figure.axes[0].texts]
    assert tops == ["6.393", "7.893"]
    close(figure)


def test_marks_differ_beside_colour():
    """Hatches and markers tell apart what colours do."""
    figure = plotting.draw(WORKING)
    panel = figure.axes[1]
    assert {bar.get_hatch() for bar in panel.patches} == {"//"}
    assert panel.lines[0].get_marker() == "o"
    close(figure)
    assert len(set(plotting.HATCHES)) == len(plotting.HATCHES) == len(plotting.PALETTE)


def test_a_file_is_the_same_every_time(tmp_path):
    """No time stamp, no version."""
    plotting.save_figure(plotting.draw(WORKING), tmp_path / "a.png")
    plotting.save_figure(plotting.draw(WORKING), tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_nothing_to_draw_is_said():
    """A working without columns has no figure."""
    bare = Working(np.array([0.5]), name="bare")
    assert not plotting.can_draw(bare)
    with pytest.raises(InputError, match="no column to draw"):
        plotting.draw(bare)
    with pytest.raises(InputError, match="RR is not the sum of a column"):
        plotting.stacked(reciprocal_rank.working([1]))


def with_parts(n: int, *, deep: bool = False) -> Working:
    """A working of n parts with a column each, and parts of these."""

    def one(name, parts):
        labels = {"document": [f"d{i}" for i in range(12)]}
        table = Table(np.zeros(12, dtype=np.intp), labels)
        column = {"worth": np.arange(12.0) - 3}
        return Working(np.array([1.0]), columns=column, table=table, parts=parts, name=name)

    inner = {"inner": one("inner", {})} if deep else {}
    return one("whole", {f"part {i}": one(f"part {i}", inner) for i in range(1, n + 1)})


def test_a_long_working_is_drawn_in_rows():
    """Three panels in a row, all on one scale, and none of them wider than a page."""
    figure = plotting.draw(with_parts(7))
    assert len(figure.axes) == 8
    assert figure.get_figwidth() <= 11
    assert len({axes.get_position().y0 for axes in figure.axes}) == 3
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    assert figure.axes[0].get_ylim()[0] <= -3
    close(figure)


def test_of_very_many_panels_the_first_are_drawn_and_the_others_counted():
    """The title says so."""
    working = with_parts(20)
    figure = plotting.draw(working)
    assert len(figure.axes) == 12
    assert "12 of 21 panels" in figure.get_suptitle()
    close(figure)


def test_parts_come_before_their_own_parts():
    """So the steps of a long working are seen together."""
    figure = plotting.draw(with_parts(2, deep=True))
    titles = [axes.get_title().split(" =")[0] for axes in figure.axes]
    assert titles == ["whole", "part 1", "part 2", "inner", "inner"]
    close(figure)


def test_the_legend_stands_clear_of_turned_labels():
    """Below the names of the documents and of the axis, wherever they end."""
    figure = plotting.draw(with_parts(0))
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.get_legend().get_window_extent().y1 <= axes.xaxis.get_tightbbox().y0
    close(figure)


def test_lines_that_one_label_does_not_tell_apart_are_named_by_all():
    """A pair is named by both of its documents."""
    labels = {"better": ["a", "a"], "worse": ["b", "c"]}
    table = Table(np.zeros(2, dtype=np.intp), labels)
    working = Working(np.array([1.0]), columns={"slack": np.ones(2)}, table=table, name="pairs")
    figure = plotting.draw(working)
    axes = figure.axes[0]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["a, b", "a, c"]
    assert axes.get_xlabel() == "better, worse"
    close(figure)
