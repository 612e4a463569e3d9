"""Two that write the same file at once lose nothing: the table of all files that two may write.

The first writer is stopped at a call of its writes, when it has read what was there. The second one
runs until it has ended, or waits for a lock. Then the first goes on. No clock decides anything.
`make suite SUITE=faults` stops the first at each of its calls; `make test` at the last that counts.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from irmetrics_edu.gate import history
from irmetrics_edu.gate.plugin import baseline_files, received
from irmetrics_edu.gate.plugin.plugin_options import OF_CI
from irmetrics_edu.gate.plugin.report_files import SUMMARY, add_to_summary
from irmetrics_edu.judging.labels import read_labels
from irmetrics_edu.views.output import FINE
from tests.conftest import ROOT
from tests.faults import writers
from tests.faults.injected import Ended, Injection, begun, end, forked
from tests.marking.conftest import RIGHT, Class

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="who waits is told by /proc/locks"),
]
Run = Callable[[], int]
REFUSED = 2


@dataclass(frozen=True)
class Pair:
    """Two writers of one file, what the folder is before, and what has to be there afterwards.

    `holds` gives the entries of the file. `may_refuse` is whether the one that comes second may
    refuse in a sentence, and is then run again; where `is_new` the file is of one of them, and the
    other is refused for good. `is_slow` pairs are tried in the suite alone.
    """

    name: str
    make: Callable[[Path], object]
    first: Run
    second: Run
    holds: Callable[[Path], set[str]]
    entries: frozenset[str]
    may_refuse: bool = False
    is_new: bool = False
    is_slow: bool = False


# -- baselines


def _baselines(folder: Path) -> None:
    entries = {f"t.py::{name}": _ENTRY for name in ("old", "gone")}
    (folder / "irm_baselines.json").write_text(baseline_files.text(entries), encoding="utf-8")
    told = {"format": received.FORMAT, "files": {"irm_baselines.json": {"t.py::come": _ENTRY}}}
    (folder / "received.json").write_text(json.dumps(told), encoding="utf-8")
    theirs = {**entries, "t.py::theirs": _ENTRY}
    (folder / "base.json").write_text(baseline_files.text(entries), encoding="utf-8")
    (folder / "theirs.json").write_text(baseline_files.text(theirs), encoding="utf-8")


_ENTRY = {
    "conventions": {"name": "irmetrics_edu"}, "judgments": "sha256:0", "means": {"RR": 0.5},
    "queries": {"q1": [[0.5], ["a", "b"]]}, "depth": 2, "whole": True,
    "lacked": [],
}  # fmt: skip


def _added(name: str) -> int:
    baseline_files.write("irm_baselines.json", {f"t.py::{name}": _ENTRY})
    return FINE


def _names(folder: Path) -> set[str]:
    return set(baseline_files.read(folder / "irm_baselines.json"))


def _tests(*names: str) -> frozenset[str]:
    return frozenset(f"t.py::{name}" for name in names)


_ACCEPT = writers._command("baseline", "accept", "received.json")
_RENAME = writers._command("baseline", "rename", "t.py::old", "t.py::new")
_MERGE = writers._command("baseline", "merge", "base.json", "irm_baselines.json", "theirs.json")


# -- histories and summaries


def _appended(commit: str) -> int:
    entry = history.Entry(commit, "t", "AP", "pass", 0.5, 0.4, 0.6, 10, 0.01)
    history.append(Path("history.jsonl"), [entry])
    return FINE


def _torn(folder: Path) -> None:
    (folder / "history.jsonl").write_text('{"commit": "torn', encoding="utf-8")


def _commits(folder: Path) -> set[str]:
    return {entry.commit for entry in history.read(folder / "history.jsonl")}


def _told(name: str) -> int:
    os.environ[SUMMARY] = "summary.md"
    add_to_summary([], [("b.json", name)])
    return FINE


def _shown(folder: Path) -> set[str]:
    text = (folder / "summary.md").read_text(encoding="utf-8")
    return {name for name in ("one", "two") if name in text}


# -- labels


def _lists(folder: Path) -> None:
    writers.a_run(folder)
    head = "query,document,grade,source,judge,when\n"
    for judge, document in (("A", "x"), ("B", "y")):
        row = f"q1,{document},1,person,{judge},2026-01-01\n"
        (folder / f"{judge}.csv").write_text(head + row, encoding="utf-8")
    rest = "q1,a,1,person,C,2026-01-01\n"
    (folder / "so_far.csv").write_text(head + rest, encoding="utf-8")


def _merged(judge: str, into: str) -> Run:
    judged = ("--judged", into) if into == "so_far.csv" else ()
    return writers._command("judgments", "merge", f"{judge}.csv", "-o", into, *judged)


def _documents(name: str, folder: Path) -> set[str]:
    return {label.document for label in read_labels(folder / name).labels}


# -- marks


def _class(folder: Path) -> None:
    course = Class(folder / "class")
    for student in ("ann", "ben"):
        course.hand_in(f"{student}/77.ipynb", course.copy(student, [RIGHT, "total = 1"]))
        alone = folder / f"of_{student}"
        alone.mkdir()
        (folder / "class" / "submitted" / student).rename(alone / student)


def _graded(student: str) -> Run:
    fixed = ("--key", "class/key", "--sources", "class/sources", "--out", "class/out")
    return writers._command("grade", f"of_{student}", *fixed)


def _students(folder: Path) -> set[str]:
    rows = json.loads((folder / "class" / "out" / "rows.json").read_text(encoding="utf-8"))
    listed = json.loads((folder / "class" / "out" / "marks.json").read_text(encoding="utf-8"))
    assert {row["student"] for row in listed} == {row["person"]["student"] for row in rows}
    return {row["student"] for row in listed}


def _sessions(folder: Path) -> None:
    for name in ("one", "two"):
        text = writers.GATES.replace("test_kept", f"test_{name}").partition("def test_fell")[0]
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")


def _session(name: str) -> int:
    for variable in OF_CI:  # in CI no session writes baselines
        os.environ.pop(variable, None)
    fixed = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=.", "-c", os.devnull]
    return int(pytest.main([f"test_{name}.py", *fixed, "--irm-update=new"]))


PAIRS = (
    Pair("baselines", _baselines, partial(_added, "a"), partial(_added, "b"), _names,
         _tests("old", "gone", "a", "b")),
    Pair("a baseline accepted, another renamed", _baselines, _ACCEPT, _RENAME, _names,
         _tests("new", "gone", "come")),
    Pair("a baseline renamed, others merged", _baselines, _RENAME, partial(_added, "a"), _names,
         _tests("new", "gone", "a")),
    Pair("baselines merged, another written", _baselines, _MERGE, partial(_added, "a"), _names,
         _tests("old", "gone", "theirs", "a")),
    Pair("sessions", _sessions, partial(_session, "one"), partial(_session, "two"), _names,
         frozenset({"test_one.py::test_one", "test_two.py::test_two"}), is_slow=True),
    Pair("history", _torn, partial(_appended, "c1"), partial(_appended, "c2"), _commits,
         frozenset({"c1", "c2"})),
    Pair("summary page", writers.a_run, partial(_told, "one"), partial(_told, "two"), _shown,
         frozenset({"one", "two"})),
    Pair("labels", _lists, _merged("A", "so_far.csv"), _merged("B", "so_far.csv"),
         partial(_documents, "so_far.csv"), frozenset({"a", "x", "y"})),
    Pair("labels in a new file", _lists, _merged("A", "new.csv"), _merged("B", "new.csv"),
         partial(_documents, "new.csv"), frozenset({"x", "y"}), is_new=True),
    Pair("marks", _class, _graded("ann"), _graded("ben"), _students,
         frozenset({"ann", "ben"}), may_refuse=True, is_slow=True),
)  # fmt: skip


def waits(process: int) -> bool:
    """Whether a process waits for a lock, as Linux tells of it."""
    lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    return any("->" in line and str(process) in line.split() for line in lines)


def has_ended(process: int) -> bool:
    """Whether a child has ended; it is not waited for yet."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def both(pair: Pair, folder: Path, at: int) -> tuple[Ended, Ended]:
    """Run the second writer while the first one stands at a call."""
    stops, stopped = os.pipe()
    goes, going = os.pipe()

    def stop() -> None:
        os.write(stopped, b"x")
        os.read(goes, 1)

    first, told = begun(pair.first, folder, Injection(f"{folder}{os.sep}", at, stop=stop))
    os.close(stopped)
    os.read(stops, 1)  # nothing comes if it ended before
    second, other = begun(pair.second, folder, Injection(f"{folder}{os.sep}"))
    while not (has_ended(second) or waits(second)):
        signal.sigtimedwait([], 0.002)
    os.write(going, b"x")
    ended = end(first, told), end(second, other)
    for handle in (stops, goes, going):
        os.close(handle)
    return ended


def lose_nothing(pair: Pair, folder: Path, at: int) -> None:
    """Both writers, and then what is in the file."""
    case = f"{pair.name}, stopped at call {at}"
    pair.make(folder)
    two = both(pair, folder, at)
    for ended, run in zip(two, (pair.first, pair.second), strict=True):
        assert "Traceback" not in ended.said, f"{case}: {ended.said}"
        if ended.code and pair.is_new:
            assert "already exists" in ended.said, f"{case}: {ended.said}"
        elif ended.code and pair.may_refuse:
            assert "another process is at work" in ended.said, f"{case}: {ended.said}"
            assert forked(run, folder).code == FINE, case
        else:
            assert ended.code == FINE, f"{case}: {ended.said}"
    if pair.is_new:
        assert sorted(ended.code for ended in two) == [FINE, REFUSED], f"{case}: {two}"
        assert pair.holds(folder) < pair.entries, case
        return
    assert pair.holds(folder) == pair.entries, case


def _calls(pair: Pair, folder: Path) -> tuple[str, ...]:
    """The calls of the first writer, when it is alone."""
    pair.make(folder)
    alone = forked(pair.first, folder)
    assert alone.code == FINE, alone.said
    return alone.calls


def _names_of(pairs: tuple[Pair, ...]) -> list[str]:
    return [pair.name for pair in pairs]


QUICK = tuple(pair for pair in PAIRS if not pair.is_slow)


@pytest.mark.parametrize("pair", QUICK, ids=_names_of(QUICK))
def test_two_writers_at_once_lose_nothing(pair: Pair, tmp_path: Path) -> None:
    """The first is stopped when all is read, and nothing is in its place yet."""
    for name in ("alone", "both"):
        (tmp_path / name).mkdir()
    calls = _calls(pair, tmp_path / "alone")
    places = [i for i, call in enumerate(calls) if call.split()[0] in ("os.rename", "write")]
    lose_nothing(pair, tmp_path / "both", places[-1])


@pytest.mark.suite("faults")
@pytest.mark.parametrize("pair", PAIRS, ids=_names_of(PAIRS))
def test_two_writers_lose_nothing_wherever_one_is_stopped(pair: Pair, tmp_path: Path) -> None:
    """At each call of the first; of many alike the first and the last two."""
    (tmp_path / "alone").mkdir()
    calls = _calls(pair, tmp_path / "alone")
    names = [call.split()[0] for call in calls]
    places = range(len(calls))
    if len(calls) > 40:
        alike = [[i for i in places if names[i] == name] for name in sorted(set(names))]
        places = sorted({i for one in alike for i in (*one[:1], *one[-2:])})
    for at in places:
        folder = tmp_path / f"both{at}"
        folder.mkdir()
        lose_nothing(pair, folder, at)


def test_every_lock_is_in_the_table() -> None:
    """Whoever reads a file, and writes it anew, holds its lock, and stands above."""
    found = {
        path.relative_to(ROOT / "irmetrics_edu").as_posix()
        for path in (ROOT / "irmetrics_edu").rglob("*.py")
        if re.search(r"\blocked\(", path.read_text(encoding="utf-8"))
    }
    assert found == {
        "classroom/marking/mark_class.py",
        "commands/baseline.py",
        "commands/judgments.py",
        "gate/history.py",
        "gate/plugin/baseline_files.py",
        "writing.py",
    }
