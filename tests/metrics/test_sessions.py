"""Session DCG against a loop over the session, and by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.sessions import session_dcg

sessions = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=1, max_size=4)


def loop(session: list[list[int]], base: float, k: int | None) -> float:
    """Add up document by document, each divided by the two discounts."""
    gained = 0.0
    for q, grades in enumerate(session, 1):
        for i, grade in enumerate(grades[:k], 1):
            gained += grade / math.log2(i + 1) / (1 + math.log(q, base))
    return gained


@given(sessions, st.sampled_from([2, 4, 10]), st.none() | st.integers(1, 6))
def test_a_session_adds_up(session, base, k):
    """Every cut-off and base of the discount of queries."""
    expected = loop(session, base, k)
    assert session_dcg(session, base=base, k=k) == pytest.approx(expected, abs=1e-12)


def test_a_session_by_hand():
    """The fourth query counts half for base 4: 1 + log_4 4 is 2."""
    judgments = {"a": 3}
    assert session_dcg([["x"], ["x"], ["x"], ["a"]], judgments) == 1.5
    working = session_dcg.working([[1, 0], [1, 0]])
    assert working["query discount"].tolist() == pytest.approx([1, 2 / 3])
    assert working["DCG"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: session_dcg([]), "the session has no query"),
        (lambda: session_dcg("abc"), "the session is 'abc'"),
        (lambda: session_dcg([[1], [-1]]), "query 'number 2', rank 1: grade -1"),
        (lambda: session_dcg([1, 2]), "query 'number 1': 1 is not a ranking"),
        (lambda: session_dcg([[1]], base=1), "base=1"),
    ],
)
def test_what_is_no_session_is_refused(call, words):
    """With the query's number."""
    with pytest.raises(InputError, match=words):
        call()


def test_a_logarithm_is_no_fraction():
    """Of ranks and of queries."""
    with pytest.raises(NotRational):
        session_dcg([[1, 1], [1]], discount="reciprocal", exact=True)
