"""What stands in a document, read as numbers with their tolerance."""

from fractions import Fraction

import pytest

from irmetrics_edu.course.documents.printed_numbers import read
from irmetrics_edu.errors import InputError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("0.983", Fraction(983, 1000)),
        ("2 3/4", Fraction(11, 4)),
        ("-1 1/2", Fraction(-3, 2)),
        ("3/8", Fraction(3, 8)),
        ("98.72%", Fraction(9872, 10000)),
        ("+33.3%", Fraction(333, 1000)),
        ("-31%", Fraction(-31, 100)),
        ("(1/1+2/2+3/5+4/10+5/20+0)/6", Fraction(13, 24)),
        ("2×0.631", Fraction(1262, 1000)),
        ("2*3-1", 5),
        ("5/log2(2)", 5),
        ("2/log2(4)", 1),
    ],
)
def test_a_printed_number_is_read_as_its_value(text, value):
    """Decimals, mixed numbers, fractions, percentages and sums are read as they are meant."""
    assert [n.value for n in read(text)] == [value]


def test_a_list_is_read_in_order():
    """A printed vector is its numbers, separated by commas."""
    assert [n.value for n in read("2, 2 1/2, 2 3/4")] == [2, Fraction(5, 2), Fraction(11, 4)]


@pytest.mark.parametrize(
    ("text", "computed", "agrees"),
    [
        ("0.983", 0.98341, True),
        ("0.983", 0.98351, False),
        ("0.983", 0.98249, False),
        ("0.8", 0.7955, True),
        ("0.80", 0.7949, False),
        ("2.440", 2.44046, True),
        ("2.440", 2.4406, False),
        ("98.72%", Fraction(77, 78), True),
        ("98.71%", Fraction(77, 78), False),
        ("-31%", Fraction(-9, 29), True),
        ("-30%", Fraction(-9, 29), False),
        ("10", 10.0, True),
        ("10", 10.004, False),
        ("2 3/4", 2.75, True),
        ("2 3/4", Fraction(275001, 100000), False),
        ("1/3", 1 / 3, True),
        ("1/3", Fraction(333333333333, 1000000000000), False),
        ("0.5", float("nan"), False),
        ("0.5", float("inf"), False),
    ],
)
def test_the_digits_printed_are_the_tolerance(text, computed, agrees):
    """A value agrees within half of the last digit, and exactly where no decimals are printed."""
    assert read(text)[0].agrees(computed) is agrees


@pytest.mark.parametrize(
    ("text", "computed", "agrees"),
    [
        ("(0.83+0.45)/2", Fraction(10783, 16800), True),  # 0.6418; the sum of the prints is 0.64
        ("(0.83+0.45)/2", 0.6451, False),
        ("7.762/7.893", 0.983411, True),
        ("7.762/7.893", 0.9836, False),
        ("5+1.262+1.5", 7.76186, True),
        ("(1/1+2/3)/10", Fraction(1, 6), True),
        ("(1/1+2/3)/10", Fraction(1, 6) + Fraction(1, 10**6), False),
        ("3/log2(3)", 1.8927892607, True),
        ("3/log2(3)", 1.8928, False),
    ],
)
def test_an_expression_is_as_sure_as_its_decimals(text, computed, agrees):
    """Rounded numbers in an expression leave room for their rounding, whole ones for none."""
    assert read(text)[0].agrees(computed) is agrees


@pytest.mark.parametrize(
    ("text", "computed", "agrees"),
    [
        ("< 1/3", 0.289, True),
        ("< 1/3", 0.4, False),
        ("<= 1", 1.0, True),
        ("<= 1", 1.036, False),
        (">= 50%", Fraction(1, 2), True),
        (">= 50%", Fraction(499, 1000), False),
        ("> 2", 2.0, False),
    ],
)
def test_a_relation_is_checked_as_a_relation(text, computed, agrees):
    """Printed bounds hold or don't; there is nothing to round."""
    assert read(text)[0].agrees(computed) is agrees


def test_exactly_tells_a_value_from_its_rounding():
    """0.5 for 1/2 is exact, 0.983 for 0.98341 is rounded."""
    assert read("0.5")[0].exactly(Fraction(1, 2))
    assert not read("0.983")[0].exactly(0.98341)


@pytest.mark.parametrize("text", ["about 3", "1,", "3/0", "2**3", "f(2)", "log2(0)", "'x'", "(1+"])
def test_what_is_no_number_is_refused(text):
    """Text that is no printed number is an error that quotes it."""
    with pytest.raises(InputError, match="not a printed number"):
        read(text)
