"""Curves over a threshold, the areas under them, and the break-even point."""

from fractions import Fraction

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import further as oracle
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.average_precision import average_precision, precision_recall_curve
from irmetrics_edu.metrics.contingency import confusion
from irmetrics_edu.metrics.curves import break_even, pr_auc, pr_curve, roc_auc, roc_curve
from irmetrics_edu.metrics.set_based import r_precision
from irmetrics_edu.rows.scored import Scored, align_scored

# Scores in tenths, so that ties are common.
scored = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4).map(lambda s: s / 10)), min_size=1, max_size=9
)
with_relevant = scored.filter(lambda items: any(r for r, _ in items))
of_both_kinds = scored.filter(lambda items: len({r for r, _ in items}) == 2)


def unzipped(items):
    """Relevance and scores as two lists."""
    return [r for r, _ in items], [s for _, s in items]


@given(of_both_kinds)
def test_auc_is_a_probability_over_pairs(items):
    """Strip by strip or pair by pair: the same, exactly, and as scikit-learn has it."""
    relevance, scores = unzipped(items)
    expected = oracle.roc_area(list(zip(scores, relevance, strict=True)))
    assert roc_auc(relevance, scores, exact=True) == expected
    theirs = sklearn.metrics.roc_auc_score(relevance, scores)
    assert roc_auc(relevance, scores) == pytest.approx(theirs)


@given(of_both_kinds)
def test_the_roc_curve_equals_scikit_learn(items):
    """Thresholds, true positive rate and fall-out, after its first point at infinity."""
    relevance, scores = unzipped(items)
    fall_out, rate, thresholds = sklearn.metrics.roc_curve(
        relevance, scores, drop_intermediate=False
    )
    ours = roc_curve(relevance, scores)
    np.testing.assert_allclose(ours["fall-out"], fall_out[1:])
    np.testing.assert_allclose(ours["true positive rate"], rate[1:])
    np.testing.assert_allclose(ours["threshold"], thresholds[1:])


@given(with_relevant)
def test_the_precision_recall_curve_equals_scikit_learn(items):
    """Its points run from the lowest threshold up and end in the made-up point (0, 1)."""
    relevance, scores = unzipped(items)
    precision, recall, thresholds = sklearn.metrics.precision_recall_curve(relevance, scores)
    ours = pr_curve(relevance, scores)
    np.testing.assert_allclose(ours["precision"][::-1], precision[:-1])
    np.testing.assert_allclose(ours["recall"][::-1], recall[:-1])
    np.testing.assert_allclose(ours["threshold"][::-1], thresholds)


@given(with_relevant)
def test_the_area_by_steps(items):
    """Equal to the oracle and to scikit-learn's average_precision_score."""
    relevance, scores = unzipped(items)
    assert pr_auc(relevance, scores, exact=True) == oracle.pr_area(
        list(zip(scores, relevance, strict=True))
    )
    theirs = sklearn.metrics.average_precision_score(relevance, scores)
    assert pr_auc(relevance, scores) == pytest.approx(theirs)


@given(with_relevant)
def test_the_break_even_point_equals_the_oracle(items):
    """On the line between two thresholds."""
    relevance, scores = unzipped(items)
    on_a_line = break_even(relevance, scores, exact=True)
    assert on_a_line == oracle.break_even(list(zip(scores, relevance, strict=True)))


@given(st.lists(st.integers(0, 1), min_size=1, max_size=10).filter(any))
def test_without_ties_these_are_measures_of_the_ranking(relevance):
    """The break-even point is R-precision, the area by steps AP; no scores: in ranked order."""
    scores = [-float(i) for i in range(len(relevance))]
    for given_scores in ((), (scores,)):
        ours = break_even(relevance, *given_scores, exact=True)
        assert ours == r_precision(relevance, exact=True)
        ours = pr_auc(relevance, *given_scores, exact=True)
        assert ours == average_precision(relevance, exact=True)


def test_a_tie_is_crossed_on_a_line():
    """One relevant document, then three tied with one relevant: 3/4."""
    example = ([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.5])
    assert break_even(*example, exact=True) == Fraction(3, 4)


def test_one_line_per_threshold():
    """Five documents, three scores; the lines are labelled with the score, or else the rank."""
    curve = roc_curve([1, 0, 1, 1, 0], [0.9, 0.5, 0.5, 0.1, 0.1])
    assert curve["threshold"].tolist() == [0.9, 0.5, 0.1]
    assert curve["TP"].tolist() == [1, 2, 3]
    assert curve["FP"].tolist() == [0, 1, 2]
    assert roc_curve([1, 0, 1])["rank"].tolist() == [1, 2, 3]


def test_many_queries_at_once_equal_each_alone():
    """With scores and without, side by side; the lowest score of one query may begin the next."""
    cases = [
        ([1, 0, 1], [0.3, 0.2, 0.1]),
        ([0, 1, 1, 0], [0.1, 0.1, 0.1, 0.1]),
        ([0, 1, 0],),
        ([1, 1, 0], [5, 4, 4]),
    ]
    together = Scored.joined([align_scored(*case) for case in cases])
    for metric in (roc_auc, pr_auc, break_even):
        working = metric.measured(together, **metric.params)
        assert working.score.tolist() == pytest.approx([metric(*case) for case in cases])
    assert together.of(3).score.tolist() == [5, 4, 4]
    assert together.of(2).table().labels["rank"].tolist() == [1, 2, 3]
    assert list(together.table().labels["score"])[-4:] == [None, 5, 4, 4]


@pytest.mark.parametrize("metric", [pr_auc, break_even])
def test_a_list_without_relevant_documents_is_worth_what_is_said(metric):
    """0 by default, no score on demand."""
    assert metric([0, 0], [0.2, 0.1]) == 0
    assert np.isnan(metric([0, 0], [0.2, 0.1], no_relevant="nan"))


def test_auc_needs_both_kinds_and_names_the_query():
    """Neither all relevant nor none relevant leaves a pair to compare."""
    with pytest.raises(InputError, match="of 2 documents none is relevant"):
        roc_auc([0, 0], [0.2, 0.1])
    parts = [align_scored([1, 0], query="q1"), align_scored([1, 1], query="q2")]
    with pytest.raises(InputError, match="query 'q2': of 2 documents all are relevant"):
        roc_auc.measured(Scored.joined(parts))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [0.5]), "2 grades and 1 scores"),
        (([1, 0], [0.5, float("nan")]), "item 2: score nan is not finite"),
        (([1, 0], [0.5, "high"]), "item 2: score 'high' is not a number"),
        (([1, 0], 0.5), r"scores=0\.5 is not a collection"),
        (([1, None], [0.5, 0.4]), "item 2 is not judged"),
        (([1, -1], [0.5, 0.4]), "grade -1 is negative"),
        (({"a": 1}, {"a": 0.5}), "two lists of one length"),
        (([], []), "nothing is judged"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(arguments, message):
    """The message names the item, what was given and what would do."""
    with pytest.raises(InputError, match=message):
        roc_auc(*arguments)


def test_labels_of_minus_one_may_be_said_to_be_not_relevant():
    """Classifiers' -1 is refused as it stands, and read as 0 on demand."""
    assert roc_auc([1, -1], [0.5, 0.4], negative="zero") == 1


@pytest.mark.parametrize("relevance", [[1, 1], [0, 0], [1], [1, 0], [0, 1, 1]])
def test_an_area_without_pairs_shows_no_line_of_its_pairs(relevance):
    """It is what the option says, and no 0 / 0."""
    scores = [1 / (1 + place) for place in range(len(relevance))]
    working = roc_auc.working(relevance, scores, undefined="half")
    assert (working.how == "") is (len({*relevance}) == 1)
    assert bool(working.notes) is (len({*relevance}) == 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda **given: precision_recall_curve([1, 0, 1], **given),
        lambda **given: roc_curve([0, 1], [0.1, 0.2], **given),
        lambda **given: pr_curve([0, 1], [0.1, 0.2], **given),
        lambda **given: confusion([1, 0], collection=5, **given),
    ],
)
def test_a_working_is_of_floats_unless_it_is_asked_for_in_fractions(call):
    """All of its columns of numbers, and its score."""
    for options, kind in (({}, float), ({"exact": False}, float), ({"exact": True}, Fraction)):
        working = call(**options)
        assert isinstance(working.value, kind)
        for column in working.columns.values():
            assert {type(value) for value in np.asarray(column).tolist()} <= {kind, int, bool}


@pytest.mark.parametrize("metric", [pr_auc, break_even])
def test_without_relevant_documents_recall_is_0_at_each_threshold(metric):
    """Nothing is found of nothing; the score is what the convention says."""
    for n in (1, 2, 3):
        working = metric.working([0] * n, no_relevant="one")
        assert working["recall"].tolist() == working["TP"].tolist() == [0] * n
        assert working.value == 1
