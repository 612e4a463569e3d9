"""ListNet, ListMLE and pairs of three labels: by plain loops, by hand, and by numerical slopes."""

import itertools
import math

import numpy as np
import pytest

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import listmle, listnet, ranking_with_ties, tie_loss
from irmetrics_edu.lab.learning.losses import listmle_loss, listnet_loss
from irmetrics_edu.lab.learning.made_queries import made_queries
from irmetrics_edu.lab.learning.ranking_data import RankingData, from_rankings


def plain_listnet(grades, scores):
    """The cross entropy of both top one probabilities."""
    by_grade = [math.exp(g) / sum(map(math.exp, grades)) for g in grades]
    by_score = [math.exp(s) / sum(map(math.exp, scores)) for s in scores]
    return -sum(p * math.log(q) for p, q in zip(by_grade, by_score, strict=True))


def plain_listmle(grades, scores):
    """Each document that is not of the lowest grade, drawn from those that are no better."""
    return -sum(
        math.log(
            math.exp(s) / sum(math.exp(t) for h, t in zip(grades, scores, strict=True) if h <= g)
        )
        for g, s in zip(grades, scores, strict=True)
        if g > min(grades)
    )


def plain_probability(margin, b):
    """P(1), P(0), P(-1) by the odds of Rao & Kupper, with theta = exp(b)."""
    i, j, theta = math.exp(margin), 1.0, math.exp(b)
    first, second = i / (i + theta * j), j / (j + theta * i)
    tie = (theta**2 - 1) * i * j / ((i + theta * j) * (j + theta * i))
    return first, tie, second


def plain_ties(grades, scores, b):
    """Every unordered pair once."""
    out = 0.0
    for (g, s), (h, t) in itertools.combinations(zip(grades, scores, strict=True), 2):
        first, tie, second = plain_probability(s - t, b)
        out -= math.log(first if g > h else tie if g == h else second)
    return out


def by_query(data, weights, loss, *more):
    """A plain loss summed over queries."""
    scores = data.features @ weights
    return sum(
        loss(data.grade[a:b].tolist(), scores[a:b].tolist(), *more)
        for a, b in zip(data.starts[:-1], data.starts[1:], strict=True)
    )


def slope(function, at, step=1e-5):
    """The gradient, by central differences."""
    return [
        (function(at + step * e) - function(at - step * e)) / (2 * step) for e in np.eye(len(at))
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_losses_are_those_of_plain_loops(seed):
    """Query by query, of random scores, with ties among the grades."""
    data = made_queries(4, 6, seed=seed)
    scores = np.random.default_rng(seed).normal(size=len(data.grade))
    for q, (a, b) in enumerate(zip(data.starts[:-1], data.starts[1:], strict=True)):
        one = data.grade[a:b].tolist(), scores[a:b].tolist()
        assert listnet_loss(data, scores).score[q] == pytest.approx(plain_listnet(*one))
        assert listmle_loss(data, scores).score[q] == pytest.approx(plain_listmle(*one))
        assert tie_loss(data, scores, 0.7).score[q] == pytest.approx(plain_ties(*one, 0.7))


def test_all_orders_together_are_certain():
    """Without ties ListMLE's exp(-loss) is a probability: over all orders it sums to 1."""
    scores = [0.3, -1.0, 2.0, 0.5]
    chance = 0.0
    for grades in itertools.permutations(range(4)):
        data = RankingData([[0]] * 4, grades, ["q"] * 4, list("abcd"))
        chance += math.exp(-listmle_loss(data, scores).value)
    assert chance == pytest.approx(1)


@pytest.mark.parametrize(("margin", "b"), [(0, 0.1), (1.5, 0.5), (-3, 2), (40, 1)])
def test_the_three_labels_are_certain_together(margin, b):
    """P(1) + P(0) + P(-1) = 1, each as the working shows it."""

    def shown(grades):
        data = RankingData([[0]] * 2, grades, ["q"] * 2, ["i", "j"])
        return tie_loss(data, [margin, 0], b)["P of label"][0]

    found = [shown([1, 0]), shown([0, 0]), shown([0, 1])]
    assert found == pytest.approx(list(plain_probability(margin, b)))
    assert sum(found) == pytest.approx(1)


def test_large_scores_overflow_nothing():
    """1000 apart: the losses are about 1000, not infinite."""
    data = from_rankings({"q": [0, 1]})
    for loss in (listnet_loss, listmle_loss, tie_loss):
        assert 700 < loss(data, [1000, 0]).value < 1100
        assert loss(data, [0, 1000]).value < 300


def test_one_pair_by_hand():
    """ListMLE of one pair is logistic: w = C s(-w); ListNet's: w = C (s(1) - s(w)); by halving."""
    data = RankingData([[1], [0]], [1, 0], ["q"] * 2, ["a", "b"])

    def root(function):
        low, high = 0.0, 10.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if function(middle) > 0 else (low, middle)
        return low

    def s(x):
        return 1 / (1 + math.exp(-x))

    assert listmle(data, C=2).weights[0] == pytest.approx(root(lambda w: 2 * s(-w) - w))
    assert listnet(data, C=2).weights[0] == pytest.approx(root(lambda w: 2 * (s(1) - s(w)) - w))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_slope_is_0_where_the_learners_end(seed, C):
    """Numerical gradients of the plain sums; elsewhere they are not 0."""
    data = made_queries(6, 7, 3, noise=0.4, seed=seed)
    for learn, loss in ((listnet, plain_listnet), (listmle, plain_listmle)):

        def objective(w, loss=loss):
            return w @ w / 2 + C * by_query(data, w, loss)

        weights = learn(data, C=C).weights
        assert slope(objective, weights) == pytest.approx([0] * 3, abs=1e-6 * max(C, 1))
        assert max(map(abs, slope(objective, weights + 0.1))) > 1e-2
    ranker = ranking_with_ties(data, C=C)

    def with_threshold(x):
        return x[:3] @ x[:3] / 2 + C * by_query(data, x[:3], plain_ties, x[3])

    end = np.append(ranker.weights, ranker.threshold)
    assert slope(with_threshold, end) == pytest.approx([0] * 4, abs=1e-5 * max(C, 1))
    assert max(map(abs, slope(with_threshold, end + 0.1))) > 1e-2


def test_workings_say_the_sum_and_the_labels():
    """The notes hold the whole sum and the threshold; columns have every pair."""
    data = made_queries(2, 4)
    assert "|w|^2 / 2 + C times the losses" in explain(listnet(data).working.of(0)).text
    ties = ranking_with_ties(data).working.of(1)
    text = explain(ties).text
    assert "the threshold b is" in text
    assert len(ties["label"]) == 6


# Its squares overflow: once, the search ended where it began, without a word.
HUGE = RankingData([[1e200], [2]], [1, 0], ["q"] * 2, ["a", "b"])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda data: listnet(data, C=0), "C=0 is out of range"),
        (lambda data: listmle(data, C=1e300), r"C=1e\+300 is out of range; .* \(0, 1e\+15\]"),
        (lambda _: listnet(from_rankings({"q": [1], "r": [2]})), "ListNet: no query has two doc"),
        (lambda _: listmle(HUGE), "ListMLE can't compute with features of this size"),
        (lambda _: listmle([1]), "ListMLE can't learn from list"),
        (lambda data: ranking_with_ties(data, C=-1), "C=-1"),
        (lambda _: ranking_with_ties(from_rankings({"q": [1, 0]})), "no tie to learn from"),
        (lambda _: ranking_with_ties(from_rankings({"q": [1, 1], "r": [2]})), "no pair to learn"),
        (lambda data: tie_loss(data, np.zeros(8), 0), "threshold=0 is out of range"),
    ],
)
def test_bad_input_is_refused(call, says):
    """Each message says what was given."""
    with pytest.raises(InputError, match=says):
        call(made_queries(2, 4))
