"""The nugget F-measure against the worked numbers of its definition, and a plain count."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import sets as oracle
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.answers import nugget_f
from irmetrics_edu.metrics.set_based import f_measure, recall

keys = st.lists(st.integers(0, 3), min_size=1, max_size=8)
KEY = {"a": 2, "b": 2, "c": 2, "d": 1, "e": 1}


@given(
    keys, st.sets(st.integers(0, 9)), st.integers(0, 900), st.integers(0, 200),
    st.sampled_from(["0", "1", "3", "5"]), st.sampled_from(["binary(2)", "linear"]),
)  # fmt: skip
def test_it_is_what_counting_gives(grades, held, length, allowance, beta, gain):
    """Exactly, with nuggets that the key lacks among those held."""
    key = {f"n{i}": g for i, g in enumerate(grades)}
    found = [f"n{i}" for i in sorted(held)]
    said = {"length": length, "allowance": allowance, "gain": gain}
    expected = oracle.nugget_f(
        [key.get(n) for n in found], grades, beta=beta, gain_=said.pop("gain"), **said
    )
    got = nugget_f(found, key, beta=int(beta), gain=gain, exact=True, **said)
    assert got == expected
    assert 0 <= got <= 1


def test_the_parts_are_those_of_the_track():
    """Two of three vital nuggets and one okay one in 400 characters, 300 allowed: by hand."""
    working = nugget_f.working(["a", "b", "d"], KEY, length=400, beta=5, exact=True)
    assert working["recall"][0] == Fraction(2, 3)
    assert working["precision"][0] == Fraction(3, 4)
    assert working["alpha"][0] == Fraction(1, 26)
    assert working.score[0] == Fraction(26 * Fraction(1, 2), 25 * Fraction(3, 4) + Fraction(2, 3))


def test_recall_is_that_of_the_vital_nuggets_and_f_that_of_sets():
    """A short answer has precision 1, so F is that of recall alone."""
    found = ["a", "e"]
    assert nugget_f.working(found, KEY, length=1)["recall"][0] == recall(found, KEY, rel=2)
    whole = f_measure(["a"], {"a": 1, "b": 1, "c": 1}, beta=3, exact=True)
    assert nugget_f(found, KEY, length=200, exact=True) == whole


def test_an_okay_nugget_earns_room_and_no_recall():
    """In a long answer it raises F, in a short one it changes nothing."""
    for length, better in ((100, False), (1000, True)):
        with_okay = nugget_f(["a", "d"], KEY, length=length)
        assert (with_okay > nugget_f(["a"], KEY, length=length)) is better


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, "length= is missing"),
        ({"length": -1}, "length"),
        ({"length": float("nan")}, "length"),
        ({"length": 9, "allowance": -1}, "allowance"),
        ({"length": 9, "beta": -1}, "beta"),
        ({"length": "9"}, "length"),
    ],
)
def test_what_has_no_meaning_is_refused(said, message):
    """With the name of what was given."""
    with pytest.raises(InputError, match=message):
        nugget_f(["a"], KEY, **said)
    with pytest.raises(InputError, match="neither 0 nor at least 1"):
        nugget_f(["a"], {"a": 2, "z": 0.5}, length=9)


def test_a_key_without_vital_nuggets_is_a_case_of_its_own():
    """0, or what `no_relevant` says."""
    assert nugget_f(["d"], {"d": 1}, length=50) == 0
    assert nugget_f(["d"], {"d": 1}, length=50, no_relevant="one") == 1
    assert nugget_f([], KEY, length=0) == 0
