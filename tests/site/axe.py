"""Each kind of page under axe-core, narrow and wide, by day and night: `-m tests.site.axe AXE.js`.

axe-core (Deque Systems, MPL-2.0) is no part of the project; `make suite SUITE=axe` fetches it.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from dev.tools.playground import write_page
from dev.tools.site.build import build
from dev.tools.site.searching import leads_on
from tests.playground.test_page import (
    EMPTY,
    NAMES,
    NARROW,
    NUGGETS,
    TIES,
    WIDE,
    dark,
    look,
    settled,
)
from tests.playground.test_runs import drawn, drop, trec
from tests.site import chromium

RUN = """axe.run(document, {resultTypes: ["violations"]}).then((found) =>
    JSON.stringify([found.passes.length, found.violations.map((v) =>
        `${v.id} (${v.nodes.length}): ${v.nodes[0].html} ${v.nodes[0].failureSummary}`)]))"""
# The observers of sizes have spoken when a frame has been drawn.
DRAWN = "new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"
FOUR = [(width, night) for width in (WIDE, NARROW) for night in (False, True)]
# Every which page is taken of a kind that one template makes, by the beginnings of their names.
FEW = {"metric-": 8, "lesson-": 4, r"\d\d_": 3}
PLAYED = ("run", "", NAMES, EMPTY, TIES, NUGGETS, "damaged")


def violations(browser: chromium.Chromium, axe: str) -> list[str]:
    """What axe-core finds wrong with the page that is open, with all that it folds unfolded."""
    look(browser, "document.querySelectorAll('details').forEach((d) => (d.open = true))")
    if not browser.evaluate("'axe' in window"):
        browser.evaluate(f"{axe}; null")
    browser.evaluate(DRAWN)
    passed, found = json.loads(browser.evaluate(RUN))
    assert passed > 20
    return list(found)


def looks_at(pages: list[Path]) -> list[tuple[Path, int, bool]]:
    """Which page is looked at how wide, and by day or by night.

    Of the kinds that have many pages of one template some are taken. A page has one of the four
    looks in turn; one page of each kind has all four.
    """
    kinds: dict[str, list[Path]] = {}
    for page in pages:
        language = page.parent.name if len(page.parent.name) == 2 else ""
        kind = language or next((k for k in FEW if re.match(k, page.name)), "")
        kinds.setdefault(kind, []).append(page)
    looks = []
    for kind, own in kinds.items():
        for number, page in enumerate(own[:: FEW.get(kind, 1)]):
            taken = FOUR if number == 0 else [FOUR[number % 4]]
            looks += [(page, width, night) for width, night in taken]
    return looks


def of_playground(browser: chromium.Chromium, axe: str, folder: Path) -> Iterator[list[str]]:
    """What is wrong with the playground in many states, at each width, by day and by night."""
    for width in (NARROW, WIDE):
        for night in (False, True):
            dark(browser, on=night)
            for state in PLAYED:
                browser.open(f"{(folder / 'play.html').as_uri()}#{state}", width)
                if state == "run":
                    drop(browser, trec(*drawn(3, 10)))
                settled(browser)
                found = violations(browser, axe)
                yield [f"play.html#{state} at {width} px, dark: {night}: {v}" for v in found]


def of_site(
    path: str, axe: str, looks: list[tuple[Path, int, bool]], profiles: Path
) -> list[list[str]]:
    """What is wrong with the pages of the site, by two browsers, each taking the next look."""
    queue = iter(looks)
    lock = Lock()

    def some(number: int) -> list[list[str]]:
        found = []
        with chromium.Chromium(path, profiles / f"{number}") as browser:
            while True:
                with lock:
                    page, width, night = next(queue, (None, 0, False))
                if page is None:
                    return found
                dark(browser, on=night)
                browser.open(page.as_uri(), width)
                wrong = violations(browser, axe)
                found.append([f"{page.name} at {width} px, dark: {night}: {v}" for v in wrong])

    with ThreadPoolExecutor(2) as browsers:
        return [found for part in browsers.map(some, (0, 1)) for found in part]


def of_playground_alone(path: str, axe: str, folder: Path) -> tuple[list[list[str]], bool]:
    """What is wrong with the playground, and whether a planted fault is seen."""
    page = write_page(folder, home="index.html").parent
    with chromium.Chromium(path, folder / "profile") as browser:
        looks = list(of_playground(browser, axe, page))
        look(browser, "at('question').labels[0].remove()")
        return looks, any(v.startswith("label") for v in violations(browser, axe))


def main(axe: str) -> int:
    """Print what axe-core finds wrong; 1 if anything is, or if it doesn't see a planted fault."""
    source = Path(axe).read_text(encoding="utf-8")
    path = chromium.found()
    if path is None:
        sys.exit("no browser is installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(1) as beside:
        folder = Path(temporary) / "site"
        # The playground needs no site: it is looked at while that is built.
        playground = beside.submit(of_playground_alone, path, source, Path(temporary) / "play")
        if build(folder):
            return 1
        # A page that only leads to another is gone before anybody has looked at it.
        every = sorted([*folder.glob("*.html"), *folder.glob("??/*.html")])
        pages = [page for page in every if not leads_on(page.read_text(encoding="utf-8"))]
        looks = of_site(path, source, looks_at(pages), Path(temporary) / "profiles")
        played, seen = playground.result()
    looks += played
    wrong = [violation for found in looks for violation in found]
    said = f"axe-core: {len(wrong)} violations in {len(looks)} looks at pages\n"
    sys.stdout.write("\n".join([*wrong, said]))
    return int(bool(wrong) or not seen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
