"""What `docs/changelog.md` says of the newest version: where a change is told to users."""

import re
import subprocess
from collections.abc import Collection

from dev.tools.places import ROOT

FILE = "docs/changelog.md"
INTERFACE = "tests/public/interface.txt"
_NEWEST = re.compile(r"^## (?P<version>.+)\n(?P<lines>(?:(?!## ).*\n?)*)", re.MULTILINE)


def newest(text: str) -> tuple[str, list[str]]:
    r"""The heading of the first section of a changelog, and its entries.

    >>> newest("# Changelog\n\n## 1.1\n\n- `cg` is new.\n\n## 1.0\n\n- All.\n")
    ('1.1', ['`cg` is new.'])
    """
    section = _NEWEST.search(text)
    if section is None:
        return "", []
    lines = section["lines"].splitlines()
    return section["version"], [line[2:] for line in lines if line.startswith("- ")]


def tells_of(name: str) -> bool:
    """Whether the newest section has an entry that names it as code, between backticks."""
    _, entries = newest((ROOT / FILE).read_text(encoding="utf-8"))
    code = re.compile(rf"`(?:[^`]*[^\w`-])?{re.escape(name)}(?:[^\w`-][^`]*)?`")
    return any(code.search(entry) for entry in entries)


def untold(files: Collection[str], base: str) -> str:
    """What is wrong where the public interface changed since `base`; nothing if users are told.

    A change of what is public needs one more entry, or another, in the newest section.
    """
    if INTERFACE not in files:
        return ""
    before = subprocess.run(
        ["git", "show", f"{base}:{FILE}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if newest(before.stdout)[1] != newest((ROOT / FILE).read_text(encoding="utf-8"))[1]:
        return ""
    return f"{INTERFACE} has changed: add a line to the first section of {FILE}"
