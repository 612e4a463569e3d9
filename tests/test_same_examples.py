"""In CI a property draws the same examples, whatever ran before in its process."""

import importlib

from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from tests.conftest import draw_from_the_seed_alone


def drawn():
    """What a property of a seed draws, with nothing kept of earlier runs."""
    texts = []

    @seed(0)
    @settings(database=None, max_examples=100)
    @given(st.text() | st.integers().map(str))
    def remember(text):
        texts.append(text)

    remember()
    return texts


def test_a_module_that_was_imported_brings_no_examples(tmp_path, monkeypatch):
    """Its numbers and texts are drawn elsewhere, so that a run would hang on what it imported."""
    monkeypatch.setattr(providers, "_get_local_constants", providers._get_local_constants)
    monkeypatch.syspath_prepend(tmp_path)
    draw_from_the_seed_alone()
    before = drawn()
    code = tmp_path / "made_of_words.py"
    code.write_text(f"WORDS = {[f'word {i}' for i in range(200)]}\n", encoding="utf-8")
    importlib.import_module("made_of_words")
    assert drawn() == before
    assert len(set(before)) > 50
