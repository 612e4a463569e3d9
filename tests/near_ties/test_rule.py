"""Tie groups: what ties, what does not, and what never does because it is exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.study.rankers import _scaled
from irmetrics_edu.near_ties import (
    TOLERANCE,
    best,
    exceeds,
    falling,
    highest,
    in_order,
    leading,
    levelled,
    scale_of_highest,
    sole,
)

LOW, HIGH = 0.3, 0.1 + 0.2  # equal but for rounding
WHOLE = st.lists(st.integers(-4, 4), min_size=1, max_size=12)
SEEDS = st.integers(0, 2**32 - 1)


def off(values: list[int], seed: int) -> np.ndarray:
    """The numbers, each off by rounding: by up to 1e-15 of 4, the largest that there is."""
    return np.array(values) + 4e-15 * np.random.default_rng(seed).uniform(-1, 1, len(values))


def test_two_sums_that_are_equal_by_definition_tie():
    """0.1 + 0.2 and 0.3: the first in the order given, whichever is larger."""
    assert LOW < HIGH
    assert best(np.array([LOW, HIGH])) == best(np.array([HIGH, LOW])) == 0
    assert falling([0.1, LOW, HIGH]).tolist() == falling([0.1, HIGH, LOW]).tolist() == [1, 2, 0]
    assert not exceeds(HIGH, LOW)


def test_what_lies_further_apart_does_not_tie():
    """Ten times the tolerance is a difference, whatever the size of the numbers."""
    for size in (1e-30, 1.0, 1e30):
        assert best(np.array([1.0, 1 + 10 * TOLERANCE]) * size) == 1
        assert best(np.array([-1 - 10 * TOLERANCE, -1.0]) * size) == 1
        assert best(np.array([1.0, 1 + TOLERANCE / 10]) * size) == 0


def test_what_is_less_by_just_the_tolerance_ties():
    """The border belongs to the group, whoever asks."""
    edge = 1.0 - TOLERANCE
    assert leading(np.array([edge, edge, 1.0])).all()
    assert falling([edge, edge, 1.0]).tolist() == [0, 1, 2]
    assert highest(np.array([[edge, edge, 1.0]]), 2).tolist() == [[0, 1]]
    assert not exceeds(1.0, edge)


def test_the_size_that_counts_is_that_of_the_next_higher_number():
    """Beside a million, 1 and a little less are still two numbers."""
    low = 1 - 1e-8
    assert falling([low, low, 1.0, 1e6]).tolist() == [3, 2, 0, 1]
    assert highest(np.array([[low, low, 1.0, 1e6]]), 3).tolist() == [[3, 2, 0]]


def test_whoever_may_lead_gives_the_scale():
    """Two numbers may lead if their roundings overlap: here up to 3 + 50 times the tolerance."""
    for apart, scale in ((52, 50.0), (54, 3.0)):
        values = np.array([2.0, 2.0 - apart * TOLERANCE])
        assert scale_of_highest(values, np.array([3.0, 50.0])) == scale


def test_differences_of_large_numbers_have_their_rounding():
    """What is left of 0.3 - 0.3 ties with 0 beside 0.3, and not by itself."""
    left = np.array([0.0, HIGH - LOW])
    assert best(left) == 1
    assert best(left, scale=0.3) == 0
    assert not exceeds(left[1], left[0], 0.3)


def test_the_scale_that_counts_is_that_of_the_higher_number():
    """A tenth of the tolerance above 0 ties with it if it was computed from numbers near 1."""
    values = [0.0, TOLERANCE / 10]
    assert falling(values, scale=[0.0, 1.0]).tolist() == [0, 1]
    assert falling(values, scale=[1.0, 0.0]).tolist() == [1, 0]


def test_groups_are_chains_of_neighbours():
    """Each of three ties with the next, so all do: closeness to the best alone is no order."""
    chain = 1 - 0.8 * TOLERANCE * np.array([2, 1, 0])
    assert best(chain) == 0
    assert falling(chain).tolist() == [0, 1, 2]
    assert len(set(levelled(chain))) == 1
    assert highest(chain[None], 2).tolist() == [[0, 1]]


def test_whole_numbers_and_fractions_are_exact():
    """They tie only where they are equal, however close."""
    large = np.array([10**15, 10**15 + 1])
    assert best(large) == 1
    assert best(large.astype(float)) == 0
    close = np.array([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)], dtype=object)
    assert best(close) == 1
    assert falling(close).tolist() == [1, 0]
    assert exceeds(close[1], close[0])
    assert in_order(["a", "b"], dict(zip("ab", close, strict=True)).get) == ["b", "a"]


def test_infinite_numbers_have_their_place():
    """What may not be chosen is minus infinity; it ties with itself alone."""
    values = np.array([-np.inf, LOW, -np.inf, HIGH, np.inf])
    assert falling(values).tolist() == [4, 1, 3, 0, 2]
    assert best(values) == 4
    assert best(values[:4]) == 1
    assert best(np.array([-np.inf, -np.inf])) == 0
    assert highest(values[None], 4).tolist() == [[4, 1, 3, 0]]


def test_parts_and_lines_are_apart():
    """A group ends where its part or line ends."""
    assert leading(np.array([1.0, 2.0, 2.0, 1.0]), [0, 3]).tolist() == [False, True, True, True]
    assert best(np.array([[LOW, HIGH], [0.0, 1.0]])).tolist() == [0, 1]
    assert falling([LOW, HIGH, HIGH, LOW], [1, 0, 1, 0]).tolist() == [1, 3, 0, 2]
    assert levelled(np.array([LOW, HIGH, LOW]), [0, 0, 1]).tolist() == [HIGH, HIGH, LOW]


@given(WHOLE, SEEDS)
def test_rounding_changes_no_choice(values, seed):
    """Whatever the rounding, the choice is that among the whole numbers."""
    noisy, whole = off(values, seed), np.array(values)
    order = sorted(range(len(values)), key=lambda i: (-values[i], i))
    assert best(noisy, 4.0) == best(whole) == values.index(max(values))
    assert falling(noisy, scale=4.0).tolist() == falling(whole).tolist() == order
    assert leading(noisy, scale=4.0).tolist() == [v == max(values) for v in values]
    for n in range(1, len(values) + 1):
        assert highest(noisy[None], n, 4.0).tolist() == [order[:n]]


@given(st.lists(SEEDS, min_size=2, max_size=6), st.integers(1, 9))
def test_the_highest_of_many_lines_are_those_of_each(seeds, n):
    """All lines at once, each as if alone; a group without room for all keeps its first members."""
    table = np.stack([off(np.random.default_rng(s).integers(0, 4, 9).tolist(), s) for s in seeds])
    found = highest(table, n, 4.0)
    assert found.tolist() == [falling(line, scale=4.0)[:n].tolist() for line in table]


def test_a_grid_would_have_edges():
    """Why numbers are not rounded before they are compared: two that are equal may part."""
    near_edge = np.array([0.5 * (1 - 2e-16), 0.5 * (1 + 2e-16)]) * 1e-9
    assert len(set(np.round(near_edge, 9))) == 2
    assert len(set(levelled(near_edge))) == 1


def test_things_are_sorted_by_value_and_ties_stay():
    """Falling or rising."""
    given_order = [("b", LOW), ("a", HIGH), ("c", 0.1)]
    assert [n for n, _ in in_order(given_order, lambda t: t[1])] == ["b", "a", "c"]
    assert [n for n, _ in in_order(given_order, lambda t: t[1], rising=True)] == ["c", "b", "a"]
    assert in_order([], float) == []


@pytest.mark.parametrize("recalls", [[LOW, HIGH, 0.1], [HIGH, LOW, 0.1]])
def test_training_keeps_the_first_of_equal_checks(recalls):
    """A Recall that is higher by rounding alone is no better one."""
    pytest.importorskip("autograd")
    checks = iter(recalls)
    _, history = LightGCN(epochs=3, rate=0.1, every=1, patience=5)._train(
        lambda parameters, _: (parameters["x"] ** 2).sum(),
        [None] * 3,
        {"x": np.ones(2)},
        lambda _: next(checks),
    )
    assert history.best == 1


def test_scores_that_differ_by_rounding_are_not_spread_from_0_to_1():
    """Scaled to its range, rounding alone would be the whole of a relevance."""
    scores = np.array([[LOW, HIGH, LOW], [0.1, 0.2, 0.3]])
    found = _scaled(scores, np.zeros((2, 1)))
    assert found[0].tolist() == [0, 0, 0]
    assert found[1] == pytest.approx([0, 0.5, 1])


def test_without_a_scale_the_numbers_themselves_say_how_large_a_rounding_is():
    """Two small numbers of which one is twice the other are no tie."""
    small = np.array([1e-13, 2e-13])
    assert exceeds(small[1], small[0])
    assert leading(small).tolist() == [False, True]
    assert best(small) == 1
    place, alone = sole(small)
    assert (place, alone) == (1, True)
    assert falling(small).tolist() == [1, 0]
    assert levelled(small).tolist() == small.tolist()
    assert highest(small[None], 2).tolist() == [[1, 0]]
    assert in_order([0, 1], lambda place: small[place]) == [1, 0]


def test_tables_of_tables_have_a_scale_for_each_line():
    """As single lines have: where all is of the size 4, a rounding is one of 4."""
    tables = np.array([off([1, 2, 2, 0], seed) for seed in range(12)]).reshape(3, 4, 4)
    scales = np.array([4.0, 1e-9] * 6).reshape(3, 4)
    place, alone = sole(tables, scales)
    for at in np.ndindex(3, 4):
        assert (
            leading(tables, scale=scales)[at].tolist()
            == leading(tables[at], scale=scales[at]).tolist()
        )
        assert best(tables, scales)[at] == best(tables[at], scales[at])
        assert (place[at], alone[at]) == sole(tables[at], scales[at])


def test_the_scale_of_each_line_may_stand_in_a_column():
    """Beside the lines of the table, or as a list of them."""
    table = np.array([off([1, 2, 2, 0], 1), off([1, 2, 2, 0], 1)])
    scales = np.array([4.0, 1e-9])
    found = [
        highest(line[None], 3, scale)[0].tolist()
        for line, scale in zip(table, scales, strict=False)
    ]
    assert highest(table, 3, scales).tolist() == found
    assert highest(table, 3, scales[:, None]).tolist() == found
