"""A browser, the page, and the page's modules without the page."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dev.tools.playground import write_page
from dev.tools.playground.data import data
from dev.tools.playground.page import PURE, script
from tests.site import chromium


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page in a folder of its own."""
    return write_page(tmp_path_factory.mktemp("playground"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Chromium]:
    """A headless Chromium; where there is none, skip, except where CI has to have one."""
    path = chromium.found()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no browser to open the playground with")
        pytest.skip("no browser to open the playground with: apt-get install chromium")
    with chromium.Chromium(path, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ask(browser: chromium.Chromium) -> Callable[..., Any]:
    """Ask the page's modules, on a page without anything: `ask("modules.say.number(x)", x=1)`."""
    browser.evaluate(f"globalThis.data = {json.dumps(data())}; null")

    def answer(expression: str, *, code: str = script(PURE), **given: Any) -> Any:
        values = "".join(f"const {n} = {json.dumps(v)};\n" for n, v in given.items())
        asked = (
            f"(() => {{\n{code}\n{values}return JSON.stringify({expression}, {_NO_NUMBER}); }})()"
        )
        return json.loads(browser.evaluate(asked))

    return answer


# JSON has neither NaN nor infinity: they come as Python's json reads them back, as text.
_NO_NUMBER = '(_, x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x)'
