"""Pair accuracy, by document and by query."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further
from irmetrics_edu import InputError, pair_accuracy
from irmetrics_edu.course.several_queries import pair_accuracy_table

grades = st.lists(st.integers(0, 3), min_size=1, max_size=9)


@given(grades)
def test_pair_accuracy_is_the_oracle(ranking):
    """Equal grades make no pair; without any pair it is 0, NaN or refused, as told."""
    if len(set(ranking)) > 1:
        expected = further.pair_accuracy(ranking, (), undefined="nan")
        assert pair_accuracy(ranking, exact=True) == expected
        assert pair_accuracy(ranking) == pytest.approx(float(expected))
    else:
        assert pair_accuracy(ranking) == 0
        assert math.isnan(pair_accuracy(ranking, undefined="nan"))
        with pytest.raises(InputError, match="no two documents"):
            pair_accuracy(ranking, undefined="refuse")


@given(st.lists(grades, min_size=1, max_size=5))
def test_many_queries_at_once_equal_each_alone(several):
    """No pair crosses from one query to another."""
    parts = [pair_accuracy.align(g) for g in several]
    together = pair_accuracy.measured(type(parts[0]).joined(parts))
    assert together.score.tolist() == [pair_accuracy(g) for g in several]


def test_scikit_learn_agrees_on_two_grades():
    """With two grades and no ties in rank, pair accuracy is the area under the ROC curve."""
    metrics = pytest.importorskip("sklearn.metrics")
    ranking = [1, 0, 1, 1, 0, 0, 1, 0]
    scores = list(range(len(ranking), 0, -1))
    assert pair_accuracy(ranking) == pytest.approx(metrics.roc_auc_score(ranking, scores))


def test_two_rankings_with_one_wrong_pair_each_are_alike():
    """Document 004: the place of the error makes no difference to pairs."""
    above, below = [2, 3, 2, 1, 1, 1, 1], [3, 2, 1, 2, 1, 1, 1]
    assert pair_accuracy(above) == pair_accuracy(below) == 13 / 14


@pytest.mark.parametrize(
    ("counts", "by_document", "by_query"),
    [
        ({"q1": (770, 10), "q2": (10, 0)}, "98.73%", "99.36%"),
        ({"q1": (780, 0), "q2": (0, 10)}, "98.73%", "50.00%"),
    ],
)
def test_the_table_of_document_004(counts, by_document, by_query):
    """Pooled, the query with 780 pairs hides the one with 10."""
    table = pair_accuracy_table(counts)
    assert f"{float(table.by_document):.2%}" == by_document
    assert f"{float(table.by_query):.2%}" == by_query
    assert table.by_document == Fraction(78, 79)


def test_the_table_shows_each_query():
    """98.72 % is 77/78."""
    working = pair_accuracy_table({"q1": (770, 10), "q2": (10, 0)}).working
    assert working["by query"]["accuracy of the query"].tolist() == [Fraction(77, 78), 1]
    assert working["by document"]["concordant pairs"].tolist() == [770, 10]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({}, "counts map a query"),
        ([(1, 2)], "counts map a query"),
        ({"q": 3}, "query 'q': counts are (pairs right, pairs wrong)"),
        ({"q": (1, -1)}, "query 'q': pairs=-1 is not possible"),
        ({"q": (1, 0.5)}, "pairs=0.5 is not possible"),
        ({"q": (0, 0)}, "query 'q': it has no pair"),
    ],
)
def test_bad_counts_are_refused(counts, message):
    """Each message names the query."""
    with pytest.raises(InputError, match=re.escape(message)):
        pair_accuracy_table(counts)
