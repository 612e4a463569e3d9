"""The spelling of all that people read: pages, chapters, docstrings, helps, exercises."""

import os
from pathlib import Path

import pytest

from tests.site import spelling


@pytest.fixture(scope="module")
def hunspell() -> str:
    """The path of hunspell; where it is not, skip, except where CI has to have it."""
    path = spelling.found()
    if path is None:
        reason = "no dictionary: apt-get install hunspell hunspell-en-gb"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.mark.suite("site")
@pytest.mark.slow
def test_every_word_is_spelt_as_the_dictionary_has_it(hunspell: str, built: Path) -> None:
    """In British English; the field's terms and names are in `dev/site/words.txt`."""
    pages = dict(spelling.texts(built))
    assert len(pages) > 120
    assert {"parameter", "relevance", "student"} <= set().union(*pages.values())
    assert spelling.misspelt(hunspell, pages) == {}


def test_a_misspelling_is_seen(hunspell: str) -> None:
    """In text, in what is said for a picture, in American; not in code or Chinese."""
    page = """<p>A rankking of documents, normalized by its <em>per</em>fection.</p>
        <img alt="a colorful plot"><code>rankkk</code> <td lang="zh">折损因子 zzzq</td> nDCG@10
        <li>Kekäläinen&rsquo;s recall</li><li>isn't docid</li>"""
    asked = spelling.words(page)
    assert "perfection" in asked
    assert spelling.unknown(hunspell, asked, ["docid", "Kekäläinen"]) == {
        "rankking",
        "normalized",
        "colorful",
    }


def test_the_list_of_words_is_in_order() -> None:
    """Sorted and without a word twice, so that a merge shows what came in."""
    words = spelling.WORDS.read_text(encoding="utf-8").splitlines()
    assert words == sorted(set(words), key=lambda word: (word.casefold(), word))
