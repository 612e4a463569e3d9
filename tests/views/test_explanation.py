"""Explanations say what the working holds, in every form."""

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import dcg, explain, lab, ndcg, reciprocal_rank
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.explanation import Explanation, explained
from irmetrics_edu.views.formatting import aligned, cell, column, mixed, number
from irmetrics_edu.working import Columns, Table, Working


def test_the_text_of_the_classic_example():
    """The lines of document 003, read off the working."""
    text = explain("nDCG@3", [5, 2, 3]).text
    assert text.splitlines()[0] == "nDCG@3 = DCG@3 / IDCG@3 = 7.7619 / 7.8928 = 0.9834"
    assert "DCG@3 = the sum of discounted gain = 5.0000 + 1.2619 + 1.5000 = 7.7619" in text


def test_exact_values_are_shown_as_fractions():
    """A worked example prints 42/43 and 7 1/6, not decimals."""
    text = explain(ndcg, [5, 2, 3], discount="reciprocal", exact=True).text
    assert text.splitlines()[0].endswith("= 7 / 7 1/6 = 42/43")


def test_an_unjudged_document_has_a_dash_for_a_grade():
    """A grade that nobody gave is not a grade of 0."""
    lines = explain(reciprocal_rank, ["a", "b"], {"b": 1}).text.splitlines()
    assert lines[2].split() == ["1", "a", "-", "0"]
    assert lines[3].split() == ["2", "b", "1", "1"]


def test_html_escapes_what_comes_from_outside():
    """A document id may hold anything."""
    page = explain(reciprocal_rank, ["<script>alert(1)</script>", "b&b"], {"b&b": 1}).html()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "b&amp;b" in page


def test_markdown_keeps_its_table_whole():
    """A bar in an id must not open a new cell."""
    rows = [
        r for r in explain(reciprocal_rank, ["a|b"], {"a|b": 1}).markdown().splitlines() if "a" in r
    ]
    assert any(r"a\|b" in r for r in rows)


def test_latex_escapes_its_commands():
    """Ids with LaTeX's own characters come out as text."""
    assert escaping.latex("a_b & 50% {x} \\y") == r"a\_b \& 50\% \{x\} \textbackslash{}y"
    assert r"a\_b" in explain(reciprocal_rank, ["a_b"], {"a_b": 1}).latex()


def test_a_notebook_shows_html():
    """What Jupyter asks for is there."""
    assert explain(ndcg, [1])._repr_html_().startswith('<div class="irmetrics">')


def test_many_queries_are_explained_one_at_a_time():
    """Which query is meant must be said."""
    rows = ndcg.align([1, 0])
    both = ndcg.measured(type(rows).joined([rows, ndcg.align([0, 1])]))
    with pytest.raises(
        InputError, match="this working has several queries, and an explanation shows one"
    ):
        Explanation(both)
    assert "0.6309" in explain(both.of(1)).text
    with pytest.raises(InputError, match="not among the 2 queries"):
        both.of(2)
    with pytest.raises(InputError, match="computed for 2 queries"):
        _ = both.value


def test_a_name_that_is_not_there_lists_those_that_are():
    """A typing error in a column's name is easily seen."""
    with pytest.raises(KeyError, match="it has DCG, IDCG, nDCG, rank"):
        _ = ndcg.working([1])["gian"]


def test_explaining_columns_are_computed_when_looked_at():
    """A score pays for no column that only an explanation needs."""
    looked = []
    columns = Columns({"a": np.ones(1), "b": lambda: looked.append(1) or np.zeros(1)})
    assert list(columns) == ["a", "b"]
    assert not looked
    assert columns["b"][0] == columns["b"][0] == 0
    assert looked == [1]


def test_a_working_of_our_own_explains():
    """The view knows no metric: any working will do, negative parts in brackets."""
    part = Working(np.array([-0.5]), name="loss")
    whole = Working(
        np.array([0.5]),
        how="{loss} + {base}",
        parts={"loss": part},
        quantities={"base": np.array([1.0])},
        table=Table(np.array([0]), {"line": [1]}),
        columns={"kinds": np.array([{"b", "a"}], dtype=object)},
        notes=("made up",),
        name="sum",
    )
    text = explain(whole).text
    assert text.splitlines()[0] == "sum = loss + base = (-0.5000) + 1 = 0.5000"
    assert "a, b" in text
    assert "note: made up" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(11, 4), "2 3/4"),
        (Fraction(-11, 4), "-2 3/4"),
        (Fraction(1, 2), "1/2"),
        (Fraction(3), "3"),
        (0.98341, "0.9834"),
        (float("nan"), "NaN"),
        (np.float64(2), "2.0000"),
        (True, "yes"),
        (7, "7"),
    ],
)
def test_numbers_are_written_for_people(value, text):
    """Mixed fractions, four digits, no numpy scalars."""
    assert number(value) == text


def test_columns_and_cells():
    """Whole floats lose their decimals; nothing is a dash; sets are sorted."""
    assert column(np.array([1.0, 2.0])) == ["1", "2"]
    assert column([1.0, None, 2.5]) == ["1.0000", "-", "2.5000"]
    assert cell(frozenset("ba")) == "a, b"
    assert mixed(Fraction(0)) == "0"


def test_wide_characters_are_aligned():
    """A Chinese character takes two columns of a terminal."""
    lines = aligned(["文档", "x"], [["abc", "1"], ["漢字", "2"]]).splitlines()
    assert lines == ["文档  x", "abc   1", "漢字  2"]


def test_every_equation_of_a_working_reads_back():
    """The numbers of the last step are those of the parts: nothing is typed."""
    first = explain("nDCG", [3, 2, 3]).text.splitlines()[0]
    numbers = [float(x) for x in re.findall(r"\d+\.\d+", first)]
    assert numbers[0] / numbers[1] == pytest.approx(numbers[2], abs=1e-4)


def test_a_negative_summand_stands_in_brackets() -> None:
    """A loss is added in brackets, but for the first of the summands."""
    shown = str(explain(dcg.working([1, 2, -1], negative="keep")))
    assert "+ (-0.5" in shown
    assert "+ -" not in shown


def test_html_of_a_command_is_a_page_with_its_formulas(monkeypatch):
    """One page that loads nothing; without latex2mathml the equation in words stands alone."""
    found = {"query q1": explain(ndcg, [5, 2, 3]), "query <2>": explain(ndcg, [0, 1])}
    page = explained(found, "html")
    assert page.count("<!DOCTYPE html>") == page.count("default-src 'none'") == 1
    assert page.count('<math display="block"') == 6
    assert "$$" not in page
    assert "<h2>query &lt;2&gt;</h2>" in page
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    bare = explained(found, "html")
    assert "<math" not in bare
    assert "$$" not in bare
    assert "nDCG = DCG / IDCG = 7.7619 / 7.8928 = 0.9834" in bare
    assert "$$" in found["query q1"].html()


_ALIKE = {("a", "b"): 0.9, ("a", "c"): 0.1, ("b", "c"): 0.1}
_RELEVANCE = {"a": 3, "b": 2, "c": 1}
_COVERS = {"a": {"x": 0.8}, "b": {"x": 0.7}, "c": {"y": 0.6}}


_DATA = lab.made_queries(4)
# Results of all kinds that have a working, as the public functions make them.
_RESULTS: dict[str, Callable[[], Any]] = {
    "alpha": lambda: lab.tune_alpha(10, "0.0075"),
    "no alpha": lambda: lab.tune_alpha(10, "0.05"),
    "beta": lambda: lab.tune_beta(10, "0.0075"),
    "mmr": lambda: lab.mmr(_RELEVANCE, _ALIKE, k=2, similarity="given"),
    "dpp": lambda: lab.dpp(_RELEVANCE, _ALIKE, k=2, similarity="given"),
    "facets": lambda: lab.facet_model(_COVERS, k=2),
    "xquad": lambda: lab.xquad({"a": 0.3, "b": 0.2, "c": 0.1}, _COVERS, k=2),
    "adarank": lambda: lab.adarank(_DATA, rounds=2),
    "working": lambda: ndcg.working([5, 2, 3]),
}


@pytest.mark.parametrize("name", _RESULTS)
def test_whatever_has_a_working_is_explained(name: str) -> None:
    """The explanation of a result is that of its working."""
    found = _RESULTS[name]()
    working = found if isinstance(found, Working) else found.working
    assert explain(found).text == Explanation(working).text
    with pytest.raises(InputError, match="is computed already, and takes no more: 3"):
        explain(found, 3)


@pytest.mark.parametrize("learner", [lab.pointwise_regression, lab.ranking_svm, lab.listnet])
def test_the_losses_of_several_queries_are_explained_one_by_one(learner: Any) -> None:
    """A learner that has a loss of each query says how to see one."""
    ranker = learner(_DATA)
    with pytest.raises(InputError, match=r"several queries, .*working\.of\(q\)"):
        explain(ranker)
    assert explain(ranker.working.of(0)).text


def test_a_function_whose_result_has_a_working_is_called() -> None:
    """As a metric is."""
    assert explain(lab.mmr, _RELEVANCE, _ALIKE, k=2, similarity="given").text == (
        explain(lab.mmr(_RELEVANCE, _ALIKE, k=2, similarity="given")).text
    )
    assert explain(lab.tune_alpha, 10, p="0.0075").text == (
        explain(lab.tune_alpha(10, "0.0075")).text
    )


@pytest.mark.parametrize("given", [3, "", None, [1, 2], {"q": 1}, object, object()])
def test_what_has_no_working_is_refused_with_what_has(given: Any) -> None:
    """Never a bare TypeError or AttributeError."""
    with pytest.raises(InputError):
        explain(given)


def test_a_function_without_a_working_is_refused() -> None:
    """It is named by what it gave."""
    with pytest.raises(InputError, match="1 has no working to explain"):
        explain(len, [1])
