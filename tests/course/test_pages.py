"""What notebooks are made of asks before it answers, and shows itself without a kernel."""

import re

import pytest

from irmetrics_edu import ndcg
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import plotting

WORKING = ndcg.working([5, 2, 3])


def test_an_answer_is_folded():
    """It is seen only by who opens it."""
    page = reveal("42")._repr_html_()
    assert page.startswith("<details>")
    assert " open" not in page
    assert "42" in page


def test_a_revealed_explanation_keeps_its_tables():
    """HTML of what is revealed stays HTML."""
    assert "<table>" in reveal(table(WORKING))._repr_html_()


def test_text_from_outside_is_escaped():
    """A question may hold any character."""
    assert "&lt;b&gt;" in predict("<b>")._repr_html_()
    assert "&lt;b&gt;" in reveal("<b>")._repr_html_()
    assert "&lt;b&gt;" in quiz("<b>", {"<i>": (True, "<u>")})._repr_html_()


def test_a_quiz_gives_feedback_on_each_answer():
    """On wrong ones above all."""
    page = quiz("2 + 2?", {"4": (True, "Two pairs."), "22": (False, "That joins digits.")})
    assert page._repr_html_().count("<details>") == 2
    assert "Right. Two pairs." in page._repr_html_()
    assert "Not quite. That joins digits." in page._repr_html_()
    assert "Two pairs" not in repr(page)


@pytest.mark.parametrize(
    ("answers", "message"),
    [({"5": (False, "no")}, "no right answer"), ({"4": (True, " ")}, "needs feedback")],
)
def test_a_quiz_without_answer_or_feedback_is_refused(answers, message):
    """A distractor without feedback teaches nothing."""
    with pytest.raises(InputError, match=message):
        quiz("2 + 2?", answers)


def test_terms_come_in_three_languages():
    """From the one glossary."""
    page = terms("gain", "nDCG")._repr_html_()
    assert "增益" in page
    assert "利得" in page


def test_a_quotation_names_its_document():
    """And its language, for screen readers."""
    page = quote("003", "标准")._repr_html_()
    assert 'lang="zh"' in page
    assert "document 003" in page


def test_a_table_rounds_and_shows_columns():
    """A working's own table, or columns by name."""
    assert "0.98" in table(WORKING, digits=2)._repr_html_()
    assert repr(table({"a": [0.12345], "b": ["x"]})) == "     a  b\n0.1235  x"


def test_a_figure_has_alt_text():
    """Or it is not made."""
    shown = figure(plotting.stacked(WORKING), alt='Two "bars".')
    assert re.match(
        r'<img alt="Two &quot;bars&quot;." src="data:image/png;base64,', shown._repr_html_()
    )
    assert repr(shown) == 'Figure: Two "bars".'
    drawn = plotting.stacked(WORKING)
    with pytest.raises(InputError, match="needs alt text"):
        figure(drawn, alt=" ")


def test_a_slider_stands_still_without_a_kernel():
    """The figure at its start, and its value."""
    moved = slider(
        lambda k: plotting.draw(ndcg.working([5, 2, 3], k=k)),
        name="k",
        values=[1, 2, 3],
        start=2,
        alt=lambda k: f"nDCG cut at {k}",
    )
    bundle = moved._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert 'alt="nDCG cut at 2"' in bundle["text/html"]
    with pytest.raises(InputError, match="k=7 is not among"):
        slider(lambda _k: None, name="k", values=[1], start=7, alt=str)
