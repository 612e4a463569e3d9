"""Discounted category coverage and discounted distance."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.tools.vectors.oracles import lists as oracle
from irmetrics_edu import (
    InputError,
    NotRational,
    category_coverage,
    dcc,
    dilad,
    fdcc,
    ilad,
)

GENRES = {
    "a": {"rock", "pop"},
    "b": {"rock"},
    "c": {"jazz"},
    "d": set(),
    "e": {"folk", "rock", "jazz"},
    "f": {"rock", "blues"},
}
ALL = 5
items = st.sampled_from(sorted(GENRES))
lists = st.lists(items, unique=True, max_size=6)
tests_of_user = st.sets(items, min_size=1)
some_k = st.sampled_from([None, 1, 2, 3, 10])
coefficients = st.fractions(0, 1, max_denominator=100)
overlaps = st.sampled_from(["both", "once"])


@given(lists, tests_of_user, coefficients, some_k, overlaps)
def test_dcc_is_the_oracle(recommended, relevant, alpha, k, overlap):
    """Exactly, and in floats, under both conventions for a shared category."""
    expected = oracle.discounted_coverage(
        recommended[:k], relevant, GENRES, alpha=alpha, n_categories=ALL, overlap=overlap
    )
    options = {"alpha": alpha, "k": k, "overlap": overlap}
    assert dcc(recommended, relevant, GENRES, exact=True, **options) == expected
    got = dcc(recommended, relevant, GENRES, n_categories=ALL, **options)
    assert type(got) is float
    assert got == pytest.approx(float(expected))


@given(lists, tests_of_user, coefficients, some_k, st.sampled_from([2, 3, 1.5, 10]))
def test_fdcc_is_the_oracle(recommended, relevant, alpha, k, base):
    """The weight of a category is the logarithm of its frequency among the test items."""
    expected = oracle.discounted_coverage(
        recommended[:k], relevant, GENRES, alpha=alpha, n_categories=ALL, base=base
    )
    got = fdcc(recommended, relevant, GENRES, alpha=alpha, base=base, k=k)
    assert got == pytest.approx(float(expected))


def test_a_decimal_coefficient_is_read_as_written():
    """0.01 is 1/100."""
    got = dcc(["b", "c"], {"c"}, GENRES, alpha=0.01, n_categories=6, exact=True)
    assert got == Fraction(101, 600)


def test_a_category_on_both_sides_is_shown_and_counted_as_the_definition_has_it():
    """Rock is of the hit a and of the miss b: 1 + alpha for it, or 1 under overlap='once'."""
    working = dcc.working(["a", "b", "c"], {"a"}, GENRES, alpha=Fraction(1, 10), exact=True)
    lines = working["sum over categories"]
    assert lines["category"] == ["pop", "rock", "jazz"]
    assert lines["weight among the hits"].tolist() == [1, 1, 0]
    assert lines["weight among the ineffective"].tolist() == [0, Fraction(1, 10), Fraction(1, 10)]
    assert working["categories on both sides"].tolist() == [1]
    assert working.notes == (
        "rock: of a hit and of an ineffective item as well; counts on both sides (overlap=both)",
    )
    rows = dcc.align(["a", "b", "c"], {"a"}, GENRES)
    assert dcc.measured(type(rows).joined([rows, rows])).notes == ()
    assert working["new categories of the hits"].tolist() == [2, 0, 0]
    assert working["new categories of the ineffective"].tolist() == [0, 1, 1]
    assert working.value == Fraction(22, 50)
    once = dcc.working(["a", "b", "c"], {"a"}, GENRES, alpha=0.1, exact=True, overlap="once")
    assert once.value == Fraction(21, 50)
    assert once["new categories of the ineffective"].tolist() == [0, 0, 1]


@given(lists, tests_of_user, some_k)
def test_dcc_at_the_ends_of_alpha(recommended, relevant, k):
    """At 0 it is the coverage of the hits; at 1 coverage, and once more what is shared."""
    cut = recommended[:k]
    hits = [i for i in cut if i in relevant]
    coverage = category_coverage(cut, GENRES, exact=True)
    at_one = dcc.working(recommended, relevant, GENRES, alpha=1, k=k, exact=True)
    shared = at_one["categories on both sides"][0]
    assert dcc(recommended, relevant, GENRES, alpha=0, k=k, exact=True) == (
        category_coverage(hits, GENRES, exact=True)
    )
    assert at_one.value == coverage + Fraction(shared, ALL)
    once = dcc(recommended, relevant, GENRES, alpha=1, k=k, exact=True, overlap="once")
    assert once == coverage


@given(lists, tests_of_user)
def test_fdcc_with_a_base_above_all_frequencies_is_dcc(recommended, relevant):
    """Below the base every weight is 1, and the value is exact."""
    plain = dcc(recommended, relevant, GENRES, exact=True)
    assert fdcc(recommended, relevant, GENRES, base=100, exact=True) == plain


def test_fdcc_is_exact_where_the_logarithm_is():
    """Four test items with rock: weight 2 at base 2; three: irrational, and said so."""
    relevant = {"a", "b", "e", "f"}
    assert fdcc(["b"], relevant, GENRES, n_categories=5, exact=True) == Fraction(2, 5)
    with pytest.raises(NotRational, match="log_2 of the frequency 3"):
        fdcc(["b"], {"a", "b", "e"}, GENRES, n_categories=5, exact=True)
    many = {i: {"x"} for i in range(125)}
    assert fdcc([0], set(many), many, base=5) == 3.0


def test_grades_say_what_is_relevant():
    """A mapping counts from grade 1 on; nothing relevant among what is judged is a result."""
    by_grade = dcc(["a", "b"], {"a": 2, "b": 0}, GENRES, alpha=0.5)
    assert by_grade == dcc(["a", "b"], {"a"}, GENRES, alpha=0.5)
    assert dcc(["b"], {"b": 0}, GENRES, alpha=0.5, n_categories=5) == 0.1


VECTORS = {"a": [1, 0, 0], "b": [0, 1, 0], "c": [3, 4, 0], "d": [1, 2, 2], "e": [0, 0, -7]}
pairs_of_items = st.lists(st.sampled_from(sorted(VECTORS)), unique=True, min_size=2)
k_of_pairs = st.sampled_from([None, 2, 3])


@given(
    pairs_of_items, st.sets(st.sampled_from(sorted(VECTORS)), min_size=1), coefficients, k_of_pairs
)
def test_dilad_is_the_oracle(recommended, relevant, beta, k):
    """These vectors have whole lengths: exact too."""
    cut = recommended[:k]

    def distance(i, j):
        x, y = VECTORS[i], VECTORS[j]
        length = int(math.hypot(*x)) * int(math.hypot(*y))
        return 1 - Fraction(sum(a * b for a, b in zip(x, y, strict=True)), length)

    expected = oracle.average_distance(
        cut, distance, lambda item: Fraction(1) if item in relevant else beta
    )
    assert dilad(recommended, relevant, VECTORS, beta=beta, k=k, exact=True) == expected
    assert dilad(recommended, relevant, VECTORS, beta=beta, k=k) == pytest.approx(float(expected))
    assert dilad(recommended, relevant, VECTORS, beta=1, k=k, exact=True) == (
        ilad(recommended, VECTORS, k=k, exact=True)
    )


def test_dilad_shows_each_pair():
    """Both effective: in full; one: beta; none: beta squared."""
    distances = {("a", "b"): 1, ("a", "c"): 1, ("b", "c"): 1}
    working = dilad.working(["a", "b", "c"], {"b"}, distances, beta=0.5, distance="given")
    pairs = working["sum over pairs"]
    assert list(zip(pairs["item"], pairs["other item"], strict=True)) == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert pairs["pair weight"].tolist() == [0.5, 0.25, 0.5]
    assert working.value == pytest.approx(1.25 / 3)


@given(
    several=st.lists(st.tuples(lists, tests_of_user), min_size=1, max_size=4),
    k=some_k,
    overlap=overlaps,
)
def test_many_users_at_once_equal_each_alone(several, k, overlap):
    """Categories of one user's test items never count for another."""
    parts = [fdcc.align(*one, GENRES) for one in several]
    rows = type(parts[0]).joined(parts)
    convention = type(fdcc.defaults["overlap"]).named(overlap)
    together = fdcc.measured(rows, k, overlap=convention)
    for q, one in enumerate(several):
        alone = fdcc.working(*one, GENRES, k=k, overlap=overlap)
        assert together.score[q] == pytest.approx(alone.value)
        mine, part = together.of(q)["sum over categories"], alone["sum over categories"]
        assert mine["category"] == part["category"]
        for name, column in part.columns.items():
            np.testing.assert_allclose(mine[name], column)
        assert fdcc.measured(rows.of(q), k, overlap=convention).value == pytest.approx(alone.value)


BAD = {
    "alpha": (dcc, (["a"], {"a"}, GENRES), {"alpha": 1.5}, "alpha=1.5 is out of range"),
    "alpha NaN": (dcc, (["a"], {"a"}, GENRES), {"alpha": math.nan}, "not finite"),
    "beta": (dilad, (["a", "b"], {"a"}, VECTORS), {"beta": -0.1}, "beta=-0.1"),
    "base": (fdcc, (["a"], {"a"}, GENRES), {"base": 1}, "base=1"),
    "no test items": (dcc, (["a"], set(), GENRES), {}, "nothing is judged"),
    "text": (
        dcc,
        (["a"], "a", GENRES),
        {},
        "relevant='a' is not a collection; give a set of items",
    ),
    "type": (dcc, ([1], {"1"}, {1: {"x"}}), {}, "only in type"),
    "grade": (dcc, (["a"], {"a": 0.5}, GENRES), {}, "neither 0 nor at least 1"),
    "negative": (dcc, (["a"], {"a": -1}, GENRES), {}, "grade -1 is negative"),
    "frequency": (fdcc, (["a"], {"a", "z"}, GENRES), {}, "relevant item 'z' is not among"),
    "overlap": (dcc, (["a"], {"a"}, GENRES), {"overlap": "no"}, "use one of both, once"),
    "one item": (dilad, (["a"], {"a"}, VECTORS), {}, "fewer than two items"),
    "k": (dcc, (["a"], {"a"}, GENRES), {"k": 0}, "at least 1"),
}


@pytest.mark.parametrize(("metric", "arguments", "options", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(metric, arguments, options, message):
    """Each message names what was given and what would do."""
    with pytest.raises(InputError, match=re.escape(message)):
        metric(*arguments, **options)


def test_dcc_needs_no_categories_of_what_is_not_recommended():
    """Only FDCC counts the categories of test items that were not recommended."""
    assert dcc(["a"], {"a", "z"}, GENRES, n_categories=5) == 0.4
