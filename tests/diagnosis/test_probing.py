"""The gain and the discount of a function are read off where no convention explains it."""

import math

import pytest

from irmetrics_edu import diagnose_function
from irmetrics_edu.gate import RankingAssertionError, assert_follows


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
            "gain: the square root of the grade; discount: 1/log2 of the rank",
        ),
        (lambda g: g * g, log2, "gain: the square of the grade;"),
        (float, lambda i: round(log2(i), 2), "1/log2 of the rank plus 1, rounded to 0.01)"),
        (float, lambda i: 1 / round(math.log2(i + 1), 1), "plus 1, the logarithm rounded to 0.1)"),
        (math.sqrt, lambda i: round(log2(i), 3), "square root of the grade; discount: 1/log2 of"),
    ],
)
def test_what_no_convention_has_is_named(made, gain, discount, said):
    """Of DCG and of nDCG alike, by the values on all inputs."""
    found = diagnose_function(made(gain, discount), "DCG" if made is dcg_of else "nDCG")
    assert not found.follows
    assert said in found.what, found.text
    assert found.probes == []


@pytest.mark.parametrize("made", [dcg_of, ndcg_of])
def test_what_has_no_name_is_read_off(made):
    """A discount by a power of 0.9, with a gain of the grade plus a tenth of its square."""
    function = made(lambda g: g + g * g / 10, lambda i: 0.9 ** (i - 1))
    found = diagnose_function(function, "DCG" if made is dcg_of else "nDCG")
    assert found.probes == [
        "Its discount at ranks 1 to 6 is 1, 0.9, 0.81, 0.729, 0.6561, 0.5905.",
        "Its gain at grades 1 to 4 is 1, 2.182, 3.545, 5.091.",  # 2.4, 3.9 and 5.6 over 1.1
    ]
    assert "no convention or known mistake" in found.what


def judged_grades(ranking, judgments):
    """The ranked grades, and all of them sorted."""
    return [judgments.get(d, 0) for d in ranking], sorted(judgments.values(), reverse=True)


def ratio(grades, best):
    """The nDCG of the two lists."""
    dcg = dcg_of(float, log2)
    return dcg(grades) / dcg(best) if dcg(best) else 0.0


def mean_of_cuts(ranking, judgments):
    """The mean of nDCG@1, @2 ... down to the end of the list."""
    grades, best = judged_grades(ranking, judgments)
    cuts = range(1, len(grades) + 1)
    return sum(ratio(grades[:k], best[:k]) for k in cuts) / len(grades)


def mean_of_ten(ranking, judgments, k):
    """The mean of nDCG@1 to nDCG@k."""
    grades, best = judged_grades(ranking, judgments)
    return sum(ratio(grades[:i], best[:i]) for i in range(1, k + 1)) / k


def first_index(grades):
    """The rank by list.index, which finds the first of equal grades."""
    total = sum(g * log2(grades.index(g) + 1) for g in grades)
    best = dcg_of(float, log2)(sorted(grades, reverse=True))
    return total / best if best else 0.0


def constant_ideal(ranking, judgments, k):
    """An ideal of k documents of grade 3."""
    grades, _ = judged_grades(ranking, judgments)
    return dcg_of(float, log2)(grades[:k]) / dcg_of(float, log2)([3] * k)


def stopping(ranking, judgments):
    """AP that is left at the first document that is not relevant."""
    total = 0
    for d in ranking:
        if judgments.get(d, 0) <= 0:
            break
        total += 1  # its precision: all above are hits
    relevant = sum(g > 0 for g in judgments.values())
    return total / relevant if relevant else 0.0


@pytest.mark.parametrize(
    ("function", "measure", "said"),
    [
        pytest.param(
            mean_of_cuts,
            "nDCG",
            "is the mean of nDCG at all cut-offs from 1 to the end, not nDCG",
            marks=pytest.mark.suite("guide"),
        ),
        (mean_of_ten, "nDCG@10", "is the mean of nDCG at all cut-offs from 1 to 10, not nDCG@10"),
        (first_index, "nDCG", "is nDCG with each document at the rank that list.index gives"),
        # 3 times 4.5436, the discounts of ten ranks.
        (constant_ideal, "nDCG@10", "is DCG over 13.631 for every query (gain: the grade itself;"),
        (stopping, "AP", "is AP that stops at the first miss, not AP"),
    ],
)
def test_what_a_function_does_with_the_list_is_named(function, measure, said):
    """Where no convention and no mistake of the catalogue gives its values."""
    with pytest.raises(RankingAssertionError, match="The smallest input") as failed:
        assert_follows(function, measure)
    assert said in str(failed.value).partition("\n")[0]


@pytest.mark.parametrize(
    ("discount", "label"),
    [
        (lambda i: 1 / math.log(i + 1), "natural-logarithm"),
        (lambda i: 1 / math.sqrt(i), "discount-by-the-root"),
    ],
)
def test_two_mistakes_together_are_both_named(discount, label):
    """A DCG with a mistake of its own, in place of nDCG: not a DCG over some constant."""
    found = diagnose_function(dcg_of(float, discount), "nDCG")
    assert f"is what two mistakes together give, {label} (" in found.what
    assert "and dcg-not-divided (" in found.what


def test_a_function_that_stops_elsewhere_gets_no_name():
    """At the second miss: the names are of what all values show."""

    def second(ranking, judgments):
        misses = [i for i, d in enumerate(ranking) if judgments.get(d, 0) <= 0]
        return stopping(ranking[: misses[1]] if len(misses) > 1 else ranking, judgments) + 0.01

    assert "no convention or known mistake" in diagnose_function(second, "AP").what


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
