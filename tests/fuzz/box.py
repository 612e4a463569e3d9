"""What is pasted into the playground's box, spoilt: it is read, or answered in a sentence."""

import atexit
import json
import math
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from dev.tools.playground.data import data
from dev.tools.playground.page import PURE, script
from tests.fuzz.files import NASTY
from tests.fuzz.reading import Reading
from tests.fuzz.sources import KINDS, misleads
from tests.playground import pastes
from tests.playground.test_paste import READ
from tests.site import chromium

TEXTS = 20  # of one trial: each question to the browser takes the modules along
# The page's own errors are plain; others, such as TypeError, are its tracebacks.
ASKED = """texts.map((text) => {
  try {
    const found = modules.question.fromQuestion(text, modules.state.example(), data);
    return { found };
  } catch (error) {
    return { name: error.constructor.name, said: error.message };
  }
})"""


@cache
def browser() -> chromium.Chromium:
    """A browser, opened once, and closed with the process."""
    path = chromium.found()
    if path is None:
        raise RuntimeError("no browser to open the playground with: apt-get install chromium")
    profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    opened = chromium.Chromium(path, Path(profile.name))
    atexit.register(profile.cleanup)
    atexit.register(opened.close)
    opened.evaluate(f"globalThis.data = {json.dumps(data())}; null")
    return opened


def answers(texts: list[str]) -> list[Any]:
    """What the box makes of each text."""
    given = json.dumps(texts)
    asked = f"(() => {{\n{script(PURE)}\nconst texts = {given};\nreturn JSON.stringify({ASKED}, "
    asked += '(_, x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x)); })()'
    found: list[Any] = json.loads(browser().evaluate(asked))
    return found


class Box(Reading):
    """Texts that are pasted."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__("box", [])
        self.texts = texts

    def wrong(self) -> tuple[str, str] | None:
        """An error that is none of the page's own, a number that is none, or two answers."""
        first, again = answers(self.texts), answers(self.texts)
        for text, one, other in zip(self.texts, first, again, strict=True):
            shown = f"{text!a:.400}: {one!a:.400}"
            if one != other:
                return "silence", f"{shown} and then {other!a:.300}"
            if "name" in one and one["name"] != "Error":
                return "crash", shown
            if "said" in one and not one["said"].strip().endswith("."):
                return "unnamed", shown
            if "said" in one and misleads(one["said"]):
                return "misleading", shown
            if "found" in one and not all(map(_is_number, _grades(one["found"]))):
                return "silence", shown
        return None

    def minimised(self, folder: Path) -> None:
        """Take texts and then letters out while it ends as it did; keep the rest as a file."""
        first = self.wrong()
        self.texts = [text for text in self.texts if Box([text]).wrong()][:1] or self.texts
        text = self.texts[0]
        for at in reversed(range(len(text))):
            fewer = text[:at] + text[at + 1 :]
            still = Box([fewer]).wrong()
            if first is not None and still is not None and still[0] == first[0]:
                text = fewer
        (folder / "pasted.txt").write_text(f"{text!a}\n", encoding="ascii")


def _grades(found: Any) -> list[Any]:
    """The grades of what was read, None for an unjudged document."""
    queries = found.get("queries") or [found]
    documents = [
        one for query in queries for one in (*query.get("ranked", ()), *query.get("others", ()))
    ]
    return [document["grade"] for document in documents if document["grade"] is not None]


def _is_number(grade: Any) -> bool:
    return isinstance(grade, int | float) and math.isfinite(grade)


def _spoilt(rng: random.Random, text: str) -> str:
    """A text with letters, words and lines that are odd, cut off or there twice."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.randrange(1, 12))
        how = rng.randrange(5)
        if how == 0:
            text = text[:at] + rng.choice(KINDS[rng.choice(list(KINDS))]) + text[at:]
        elif how == 1:
            text = text[:at] + rng.choice(NASTY) + text[to:]
        elif how == 2:
            text = text[:at] + text[to:]
        elif how == 3:
            text = text[:to] + text[at:]
        else:
            text = text[:at]
    return text.encode("utf-8", "replace").decode()


def of_box(rng: random.Random, folder: Path) -> Box:  # noqa: ARG001
    """Pastes that the page reads, spoilt."""
    good = [*pastes.READ, *READ]
    return Box([_spoilt(rng, rng.choice(good)) for _ in range(TEXTS)])
