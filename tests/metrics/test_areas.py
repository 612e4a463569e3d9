"""Partial AUC, GAUC, MCC and AWRF against definitions, scikit-learn, bounds and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.areas import group_auc, partial_auc
from irmetrics_edu.metrics.contingency import matthews_correlation
from irmetrics_edu.metrics.curves import roc_auc
from irmetrics_edu.metrics.fairness import awrf
from tools.vectors.oracles.exposure import fairness, group_area
from tools.vectors.oracles.further import roc_area
from tools.vectors.oracles.sets import matthews

shown = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.sampled_from("uvw")), min_size=2, max_size=12
)
GROUPS = {"a": {"x"}, "b": {"y"}, "c": {"x", "z"}, "d": {"y"}, "e": set(), "f": {"z"}}


@given(shown, st.sampled_from([0.1, 0.25, 0.5, 0.9, 1]))
def test_partial_auc_is_that_of_scikit_learn(rows, limit):
    """Ties and all, on McClish's scale."""
    metrics = pytest.importorskip("sklearn.metrics")
    grades, scores = [g for g, _, _ in rows], [s for _, s, _ in rows]
    assume(len(set(grades)) == 2)
    expected = metrics.roc_auc_score(grades, scores, max_fpr=limit)
    assert partial_auc(grades, scores, fallout=limit) == pytest.approx(expected, abs=1e-9)
    assert 0 <= partial_auc(grades, scores, fallout=limit, exact=True) <= 1


def test_partial_auc_by_hand():
    """The curve goes (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1); up to 1/2 its area is 1/4."""
    working = partial_auc.working([1, 0, 1, 0], [4, 3, 2, 1], fallout=0.5, exact=True)
    assert working["area"][0] == Fraction(1, 4)
    assert working.value == (1 + (Fraction(1, 4) - Fraction(1, 8)) / Fraction(3, 8)) / 2
    # A limit between two thresholds cuts a slope: a tie of all, up to a quarter, is chance.
    assert partial_auc([1, 0], [1, 1], fallout=0.25, exact=True) == Fraction(1, 2)


@given(shown)
def test_the_whole_area_is_auc(rows):
    """fallout=1 leaves nothing out."""
    grades, scores = [g for g, _, _ in rows], [s for _, s, _ in rows]
    assume(len(set(grades)) == 2)
    whole = partial_auc(grades, scores, fallout=1, exact=True)
    assert whole == roc_auc(grades, scores, exact=True) == roc_area([(s, g) for g, s, _ in rows])


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


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=12))
def test_mcc_is_a_correlation(documents):
    """Pearson's, of two columns of 0 and 1 over the whole collection."""
    assume(any(relevant for _, relevant in documents))
    ranking = [i for i, (retrieved, _) in enumerate(documents) if retrieved]
    relevant = {i for i, (_, good) in enumerate(documents) if good}
    grades = [int(i in relevant) for i in ranking]
    expected = float(matthews(grades, [1] * len(relevant), collection=len(documents)))
    columns = np.array(documents).T
    constant = any(len(set(column)) == 1 for column in columns.tolist())
    assert expected == pytest.approx(0 if constant else np.corrcoef(columns)[0, 1], abs=1e-12)
    score = matthews_correlation(ranking, relevant, collection=len(documents))
    assert score == pytest.approx(expected, abs=1e-12)
    try:
        exact = matthews_correlation(ranking, relevant, collection=len(documents), exact=True)
    except NotRational:
        return
    assert float(exact) == pytest.approx(score, abs=1e-12)


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
        (lambda: partial_auc([1, 0], [2, 1], fallout=0), "fallout=0"),
        (lambda: partial_auc([1, 1], [2, 1]), "all are relevant"),
        (lambda: group_auc([1], [1, 2], ["u"]), "1 relevance, 2 scores, 1 users"),
        (lambda: group_auc([], [], []), "nothing is judged"),
        (lambda: group_auc([1, 0], [1, float("nan")], ["u", "u"]), "query 'u': item 2: score nan"),
        (lambda: group_auc([1, 0], [1, 2], "uv"), "users='uv' is not a list"),
        (lambda: matthews_correlation([1, 0]), "collection= is missing"),
        (lambda: awrf(["a"], GROUPS, target={"y": 1}), "target has no group 'x'"),
        (lambda: awrf(["a"], GROUPS, target={"x": 2}), "add up to 1"),
        (lambda: awrf(["a"], GROUPS, p=1), "p=1"),
    ],
)
def test_what_has_no_value_is_refused(call, words):
    """Each message says what was given."""
    with pytest.raises(InputError, match=words):
        call()
