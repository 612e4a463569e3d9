"""The solvers: against plain oracles, that their gap is a bound, and what they say if they stop."""

import numpy as np
import pytest
from scipy.optimize import minimize

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import (
    listmle,
    listnet,
    pointwise_classification,
    ranking_svm,
    ranking_with_ties,
)
from irmetrics_edu.lab.learning import pointwise, solving
from irmetrics_edu.lab.learning.made_queries import made_queries
from irmetrics_edu.lab.learning.pairs import pairs_of
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.learning.solving import Minimum, interior_point, newton


def plain_differences(data):
    """A row per preference pair, in the order of `pairs_of`."""
    rows = []
    for query in data.queries:
        of = [i for i, q in enumerate(data.query) if q == query]
        rows += [
            data.features[i] - data.features[j]
            for i in of
            for j in of
            if data.grade[i] > data.grade[j]
        ]
    return np.array(rows)


@pytest.mark.parametrize("seed", range(3))
def test_products_with_differences_are_those_with_the_written_out_table(seed):
    """D v, D' u and D' diag(t) D."""
    data = made_queries(4, 6, 3, seed=seed)
    table = plain_differences(data)
    ours = pairs_of(data)
    random = np.random.default_rng(seed)
    v, u = random.normal(size=3), random.normal(size=len(table))
    assert ours.times(v) == pytest.approx(table @ v)
    assert ours.summed(u) == pytest.approx(table.T @ u)
    assert ours.squared(u) == pytest.approx(table.T @ np.diag(u) @ table)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_the_interior_point_is_the_least_that_another_solver_finds(seed, C):
    """The quadratic programme with its slacks, as it is printed, by scipy's SLSQP."""
    data = made_queries(3, 5, 2, noise=0.5, seed=seed)
    table = plain_differences(data)
    n = len(table)

    def objective(x):
        return x[:2] @ x[:2] / 2 + C * x[2:].sum()

    limits = {"type": "ineq", "fun": lambda x: table @ x[:2] - 1 + x[2:]}
    start = np.concatenate([np.zeros(2), np.ones(n)])
    theirs = minimize(
        objective,
        start,
        method="SLSQP",
        bounds=[(None, None)] * 2 + [(0, None)] * n,
        constraints=[limits],
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    found = interior_point(pairs_of(data), np.full(n, C))

    def value(w):  # with the slacks that the weights need, to the last bit
        return w @ w / 2 + C * np.maximum(0, 1 - table @ w).sum()

    assert found.value == pytest.approx(value(found.point))
    assert found.value - found.gap <= value(theirs.x[:2])
    assert found.value <= value(theirs.x[:2]) * (1 + 1e-9)
    assert found.gap <= 1e-8 * found.value
    assert np.linalg.norm(found.point - theirs.x[:2]) <= 1e-3 * (1 + np.linalg.norm(theirs.x[:2]))


def test_the_gap_bounds_what_is_left_at_every_step(monkeypatch):
    """Stopped after any number of steps, the value is above the least by no more than the gap."""
    data = made_queries(6, 8, noise=0.5)
    differences = pairs_of(data)
    most = np.ones(len(differences.query))
    end = interior_point(differences, most)
    for steps in range(0, 12, 2):
        monkeypatch.setattr(solving, "_MOST_STEPS", steps)
        found = interior_point(differences, most)
        assert 0 <= found.value - end.value <= found.gap + 1e-9


def test_newton_finds_the_least_of_a_steep_sum():
    """Exp(x) + exp(-x) - 2 x is least where 2 sinh(x) = 2, from a start far off."""
    found = newton(
        lambda x: float(2 * np.cosh(x[0]) - 2 * x[0]),
        lambda x: (2 * np.sinh(x) - 2, np.array([[2 * np.cosh(x[0])]])),
        np.array([-8.0]),
    )
    assert found.point[0] == pytest.approx(np.arcsinh(1), abs=1e-12)
    assert found.gap < 1e-12


@pytest.mark.parametrize("learn", [ranking_svm, listnet, listmle, ranking_with_ties])
def test_who_stops_early_is_an_error(learn, monkeypatch):
    """It says how far off the sum is, and what to do; no step at all is too few."""
    data = made_queries(8, 8, noise=0.3)
    learn(data)
    monkeypatch.setattr(solving, "_MOST_STEPS", 0)
    with pytest.raises(InputError, match=r"after 0 steps: .*% above its least.*Try a smaller C"):
        learn(data)


def test_a_rest_above_a_millionth_is_an_error():
    """What is below it is rounding."""
    data, weights = made_queries(4, 5), np.ones(5)
    Minimum(weights, 10.0, 1e-6, 9).require_end(data, "It")
    with pytest.raises(InputError, match=r"It stopped after 9 steps: .* 0\.1% above its least"):
        Minimum(weights, 10.0, 0.01, 9).require_end(data, "It")


@pytest.mark.parametrize("learn", [ranking_svm, listnet, listmle, ranking_with_ties])
def test_features_beyond_computing_are_refused(learn):
    """1e200 squared is no number: the error names the size."""
    data = made_queries(3, 5)
    huge = RankingData(data.features * 1e200, data.grade, data.query, data.document)
    with np.errstate(all="ignore"), pytest.raises(InputError, match="on one scale"):
        learn(huge)


@pytest.mark.parametrize("learn", [ranking_svm, listnet, listmle, ranking_with_ties])
@pytest.mark.parametrize("C", [1e-6, 1e4])
def test_wide_sparse_data_of_real_size_come_to_their_end(learn, C):
    """As LightGBM's example: fifteen documents a query, most of 60 features 0, two decimals."""
    random = np.random.default_rng(0)
    n = 600
    features = np.round(random.uniform(size=(n, 60)) * (random.uniform(size=(n, 60)) < 0.3), 2)
    grade = np.minimum(random.poisson(1 + features[:, 0]), 4)
    data = RankingData(
        features, grade, [i // 15 for i in range(n)], [i % 15 for i in range(n)]
    ).normalised()
    notes = explain(learn(data, C=C).working.of(0)).text
    assert "stopped" not in notes


def test_a_learner_of_another_library_that_stops_early_is_an_error(monkeypatch):
    """The message says after how many iterations, and what to do."""
    monkeypatch.setattr(pointwise, "_MOST_ITERATIONS", 1)
    with pytest.raises(InputError, match=r"stopped before its end, after 1 iterations; give a sm"):
        pointwise_classification(made_queries(20, 10, noise=0.2))


@pytest.mark.parametrize("learn", [ranking_svm, listnet, listmle, ranking_with_ties])
def test_features_that_say_nothing_get_no_weight(learn):
    """All are 0, so no pair can be told apart; a query without pairs changes nothing."""
    data = RankingData(np.zeros((4, 2)), [1, 0, 0, 2], list("pppq"), list("abca"))
    ranker = learn(data)
    assert ranker.weights.tolist() == [0, 0]
    assert "stopped" not in explain(ranker.working.of(0)).text


def test_copies_of_a_feature_share_its_weight():
    """The least sum of squares is unique: both halves are the same."""
    data = made_queries(8, 6, 2, noise=0.3)
    twice = RankingData(
        np.hstack([data.features, data.features]), data.grade, data.query, data.document
    )
    for learn in (ranking_svm, listnet, listmle, ranking_with_ties):
        weights = learn(twice).weights
        assert weights[:2] == pytest.approx(weights[2:], abs=1e-7)
