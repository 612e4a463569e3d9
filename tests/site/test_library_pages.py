"""A page for each library: its conventions in words, and numbers that are right."""

import math
import re

import pytest
from markdown_it import MarkdownIt

from dev.tools.site import library_pages
from irmetrics_edu.libraries import BUNDLES, bundle

LOG3 = math.log2(3)
TIED, UNRETRIEVED = "all three documents have one score", "two relevant documents are not retrieved"


@pytest.fixture(scope="module")
def pages():
    """Each page by its name."""
    return dict(library_pages.pages())


def test_every_library_has_a_page_and_stands_in_the_list(pages):
    """Those of which the package is known; each page answers the same questions."""
    named = {b.name for b in BUNDLES.values() if b.metrics and b.package}
    assert len(pages) == len(named) + 1
    for name in pages:
        assert name == "libraries" or f"({name}.md)" in pages["libraries"]
    for b in (BUNDLES[key] for key in ("ranx", "torchmetrics", "lightgbm", "ndeval", "surprise")):
        text = pages[library_pages.page_of(b)]
        for part in ("Its conventions", "Where it differs", "The same numbers here", "in a paper"):
            assert part in text, (b.name, part)


def test_code_and_options_are_set_as_such(pages):
    """No reader sees the marks of Markdown, and no option loses one of its dashes."""
    read = MarkdownIt().enable("table")
    for name, text in pages.items():
        shown = re.sub(r"<code.*?</code>", "", read.render(text), flags=re.DOTALL)
        assert re.findall(r"[^\n]*`[^\n]*|[^\n]*\s--[a-z][^\n]*", shown) == [], name


@pytest.mark.parametrize(
    ("library", "measure", "example", "expected"),
    [
        # Tied documents share the discounts: mean gain 1 over 1 + 1/log2(3) + 1/2.
        ("scikit_learn", "ndcg_score", TIED, (1.5 + 1 / LOG3) / (2 + 1 / LOG3)),
        # By document id, the larger first: grades 1, 2, 0.
        ("trec_eval", "ndcg", TIED, (1 + 2 / LOG3) / (2 + 1 / LOG3)),
        # As given: grades 0, 2, 1, so precision 1/2 and 2/3.
        ("deepeval", "ContextualPrecisionMetric", TIED, (1 / 2 + 2 / 3) / 2),
        # Hits at ranks 1, 2, 3, 5, 6; divided by the five that were retrieved, or by all seven.
        ("deepeval", "ContextualPrecisionMetric", UNRETRIEVED, (3 + 4 / 5 + 5 / 6) / 5),
        ("trec_eval", "map", UNRETRIEVED, (3 + 4 / 5 + 5 / 6) / 7),
    ],
)
def test_numbers_are_those_that_a_hand_computes(pages, library, measure, example, expected):
    """A library's measure on an example of the page."""
    assert library_pages.value(bundle(library), measure, example) == f"{expected:.4f}"
    assert f"{expected:.4f}" in pages[library_pages.page_of(bundle(library))]


def test_defects_and_surprises_are_linked(pages):
    """From the page of the library that has them."""
    ranx = pages["library-ranx"]
    assert "[RBP of graded judgments exceeds 1](library-defects.md) (defect, ranx" in ranx
    assert "(surprise, ranx" in ranx


def test_a_sentence_for_a_paper_names_what_the_number_hangs_on():
    """Gain, discount, ideal, ties, which judgments, and queries without a result."""
    said = library_pages.in_a_paper(bundle("lightgbm"))
    for part in ("nDCG@5", "LightGBM 4.7.0", "2 to the power", "log2", "only the documents of"):
        assert part in said
    assert "equal scores:" in said
    assert "a query without a result:" in said


def test_the_inputs_stand_on_the_page_and_threads_are_linked(pages):
    """So that a reader can try them; and what a measure has apart from the rest is said."""
    for text in pages.values():
        assert "on input `" not in text
    torch = pages["library-torchmetrics"]
    assert f"- {UNRETRIEVED}: grades 3, 2, 3, 0, 1, 2; not retrieved: 3, 2" in torch
    assert f"- {TIED}: grades 0, 2, 1, all with one score" in torch
    assert "Not so in `retrieval_normalized_dcg`" in torch
    assert "[Lightning-AI/torchmetrics#3216](https://github.com/Lightning-AI/torchmetrics/" in torch
    assert "AmenRa/ranx#66" not in torch
