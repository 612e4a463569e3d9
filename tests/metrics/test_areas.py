"""GAUC and AWRF against definitions, bounds and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.curves import group_auc
from irmetrics_edu.metrics.fairness import awrf
from tools.vectors.oracles.exposure import fairness, group_area

shown = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.sampled_from("uvw")), min_size=2, max_size=12
)
GROUPS = {"a": {"x"}, "b": {"y"}, "c": {"x", "z"}, "d": {"y"}, "e": set(), "f": {"z"}}


@given(shown)
def test_group_auc_goes_user_by_user(rows):
    """Weighted by items shown; users with one kind of item are left out."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    grades, scores, users = (dict(enumerate(column)) for column in columns)
    if not any({g for g, _, u in rows if u == user} == {0, 1} for user in "uvw"):
        with pytest.raises(InputError, match="no user has both"):
            group_auc(*columns)
    else:
        assert group_auc(*columns, exact=True) == group_area(scores, grades, users)


def test_users_without_an_auc_are_told():
    """In the notes of the working."""
    working = group_auc.working([1, 0, 1], [3, 2, 1], ["u", "u", "v"])
    assert working.notes == ("1 of 2 users have no AUC and are left out",)
    assert working.value == 1


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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: group_auc([1], [1, 2], ["u"]), "1 relevance, 2 scores, 1 users"),
        (lambda: group_auc([], [], []), "nothing is judged"),
        (lambda: group_auc([1, 0], [1, float("nan")], ["u", "u"]), "query 'u': item 2: score nan"),
        (lambda: group_auc([1, 0], [1, 2], "uv"), "users='uv' is not a list"),
        (lambda: awrf(["a"], GROUPS, target={"y": 1}), "target has no group 'x'"),
        (lambda: awrf(["a"], GROUPS, target={"x": 2}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, p=1), "p=1"),
    ],
)
def test_what_has_no_value_is_refused(call, words):
    """Each message says what was given."""
    with pytest.raises(InputError, match=words):
        call()
