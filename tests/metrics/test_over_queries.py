"""Means and variances over queries: by hand, by the standard library, from document 004."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics.over_queries import geometric_mean, mean, variance
from irmetrics_edu.rows.query_values import Values

scores = st.lists(st.fractions(0, 1, max_denominator=50), min_size=2, max_size=12)

A = {"topic 1": 0.02, "topic 2": 0.03, "topic 3": 0.29}
B = {"topic 1": 0.08, "topic 2": 0.04, "topic 3": 0.20}


@given(scores, st.sampled_from([0, 1]))
def test_means_and_variances_are_the_standard_librarys(values: list[Fraction], ddof: int) -> None:
    """Mean and variance equal those of `statistics` exactly."""
    assert mean(values, exact=True) == statistics.mean(values)
    of = statistics.variance if ddof else statistics.pvariance
    assert variance(values, ddof=ddof, exact=True) == of(values)


@given(st.lists(st.floats(1e-4, 1), min_size=1, max_size=12))
def test_the_geometric_mean_in_both_forms(values: list[float]) -> None:
    """The n-th root of the product and the exponential of the mean logarithm are the same."""
    working = geometric_mean.working(values)
    assert working.value == pytest.approx(statistics.geometric_mean(values))
    assert geometric_mean(values[:1]) == values[0]  # to the last digit
    assert working["root of the product"][0] == pytest.approx(working.value)
    assert working["product"][0] == pytest.approx(math.prod(values))
    assert working["mean of logarithms"][0] == pytest.approx(
        sum(math.log(v) for v in values) / len(values)
    )


def test_map_and_gmap_of_document_004() -> None:
    """By the mean 0.113 and 0.107, system A is better; by the geometric mean 0.056 and 0.086, B."""
    assert [round(mean(system), 3) for system in (A, B)] == [0.113, 0.107]
    assert [mean(s, exact=True) for s in (A, B)] == [Fraction(17, 150), Fraction(8, 75)]
    assert [round(geometric_mean(system), 3) for system in (A, B)] == [0.056, 0.086]


def test_a_zero_and_the_floor() -> None:
    """One zero makes the geometric mean 0; a floor of 0.00001 stands in for it."""
    assert geometric_mean([0.5, 0]) == 0.0
    assert geometric_mean([0.5, 0], floor=1e-5) == pytest.approx(math.sqrt(0.5e-5))
    assert geometric_mean.working([0.5, 0], floor=1e-5)["value with floor"][1] == 1e-5


def test_the_product_of_many_values_underflows_and_the_mean_does_not() -> None:
    """500 values of 0.01 multiply to less than a float can hold, yet their mean is 0.01."""
    working = geometric_mean.working([0.01] * 500)
    assert working.value == pytest.approx(0.01)
    assert working["product"][0] == 0
    assert "too small" in working.notes[0]
    assert geometric_mean.working([0.01] * 5).notes == ()
    few_and_many = Values.joined([geometric_mean.align([0.01] * n) for n in (5, 500)])
    assert "too small" in geometric_mean.measured(few_and_many).notes[0]
    for exponent, number in ((511, 0), (512, 1)):  # 2 to the power of -1022 is a float yet
        assert len(geometric_mean.working([2.0**-exponent] * 2).notes) == number
    with_a_zero = geometric_mean.working([0, *[0.01] * 500])
    assert (with_a_zero.value, with_a_zero.notes) == (0, ())


def test_variance_shows_its_columns() -> None:
    """Values 1, 2, 6 lie -2, -1 and 3 from their mean 3; 14 over 2 is 7."""
    working = variance.working({"a": 1, "b": 2, "c": 6}, exact=True)
    assert list(working["deviation"]) == [-2, -1, 3]
    assert list(working["squared deviation"]) == [4, 1, 9]
    assert (working["mean"].value, working.value) == (3, 7)
    assert working.table.labels["query"] == ["a", "b", "c"]


def test_many_lists_at_once() -> None:
    """A table of lists of different length gives each list's own value."""
    lists = [[0.1, 0.2, 0.9], [0.5, 0.5], [1, 0, 0, 0.25]]
    for metric in (mean, geometric_mean, variance):
        rows = Values.joined([metric.align(values) for values in lists])
        together = metric.measured(rows)
        alone = [metric(values) for values in lists]
        assert np.allclose(together.score, alone)
        assert [together.of(q).value for q in range(3)] == pytest.approx(alone)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mean([]), ["no values", "at least one"]),
        (lambda: mean({}), ["no values"]),
        (lambda: mean({"q1": 1, "q2": float("nan")}), ["query 'q2'", "nan", "finite"]),
        (lambda: mean([0.5, float("inf")]), ["value number 2", "inf", "finite"]),
        (lambda: mean([0.5, "1"]), ["value number 2", "'1'", "not a number"]),
        (lambda: mean([0.5, None]), ["value number 2", "None"]),
        (lambda: mean("0.5"), ["'0.5'", "list"]),
        (lambda: mean(0.5), ["0.5", "list"]),
        (lambda: geometric_mean({"q7": -0.5}), ["query 'q7'", "-0.5", "negative"]),
        (lambda: geometric_mean([1], floor=-1), ["floor=-1"]),
        (lambda: variance([1]), ["1 value", "ddof=1", "at least 2", "ddof=0"]),
        (lambda: variance([1, 2], ddof=0.5), ["ddof=0.5"]),
        (lambda: variance([1, 2], ddof=-1), ["ddof=-1"]),
        (lambda: mean([1], k=2), ["cut-off"]),
    ],
)
def test_bad_input_is_refused(call, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal names the query, what was given and what would do."""
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_roots_are_not_rational() -> None:
    """Asked for a root exactly, the error says so."""
    with pytest.raises(NotRational, match="irrational"):
        geometric_mean([1, 2], exact=True)


def test_one_value() -> None:
    """With ddof=0 a single value has variance 0."""
    assert variance([0.5], ddof=0) == 0.0
    assert geometric_mean([0.5]) == pytest.approx(0.5)
