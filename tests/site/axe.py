"""Every page under axe-core: `python -m tests.site.axe AXE.js`, narrow and wide, by day and night.

axe-core (Deque Systems, MPL-2.0) is no part of the project; `make test-axe` fetches it.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from irmetrics_edu.site.build import build
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
from tests.site import chromium

RUN = """axe.run(document, {resultTypes: ["violations"]}).then((found) =>
    JSON.stringify([found.passes.length, found.violations.map((v) =>
        `${v.id} (${v.nodes.length}): ${v.nodes[0].html} ${v.nodes[0].failureSummary}`)]))"""
# The observers of sizes have spoken when a frame has been drawn.
DRAWN = "new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"
PLAYED = ("", NAMES, EMPTY, TIES, NUGGETS, "damaged")


def violations(browser: chromium.Chromium, axe: str) -> list[str]:
    """What axe-core finds wrong with the page that is open, with all that it folds unfolded."""
    look(browser, "document.querySelectorAll('details').forEach((d) => (d.open = true))")
    if not browser.evaluate("'axe' in window"):
        browser.evaluate(f"{axe}; null")
    browser.evaluate(DRAWN)
    passed, found = json.loads(browser.evaluate(RUN))
    assert passed > 20
    return list(found)


def of_pages(browser: chromium.Chromium, axe: str, pages: list[Path]) -> Iterator[list[str]]:
    """What is wrong with each page, narrow and wide: one by day, the other by night, in turn.

    Pages of metrics and lessons are made from one template each, and get one of the four looks.
    """
    for number, page in enumerate(pages):
        looks = [(WIDE, number % 2 == 1), (NARROW, number % 2 == 0)]
        if page.name.startswith(("metric-", "lesson-")):
            looks = [looks[number // 2 % 2]]
        browser.open(page.as_uri(), looks[0][0])
        for width, night in looks:
            dark(browser, on=night)
            browser.resize(width)
            found = violations(browser, axe)
            yield [f"{page.name} at {width} px, dark: {night}: {v}" for v in found]


def of_playground(browser: chromium.Chromium, axe: str, folder: Path) -> Iterator[list[str]]:
    """What is wrong with the playground in many states, at each width, by day and by night."""
    for width in (NARROW, WIDE):
        for night in (False, True):
            dark(browser, on=night)
            for state in PLAYED:
                browser.open(f"{(folder / 'play.html').as_uri()}#{state}", width)
                settled(browser)
                found = violations(browser, axe)
                yield [f"play.html#{state} at {width} px, dark: {night}: {v}" for v in found]


def of_site(path: str, axe: str, folder: Path, profiles: Path) -> list[list[str]]:
    """What is wrong with the pages of the site, by two browsers side by side."""
    pages = sorted([*folder.glob("*.html"), *folder.glob("??/*.html")])

    def half(first: int) -> list[list[str]]:
        with chromium.Chromium(path, profiles / f"{first}") as browser:
            return list(of_pages(browser, axe, pages[first::2]))

    with ThreadPoolExecutor(2) as halves:
        return [found for part in halves.map(half, (0, 1)) for found in part]


def main(axe: str) -> int:
    """Print what axe-core finds wrong; 1 if anything is, or if it doesn't see a planted fault."""
    source = Path(axe).read_text(encoding="utf-8")
    path = chromium.found()
    if path is None:
        sys.exit("no browser is installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "site"
        if build(folder):
            return 1
        looks = of_site(path, source, folder, Path(temporary) / "profiles")
        with chromium.Chromium(path, Path(temporary) / "profile") as browser:
            looks += of_playground(browser, source, folder)
            look(browser, "at('value').labels[0].remove(), at('value').placeholder = ''")
            seen = any(v.startswith("label") for v in violations(browser, source))
    wrong = [violation for found in looks for violation in found]
    said = f"axe-core: {len(wrong)} violations in {len(looks)} looks at pages\n"
    sys.stdout.write("\n".join([*wrong, said]))
    return int(bool(wrong) or not seen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
