"""The gain and the discount of a function are read off where no convention explains it."""

import math

import pytest

from irmetrics_edu import diagnose_function


def dcg_of(gain, discount):
    """A function of grades with this gain and this discount."""

    def dcg(grades):
        return sum(gain(g) * discount(i) for i, g in enumerate(grades, 1))

    return dcg


def ndcg_of(gain, discount):
    """Its ratio to the best order; 0 where nothing gains."""
    dcg = dcg_of(gain, discount)

    def ndcg(grades):
        best = dcg(sorted(grades, reverse=True))
        return dcg(grades) / best if best else 0.0

    return ndcg


def log2(i):
    """The usual discount."""
    return 1 / math.log2(i + 1)


@pytest.mark.parametrize("made", [dcg_of, ndcg_of])
@pytest.mark.parametrize(
    ("gain", "discount", "said"),
    [
        (
            math.sqrt,
            log2,
            "Its gain at grades 1 to 4 is 1, 1.414, 1.732, 2: the square root of the",
        ),
        (
            lambda g: g * g,
            log2,
            "Its gain at grades 1 to 4 is 1, 4, 9, 16: the square of the grade.",
        ),
        (float, lambda i: round(log2(i), 2), "1/log2 of the rank plus 1, rounded to 0.01."),
        (float, lambda i: 1 / round(math.log2(i + 1), 1), "the logarithm rounded to 0.1."),
        (
            float,
            lambda i: 0.9 ** (i - 1),
            "Its discount at ranks 1 to 6 is 1, 0.9, 0.81, 0.729, 0.65",
        ),
    ],
)
def test_what_no_convention_has_is_read_off(made, gain, discount, said):
    """Of DCG and of nDCG alike, in words where the shape has a name."""
    found = diagnose_function(made(gain, discount), "DCG" if made is dcg_of else "nDCG")
    assert not found.follows
    assert said in found.text, found.text
    assert len(found.probes) == 1


def test_nothing_is_read_off_where_the_function_is_explained():
    """A convention or a mistake is the shorter answer; so it is for other measures."""
    assert diagnose_function(ndcg_of(lambda g: 2**g - 1, log2), "nDCG").probes == []
    assert diagnose_function(lambda grades: 0.123 * len(grades), "P").probes == []


def test_a_function_that_fails_on_a_probe_still_has_a_diagnosis():
    """What it raises on a tiny input hides nothing."""

    def odd(grades):
        if len(grades) == 6:
            raise ValueError
        return 0.1

    assert diagnose_function(odd, "nDCG").probes == []
