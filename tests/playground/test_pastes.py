"""The table of real pastes: each is read as its right reading, or refused with a way out."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.playground.pastes import LOOKS, READ, REFUSED
from tests.playground.test_paste import listed
from tests.playground.test_written_and_read import FRESH

pytestmark = pytest.mark.slow
TRIED = FRESH.replace("return { ...state, ...found }", "return found")


def reading(found: Any) -> str:
    """What was read, in the words of the table."""
    if isinstance(found, str):
        return found
    cut = f"@{found['k']}" if found.get("k") is not None else ""
    numbers = " and ".join(filter(None, [found["value"], found["theirs"]]))
    queries = found.get("queries") or ([found] if "ranked" in found else [])
    return f"{found.get('measure', '')}{cut} = {numbers}: " + " / ".join(map(listed, queries))


def test_what_people_paste_is_read(ask: Callable[..., Any]) -> None:
    """At least 450 real inputs, on a fresh page."""
    assert len(READ) >= 450
    found = dict(zip(READ, map(reading, ask(TRIED, texts=list(READ))), strict=True))
    assert {text: said for text, said in found.items() if said != READ[text]} == {}


def test_what_can_not_be_read_is_answered_with_a_way_out(ask: Callable[..., Any]) -> None:
    """The answer names what was found, and ends as a sentence."""
    found = dict(zip(REFUSED, map(reading, ask(TRIED, texts=list(REFUSED))), strict=True))
    wrong = {t: said for t, said in found.items() if not said.startswith(REFUSED[t])}
    assert wrong == {}
    assert all(said.endswith(".") for said in found.values())


def test_a_refusal_says_what_the_text_looks_like(ask: Callable[..., Any]) -> None:
    """Behind what is wrong stands what it may be, and what would do."""
    found = dict(zip(LOOKS, map(reading, ask(TRIED, texts=list(LOOKS))), strict=True))
    assert {t: said for t, said in found.items() if f" {LOOKS[t]} " not in f"{said} "} == {}
