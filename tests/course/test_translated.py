"""A chapter in another language: its texts are found, kept whole and put back as code."""

import json
import re

import nbformat
import pytest

from dev.tools import catalogues, translated
from dev.tools.catalogues import Message
from dev.tools.notebooks import built, paired, sources
from dev.tools.places import FOLDER
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.translation import paragraphs

CODES = ("zh", "ja")
CHAPTER = sources(["04"])[0]


@pytest.mark.parametrize(
    "text", ['say "x"', "it's \\ n", "順位 {k}、\"{k + 1}\" と '{k:g}' \\", "短" * 90]
)
def test_a_translation_becomes_code_that_says_it(text):
    """Whatever quotes and backslashes it holds, and however many lines it takes."""
    for before in ('reveal("the text")', 'reveal(f"the text {k}")'):
        code = translated.cell(before, lambda _: text, markdown=False)
        given = []
        exec(code, {"reveal": given.append, "k": 3})  # noqa: S102 -- the code under test
        filled = text.replace("{k}", "3").replace("{k + 1}", "4").replace("{k:g}", "3")
        assert given == [filled if "f" in before.partition('"')[0] else text]
        assert max(map(len, code.split("\n"))) < 80


def test_only_what_a_reader_sees_is_a_message():
    """Arguments of a metric, names of columns that are no words, titles of figures are code."""
    code = (
        'figure(stacked(ndcg(x, cut="ranking"), title="The list"), alt="Two bars.")\n'
        'table({"nDCG": a, "rank": b}, caption="A table")\n'
        'quote("003", "words", "What they mean.")\n'
        'y = table({"A": score(gain="exp")})'
    )
    found = [t.message for t in translated.strings(code)]
    assert found == ["Two bars.", "rank", "A table", "What they mean."]


def test_formulas_and_code_in_markdown_are_no_message():
    """A paragraph is one line; a formula on its own and a block of code stay as they are."""
    text = "A text of\n2. lines.\n\n$$\\text{words}$$\n\n```\nsome words\n```\n\n1. one\n2. two\n"
    assert [t.message for t in paragraphs(text)] == [
        "A text of 2. lines.",
        "one",
        "two",
    ]
    assert translated.cell(text, str.upper, markdown=True).startswith(
        "A TEXT OF 2. LINES.\n\n$$\\t"
    )


def test_a_changed_text_is_fuzzy_and_shown_in_english(monkeypatch, tmp_path):
    """Until somebody has looked at its translation again."""
    monkeypatch.setattr(translated, "LOCALE", tmp_path)
    path = translated.translated_in("ja", "99_x")
    path.parent.mkdir()
    for text in ("The gain at rank 2 is small.", "The gain at rank 3 is small."):
        new = catalogues.template("99_x", [Message(text, "x.py", 1), Message("Other.", "x.py", 2)])
        made = catalogues.updated("ja", "99_x", new)
        if not path.exists():
            made[text].string = "順位 2 の利得は小さいです。"
        path.write_text(catalogues.as_text(made), encoding="utf-8")
    assert made["The gain at rank 3 is small."].fuzzy
    translate = translated.translator("ja", "99_x")
    assert translate("The gain at rank 3 is small.") == "The gain at rank 3 is small."


LOST = {
    "formula": ("At $k$ it ends", "$j$ で終わります", "the formula $k$ is missing"),
    "code": ("Call `f(2)` first", "`f(3)` を呼びます", "the code `f(2)` is missing"),
    "value": ("It is {x:g} now", "{y:g} です", "the placeholder {x:g} is missing"),
    "link": ("See [it](a.md) here", "[これ](b.md) を見てください", "the link ](a.md) is missing"),
    "number": ("Divide 6.89 by 8.89", "6.98 を 8.89 で割ります", "the number 6.89 is missing"),
    "term": ("All gains are 1", "価値はすべて 1 です", "'gain' is 利得 in the glossary"),
}


@pytest.mark.parametrize("kind", LOST)
def test_what_a_translation_lost_is_named(kind):
    """The check can fail, in each of its parts."""
    english, other, problem = LOST[kind]
    assert problem in list(catalogues.problems("ja", english, other, ["gain"]))
    assert list(catalogues.problems("ja", english, english, [])) == []


def numbers(output):
    """The numbers of an output as text, in order of size: another language has another order."""
    text = re.sub(r"[、，。]", " ", output["data"]["text/plain"])
    return sorted(re.findall(r"\d+(?:\.\d+)?", text))


@pytest.mark.parametrize("code", CODES)
def test_a_translated_chapter_shows_the_same_results(code):
    """Cell by cell the numbers of the English one, from the code that its catalogue gives."""
    english = nbformat.read(built(CHAPTER), as_version=4)
    other = nbformat.read(built(CHAPTER, code), as_version=4)
    assert len(english.cells) == len(other.cells)
    for one, two in zip(english.cells, other.cells, strict=True):
        assert [numbers(o) for o in one.get("outputs", ())] == [
            numbers(o) for o in two.get("outputs", ())
        ], two.id
        if two.cell_type == "code":
            two.outputs, two.execution_count = [], None
    assert json.loads(as_text(other)) == json.loads(as_text(paired(CHAPTER, code)))


def test_every_translated_notebook_has_a_catalogue():
    """A notebook without one would never be rebuilt."""
    found = {(p.parent.name, p.stem) for p in FOLDER.glob("*/[0-9][0-9]_*.ipynb")}
    assert found == {(code, s.stem) for s in sources() for code in translated.languages(s.stem)}
