"""The glossary is complete, in three languages, and says each thing once."""

import re
from dataclasses import replace

import pytest

from dev.tools import waiting
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import language
from irmetrics_edu.views.terms import GLOSSARY, term


def test_an_entry_is_complete():
    """Meaning, LaTeX whose braces balance, and names that are Chinese and Japanese, if any."""
    waiting_terms = list(waiting.terms())
    for name in GLOSSARY:
        entry = term(name)
        assert entry.meaning, name
        assert entry.latex.count("{") == entry.latex.count("}"), name
        if entry.zh and entry.ja:
            both = f"{entry.zh} {entry.ja}"
            assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]|[A-Z]{2}", both), name
        waits = {code for code, waiting_name in waiting_terms if waiting_name == entry.name}
        assert waits == {code for code in ("zh", "ja") if not getattr(entry, code)}, name


def test_english_stands_in_for_a_name_that_waits(monkeypatch):
    """A term without a name in a language is shown by its English name, and listed."""
    late = replace(term("query"), zh="")
    monkeypatch.setitem(GLOSSARY, "query", late)
    language.speak("zh")
    try:
        assert language.heading("query") == "query"
        assert language.heading("grade") == "相关度等级"
    finally:
        language.speak("")
    assert "`query`" in waiting.page()


def test_an_unknown_term_is_refused():
    """By name."""
    with pytest.raises(InputError, match="'gian' is not in the glossary"):
        term("gian")
