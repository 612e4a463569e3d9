"""Estimates from logs against the true value, and A/B tests against scipy."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import Chance, difference, ips, snips, users_needed

# Three actions: how often each is clicked, and how often each policy chooses it.
CLICKED = np.array([0.1, 0.5, 0.9])
LOGGING = np.array([0.6, 0.3, 0.1])
NEW = np.array([0.1, 0.2, 0.7])
TRUTH = float(NEW @ CLICKED)


def all_logs_of_two():
    """Every log of two choices with its probability."""
    single = [(a, c) for a in range(3) for c in (0, 1)]
    for log in product(single, repeat=2):
        chance = 1.0
        for a, c in log:
            chance *= LOGGING[a] * (CLICKED[a] if c else 1 - CLICKED[a])
        actions, clicks = zip(*log, strict=True)
        yield chance, (clicks, LOGGING[list(actions)], NEW[list(actions)])


def test_ips_is_unbiased_and_its_variance_too():
    """Over all logs there can be: the mean is the truth, and so is that of the squared error."""
    values, squares = [], []
    for chance, log in all_logs_of_two():
        found = ips(*log)
        values.append((chance, found.value))
        squares.append(chance * found["standard error"] ** 2)
    mean = sum(c * v for c, v in values)
    assert mean == pytest.approx(TRUTH)
    assert sum(squares) == pytest.approx(sum(c * (v - TRUTH) ** 2 for c, v in values))
    # Clipped weights and normalised ones give that up.
    assert sum(c * ips(*log, clip=2).value for c, log in all_logs_of_two()) < TRUTH - 0.2
    assert abs(sum(c * snips(*log).value for c, log in all_logs_of_two()) - TRUTH) > 0.01


def some_log(n, seed=1):
    """A log of n choices."""
    chance = Chance(seed)
    action = np.searchsorted(LOGGING.cumsum()[:-1], chance.uniform(n), side="right")
    return chance.uniform(n) < CLICKED[action], LOGGING[action], NEW[action]


def test_snips_is_a_weighted_mean():
    """It follows a constant, stays among the rewards, and its error is that of many logs."""
    clicks, p0, p = some_log(2000)
    weight = p / p0
    value = snips(clicks, p0, p).value
    assert value == pytest.approx(np.average(clicks, weights=weight))
    assert snips(clicks + 5.0, p0, p).value == pytest.approx(value + 5)
    assert ips(clicks + 5.0, p0, p).value != pytest.approx(ips(clicks, p0, p).value + 5, abs=1e-3)
    for estimate in (ips, snips):
        many = [estimate(*some_log(500, seed)).value for seed in range(300)]
        error = estimate(*some_log(500))["standard error"]
        assert np.std(many) == pytest.approx(error, rel=0.25)
        assert np.mean(many) == pytest.approx(TRUTH, abs=0.02)


def test_what_the_working_says():
    """The steps, the mean weight and the effective number of choices, by hand."""
    found = ips([1, 0], [0.5, 0.25], [0.25, 0.75])
    assert found["weight"].tolist() == [0.5, 3]
    assert (found["mean weight"], found["effective choices"]) == (1.75, 3.5**2 / 9.25)
    assert ips([1, 0], [0.5, 0.25], [0.25, 0.75], clip=2)["weight"].tolist() == [0.5, 2]
    assert (
        "= (0.5000 + 0.0000) / 3.5000 = 0.1429"
        in explain(snips([1, 0], [0.5, 0.25], [0.25, 0.75])).text
    )
    assert math.isnan(ips([1], [0.5], [0.5])["standard error"])
    assert ips([1, 1], [0.5, 0.5], [0, 0]).value == 0


def test_a_difference_is_that_of_welch():
    """Statistic, degrees of freedom and p are scipy's."""
    chance = Chance(2)
    a, b = chance.uniform(40), chance.uniform(70) * 1.5
    found = difference(a, b)
    welch = stats.ttest_ind(b, a, equal_var=False)
    z = found.value / found["standard error"]
    assert z == pytest.approx(welch.statistic)
    assert found["degrees of freedom"] == pytest.approx(welch.df)
    assert found["p-value"] == pytest.approx(welch.pvalue)
    assert difference([0.1] * 3, [0.1] * 5)["p-value"] == 1
    assert difference([0.1] * 3, [0.2] * 5)["p-value"] == 0


def test_three_units_do_not_reject_more_often_than_the_level():
    """By the normal limit 12 % of such groups would differ at the level of 5 %."""
    chance = np.random.default_rng(1)
    groups = chance.normal(size=(2000, 2, 3))
    p = [difference(a, b)["p-value"] for a, b in groups]
    assert np.mean(np.array(p) < 0.05) < 0.055


def test_heavy_weights_are_warned_of():
    """One choice of forty that counts a hundredfold, and weights that are all alike."""
    even = [0.5] * 40
    assert not ips([1, 0] * 20, even, even).notes
    heavy = snips([1, 0] * 20, [0.005, *even[1:]], even)
    assert heavy.notes[0].startswith("the weights are as uneven as if 1.9 of 40 choices counted")
    assert heavy["effective choices"] == pytest.approx(139**2 / (100**2 + 39))


@pytest.mark.parametrize(("rate", "lift"), [(0.3, 0.02), (0.05, 0.01), (0.5, -0.1)])
def test_users_needed_reach_the_power_and_one_fewer_does_not(rate, lift):
    """By the power of a normal statistic."""

    def power(n):
        error = math.sqrt((rate * (1 - rate) + (rate + lift) * (1 - rate - lift)) / n)
        return stats.norm.cdf(abs(lift) / error - stats.norm.isf(0.025))

    n = users_needed(rate, lift)
    assert power(n) >= 0.8 > power(n - 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ips([1], [0], [0.5]), "number 1 is 0, but this choice was made"),
        (lambda: ips([1, 0], [0.5], [0.5]), "2 rewards, 1 logged"),
        (lambda: ips([1], [0.5], [1.5]), "number 1 is 1.5"),
        (lambda: ips([], [], []), "give a list"),
        (lambda: ips(["x"], [1], [1]), "reward 'x' is not a number"),
        (lambda: ips([float("inf")], [1], [1]), "not finite"),
        (lambda: ips([1], [1], [1], clip=0), "clip=0"),
        (lambda: snips([1], [1], [0]), "all weights are 0"),
        (lambda: difference([1], [1, 2]), "control has 1 units"),
        (lambda: difference([1, 2], [None, 1]), "treatment: value None"),
        (lambda: users_needed(0.9, 0.2), "rate"),
        (lambda: users_needed(0.5, 0), "lift=0"),
        (lambda: users_needed(0.5, 0.1, level=0.9), "level=0.9"),
    ],
)
def test_bad_input_is_refused(call, message):
    """With what was given."""
    with pytest.raises(InputError, match=message):
        call()
