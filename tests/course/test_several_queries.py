"""Spread over queries and systems, and improvement over a baseline: document 004 and by hand."""

import statistics
from fractions import Fraction

import pytest

from irmetrics_edu.course.several_queries import improvement, spread
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.terms import term

TABLE = {"A": {"1": 0.02, "2": 0.03, "3": 0.29}, "B": {"1": 0.08, "2": 0.04, "3": 0.20}}


def test_the_claim_of_document_004() -> None:
    """One system over different queries varies more than the systems do on the same query."""
    found = spread(TABLE)
    for system, scores in TABLE.items():
        assert found.by_system[system] == pytest.approx(statistics.variance(scores.values()))
    for query, value in found.by_query.items():
        assert value == pytest.approx(statistics.variance([TABLE["A"][query], TABLE["B"][query]]))
    assert found.mean_across_queries == pytest.approx(
        statistics.mean(statistics.variance(s.values()) for s in TABLE.values())
    )
    assert found.mean_across_queries > found.mean_across_systems


def test_the_claim_can_fail() -> None:
    """Systems far apart on queries of equal difficulty."""
    far = spread({"A": {"1": 0, "2": 0.1}, "B": {"1": 1, "2": 0.9}})
    assert far.mean_across_systems > far.mean_across_queries
    exact = spread({"A": {"1": 0, "2": 1}, "B": {"1": 1, "2": 0}}, exact=True)
    assert exact.mean_across_systems == exact.mean_across_queries == Fraction(1, 2)


def test_improvement_of_document_004() -> None:
    """Over A, system B improves by +300%, +33.3% and -31%."""
    working = improvement(TABLE["B"], TABLE["A"], exact=True)
    assert list(working["improvement"]) == [3, Fraction(1, 3), Fraction(-9, 29)]
    assert working.value == (3 + Fraction(1, 3) - Fraction(9, 29)) / 3
    turned = dict(reversed(TABLE["A"].items()))
    assert improvement(TABLE["B"], turned, exact=True).value == working.value
    for name in (*working.columns, *working.quantities):
        assert term(name).meaning


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: spread({"A": {"1": 1, "2": 1}}), ["1 system", "two of each"]),
        (lambda: spread({"A": {"1": 1}, "B": {"1": 1}}), ["two of each"]),
        (
            lambda: spread({"A": {"1": 1, "2": 1}, "B": {"1": 1}}),
            ["query '2'", "system 'B'", "no score"],
        ),
        (lambda: spread({"A": {"1": 1, "2": float("nan")}, "B": {"1": 1, "2": 1}}), ["'2'", "nan"]),
        (lambda: spread([[1, 2], [3, 4]]), ["each system"]),
        (lambda: improvement({"1": 1}, {"2": 1}), ["'1'", "'2'", "same queries"]),
        (lambda: improvement([1], {"1": 1}), ["same queries"]),
        (lambda: improvement([1, 2], [1]), ["same queries", "2"]),
        (lambda: improvement({"7": 1}, {"7": 0}), ["query '7'", "above 0"]),
    ],
)
def test_bad_input_is_refused(call, words: list[str]) -> None:  # type: ignore[no-untyped-def]
    """Every refusal names system and query, what was given and what would do."""
    with pytest.raises(InputError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)
