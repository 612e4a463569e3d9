"""Which measures the program in JavaScript computes: it lists them itself."""

import re
from collections.abc import Iterable
from pathlib import Path

FILE = "irmetrics_edu/diagnosis/conformance/runners/metrics.mjs"
_ROOT = Path(__file__).resolve().parents[3]
_LISTED = re.compile(r"export const MEASURES = `(?P<names>[^`]*)`")


def measures_without_twin(measures: Iterable[str]) -> list[str]:
    """The measures that it does not compute yet, in the order given."""
    text = (_ROOT / FILE).read_text(encoding="utf-8")
    listed = _LISTED.search(text)
    if listed is None:
        raise ValueError(f"{FILE} has no list MEASURES")
    computed = set(listed["names"].split())
    return [name for name in measures if name not in computed]
