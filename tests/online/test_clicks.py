"""Click models against all that can happen, and estimates against the truth behind a simulation."""

from itertools import product

import numpy as np
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import (
    Cascade,
    Chance,
    PositionBased,
    attractiveness,
    relative_examination,
)

ATTRACTED = [0.3, 0.9, 0.05, 0.6]
EXAMINED = [1.0, 0.6, 0.4, 0.2]


def by_all_that_can_happen(click):
    """The probability of a click at each rank, over all ways to be attracted and to look."""
    found = [0.0] * len(ATTRACTED)
    for attracted in product([0, 1], repeat=len(ATTRACTED)):
        for looked in product([0, 1], repeat=len(EXAMINED)):
            chance = 1.0
            for here, p in zip((*attracted, *looked), (*ATTRACTED, *EXAMINED), strict=True):
                chance *= p if here else 1 - p
            for rank in click(attracted, looked):
                found[rank] += chance
    return found


def of_position(attracted, looked):
    """A click wherever the user looks and is attracted."""
    return [i for i in range(len(attracted)) if attracted[i] and looked[i]]


def of_cascade(attracted, _):
    """A click on the first document that attracts."""
    return [attracted.index(1)] if any(attracted) else []


@pytest.mark.parametrize(
    ("model", "click"), [(PositionBased(EXAMINED), of_position), (Cascade(), of_cascade)]
)
def test_the_probability_of_a_click(model, click):
    """In closed form, over all that can happen, and as the rate of simulated clicks."""
    expected = by_all_that_can_happen(click)
    assert model.click_probabilities(ATTRACTED) == pytest.approx(expected)
    clicks = model.simulate(ATTRACTED, 20_000, Chance(3))
    assert clicks.shape == (20_000, 4)
    assert clicks.mean(axis=0) == pytest.approx(expected, abs=0.015)  # four standard errors
    assert (model.simulate(ATTRACTED, 50, Chance(3)) == clicks[:50]).all()
    assert (model.simulate(ATTRACTED, 50, Chance(4)) != clicks[:50]).any()


def test_a_cascade_has_one_click_at_most():
    """And a sure attraction leaves nothing below it."""
    assert Cascade().simulate([0.9, 0.9, 0.9], 500, Chance(0)).sum(axis=1).max() == 1
    assert Cascade().click_probabilities([1, 0.5]).tolist() == [1, 0]


def test_random_order_recovers_examination_and_attractiveness():
    """The truth of a simulation; the click rate of a log in one order is far from it."""
    truth = dict(zip("abcd", ATTRACTED, strict=True))
    chance = Chance(7)
    shown = [["abcd"[i] for i in line] for line in chance.uniform(30_000, 4).argsort(axis=1)]
    p = [[e * truth[d] for e, d in zip(EXAMINED, line, strict=True)] for line in shown]
    clicks = chance.uniform(30_000, 4) < np.array(p)
    assert relative_examination(clicks) == pytest.approx(EXAMINED, abs=0.03)
    assert attractiveness(shown, clicks, EXAMINED) == pytest.approx(truth, abs=0.03)
    fixed = PositionBased(EXAMINED).simulate(ATTRACTED, 30_000, Chance(0))
    assert fixed.mean(axis=0)[3] < 0.15  # 0.2 * 0.6
    order = [list("abcd")] * 30_000
    assert attractiveness(order, fixed, EXAMINED) == pytest.approx(truth, abs=0.03)
    rates = attractiveness(order, fixed, [1, 1, 1, 1])
    assert list(rates.values()) == pytest.approx(fixed.mean(axis=0))


def test_the_numbers_are_those_of_the_raw_bits():
    """The generator of numpy makes the same of them; one stream goes on from call to call."""
    numpy_s = np.random.Generator(np.random.PCG64(5)).random((3, 4))
    assert (Chance(5).uniform(3, 4) == numpy_s).all()
    chance = Chance(5)
    assert (np.concatenate([chance.uniform(7), chance.uniform(5)]) == numpy_s.ravel()).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PositionBased([1, 1.2]), "number 2 is 1.2"),
        (lambda: PositionBased([float("nan")]), "number 1 is nan"),
        (lambda: PositionBased([]), "give a list"),
        (lambda: PositionBased(["one"]), "are no numbers"),
        (lambda: PositionBased([1]).simulate([0.5, 0.5], 3, Chance(1)), "2 documents and 1 ranks"),
        (lambda: Cascade().simulate([0.5], 0, Chance(0)), "sessions=0"),
        (lambda: Cascade().simulate([0.5], 2, Chance(-1)), "seed=-1"),
        (lambda: Cascade().simulate([0.5], 2, 1), "chance=1: give a source of random numbers"),
        (lambda: Chance(True), "seed=True"),
        (lambda: relative_examination([[0, 1]]), "no click at rank 1"),
        (lambda: relative_examination([[2, 1]]), "a line of 0 and 1"),
        (lambda: relative_examination([[1], [1, 0]]), "all of one length"),
        (lambda: relative_examination([1, 0]), r"shape \(2,\)"),
        (lambda: attractiveness([["a"]], [[1, 0]], [1, 1]), "shows 1 documents"),
        (lambda: attractiveness([["a", "a"]], [[1, 0]], [1, 1]), "twice"),
        (lambda: attractiveness([["a"]], [[1]], [0]), "says nothing"),
        (lambda: attractiveness([["a"]], [[1], [0]], [1]), "1 rankings"),
    ],
)
def test_bad_input_is_refused(call, message):
    """With what was given."""
    with pytest.raises(InputError, match=message):
        call()
