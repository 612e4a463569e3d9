"""AWRF against its definition, bounds and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles.exposure import fairness
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.fairness import awrf

GROUPS = {"a": {"x"}, "b": {"y"}, "c": {"x", "z"}, "d": {"y"}, "e": set(), "f": {"z"}}


@given(st.permutations("abcdef"), st.integers(1, 6), st.sampled_from([0.3, 0.5, 0.9]))
def test_awrf_is_near_the_due_shares(order, n, p):
    """By default what is due is a group's share of all items: 1.5 of 5 have x, 2 y, 1.5 z."""
    items = order[:n]
    if items == ["e"]:
        with pytest.raises(InputError, match="no item of the list has a group"):
            awrf(items, GROUPS, p=p)
        return
    of_all = float(fairness(items, GROUPS, p=p, undefined="zero"))
    assert awrf(items, GROUPS, p=p) == pytest.approx(of_all, abs=1e-9)
    due = {"x": 0.3, "y": 0.4, "z": 0.3}
    expected = float(fairness(items, GROUPS, p=p, undefined="zero", target=due))
    assert of_all == pytest.approx(expected, abs=1e-12)
    due = {"x": 0.0, "y": 0.5, "z": 0.5}
    expected = float(fairness(items, GROUPS, p=p, undefined="zero", target=due))
    assert awrf(items, GROUPS, p=p, target=due) == pytest.approx(expected, abs=1e-9)


def test_awrf_is_0_where_all_attention_goes_elsewhere():
    """And 1 where it is as it should be."""
    assert awrf(["a"], GROUPS, target={"x": 0, "y": 1}) == 0
    assert awrf(["a"], GROUPS, target={"x": 1}) == 1


def test_a_reader_who_hardly_goes_on_gives_the_next_rank_a_little():
    """However little it is, the group of the second item is there."""
    working = awrf.working(["a", "b"], {"a": {"x"}, "b": {"y"}}, p=1e-150)
    assert working["share of attention"].tolist() == [1, 1e-150]
    least = awrf.working(["a", "b"], {"a": {"x"}, "b": {"y"}}, p=5e-324)
    assert least["share of attention"].tolist() == [1, 5e-324]
    working = awrf.working(["a", "b"], {"a": {"x"}, "b": {"y"}}, k=1)
    assert working["share of attention"].tolist() == [1]
    assert working.table.labels["group"] == ["x"]
    with pytest.raises(NotRational):
        awrf(["a"], GROUPS, exact=True)


def test_rounding_takes_no_score_beyond_its_range():
    """Shares that are just as they should be, and those that nothing of is due to."""
    places = [12, 14, 15, 15, 11, 5, 13, 1, 10, 8, 1, 0, 12, 4, 15, 6]
    groups = {f"d{i}": {place} for i, place in enumerate(places)}
    attention = dict.fromkeys(places, 0.0)
    for i, place in enumerate(places):
        attention[place] += 0.7**i
    due = {place: share / sum(attention.values()) for place, share in attention.items()}
    assert awrf(list(groups), groups, target=due, p=0.7) <= 1
    for p in (1 / 3, 0.6, 0.9):
        nothing = {**dict.fromkeys(places, 0.0), "none": 1.0}
        assert awrf(list(groups), groups, target=nothing, p=p) >= 0
    assert awrf(["a"], GROUPS, target={"x": 1 + 1e-12}) <= 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: awrf(["a"], GROUPS, target={"y": 1}), "target has no group 'x'"),
        (lambda: awrf(["a"], GROUPS, target={"x": 2}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, target={"x": 0.5, "y": 0.6}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, target={"x": 0.5, "y": 0.4}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, target={"x": 1 + 2e-9}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, target={"x": 1.5, "y": -0.5}), "shares of 0 or more"),
        (lambda: awrf(["a"], GROUPS, target={}), "is not a mapping"),
        (lambda: awrf(["a"], GROUPS, target=["x"]), "is not a mapping"),
        (lambda: awrf(["a"], GROUPS, p=1), "p=1"),
    ],
)
def test_what_has_no_value_is_refused(call, words):
    """Each message says what was given."""
    with pytest.raises(InputError, match=words):
        call()
