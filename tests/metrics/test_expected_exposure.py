"""Expected exposure against an average over all orders, and by hand."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import expected_exposure, explain
from irmetrics_edu.errors import InputError

DOCUMENTS = "abcde"
grades = st.lists(st.integers(0, 2), min_size=1, max_size=5)
patience = st.sampled_from([0.3, 0.5, 0.9])


def attention(rankings, p):
    """The mean attention of each document, ranking by ranking."""
    got = dict.fromkeys(DOCUMENTS, 0.0)
    for ranking in rankings:
        for place, document in enumerate(ranking):
            got[document] += p**place / len(rankings)
    return got


def ideal_orders(judgments):
    """All rankings whose grades fall."""
    found = []
    for order in permutations(judgments):
        row = [judgments[d] for d in order]
        if row == sorted(row, reverse=True):
            found.append(order)
    return found


@given(grades, st.lists(st.permutations(DOCUMENTS), min_size=1, max_size=4), patience)
def test_the_target_is_the_mean_over_all_ideal_orders(graded, samples, p):
    """The loss is the squared distance to it; the parts add up to the loss."""
    judgments = dict(zip(DOCUMENTS, graded, strict=False))
    got, due = attention(samples, p), attention(ideal_orders(judgments), p)
    working = expected_exposure(samples, judgments, p=p)
    assert working.value == pytest.approx(sum((got[d] - due[d]) ** 2 for d in DOCUMENTS))
    assert working["EE-D"][0] == pytest.approx(sum(got[d] ** 2 for d in DOCUMENTS))
    assert working["EE-R"][0] == pytest.approx(sum(got[d] * due[d] for d in DOCUMENTS))
    parts = working["EE-D"][0] - 2 * working["EE-R"][0] + working["squared targets"][0]
    assert working.value == pytest.approx(parts, abs=1e-12)
    for document, squared in zip(working["document"], working["squared difference"], strict=True):
        assert squared == pytest.approx((got[document] - due.get(document, 0)) ** 2)


@given(grades, patience)
def test_an_ideal_system_loses_nothing(graded, p):
    """Neither does the order of its rankings, nor that of the judgments, matter."""
    judgments = dict(zip(DOCUMENTS, graded, strict=False))
    orders = ideal_orders(judgments)
    turned = dict(reversed(judgments.items()))
    assert expected_exposure(orders[::-1], turned, p=p).value == pytest.approx(0, abs=1e-24)


def test_by_hand():
    """Attention 1, 1/2, 1/4; the two relevant documents are each due 3/4."""
    judgments = {"c": 0, "a": 1, "b": 1}
    working = expected_exposure([["a", "c", "b"], {"b": 0.9, "a": 0.8}], judgments)
    assert working["document"] == ["a", "b", "c"]
    assert working["expected exposure"].tolist() == [0.75, 0.625, 0.25]
    assert working["target exposure"].tolist() == [0.75, 0.75, 0.25]
    assert working.value == 1 / 64
    assert "EE-L = EE-D - 2 * EE-R + squared targets" in explain(working).text


def test_documents_without_a_judgment():
    """They are due nothing, and what they get counts; a set holds the relevant ones."""
    working = expected_exposure([["x", "a"]], {"a"})
    assert working["document"] == ["a", "x"]
    assert working["target exposure"].tolist() == [1, 0]
    assert working.value == 1.25
    assert expected_exposure([[]], {"a"}).value == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: expected_exposure([], {"a": 1}), "samples is empty"),
        (lambda: expected_exposure("abc", {"a": 1}), "samples='abc' is not a list of rankings"),
        (lambda: expected_exposure({"a": 1}, {"a": 1}), "is not a list of rankings"),
        (lambda: expected_exposure(["a"], {"a": 1}), "query 'sample 1': the ranking is the text"),
        (lambda: expected_exposure([["a"], ["a", "a"]], {"a": 1}), "'sample 2'.*ranked twice"),
        (lambda: expected_exposure([["a"]], None), "judgments=None"),
        (lambda: expected_exposure([["a"]], {}), "nothing is judged"),
        (lambda: expected_exposure([["a"]], {"a": -1}), "grade -1"),
        (lambda: expected_exposure([["a"]], {"a": 1}, p=1), "p=1 is out of range"),
    ],
)
def test_what_can_not_be_scored_is_refused(call, words):
    """With the number of the sample."""
    with pytest.raises(InputError, match=words):
        call()
