"""The order of scored documents, and what is refused, however many need a look of their own."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError

floats = st.floats(allow_nan=False, allow_infinity=False, width=16)
some_scores = st.dictionaries(st.text(min_size=1), floats | st.integers(-3, 3) | st.just(-0.0))


@given(some_scores)
def test_documents_are_by_falling_score_and_equal_ones_as_given(scores):
    """Against pairs of the score and the place, of floats alone and among whole numbers."""
    places = {document: number for number, document in enumerate(scores)}
    expected = sorted(scores, key=lambda document: (-scores[document], places[document]))
    assert checks.ids_by_falling_score(scores) == expected
    as_floats = {document: float(score) for document, score in scores.items()}
    assert checks.ids_by_falling_score(as_floats) == expected


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, True, "1", None])
def test_a_wrong_score_among_floats_is_refused_with_its_document(wrong):
    """The others are fine, so the message has to name the one."""
    with pytest.raises(InputError, match=r"query 'q'.*'b'"):
        checks.ids_by_falling_score({"a": 1.0, "b": wrong, "c": 0.5}, "q")


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("d1 ", "d1", "white space"),
        (7, "7", "type"),
        (7.0, "7", "type"),
        ("7", 7, "type"),
    ],
)
def test_ids_that_are_nearly_equal_are_found(one, other, how):
    """Text alone needs no look at its type."""
    first, second, difference = checks.nearly_equal(["a", one], ["b", other])
    assert (first, second) == (one, other)
    assert difference.startswith(how)
