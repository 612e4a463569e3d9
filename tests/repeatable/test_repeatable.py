"""The same inputs give the same bytes in every report, mark and page, whatever stands around.

Rows are writers, columns are what is varied. `make test` varies all at once for the quick rows;
`make suite SUITE=faults` tries each variation by itself on all rows.
"""

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.faults.injected import forked
from tests.repeatable.rows import BY_NAME, OTHER_ORDER, PROCESSES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="rows run in forks")
SURROUNDINGS = Path(__file__).parent / "surroundings"
USUAL = {
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "80",
    "SOURCE_DATE_EPOCH": "1750000000",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
NARROW = {"COLUMNS": "40", "LINES": "10", "TERM": "dumb", "NO_COLOR": "1"}
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANGUAGE": "de"}
AUTUMN = "2026-10-25T00:59:59+00:00"  # a second before clocks go back in Berlin and Vienna
VARIED: dict[str, Mapping[str, str]] = {
    "hash seed 1": {"PYTHONHASHSEED": "1"},
    "hash seed 4711": {"PYTHONHASHSEED": "4711"},
    "ASCII locale": ASCII,
    "German locale": {"OWN_LOCALE": "1", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"},
    "time zone ahead": {"TZ": "Pacific/Auckland"},
    "time zone behind": {"TZ": "America/St_Johns"},
    "umask 077": {"USED_UMASK": "077"},
    "umask 002": {"USED_UMASK": "002"},
    "1 process": {PROCESSES: "1"},
    "2 processes": {PROCESSES: "2"},
    "order of tests": {OTHER_ORDER: "1"},
    "order of files": {"REVERSED_LISTINGS": "1"},
    "clock that goes back": {"FAKED_CLOCK": "2026-11-30T12:00:00+00:00 -3600"},
    "leap day": {"FAKED_CLOCK": "2028-02-29T23:59:59+00:00 1"},
    "change of summer time": {"FAKED_CLOCK": f"{AUTUMN} 1", "TZ": "Europe/Berlin"},
    "date that is not set": {"SOURCE_DATE_EPOCH": ""},
    "narrow terminal": NARROW,
    "threads": {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
}
ALL_AT_ONCE = {
    **{name: value for one in VARIED.values() for name, value in one.items()},
    "OWN_LOCALE": "",
    **ASCII,
    **NARROW,
    "USED_UMASK": "077",
    "TZ": "Pacific/Auckland",
    "SOURCE_DATE_EPOCH": USUAL["SOURCE_DATE_EPOCH"],
    PROCESSES: "",
}
USUAL_SEEN = "2025-06-15 15:06 UTC"  # SOURCE_DATE_EPOCH as it is printed
_DATE = re.compile(rb"20\d\d-\d\d-\d\d \d\d:\d\d UTC")
# What a session of pytest itself writes of its time and machine, and of functions in memory.
_JUNIT = re.compile(rb' (time|timestamp|hostname)="[^"]*"| at 0x[0-9a-f]+')
# Where names of files have letters that the locale lacks: what is said instead of a mark.
NAMED = {
    ("class of Moodle", "ASCII locale"): "it is not known whose this is",
    ("class of Canvas", "ASCII locale"): "'ascii' codec can't encode character",
}
QUICK = [
    *("worklist", "labels", "exam", "playground", "explain as text"),
    *(f"{command} as {form}" for command in ("evaluate", "compare") for form in ("json", "html")),
]


def prepare(folder: Path, names: Iterable[str]) -> Path:
    """The inputs of these rows, made once."""
    prepared = folder / "prepared"
    prepared.mkdir()
    made: dict[Callable[[Path], None], Path] = {}
    for name in names:
        at = prepared / re.sub(r"\W", "_", name)
        make = BY_NAME[name].make
        if make not in made:
            made[make] = at
            at.mkdir()
            forked(partial(_made, make, at), at)
        else:
            at.symlink_to(made[make])
    return prepared


def _made(make: Callable[[Path], None], at: Path) -> int:
    os.environ.update(USUAL)
    make(at)
    return 0


def told(folder: Path, varied: Mapping[str, str], names: list[str]) -> dict[str, Any]:
    """How each row ends in these surroundings."""
    environment = {**os.environ, **USUAL, **varied}
    environment = {name: value for name, value in environment.items() if value}
    environment["PYTHONPATH"] = os.pathsep.join([str(SURROUNDINGS), str(ROOT)])
    own = folder / "own"
    own.mkdir(exist_ok=True)
    asked = {"folder": str(own), "prepared": str(folder / "prepared"), "rows": names}
    done = subprocess.run(
        [sys.executable, "-m", "tests.repeatable.child"],
        input=json.dumps(asked),
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def shown(path: str, content: str) -> bytes:
    """The bytes of a file, with the date that is printed by design as it is set.

    The file of JUnit is pytest's: it has times, the name of the machine, and the tests as they ran.
    """
    text = _DATE.sub(USUAL_SEEN.encode(), base64.b64decode(content))
    if path != "junit.xml":
        return text
    tests = _JUNIT.sub(b"", text).replace(b"</testsuite></testsuites>", b"").split(b"<testcase")
    return b"\n".join(sorted(tests))


def differences(
    name: str, column: str, usual: Mapping[str, Any], other: Mapping[str, Any], mask: int
) -> str:
    """What differs between two runs of a row: "" if nothing does."""
    if (name, column) in NAMED:
        told_so = NAMED[name, column] in other["said"]
        return "" if told_so else f"it doesn't say {NAMED[name, column]!r}: {other['said']}"
    if other["code"] != usual["code"]:
        return f"exit code {other['code']}, not {usual['code']}: {other['said']}"
    if other["files"].keys() != usual["files"].keys():
        return f"files {sorted(other['files'].keys() ^ usual['files'].keys())}"
    for path, (mode, content) in usual["files"].items():
        its_mode, its_content = other["files"][path]
        if shown(path, its_content) != shown(path, content):
            return f"{path}: {_first(shown(path, content), shown(path, its_content))}"
        if its_mode & ~mask != mode & ~mask:
            return f"{path}: mode {its_mode:o}, not {mode:o}"
    if BY_NAME[name].says_its_own:
        return ""
    said, its = (_DATE.sub(b"", one["said"].encode()) for one in (usual, other))
    return "" if said == its else f"it says: {_first(said, its)}"


def _first(one: bytes, other: bytes) -> str:
    """The first line that differs."""
    lines = [text.decode("utf-8", "replace").splitlines() for text in (one, other)]
    for left, right in zip(*lines, strict=False):
        if left != right:
            same = (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
            at = max(next(same, min(len(left), len(right))) - 60, 0)
            return f"{left[at : at + 200]!r} is now {right[at : at + 200]!r}"
    return f"{len(lines[0])} lines are now {len(lines[1])}"


def found(folder: Path, names: list[str], columns: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Each cell that differs, with what differs; a line of the table for each column."""
    prepare(folder, names)
    usual = told(folder, {}, names)
    assert all(one["files"] or one["said"] for one in usual.values())
    wrong = []
    for column, varied in columns.items():
        other = told(folder, varied, names)
        mask = int(varied.get("USED_UMASK", "022"), 8) | 0o022
        cells = {name: differences(name, column, usual[name], other[name], mask) for name in names}
        wrong += [f"{name}, {column}: {what}" for name, what in cells.items() if what]
        same = sum(not what for what in cells.values())
        sys.__stdout__.write(f"\n{column}: {same} of {len(names)} rows give the same bytes")
    return wrong


@pytest.mark.suite("guide")
def test_quick_rows_give_the_same_bytes_when_all_is_varied_at_once(tmp_path):
    """Hash seed, locale, zone, umask, order of files, clock, width and threads."""
    assert found(tmp_path, QUICK, {"all at once": ALL_AT_ONCE}) == []


@pytest.mark.suite("faults")
def test_each_row_gives_the_same_bytes_in_each_variation(tmp_path, monkeypatch):
    """The table of rows and columns."""
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")],
        check=False,
        capture_output=True,
    )
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    assert found(tmp_path, [*BY_NAME], VARIED) == []
