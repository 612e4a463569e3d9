"""The page under axe-core: `python -m tests.playground.axe AXE.js`, of many states, day and night.

axe-core (Deque Systems, MPL-2.0) is no part of the project; `make test-axe` fetches it.
"""

import json
import sys
import tempfile
from pathlib import Path

from irmetrics_edu.playground import write_page
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

RUN = """axe.run(document).then((found) => JSON.stringify([found.passes.length,
    found.violations.map((v) => `${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`)]))"""


def main(axe: str) -> int:
    """Print what axe-core finds wrong; 1 if anything is, or if it doesn't see a planted fault."""
    source = Path(axe).read_text(encoding="utf-8")
    path = chromium.found()
    if path is None:
        sys.exit("no browser is installed: apt-get install chromium")
    wrong = []
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium.Chromium(path, Path(folder) / "profile") as browser,
    ):
        page = write_page(folder)

        def violations() -> list[str]:
            look(browser, "document.querySelectorAll('details').forEach((d) => (d.open = true))")
            browser.evaluate(f"{source}; null")
            passed, found = json.loads(browser.evaluate(RUN))
            assert passed > 20
            return list(found)

        for width in (NARROW, WIDE):
            for night in (False, True):
                dark(browser, on=night)
                for state in ("", NAMES, EMPTY, TIES, NUGGETS, "damaged"):
                    browser.open(f"{page.as_uri()}#{state}", width)
                    settled(browser)
                    wrong += [f"{width} px, dark: {night}: {v}" for v in violations()]
        look(browser, "at('value').labels[0].remove(), at('value').placeholder = ''")
        seen = any(v.startswith("label") for v in violations())
    sys.stdout.write("\n".join([*wrong, f"axe-core: {len(wrong)} violations in 24 states\n"]))
    return int(bool(wrong) or not seen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
