"""The page of defects: each names a quirk and a version that exist, and its lines show it."""

import contextlib
import importlib.metadata
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from irmetrics_edu.libraries import BUNDLES

PAGE = Path(__file__).parents[2] / "docs" / "library-defects.md"
PARTS = re.compile(
    r"(?P<library>\S+) (?P<version>\S+): (?P<title>[^\n]+)\n.*?"
    r"```python(?: not-run: [^\n]+)?\n(?P<code>.*?)\n```\n\n"
    r"Its documentation: (?P<words>.+?)\n\n"
    r"What it does: (?P<does>.+?)\n\n"
    r"Quirk: `(?P<bundle>\w+)`, `(?P<quirk>[^`]+)`\. Verified: (?P<how>run|read from source)\.\s*",
    re.DOTALL,
)


@dataclass(frozen=True)
class Defect:
    """A section of the page."""

    library: str
    version: str
    title: str
    code: str
    words: str
    does: str
    bundle: str
    quirk: str
    how: str

    @property
    def expected(self):
        """What the lines print, by the comment behind the last."""
        return self.code.rpartition("  # ")[2]

    @property
    def here(self):
        """Whether the library is installed in this version."""
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(BUNDLES[self.bundle].package) == self.version
        return False


def defects(text):
    """The sections; one that has not all parts is an error."""
    found = []
    for section in text.split("\n## ")[1:]:
        match = PARTS.fullmatch(section)
        assert match, f"a part is missing: {section.partition(chr(10))[0]}"
        found.append(Defect(**match.groupdict()))
    return found


def faults(defect):
    """What of a section does not hold."""
    if defect.bundle not in BUNDLES:
        return [f"{defect.bundle} is no bundle"]
    bundle = BUNDLES[defect.bundle]
    found = []
    if not any(defect.quirk in quirk.metrics for quirk in bundle.quirks):
        found.append(f"{defect.bundle} has no quirk of {defect.quirk}")
    if defect.version != bundle.version:
        found.append(f"{defect.bundle} is of version {bundle.version}, not {defect.version}")
    lines = [line for line in defect.code.split("\n") if line]
    if sum(not line.startswith(("import ", "from ")) for line in lines) > 3:
        found.append("more than three lines")
    if not re.search(r'"[^"]+".*\((docstring|comment)', defect.words, re.DOTALL):
        found.append("no quotation with its source")
    return found


DEFECTS = defects(PAGE.read_text(encoding="utf-8"))
RUN = [d for d in DEFECTS if d.how == "run" and d.here]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda d: d.title)
def test_page_and_quirks_are_in_step(defect):
    """The quirk, the version, three lines, a quotation with its source."""
    assert faults(defect) == []


def test_no_two_sections_are_of_one_quirk():
    """And the ones that a reader expects are there."""
    named = [(d.bundle, d.quirk) for d in DEFECTS]
    assert len(set(named)) == len(named)
    assert {d.bundle for d in DEFECTS} >= {"ranx", "rankereval", "trec_eval"}


def test_the_check_can_fail():
    """A quirk that is gone, another version, a fourth line, no source; a section without parts."""
    one = DEFECTS[0]
    parts = vars(one)
    for changes, said in (
        ({"quirk": "nothing"}, "no quirk of nothing"),
        ({"version": "0"}, "not 0"),
        ({"bundle": "nobody"}, "no bundle"),
        ({"code": one.code + "\n#\n#"}, "three lines"),
        ({"words": "it says so"}, "no quotation"),
    ):
        assert any(said in fault for fault in faults(Defect(**{**parts, **changes})))
    with pytest.raises(AssertionError, match="a part is missing: ranx 1"):
        defects("# Page\n\n## ranx 1: nothing\n")


@pytest.mark.slow
def test_the_lines_print_what_the_page_says():
    """Of every library that is installed in the page's version, in a process that is thrown away.

    What a library starts, as PySpark does a context for all of its process, is gone with it.
    """
    for defect in RUN:
        command = [sys.executable, "-W", "ignore", "-c", defect.code]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stdout.strip() == defect.expected, (defect.title, done.stderr)
