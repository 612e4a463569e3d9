"""How much one number says: of one query, of a short fraction, of few digits."""

from math import log2

import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.diagnosis.candidates import search_of
from irmetrics_edu.diagnosis.invented import invented_means
from irmetrics_edu.metrics.notation import measure


def invented(name, grades, missed=()):
    """The numbers of all invented formulas for a list of grades."""
    search, _ = search_of(measure(name), (grades,), missed, None, {})
    return invented_means(search)


def test_the_invented_formulas_are_what_they_say():
    """A few of each shape, by hand."""
    assert any(value == pytest.approx(2.5**-0.5) for value in invented("RR", [0, 1]))
    assert any(
        value == pytest.approx(((2 + 1) / (3 + 2)) ** 2) for value in invented("P", [1, 0, 1])
    )
    assert any(value == pytest.approx((2 + 1) / (3 + 1)) for value in invented("R", [1, 0, 1], [1]))
    # Hits at ranks 1 and 3: (1/1.5 + 2/3.5) over 2 + 0.5.
    assert any(
        value == pytest.approx((1 / 1.5 + 2 / 3.5) / 2.5) for value in invented("AP", [1, 0, 1])
    )
    dcg = [grade**1.7 / log2(rank + 2.5) for rank, grade in enumerate([1, 3], 1)]
    best = [grade**1.7 / log2(rank + 2.5) for rank, grade in enumerate([3, 1], 1)]
    assert any(value == pytest.approx(sum(dcg) / sum(best)) for value in invented("nDCG", [1, 3]))
    assert any(value == pytest.approx(sum(dcg)) for value in invented("DCG", [1, 3]))
    assert invented("ERR", [1, 3]) == []


def test_a_short_fraction_of_one_query_is_named_with_a_perhaps():
    """1/2 is what many formulas give."""
    found = diagnose("P@5", [1, 0, 1], value="0.5")
    assert "perhaps by the mistake cut-off-one-too-low" in found.text
    assert "This is one value of one query." in found.text
    assert "Many formulas give a short fraction, 1/2." in found.text
    assert found.facts()["evidence"]["weak"]


def test_a_library_is_named_with_the_evidence_beside_it():
    """No perhaps where a library has it; the last line says how much the number tells."""
    found = diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="0.949")
    assert "0.9488 with gain=" in found.text
    assert "So the name may be chance: give more values." in found.text
    fine = diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="0.948811")
    assert "none of 20 invented formulas meets one" in fine.text
    assert "may be chance" not in fine.text


def test_our_own_value_needs_no_evidence():
    """A plain name stands as it is."""
    assert "one value" not in diagnose("P@5", [1, 0, 1], value="0.4").text


def test_several_values_are_no_one_value():
    """Values by query, or of several runs."""
    run, qrels = {"p": ["a", "b"], "q": ["b", "a"]}, {"p": {"a": 3, "b": 1}, "q": {"a": 3, "b": 1}}
    values = {"p": "1.0000", "q": f"{(1 + 7 / log2(3)) / (7 + 1 / log2(3)):.4f}"}
    found = diagnose("nDCG", run, qrels, value=values)
    assert found.candidates
    assert found.evidence is None


def test_a_formula_that_nobody_has_is_seldom_named_without_a_word():
    """Other powers and starts than those that the evidence is made of."""
    flat = 0
    for power, start, grades in (
        (1.45, 2.2, [0, 2, 1, 3]),
        (0.7, 1.9, [1, 0, 3, 2, 0]),
        (2.0, 4.0, [2, 3, 0, 1]),
        (1.2, 1.5, [0, 1, 2, 0, 3, 1]),
        (0.5, 3.0, [1, 3, 2]),
    ):
        above = sum(g**power / log2(i + start) for i, g in enumerate(grades, 1))
        below = sum(g**power / log2(i + start) for i, g in enumerate(sorted(grades)[::-1], 1))
        found = diagnose("nDCG@10", grades, value=f"{above / below:.3f}")
        flat += found.explained and "may be chance" not in found.text
    assert flat == 0
