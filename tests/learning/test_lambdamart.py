"""Lambda gradients by loops that really swap, trees against scikit-learn's, and LambdaMART."""

import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from irmetrics_edu import (
    InputError,
    explain,
    ndcg,
)
from irmetrics_edu.lab import (
    RankingData,
    from_rankings,
    lambda_gradients,
    lambda_loss,
    lambdamart,
    listnet,
    made_queries,
)
from irmetrics_edu.lab.learning.lambdamart import NEVER, Bins, grow, leaf_of
from irmetrics_edu.lab.learning.losses import measured


def plain_ndcg(grades, k, gain):
    """NDCG of grades in ranked order."""

    def dcg(ranked):
        return sum(gain(g) / math.log2(i + 2) for i, g in enumerate(ranked[:k]))

    best = dcg(sorted(grades, reverse=True))
    return dcg(grades) / best if best else 0.0


def plain_pairs(scores, grades, k=None, gain=float):
    """Each pair with its |delta nDCG|: sort, swap the two documents, and measure again."""
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    before = plain_ndcg([grades[i] for i in order], k, gain)
    for i in range(len(scores)):
        for j in range(len(scores)):
            if grades[i] > grades[j]:
                swapped = [j if d == i else i if d == j else d for d in order]
                after = plain_ndcg([grades[d] for d in swapped], k, gain)
                yield i, j, abs(after - before)


def plain_gradients(scores, grades, k=None, gain=float):
    """Lambda and curvature of each document."""
    slope, bend = [0.0] * len(scores), [0.0] * len(scores)
    for i, j, size in plain_pairs(scores, grades, k, gain):
        wrong = 1 / (1 + math.exp(scores[i] - scores[j]))
        slope[i] += size * wrong
        slope[j] -= size * wrong
        for d in (i, j):
            bend[d] += size * wrong * (1 - wrong)
    return slope, bend


def some(seed, n=8):
    """Scores, some of them equal, and grades of one query."""
    random = np.random.default_rng(seed)
    return random.integers(-4, 5, n) / 2, random.integers(0, 4, n)


GAINS = {"linear": float, "exp": lambda g: 2.0**g - 1}


@pytest.mark.parametrize("k", [None, 1, 3])
@pytest.mark.parametrize("gain", GAINS)
def test_lambdas_are_those_of_loops_that_really_swap(k, gain):
    """Under either gain, with and without a cut-off."""
    metric = ndcg.using(gain=gain) if k is None else ndcg.using(gain=gain, k=k)
    for seed in range(8):
        scores, grades = some(seed)
        expected, _ = plain_gradients(scores.tolist(), grades.tolist(), k, GAINS[gain])
        assert lambda_gradients(scores, grades, metric) == pytest.approx(expected, abs=1e-12)


def test_without_a_metric_every_pair_weighs_one():
    """RankNet: three documents by hand, and other gradients than LambdaRank's."""
    found = lambda_gradients([0, 0, 0], [2, 1, 0], None)
    assert found.tolist() == pytest.approx([1.0, 0.0, -1.0])
    assert lambda_gradients([0, 0, 0], [2, 1, 0])[1] != pytest.approx(0)


def test_gradients_are_minus_the_slope_of_the_loss():
    """By central differences, where no two scores are near each other: the swaps stay."""
    grades = [0, 2, 1, 3, 0]
    scores = np.array([0.3, -0.4, 1.1, 0.0, 0.7])
    data = RankingData(np.zeros((5, 1)), grades, ["q"] * 5, list("abcde"))
    for metric in (None, ndcg, ndcg @ 2):
        slopes = [
            (
                lambda_loss(data, scores - e, metric).value
                - lambda_loss(data, scores + e, metric).value
            )
            / 2e-6
            for e in 1e-6 * np.eye(5)
        ]
        found = lambda_gradients(scores, grades, metric)
        assert found.tolist() == pytest.approx(slopes, abs=1e-7)
        assert found.sum() == pytest.approx(0)


def test_the_loss_bounds_what_is_missing_of_ndcg():
    """In bits it is at least 1 - nDCG, for any scores; so is the weighted count of wrong pairs."""
    tight = []
    for seed in range(100):
        scores, grades = some(seed)
        if not grades.any():
            continue
        data = RankingData(np.zeros((8, 1)), grades, ["q"] * 8, range(8))
        for k in (None, 3):
            metric = ndcg if k is None else ndcg @ k
            missing = 1 - measured(data, scores, metric).value
            wrong = [
                size
                for i, j, size in plain_pairs(scores.tolist(), grades.tolist(), k)
                if scores[i] <= scores[j]
            ]
            loss = lambda_loss(data, scores, metric).value / math.log(2)
            assert loss >= sum(wrong) - 1e-12
            assert sum(wrong) >= missing - 1e-12
            tight.append(missing / loss if loss else 0)
    assert max(tight) > 0.3  # no empty bound


def test_the_working_of_the_loss_adds_up():
    """Query by query; a query without a pair, or without a relevant document, loses nothing."""
    data = from_rankings({"a": [1, 3, 0], "b": [0, 0], "c": [2]})
    working = lambda_loss(data, data.features[:, 0])
    assert working.score[1:].tolist() == [0, 0]
    assert working["weighted loss"].sum() == pytest.approx(working.score[0])
    assert "|delta nDCG|" in explain(working.of(0)).text


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("least", [1, 4])
def test_a_tree_predicts_what_scikit_learns_tree_predicts(depth, least):
    """Means of leaves on the rows that it grew on, for features with and without repetitions."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        features = np.column_stack([random.normal(size=60), random.integers(0, 4, 60)])
        target = random.normal(size=60) + features[:, 0] * (features[:, 1] > 1)
        feature, threshold, place = grow(Bins.of(features), target, depth, least)
        other = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=least, random_state=0)
        expected = other.fit(features, target).predict(features)
        sums, counts = np.bincount(place, target), np.bincount(place)
        assert (sums[place] / counts[place]).tolist() == pytest.approx(expected.tolist())
        assert leaf_of(features, feature, threshold).tolist() == place.tolist()
        assert counts[counts > 0].min() >= least


def test_what_cannot_be_cut_stays_whole():
    """A constant feature, a constant target, and too few rows: every row is in the first leaf."""
    column = np.arange(6.0)[:, None]
    for features, target, least in (
        (np.full((6, 1), 0.3), np.arange(6.0), 1),
        (column, np.full(6, 0.1), 1),
        (column, np.arange(6.0), 4),
    ):
        _, threshold, place = grow(Bins.of(features), target, 2, least)
        assert not place.any()
        assert (threshold > 1e300).all()


def test_many_values_share_256_bins():
    """Of about equal size, in the order of the values; few values have a bin each."""
    values = np.random.default_rng(0).permutation(5000) / 7
    bins = Bins.of(np.column_stack([values, np.round(values / 100)]))
    sizes = np.bincount(bins.number[:, 0])
    assert len(sizes) == 256
    assert sizes.max() - sizes.min() <= 2
    order = np.argsort(values)
    assert (np.diff(bins.number[order, 0]) >= 0).all()
    assert len(np.unique(bins.number[:, 1])) == len(np.unique(np.round(values / 100)))


def test_a_round_by_plain_loops():
    """The first two trees are stumps: their leaves are Newton steps on the lambdas of loops."""
    data = made_queries(6, 8, 3, seed=4)
    working = lambdamart(data, "nDCG@3", rounds=2, depth=1, min_documents=3, rate=0.5).working
    ranker = lambdamart(data, "nDCG@3", rounds=2, depth=1, min_documents=3, rate=0.5)
    scores = np.zeros(48)
    for t in range(2):
        slope, bend = [], []
        for begin, end in zip(data.starts[:-1], data.starts[1:], strict=True):
            one = scores[begin:end].tolist(), data.grade[begin:end].tolist()
            found = plain_gradients(*one, 3)
            slope += found[0]
            bend += found[1]
        right = data.features[:, ranker.feature[t, 0]] > ranker.threshold[t, 0]
        steps = [
            0.5 * np.array(slope)[side].sum() / (1 + np.array(bend)[side].sum())
            for side in (~right, right)
        ]
        assert ranker.leaf[t].tolist() == pytest.approx(steps)
        assert working[f"round {t + 1}"]["added"].tolist() == pytest.approx(steps)
        scores = scores + np.where(right, steps[1], steps[0])
    assert ranker.score(data.features).tolist() == pytest.approx(scores.tolist())
    assert working.value == pytest.approx(measured(data, scores, ndcg @ 3).score.mean())


def humped(seed):
    """Queries whose useful documents have a middling first feature: no weighted sum finds them."""
    random = np.random.default_rng(seed)
    features = random.uniform(-1, 1, (600, 2))
    grade = (np.abs(features[:, 0]) < 0.3) + (np.abs(features[:, 0]) < 0.15)
    query = np.repeat(np.arange(40), 15).tolist()
    return RankingData(features, grade, query, list(range(15)) * 40)


def test_learning_raises_ndcg_where_no_line_can():
    """On queries not learnt from; and each ten rounds raise the mean on those learnt from."""
    train, test = humped(0), humped(1)
    ranker = lambdamart(train, "nDCG@5", rounds=40)
    means = ranker.working["mean nDCG@5"]
    assert (np.diff(means[::10]) > -0.01).all()
    assert means[-1] > 0.95
    unseen = measured(test, ranker.score(test.features), ndcg @ 5).score.mean()
    line = measured(test, listnet(train).score(test.features), ndcg @ 5).score.mean()
    assert unseen > 0.9
    assert line < 0.6
    cuts = np.bincount(ranker.feature[ranker.threshold < NEVER], minlength=2)
    assert cuts[0] > cuts[1]


def test_the_scale_of_a_feature_does_not_matter():
    """A thousand times as large, and shifted: the same runs."""
    data = made_queries(8, 8, seed=1)
    other = RankingData(data.features * 1024 + 4096, data.grade, data.query, data.document)
    assert lambdamart(data, rounds=5).run(data) == lambdamart(other, rounds=5).run(other)


@pytest.mark.parametrize("share", [0.001, 0.3])
def test_huge_values_hide_no_feature(share):
    """One document, and a third of all, have 1e12 in the feature that tells all: it is used."""
    data = made_queries(20, 15, 3, seed=2, noise=0.1)
    features = data.features.copy()
    features[np.arange(300) < 300 * share, 0] = 1e12
    spoilt = RankingData(features, data.grade, data.query, data.document)
    rankers = [lambdamart(one, "nDCG@10", rounds=30) for one in (data, spoilt)]
    whole, found = (r.working.value for r in rankers)
    assert found > whole - 0.06  # without the feature it is 0.18 lower
    assert not any("count as equal" in note for note in rankers[1].working.notes)
    features[:200, 0] = 1e12
    hidden = RankingData(features, data.grade, data.query, data.document)
    notes = lambdamart(hidden, rounds=1).working.notes
    assert any("x1: 99 different numbers count as equal" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"min_documents": 7}, "needs at least 14 documents.*have 12.*min_documents=6"),
        ({"metric": "AP"}, "has no lambda gradients here"),
        ({"metric": 3}, "has no lambda gradients here"),
        ({"metric": ndcg.using(ties="averaged")}, "take no 'ties'"),
        ({"rounds": 0}, "rounds=0 is not possible"),
        ({"rounds": None}, "rounds=None is not possible"),
        ({"rate": 0}, "rate=0 is out of range"),
        ({"rate": 2}, "rate=2 is out of range"),
        ({"depth": 4}, "depth=4 is not possible; give a whole number from 1 to 3"),
        ({"depth": True}, "depth=True is not possible"),
        ({"min_documents": 0}, "min_documents=0 is not possible"),
        ({"min_documents": 1.5}, "min_documents=1.5 is not possible"),
        ({"l2": 0}, "l2=0 is out of range"),
        ({"l2": math.nan}, "not finite"),
    ],
)
def test_what_is_out_of_range_is_refused(options, says):
    """With what was given, and what would do."""
    with pytest.raises(InputError, match=says):
        lambdamart(made_queries(3, 4), **options)


def test_data_without_a_pair_are_refused():
    """Each query has one grade, though the data have two."""
    with pytest.raises(InputError, match="no pair to learn from"):
        lambdamart(from_rankings({"a": [1, 1], "b": [0, 0]}))
    with pytest.raises(InputError, match="one score each"):
        lambda_gradients([1, 2], [1, 0, 0])
