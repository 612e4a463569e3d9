"""Each sentence of these pages that promises something has a test, and no other is left."""

from collections import Counter

import pytest

from tests.plugin.pages import sentences
from tests.plugin.pages.sentences import PAGES, defined, held, is_there, of_page


@pytest.mark.parametrize("page", PAGES)
def test_each_sentence_has_a_test_or_promises_nothing(page):
    """A sentence that is new or changed is named; so is one that the page has no more."""
    stands = set(of_page(page))
    table = held(page).all()
    new = [sentence for sentence in of_page(page) if sentence not in table]
    gone = [sentence for sentence in table if sentence not in stands]
    assert (new, gone) == ([], []), f"tests/plugin/pages/{page}.toml"


@pytest.mark.parametrize("page", PAGES)
def test_each_test_that_is_named_is_there(page):
    """A test that was renamed or taken out leaves no promise behind."""
    lacking = [test for test in held(page).by_test if not is_there(test)]
    assert lacking == []


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_both_promises_and_does_not(page):
    """It may have several tests."""
    table = held(page)
    promised = {one for several in table.by_test.values() for one in several}
    assert promised & {*table.promise_nothing, *table.of_others} == set()
    assert max(Counter([*table.promise_nothing, *table.of_others]).values()) == 1


def test_each_test_of_this_folder_holds_a_sentence():
    """One that no table names would be no test of a promise."""
    named = {test for page in PAGES for test in held(page).by_test}
    here = sentences.ROOT / "tests" / "plugin" / "pages"
    for path in here.glob("test_*.py"):
        if path.name == "test_sentences.py":
            continue
        tests = {name for name in defined(path) if name.startswith("test_")}
        assert {name for name in tests if f"plugin/pages/{path.name}::{name}" not in named} == set()


PAGE = """# A heading

One sentence. Another, of `code.md`, e.g. this; and `x` too. **Bold.** `-q` is quiet!

| head | of |
|---|---|
| a | b. C |

- an item

```python
No.sentence
```
"""


def test_sentences_are_told_apart():
    """By full stops; headings and code are none."""
    found = sentences.sentences(PAGE)
    assert found == [
        "One sentence.",
        "Another, of `code.md`, e.g. this; and `x` too.",
        "**Bold.**",
        "`-q` is quiet!",
        "a | b.",
        "C",
        "an item",
    ]


def test_a_test_that_is_not_there_is_seen():
    """Neither a file, nor a name, nor a function that is no test."""
    assert is_there("plugin/test_baselines.py::test_the_file_is_sorted_and_rounded")
    for wrong in ("plugin/none.py::test_a", "plugin/test_baselines.py::test_none", "work.py::held"):
        assert not is_there(wrong)
