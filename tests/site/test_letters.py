"""The formulas of the metrics' pages: a left side, and a meaning for each letter."""

import tomllib

import pytest

from dev.tools.site import letters, lookup
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.views.mathml import mathml

import_all()


@pytest.mark.parametrize("name", sorted(METRICS))
def test_each_formula_has_a_left_side_and_says_what_its_letters_mean(name: str) -> None:
    """Both can be set, and each letter of the formula has one meaning on the page."""
    metric = METRICS[name]
    equation = letters.equation(metric)
    left, _, right = equation.partition(" = ")
    assert left
    assert right == metric.formula
    assert ("@k" in left or "_k" in left) == metric.has_cutoff
    assert mathml(equation, display=True)
    found = letters.meanings(metric)
    assert found
    for letter in found:
        assert mathml(letter.latex)
    assert len({letter.latex for letter in found}) == len(found)


def test_what_the_letters_of_ndcg_mean() -> None:
    """As its source defines them: the ideal ranking is that of all judged documents."""
    said = dict(letters.meanings(METRICS["nDCG"]))
    assert said["g_i, g^*_i"].endswith("the ideal one: all judged documents, best first")
    assert said["i"] == "the rank, counted from 1"
    page = next(text for name, text in lookup.metrics() if name == "metric-ndcg")
    assert r"\mathrm{nDCG}@k = \frac" in page
    assert "- $R$: how many judged documents are relevant" in page


def test_each_meaning_is_that_of_some_metric() -> None:
    """No meaning is left over, and each metric that the table names is there."""
    with letters.TABLE.open("rb") as file:
        table = tomllib.load(file)["letter"]
    named = {name for entry in table for name in entry.get("only", [])}
    assert named <= set(METRICS)
    used = {letter for metric in METRICS.values() for letter in letters.meanings(metric)}
    assert [e for e in table if letters.Letter(e["latex"], e["means"]) not in used] == []


def test_a_letter_without_a_meaning_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new metric's page has to say what its letters mean."""
    monkeypatch.setattr(letters, "_table", list)
    with pytest.raises(InputError, match="says nothing of the letter i of CG"):
        letters.meanings(METRICS["CG"])
