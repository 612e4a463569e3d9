"""The glossary is complete, in three languages, and says each thing once."""

import re

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.terms import GLOSSARY, term


@pytest.mark.parametrize("name", GLOSSARY)
def test_an_entry_is_complete(name):
    """Meaning, LaTeX whose braces balance, and both translations."""
    entry = term(name)
    assert entry.meaning
    assert entry.latex.count("{") == entry.latex.count("}")
    assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]|[A-Z]{2}", entry.zh + " " + entry.ja)
    assert entry.zh
    assert entry.ja


def test_an_unknown_term_is_refused():
    """By name."""
    with pytest.raises(InputError, match="'gian' is not in the glossary"):
        term("gian")
