"""The order in which queries come, and what they are called, decides no digit of a test."""

import random
from fractions import Fraction

import numpy as np
import pytest

from irmetrics_edu import compare
from irmetrics_edu.gate import assert_no_regression
from irmetrics_edu.judging.agreement import tau
from irmetrics_edu.judging.bootstrap import estimates

MEASURES = "nDCG@5 AP RR"


def world(seed):
    """Judgments and three runs of 2 to 90 queries, with equal scores among them."""
    drawn = random.Random(seed)
    queries = [f"q{i}" for i in range(drawn.choice([2, 19, 21, 40, 90]))]
    qrels = {query: {f"d{j}": drawn.randrange(3) for j in range(6)} for query in queries}
    runs = {}
    for name in "abc":
        runs[name] = {query: {f"d{j}": drawn.random() for j in range(8)} for query in queries}
    return qrels, runs


def in_other_order(by_query, seed):
    """The same queries in another order."""
    items = list(by_query.items())
    random.Random(seed).shuffle(items)
    return dict(items)


def told(run, baseline, qrels):
    """What a gate says, whether it holds or not."""
    try:
        return repr(assert_no_regression(run, baseline, qrels, MEASURES, inconclusive="pass"))
    except AssertionError as failure:
        return str(failure)


@pytest.mark.parametrize("seed", range(6))
def test_queries_in_another_order_give_the_same_pages_and_verdicts(seed):
    """Each of the runs has an order of its own; p is drawn where there are over 13 queries."""
    qrels, runs = world(seed)
    moved = {name: in_other_order(run, name) for name, run in runs.items()}
    moved_qrels = in_other_order(qrels, seed)
    before = compare(runs, qrels, MEASURES)
    after = compare(moved, moved_qrels, MEASURES)
    assert after.text(digits=6) == before.text(digits=6)
    assert repr(after.tests) == repr(before.tests)
    heavy = {query: 1 + len(query) + number % 3 for number, query in enumerate(qrels)}
    weighed = compare(runs, qrels, MEASURES, weights=heavy)
    assert repr(compare(moved, moved_qrels, MEASURES, weights=heavy).tests) == repr(weighed.tests)
    for correction in ("holm", "tukey"):
        first = before.all_pairs(correction).details(digits=6)
        assert after.all_pairs(correction).details(digits=6).text() == first.text()
    assert told(moved["a"], moved["b"], moved_qrels) == told(runs["a"], runs["b"], qrels)


@pytest.mark.parametrize("seed", range(6))
def test_tukeys_p_is_that_of_the_pair_whichever_run_comes_first(seed):
    """Scores are dealt to runs, and no run has a place of its own."""
    qrels, runs = world(seed)
    turned = dict(reversed(runs.items()))
    first = compare(runs, qrels, MEASURES).all_pairs("tukey")
    second = compare(turned, qrels, MEASURES).all_pairs("tukey")
    p = {(one.measure, frozenset({one.run, one.other})): one.p for one in first.pairs}
    assert {(one.measure, frozenset({one.run, one.other})): one.p for one in second.pairs} == p


@pytest.mark.parametrize("seed", range(6))
def test_intervals_over_lines_hang_on_no_lines_place(seed):
    """Shares of labels, and the order of systems by two judges each."""
    drawn = np.random.default_rng(seed)
    order = drawn.permutation(40)
    labels = drawn.integers(0, 2, (40, 3))

    def share(sums):
        return Fraction(sums[0], sums[1] + sums[2] + 1)

    assert estimates({"m": (labels[order], share)}) == estimates({"m": (labels, share)})
    scores = drawn.random((40, 4, 5))
    assert tau(scores[order], [0, 1], [2, 3]) == tau(scores, [0, 1], [2, 3])
