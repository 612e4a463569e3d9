"""The learners: against hand-made cases and plain loops, on data that can and can't be learnt."""

import functools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import irmetrics_edu as im
from irmetrics_edu import alpha_ndcg, average_precision, explain, lab, ndcg
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.listwise import adarank
from irmetrics_edu.lab.learning.losses import hinge_loss, measured, pair_losses
from irmetrics_edu.lab.learning.made_queries import made_queries, swamped_queries
from irmetrics_edu.lab.learning.pair_learners import ranking_svm
from irmetrics_edu.lab.learning.pointwise import (
    ordinal_regression,
    pointwise_classification,
    pointwise_regression,
)
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.lab.rerankers.xquad import xquad

LEARNERS: dict[str, Callable[[RankingData], Any]] = {
    "regression": pointwise_regression,
    "classification": pointwise_classification,
    "ordinal regression": ordinal_regression,
    "Ranking SVM": ranking_svm,
    "AdaRank": lambda data: adarank(data, ndcg, rounds=5, reuse="never"),
    "association rules": lab.association_rules,
    "ranking with ties": lab.ranking_with_ties,
    "ListNet": lab.listnet,
    "ListMLE": lab.listmle,
    "LambdaMART": lambda data: lab.lambdamart(data, "nDCG@5", rounds=40),
}
each_learner = pytest.mark.parametrize("learn", LEARNERS.values(), ids=LEARNERS)


def mean_ndcg(data: RankingData, scores: Any) -> float:
    """Mean nDCG@5 of the data's queries under these scores."""
    return float(measured(data, scores, ndcg @ 5).score.mean())


@functools.cache
def parts(noise: float) -> tuple[RankingData, RankingData, float]:
    """A hundred queries to learn from, 200 others, and the mean of random orders of these."""
    train, test = made_queries(400, 20, noise=noise, seed=2).normalised().split(seed=1)
    random = np.random.default_rng(0)
    by_chance = [mean_ndcg(test, random.uniform(size=len(test.grade))) for _ in range(20)]
    return train.take(train.queries[:100]), test, float(np.mean(by_chance))


def quality(learn: Callable[[RankingData], Any], noise: float) -> tuple[float, float]:
    """Mean nDCG@5 on queries not learnt from, and that of random orders of them."""
    train, test, by_chance = parts(noise)
    return mean_ndcg(test, learn(train).score(test.features)), by_chance


@each_learner
def test_what_can_be_learnt_is_learnt(learn: Callable[[RankingData], Any]) -> None:
    """Without noise, unseen queries are ranked nearly perfectly, far above chance."""
    learnt, chance = quality(learn, 0.0)
    assert learnt > 0.85
    assert chance < 0.45


@each_learner
def test_what_cannot_be_learnt_is_not(learn: Callable[[RankingData], Any]) -> None:
    """Where features say nothing of grades, unseen queries are ranked no better than by chance."""
    learnt, chance = quality(learn, 1.0)
    # The standard error of the mean over 200 queries is about 0.02.
    assert learnt == pytest.approx(chance, abs=0.06)


@each_learner
def test_a_learner_is_deterministic(learn: Callable[[RankingData], Any]) -> None:
    """The same data give the same scores, bit for bit."""
    data = made_queries(10, 8).normalised()
    first, second = learn(data), learn(data)
    assert np.array_equal(first.score(data.features), second.score(data.features))
    assert repr(first).startswith("<")
    assert first.run(data).keys() == data.qrels.keys()


@each_learner
def test_the_working_can_be_explained(learn: Callable[[RankingData], Any]) -> None:
    """Every learner tells how it learnt, by name, as text."""
    ranker = learn(made_queries(4, 5).normalised())
    working = ranker.working if len(ranker.working.score) == 1 else ranker.working.of(1)
    assert ranker.method.name in explain(working).text
    assert working.formula
    assert working.metric.definition.endswith(".")


def one_feature(x: list[float], grade: list[float]) -> RankingData:
    """A query whose documents have one feature."""
    return RankingData([[v] for v in x], grade, ["q"] * len(x), [f"d{i}" for i in range(len(x))])


def test_regression_is_least_squares() -> None:
    """The weights are those of scikit-learn's linear regression."""
    data = made_queries(5, 10)
    ranker: Any = pointwise_regression(data)
    other = LinearRegression().fit(data.features, data.grade)
    assert ranker.weights == pytest.approx(other.coef_)
    assert ranker.intercept == pytest.approx(other.intercept_)
    fit = ((data.grade - other.predict(data.features)) ** 2).sum()
    assert ranker.working.score.sum() == pytest.approx(fit)


def test_features_that_depend_on_one_another_share_their_weight() -> None:
    """Of all least squares the shortest: a feature and its copy weigh the same, a constant 0."""
    data = made_queries(5, 10)
    alone: Any = pointwise_regression(data)
    first = data.features[:, :1]
    more = np.hstack([data.features, first * (1 + 1e-15), 0.1 + 0 * first])
    both: Any = pointwise_regression(RankingData(more, data.grade, data.query, data.document))
    half = alone.weights[0] / 2
    assert both.weights == pytest.approx([half, *alone.weights[1:], half, 0.0], abs=1e-9)


def test_what_is_constant_but_for_rounding_is_0_when_normalised() -> None:
    """Rounding alone would be spread from 0 to 1."""
    data = one_feature([0.3, 0.1 + 0.2, 0.3], [0, 1, 2]).normalised()
    assert data.features.ravel().tolist() == [0, 0, 0]


def test_scores_that_rounding_alone_tells_apart_are_ties_in_a_run() -> None:
    """0.1 + 0.2 is 0.3, also where 0.3 is taken off and only the rounding is left."""
    data = one_feature([0.3, 0.1 + 0.2, 0.4], [0, 1, 2])
    ranker: Any = adarank(data, rounds=1)
    run = ranker.run(data)["q"]
    assert run["d0"] == run["d1"] < run["d2"]
    order = measured(data, ranker.score(data.features), ndcg)["document"]
    assert list(order) == ["d2", "d0", "d1"]
    apart = replace(ranker, weights=np.array([1.0]), intercept=-0.3)
    run = apart.run(data)["q"]
    assert run["d0"] == run["d1"] < run["d2"]


def test_classification_ranks_by_the_mean_grade() -> None:
    """The score is the sum of grade times probability, and probabilities sum to 1."""
    data = one_feature([0, 1, 2, 3, 4, 5], [0, 0, 0.5, 0.5, 3, 3])
    working = pointwise_classification(data).working
    probabilities = [working[f"P(grade {g})"] for g in ("0", "0.5", "3")]
    assert sum(probabilities) == pytest.approx(np.ones(6))
    expected = 0 * probabilities[0] + 0.5 * probabilities[1] + 3 * probabilities[2]
    assert working["mean grade"] == pytest.approx(expected)
    own = [probabilities[i // 2][i] for i in range(6)]
    assert working.value == pytest.approx(-sum(map(math.log, own)))


def test_the_rule_of_ordinal_regression() -> None:
    """The predicted grade is min {k : w.x - b_k < 0}, found here by looking from below."""
    data = made_queries(20, 10, noise=0.2)
    ranker = ordinal_regression(data)
    assert list(ranker.thresholds) == sorted(ranker.thresholds)
    predicted = ranker.predict(data.features)
    for row, found in zip(data.features.tolist(), predicted.tolist(), strict=True):
        score = sum(w * x for w, x in zip(ranker.weights.tolist(), row, strict=True))
        bounds = [*ranker.thresholds, math.inf]
        k = min(k for k, b in enumerate(bounds) if score - b < 0)
        assert found == ranker.grades[k]
    assert (predicted == data.grade).mean() > 0.7


def test_thresholds_lie_between_the_grades() -> None:
    """On a line where grades are apart, w.x - b changes sign between them."""
    data = one_feature([0, 1, 4, 5, 9, 10], [0, 0, 1, 1, 3, 3])
    ranker = ordinal_regression(data)
    low, high = (b / ranker.weights[0] for b in ranker.thresholds)
    assert 1 < low < 4
    assert 5 < high < 9
    assert ranker.predict(data.features).tolist() == data.grade.tolist()
    assert ranker.working.value == 0


@pytest.mark.parametrize(("C", "weight"), [(0.25, 0.25), (1, 1), (10, 1)])
def test_ranking_svm_on_one_pair(C: float, weight: float) -> None:
    """The least of w^2/2 + C max(0, 1 - w) is at w = min(C, 1)."""
    ranker = ranking_svm(one_feature([1, 0], [1, 0]), C=C)
    assert ranker.weights.tolist() == pytest.approx([weight], abs=1e-3)
    value = weight**2 / 2 + C * max(0.0, 1 - weight)
    assert f"= {value:.4f}" in explain(ranker.working).text


@pytest.mark.parametrize("pairs", ["equal", "by_query"])
def test_no_other_weights_have_a_lower_objective(pairs: str) -> None:
    """Small changes of the weights, in any direction, never lower the sum that is minimised."""
    data = made_queries(6, 8, noise=0.5, seed=7)
    counts = np.array(
        [
            sum(a > b for a in grades.values() for b in grades.values())
            for grades in data.qrels.values()
        ]
    )
    each = np.ones(6) if pairs == "equal" else counts[counts > 0].mean() / np.maximum(counts, 1)

    def objective(w: Any) -> float:
        return float(w @ w / 2 + hinge_loss(data, data.features @ w, weight=each).score.sum())

    found = ranking_svm(data, pairs=pairs).weights
    random = np.random.default_rng(0)
    for size in (1e-2, 1e-1, 1):
        for _ in range(20):
            assert objective(found) <= objective(found + size * random.normal(size=5)) + 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_one_long_query_swamps_the_pairwise_learner_and_not_the_listwise_one(seed: int) -> None:
    """Ranking SVM serves the one long query, AdaRank the twenty short ones; both do as they count.

    Weighed by query, Ranking SVM serves the short ones too: it is the counting that did it.
    """
    data = swamped_queries(seed=seed)
    scores = {
        name: ranker.score(data.features)
        for name, ranker in {
            "pairwise": ranking_svm(data),
            "listwise": adarank(data, ndcg),
            "weighed": ranking_svm(data, pairs="by_query"),
        }.items()
    }
    gain = {name: measured(data, s, ndcg).score for name, s in scores.items()}
    assert gain["pairwise"][0] > 0.9  # the long query
    assert gain["listwise"][0] < 0.7
    assert gain["pairwise"].mean() < 0.6
    assert gain["listwise"].mean() > 0.9
    assert gain["weighed"].mean() > 0.9
    by_document, by_query = zip(*(pair_losses(data, s) for s in scores.values()), strict=True)
    assert by_document[0] < 0.15
    assert by_document[1] > 0.85
    assert by_query[0] > 0.85
    assert by_query[1] < 0.15
    metric = average_precision
    assert (
        measured(data, scores["listwise"], metric).score.mean()
        > measured(data, scores["pairwise"], metric).score.mean() + 0.3
    )


def plain_ndcg(scores: list[float], grades: list[float]) -> float:
    """NDCG in plain loops, ties as given."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    dcg = sum(grades[i] / math.log2(rank + 1) for rank, i in enumerate(order, 1))
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(grades, reverse=True), 1))
    return dcg / best if best else 0.0


def plain_adarank(data: RankingData, rounds: int) -> list[tuple[int, float, list[float]]]:
    """The algorithm as it is printed: feature, alpha and P_{t+1} of each round."""
    queries = [np.flatnonzero(data.number == q).tolist() for q in range(len(data.queries))]

    def performance(score: Callable[[Any], float]) -> list[float]:
        return [
            plain_ndcg([score(data.features[i]) for i in rows], [data.grade[i] for i in rows])
            for rows in queries
        ]

    m = len(queries)
    p = [1 / m] * m
    alphas: list[tuple[int, float]] = []
    out = []
    for _ in range(rounds):
        each = [performance(lambda x, j=j: x[j]) for j in range(data.features.shape[1])]
        values = [sum(a * b for a, b in zip(p, e, strict=True)) for e in each]
        j = values.index(max(values))
        above = sum(w * (1 + e) for w, e in zip(p, each[j], strict=True))
        below = sum(w * (1 - e) for w, e in zip(p, each[j], strict=True))
        alphas.append((j, math.log(above / below) / 2))
        strong = performance(lambda x: sum(a * x[k] for k, a in alphas))
        p = [math.exp(-e) for e in strong]
        p = [w / sum(p) for w in p]
        out.append((*alphas[-1], p))
    return out


@pytest.mark.parametrize("seed", range(3))
def test_adarank_follows_the_printed_formulas(seed: int) -> None:
    """Weak rankers, alpha_t and P_{t+1} of every round are those of plain loops."""
    data = made_queries(8, 7, 3, noise=0.6, seed=seed)
    ranker = adarank(data, ndcg, rounds=4)
    working = ranker.working
    expected = plain_adarank(data, 4)
    assert working["weak ranker"] == [f"x{j + 1}" for j, _, _ in expected]
    assert working["alpha"].tolist() == pytest.approx([a for _, a, _ in expected])
    for t, (j, alpha, p) in enumerate(expected, 1):
        part = working[f"round {t}"]
        assert part.value == pytest.approx(alpha)
        assert part["P'"].tolist() == pytest.approx(p)
        assert part["candidates"]["weak ranker"][0] == f"x{j + 1}"
    weights = [sum(a for k, a, _ in expected if k == j) for j in range(3)]
    assert ranker.weights.tolist() == pytest.approx(weights)


@pytest.mark.parametrize(
    "metric",
    ["nDCG@5", "AP", "ERR", "RBP", "P@5", "Q", im.roc_auc, alpha_ndcg @ 5, im.subtopic_recall @ 5],
    ids=repr,
)
def test_adarank_takes_any_metric_of_the_registry(metric: Any) -> None:
    """E may be a metric of ranking, of scores or of novelty; it is no worse than one feature."""
    whole = made_queries(20, 12, noise=0.1, seed=1).normalised()
    # A query without relevant documents has no AUC: E has to be a number for every query.
    data = whole.take([q for q, grades in whole.qrels.items() if any(grades.values())])
    ranker = adarank(data, metric, rounds=3)
    chosen = im.parse(metric) if isinstance(metric, str) else metric
    after = measured(data, ranker.score(data.features), chosen).score.mean()
    alone = max(measured(data, x, chosen).score.mean() for x in data.features.T)
    assert after == pytest.approx(ranker.working.value)
    assert after >= alone - 1e-9


def test_a_perfect_feature_ends_the_rounds() -> None:
    """Its alpha is infinite, so the ranker is this feature alone, and the working says so."""
    ranker = adarank(one_feature([3, 2, 1], [2, 1, 0]), ndcg)
    assert ranker.weight_of == {"x1": 1.0}
    text = explain(ranker.working).text
    assert "so it alone is the ranker" in text
    assert "round 2" not in text


def test_reuse_never_takes_each_feature_once() -> None:
    """The published rule may take one feature in every round; the other one takes all in turn."""
    data = made_queries(20, 10, noise=0.1, seed=2).normalised()
    assert set(adarank(data, rounds=6).working["weak ranker"]) == {"x1"}
    once = adarank(data, rounds=9, reuse="never").working["weak ranker"]
    assert sorted(once) == ["x1", "x2", "x3", "x4", "x5"]


def test_learning_and_then_diversifying() -> None:
    """A learnt ranking crowds its top with one facet; xQuAD after it raises alpha-nDCG."""
    data = made_queries(40, 30, n_facets=6, noise=0.1, seed=0)
    train, test = data.split()
    scores = ordinal_regression(train).score(test.features)
    chance = 1 / (1 + np.exp(-scores))
    run = test.run(chance)
    assert test.facets is not None
    before, after = [], []
    for q, query in enumerate(test.queries):
        rows = range(test.starts[q], test.starts[q + 1])
        covers = {test.document[i]: dict.fromkeys(test.facets[i], float(chance[i])) for i in rows}
        ranking = sorted(run[query], key=run[query].__getitem__, reverse=True)
        metric = alpha_ndcg @ 5
        before.append(metric(ranking, test.nuggets[query]))
        after.append(metric(xquad(run[query], covers, lambda_=0.7), test.nuggets[query]))
    assert np.mean(after) > np.mean(before) + 0.02


ALIKE = one_feature([1, 2], [1, 1])
APART = RankingData([[1], [2]], [0, 1], ["p", "q"], ["a", "b"])


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: pointwise_regression(ALIKE), "every document has grade 1"),
        (lambda: pointwise_classification(ALIKE), "every document has grade 1"),
        (lambda: ordinal_regression(ALIKE), "every document has grade 1"),
        (lambda: ranking_svm(ALIKE), "every document has grade 1"),
        (lambda: adarank(ALIKE), "every document has grade 1"),
        (lambda: pointwise_regression([[1]]), "pointwise regression can't learn from list"),
        (
            lambda: ranking_svm(RankingData([[], []], [0, 1], ["q"] * 2, ["a", "b"])),
            "no feature to learn from",
        ),
        (lambda: ranking_svm(APART), "no pair to learn from"),
        (lambda: ranking_svm(one_feature([1, 2], [0, 1]), C=0), "C=0 is out of range"),
        (
            lambda: ranking_svm(one_feature([1, 2], [0, 1]), pairs="some"),
            "is not known; use one of",
        ),
        (lambda: adarank(made_queries(3), im.dcg), "query 'q1': DCG of x1"),
        (lambda: adarank(made_queries(3), 3), "give a metric"),
        (lambda: adarank(made_queries(3), "nDGC"), "not a known measure"),
        (lambda: adarank(made_queries(3), rounds=0), "at least 1"),
        (lambda: adarank(made_queries(3), rounds=None), "rounds=None is not possible"),
        (lambda: ordinal_regression(made_queries(3)).score([[1, 2]]), "5 features"),
        (lambda: ordinal_regression(made_queries(3)).score([[np.nan] * 5]), "not finite"),
        (lambda: ordinal_regression(made_queries(3)).score([["a"] * 5]), "features are not all nu"),
    ],
)
def test_bad_input_is_refused(call: Callable[[], Any], says: str) -> None:
    """Each message says what was given and what would do."""
    with pytest.raises(InputError, match=says):
        call()


def test_a_query_whose_metric_is_no_number_is_named() -> None:
    """AdaRank can't weigh a query that has no score."""
    data = made_queries(3, 4)
    grade = data.grade.copy()
    grade[:4] = 0
    without = RankingData(data.features, grade, data.query, data.document)
    with pytest.raises(InputError, match=r"query 'q1': nDCG.* is nan"):
        adarank(without, ndcg.using(no_relevant="nan"))
