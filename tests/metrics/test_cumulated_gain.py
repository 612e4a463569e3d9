"""Normalised cumulated gain by hand, and beside nDCG without a discount."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import ncg, ndcg

JUDGED = {"a": 3, "b": 2, "c": 1, "d": 0, "e": 2}


def test_by_hand():
    """Of grades 3, 2, 2, 1, 0 the ranking has 1, none and 3: 1/3, 1/5, 4/7, and 4/8 at 4."""
    ranking = ["c", "x", "a"]
    assert ncg(ranking, JUDGED, k=1) == 1 / 3
    assert ncg(ranking, JUDGED, k=2) == 1 / 5
    assert ncg(ranking, JUDGED, k=3) == 4 / 7
    assert ncg(ranking, JUDGED, k=4) == 4 / 8
    assert ncg(ranking, JUDGED) == 4 / 8


def test_other_gains_by_hand():
    """2^g - 1: of 7, 3, 3 the first three have 1 and 7; by hits: two of three."""
    ranking = ["c", "x", "a"]
    assert ncg(ranking, JUDGED, k=3, gain="exp") == 8 / 13
    assert ncg(ranking, JUDGED, k=3, gain="binary") == 2 / 3


def test_a_plain_loop_agrees():
    """Gains of the first k over those of the best k, added up one by one."""
    ranking = ["e", "d", "x", "b", "c", "a"]
    for k in range(1, 9):
        have = 0
        for document in ranking[:k]:
            have += JUDGED.get(document, 0)
        best = 0
        for grade in sorted(JUDGED.values(), reverse=True)[:k]:
            best += grade
        assert ncg(ranking, JUDGED, k=k) == have / best


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(1, 15))
def test_it_is_ndcg_without_a_discount(grades, k):
    """Whatever the grades and the cut-off."""
    assert ncg(grades, k=k) == pytest.approx(ndcg(grades, k=k, discount="none"), abs=1e-12)


def test_a_query_without_gain():
    """It scores as `no_relevant` says."""
    assert ncg(["a"], {"a": 0, "b": 0}) == 0
    assert ncg(["a"], {"a": 0, "b": 0}, no_relevant="one") == 1


def test_the_steps():
    """The gain of the ranking and that of the ideal are parts of the working."""
    working = ncg.working(["c", "x", "a"], JUDGED, k=3)
    assert working.parts["cumulated gain"].score[0] == 4
    assert working.parts["ideal cumulated gain"].score[0] == 7
