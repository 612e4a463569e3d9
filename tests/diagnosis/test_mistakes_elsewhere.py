"""A mistake is recognised under the conventions of a library, too."""

from math import log, log2, sqrt

import pytest

from irmetrics_edu import diagnose, diagnose_function
from irmetrics_edu.diagnosis.reconciliation import reconcile


def total(gains, start=1.0, ranks=1):
    """Gains over log2(rank + start)."""
    return sum(gain / log2(rank + start) for rank, gain in enumerate(gains, ranks))


def exp(grades):
    """The exponential gain."""
    return [2**grade - 1 for grade in grades]


# The measure, what was ranked, what was missed, the value by hand, the mistake, and what it is
# made under.
UNDER = [
    (
        "nDCG@10",
        [3, 1, 2],
        [],
        total(exp([3, 1, 2]), 2) / total(exp([3, 2, 1]), 2),
        "log-of-rank-plus-2",
        {"gain": "exp"},
    ),
    (
        "nDCG@10",
        [0, 2, 3, 1],
        [],
        total(exp([2, 3, 1])) / total(exp([3, 2, 1, 0])),
        "first-document-dropped",
        {"gain": "exp"},
    ),
    (
        "nDCG@3",
        [1, 3, 0, 2],
        [2, 1],
        (7 + 1 / log2(3)) / total(exp([3, 2, 2])),
        "ranking-reversed-before-2",  # no mistake: see below
        None,
    ),
    (
        "nDCG",
        [1, 0, 2, 3],
        [3, 2],
        sum(g / sqrt(i) for i, g in enumerate([1, 0, 2, 3], 1))
        / sum(g / sqrt(i) for i, g in enumerate([3, 2, 1, 0], 1)),
        "discount-by-the-root",
        {"pool": "retrieved"},
    ),
    (
        "ERR@10",
        [2, 0, 3],
        [],
        3 / 8 + 7 / 8 / 3,
        "err-without-the-stop",
        {"max_grade": 3},
    ),
    (
        "AP",
        [2, 0, 1, 3, 2],
        [3],
        (1 / 2 + 2 / 5 + 3 / 6) / 4,
        "ap-ranks-one-too-high",
        {"rel": 2},
    ),
    (
        "DCG",
        [1, 3, 0, 2],
        [],
        sum(g / log(i + 1) for i, g in enumerate(exp([1, 3, 0, 2]), 1)),
        "natural-logarithm",
        {"gain": "exp"},
    ),
]


@pytest.mark.parametrize(
    ("measure", "ranked", "missed", "value", "label", "under"),
    [case for case in UNDER if case[-1] is not None],
)
def test_a_mistake_is_named_with_what_it_is_made_under(
    measure, ranked, missed, value, label, under
):
    """The gain, the ideal, the scale or the level of a library."""
    found = diagnose(measure, ranked, value=f"{value:.6f}", unretrieved=missed)
    named = {one.mistake.label: one for one in found.mistakes}
    assert label in named, str(found)
    written = {name: str(given) for name, given in named[label].arguments.items()}
    assert written == {name: str(given) for name, given in under.items()}
    assert named[label].libraries
    assert f"by the mistake {label} under {next(iter(under))}=" in str(found)
    assert found.facts()["mistakes"][0]["libraries"]


@pytest.mark.parametrize("case", [case for case in UNDER if case[-1] is None])
def test_a_value_of_no_mistake_gets_no_name(case):
    """Two swapped documents under the exponential gain."""
    measure, ranked, missed, value, _, _ = case
    assert not diagnose(measure, ranked, value=f"{value:.6f}", unretrieved=missed).mistakes


def test_a_function_is_told_what_its_mistake_is_made_under():
    """Ranks that are counted from 1, with the logarithm of ranks from 0."""

    def mine(grades):
        ideal = total(exp(sorted(grades, reverse=True)), 2)
        return total(exp(grades), 2) / ideal if ideal else 0.0

    what = diagnose_function(mine, "nDCG").what
    assert 'makes the mistake log-of-rank-plus-2 under gain="exp" (LightGBM' in what


def test_the_whole_run_is_searched_too():
    """The mean of two queries, one of which has missed documents."""
    run = {"p": ["a", "b", "c"], "q": ["a", "b"]}
    qrels = {"p": {"a": 1, "b": 3}, "q": {"a": 1, "b": 2, "x": 3}}
    p = total(exp([1, 3]), 2) / total(exp([3, 1]), 2)
    q = total(exp([1, 2]), 2) / total(exp([3, 2, 1]), 2)
    found = diagnose("nDCG", run, qrels, value=f"{(p + q) / 2:.6f}")
    assert [m.mistake.label for m in found.mistakes] == ["log-of-rank-plus-2"]


def test_two_numbers_are_reconciled_by_a_mistake_elsewhere():
    """What differs is the gain, and the mistake."""
    wrong = total(exp([3, 1, 2]), 2) / total(exp([3, 2, 1]), 2)
    right = total([3, 1, 2]) / total([3, 2, 1])
    found = reconcile("nDCG@10", [3, 1, 2], values=[f"{right:.6f}", f"{wrong:.6f}"])
    assert any(line.startswith("gain:") for line in found.differences)
    assert any(line.startswith("a mistake:") for line in found.differences)


def test_our_own_mistake_stands_before_those_elsewhere():
    """What is explained without a library is not searched for under one."""
    value = total([3, 1, 2], 2) / total([3, 2, 1], 2)
    found = diagnose("nDCG@10", [3, 1, 2], value=f"{value:.6f}")
    assert [dict(m.arguments) for m in found.mistakes] == [{}]


def test_few_digits_are_not_searched_for_elsewhere():
    """So many settings give most numbers of two digits."""
    assert not diagnose("nDCG@10", [3, 1, 2], value="0.91").explained
