"""What the three kinds of learner are after, on the tables of the lecture and in plain loops."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irmetrics_edu as im
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.losses import (
    hinge_loss,
    list_loss,
    measured,
    pair_loss,
    pair_losses,
    squared_loss,
)
from irmetrics_edu.lab.learning.made_queries import made_queries
from irmetrics_edu.lab.learning.ranking_data import RankingData, from_rankings
from irmetrics_edu.metrics import definition
from tests.conftest import examples


def test_rank_a_and_rank_b() -> None:
    """One pair is wrong in each, so a pairwise loss can't choose; a listwise one prefers B."""
    data = from_rankings({"A": [2, 3, 2, 1, 1, 1, 1], "B": [3, 2, 1, 2, 1, 1, 1]})
    scores = data.features[:, 0]
    assert pair_loss(data, scores).score.tolist() == [1, 1]
    a, b = list_loss(data, scores).score.tolist()
    # By hand: A loses 1 - 1/log2(3) of the ideal DCG, B loses 1/2 - 1/log2(5).
    ideal = 3 + 2 / math.log2(3) + 2 / 2 + sum(1 / math.log2(i + 1) for i in range(4, 8))
    assert a == pytest.approx((1 - 1 / math.log2(3)) / ideal)
    assert b == pytest.approx((1 / 2 - 1 / math.log2(5)) / ideal)
    assert a > b


def with_wrong_pairs(n: int, wrong: int) -> list[int]:
    """Grades n-1 ... 0 in ranked order, with as many pairs turned round: bubbles from below."""
    order = list(range(n - 1, -1, -1))
    for _ in range(wrong):
        i = next(i for i in range(n - 1) if order[i] > order[i + 1])
        order[i], order[i + 1] = order[i + 1], order[i]
    return order


def test_the_imbalance_table() -> None:
    """770/10 and 10/0 against 780/0 and 0/10: alike over pairs, far apart over queries."""
    # 40 documents of different grades make 780 pairs, 5 make 10.
    case_1 = from_rankings({"q1": with_wrong_pairs(40, 10), "q2": with_wrong_pairs(5, 0)})
    case_2 = from_rankings({"q1": with_wrong_pairs(40, 0), "q2": with_wrong_pairs(5, 10)})
    losses = [pair_loss(case, case.features[:, 0]) for case in (case_1, case_2)]
    assert [loss.score.tolist() for loss in losses] == [[10, 0], [0, 10]]
    (document_1, query_1), (document_2, query_2) = (
        pair_losses(case, case.features[:, 0]) for case in (case_1, case_2)
    )
    assert f"{1 - document_1:.2%} {1 - query_1:.2%}" == "98.73% 99.36%"
    assert f"{1 - document_2:.2%} {1 - query_2:.0%}" == "98.73% 50%"


@given(st.integers(0, 10_000))
@settings(max_examples=examples(25))
def test_the_losses_are_what_plain_loops_find(seed: int) -> None:
    """Squared, hinge and pair losses of random scores, summed pair by pair."""
    data = made_queries(4, 6, seed=seed)
    scores = np.random.default_rng(seed).normal(size=len(data.grade))
    run = data.run(scores)
    for q, query in enumerate(data.queries):
        grades, given_scores = data.qrels[query], run[query]
        squared = sum((grades[d] - given_scores[d]) ** 2 for d in grades)
        hinge = wrong = 0.0
        for i in grades:
            for j in grades:
                if grades[i] > grades[j]:
                    hinge += max(0.0, 1 - (given_scores[i] - given_scores[j]))
                    wrong += given_scores[i] < given_scores[j]
        assert squared_loss(data, scores).score[q] == pytest.approx(squared)
        assert hinge_loss(data, scores).score[q] == pytest.approx(hinge)
        assert pair_loss(data, scores).score[q] == wrong


@pytest.mark.parametrize(
    "metric",
    [
        im.ndcg @ 3,
        im.ndcg.using(gain="exp"),
        im.average_precision,
        im.err,
        im.precision @ 2,
        im.ndcg.using(unjudged="removed"),
        im.roc_auc,
        im.alpha_ndcg @ 5,
        im.subtopic_recall @ 3,
    ],
    ids=repr,
)
def test_any_metric_is_the_same_for_all_queries_at_once(metric: definition.Metric) -> None:
    """Measured over the whole data, a metric has the score that it has when called."""
    data = made_queries(5, 8, seed=3)
    scores = np.random.default_rng(3).normal(size=len(data.grade))
    found = measured(data, scores, metric)
    for q, (query, run) in enumerate(data.run(scores).items()):
        ranking = sorted(run, key=run.__getitem__, reverse=True)
        if metric.inputs.name == "ranking":
            expected = metric(ranking, data.qrels[query])
        elif metric.inputs.name == "scored":
            expected = metric(list(data.qrels[query].values()), list(run.values()))
        else:
            expected = metric(ranking, data.nuggets[query])
        assert found.score[q] == pytest.approx(expected)


def test_a_metric_of_something_else_is_refused() -> None:
    """Documents with features have no categories and no values."""
    data = made_queries(3, 6, seed=1)
    for metric, kind in ((im.mean, "values"), (im.category_coverage, "recommended")):
        with pytest.raises(InputError, match=f"a metric of {kind} can't measure a ranking of docu"):
            measured(data, data.features[:, 0], metric)


def test_bad_scores_are_refused() -> None:
    """A score for each document, each finite; pairs where there are none are an error."""
    data = from_rankings({"q": [1, 1]})
    with pytest.raises(InputError, match="2 documents need one score each"):
        squared_loss(data, [1])
    with pytest.raises(InputError, match=r"query 'q', document 'd2'.*not finite"):
        squared_loss(data, [1, np.nan])
    with pytest.raises(InputError, match=r"scores are not all numbers: .*'high'"):
        squared_loss(data, [1, "high"])
    with pytest.raises(InputError, match="no query has two documents"):
        pair_losses(data, [1, 2])
    with pytest.raises(InputError, match="no facets"):
        measured(RankingData([[1]], [1], ["q"], ["d"]), [1], im.alpha_ndcg)
