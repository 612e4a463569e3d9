"""What notebooks are made of asks before it answers, and shows itself without a kernel."""

import base64
import re

import pytest

from irmetrics_edu import average_precision, dcg, ndcg, precision
from irmetrics_edu.course import figure, predict, quiz, quote, reveal, slider, table, terms
from irmetrics_edu.course.prompts import ReaderNumber, outcomes
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import plotting
from irmetrics_edu.views.formatting import number
from irmetrics_edu.views.language import speak

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


def test_a_translated_chapter_has_its_terms_in_its_language_too():
    """From the one glossary, which has all three; an English chapter has no other column."""
    page = terms("gain", "nDCG")._repr_html_()
    assert page.count("<th scope") == 2
    assert "增益" not in page
    for code, own, other in (("zh", "增益", "利得"), ("ja", "利得", "增益")):
        speak(code)
        try:
            page = terms("gain", "nDCG")._repr_html_()
        finally:
            speak("")
        assert page.count("<th scope") == 3
        assert own in page
        assert other not in page


def test_a_quotation_names_its_document():
    """And its language, for screen readers."""
    page = quote("003", "标准")._repr_html_()
    assert 'lang="zh"' in page
    assert "document 003" in page
    page = quote("003", "标准", "Standard & more")._repr_html_()
    assert page.startswith('<blockquote><p>Standard &amp; more</p><p lang="zh">标准</p><footer>')


def test_a_table_rounds_and_shows_columns():
    """A working's own table, or columns by name."""
    assert "0.98" in table(WORKING, digits=2)._repr_html_()
    assert repr(table({"a": [0.12345], "b": ["x"]})) == "     a  b\n0.1235  x"


def test_a_figure_has_alt_text():
    """Or it is not made."""
    shown = figure(plotting.stacked(WORKING), alt='Two "bars".')
    assert re.match(
        r'<img alt="Two &quot;bars&quot;." src="data:image/svg\+xml;base64,', shown._repr_html_()
    )
    assert repr(shown) == 'Figure: Two "bars".'
    drawn = plotting.stacked(WORKING)
    with pytest.raises(InputError, match="needs alt text"):
        figure(drawn, alt=" ")


def test_a_slider_holds_a_figure_for_each_value_without_a_kernel():
    """The one at its start is open."""
    moved = slider(
        lambda k: plotting.draw(ndcg.working([5, 2, 3], k=k)),
        name="k",
        values=[1, 2, 3],
        start=2,
        alt=lambda k: f"nDCG cut at {k}",
    )
    bundle = moved._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    page = bundle["text/html"]
    assert re.findall(r'alt="nDCG cut at (\d)"', page) == ["1", "2", "3"]
    assert re.findall(r"<details open><summary>(.*?)</summary>", page) == ["k = 2"]
    assert page.count("<details") == 3
    with pytest.raises(InputError, match="k=7 is not among"):
        slider(lambda _k: None, name="k", values=[1], start=7, alt=str)


def test_words_of_a_figure_stay_words():
    """They are searched and read out; where a hundredth of a point would do, no more is kept."""
    shown = figure(plotting.stacked(WORKING, title="nDCG 0.9831"), alt="Two bars.")
    svg = base64.b64decode(re.search(r'base64,([^"]+)"', shown.page)[1]).decode()
    assert ">nDCG 0.9831</text>" in svg
    assert not re.search(r"<[^>!]*\d\.\d{3}", svg)


def expected(*args, **options):
    """What a prediction takes, by number to four digits."""
    return {number(o.value): o for o in outcomes(*args, **options)}


def test_a_prediction_knows_the_numbers_of_the_catalogue():
    """The AP of [0, 1, 0, 1] with one missed: its own, over the found, over k, over rank + 1."""
    found = expected(None, (average_precision, ["a", "b", "c", "d"], {"b": 1, "d": 1, "x": 1}), {})
    assert [value for value, o in found.items() if o.right] == ["0.3333"]
    assert "the relevant documents that were retrieved" in found["0.5000"].says
    assert "divided by k" in found["0.2500"].says
    assert "1/3" in found["0.3333"].forms
    assert "0.33" in found["0.3333"].forms
    assert "0.3" not in found["0.3333"].forms


def test_a_prediction_names_no_mistake_of_programs():
    """On paper nobody turns a ranking round, or loses its first line."""
    found = expected(None, (precision, list("abcde"), {"a": 1, "b": 1, "e": 1}), {})
    assert set(found) == {"0.6000", "1.0000"}
    assert "recall" in found["1.0000"].says


def test_a_rounder_number_than_the_question_bears_is_no_answer():
    """1.0 says that nothing is lost, and 0.965 that something is; so does 0.998."""
    assert ReaderNumber(2**0.5 - 0.45, "").forms[:3] == ["0.96", "0.964", "0.9642"]
    assert ReaderNumber(0.998, "").forms[:2] == ["499/500", "0.998"]
    assert ReaderNumber(1.004, "").forms[:2] == ["251/250", "1.004"]
    assert ReaderNumber(1.0, "").forms[:3] == ["1", "1.0", "1.00"]


def test_an_answer_can_be_a_slider():
    """It stays folded with all its figures."""
    moved = slider(
        lambda k: plotting.draw(ndcg.working([5, 2, 3], k=k)),
        name="k", values=[1, 2], start=1, alt=lambda k: f"nDCG cut at {k}",
    )  # fmt: skip
    page = reveal(moved)._repr_html_()
    assert page.startswith("<details><summary>Reveal the answer")
    assert page.count("<img") == 2


def test_what_the_author_names_comes_before_the_catalogue():
    """A number is answered once."""
    found = outcomes(None, (dcg, [2, 3, 5]), {7.892789260714372: "That is the ideal."})
    assert [o.says for o in found if abs(o.value - 7.8928) < 1e-4] == ["That is the ideal."]
    assert outcomes(None, (), {}) == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((0.5, (dcg, [1]), {}), "not both"),
        ((float("nan"), (), {}), "asks for a number, not nan"),
        ((0.5, (), {0.5: "no"}), "0.5 is the right answer"),
    ],
)
def test_a_prediction_that_could_not_be_answered_is_refused(args, message):
    """Two answers, no number, or a mistake that is right."""
    with pytest.raises(InputError, match=message):
        outcomes(*args)


def test_the_forms_of_a_number_do_not_hang_on_its_last_bit():
    """What is 0.125 by definition may be computed a little lower or higher."""
    low, high = ReaderNumber(0.12499999999999999, ""), ReaderNumber(0.12500000000000003, "")
    assert low.forms == high.forms == ReaderNumber(0.125, "").forms
