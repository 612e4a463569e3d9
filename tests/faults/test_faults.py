"""Whatever happens while a file is written: it is the old one or the new one, and all others too.

`make suite SUITE=faults` tries each fault at each call; `make test` a few of them for some writers,
and the suite of the guide for the others.
"""

import ast
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.faults.injected import ENDED, FAULTS, Ended, Fault, Kind, forked
from tests.faults.writers import WRITERS, Writer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="calls are counted by /proc"),
]
PACKAGE = ROOT / "irmetrics_edu"
# What differs from one run to the next: when it was, and how long it took.
_TIMES = re.compile(
    rb"20\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z)?|\d+\.\d+ ?s\b|sha256:\w+|\b[0-9a-f]{64}\b"
)
_BESIDE = re.compile(r"\.irmetrics-[0-9a-f]{16}\.tmp")
BY_NAME = {writer.name: writer for writer in WRITERS}
MODULES_THAT_WRITE: set[str] = set()


class Tried:
    """A writer with its folder before and after an undisturbed run."""

    def __init__(self, writer: Writer, folder: Path) -> None:
        self.writer, self.top = writer, folder
        self.prepared = folder / "prepared"
        self.prepared.mkdir()
        writer.make(self.prepared)
        self.before = state(self.prepared)
        self.usual = forked(writer.run, self.fresh())
        self.after = state(self.at)
        MODULES_THAT_WRITE.update(self.usual.modules)

    @property
    def at(self) -> Path:
        """Where the runs are, always the same folder."""
        return self.top / "here"

    @property
    def faults(self) -> list[Fault]:
        """Those that the writer meets."""
        if not self.writer.is_of_pytest:
            return list(FAULTS)
        return [fault for fault in FAULTS if fault.number != signal.SIGINT]

    def fresh(self) -> Path:
        """The folder as it was prepared."""
        shutil.rmtree(self.at, ignore_errors=True)
        shutil.copytree(self.prepared, self.at)
        return self.at

    def meets(self, place: int, fault: Fault) -> None:
        """Run with a fault at a call, look at all files, and run again."""
        call = self.usual.calls[place]
        case = f"{self.writer.name}: {fault.name} at call {place}, {call}"
        ended = forked(self.writer.run, self.fresh(), place, fault)
        found = state(self.at)
        self.look(found, fault, case)
        self.look_at_end(ended, found, fault, case)
        again = forked(self.writer.run, self.at)
        assert "Traceback" not in again.said, f"{case}: then {again.said}"
        assert again.code != ENDED, f"{case}: then {again.said}"
        if found != self.after:  # else there may be nothing left to do
            assert again.code == self.usual.code, f"{case}: then {again.code}: {again.said}"
        last = state(self.at)
        assert last.keys() == self.after.keys(), case
        for name, content in last.items():
            if name not in self.writer.grows:
                assert content == self.after[name], f"{case}: then {name}"

    def is_killed_by(self, fault: Fault) -> bool:
        """Whether the run can't do anything any more: pytest has no answer to SIGTERM."""
        if self.writer.is_of_pytest and fault.number == signal.SIGTERM:
            return True
        return fault.number == signal.SIGKILL

    def look(self, found: dict[str, bytes], fault: Fault, case: str) -> None:
        """Each file is whole: the old one, or the new one; nothing else is there."""
        for name, content in found.items():
            if self.is_killed_by(fault) and _BESIDE.fullmatch(Path(name).name):
                continue  # a killed run can't remove it; the next one does
            allowed = [of[name] for of in (self.before, self.after) if name in of]
            assert content in allowed, f"{case}: {name} is neither the old nor the new file"
        for name in self.before.keys() & self.after.keys():
            assert name in found, f"{case}: {name} is gone"

    def look_at_end(self, ended: Ended, found: dict[str, bytes], fault: Fault, case: str) -> None:
        """The exit code says that something is wrong, and one sentence what; or all was written."""
        assert "Traceback" not in ended.said, f"{case}: {ended.said}"
        assert ended.code != ENDED, f"{case}: {ended.said}"
        if fault.kind is Kind.SIGNAL:
            assert ended.code != 0, f"{case}: {ended.said}"
            return
        if ended.code == self.usual.code and fault.says not in ended.said.lower():
            assert found == self.after, f"{case}: nothing was said, and something is not written"
            return
        assert ended.code != 0, f"{case}: {ended.said}"
        said = ended.said.lower()
        assert fault.says in said, f"{case}: {ended.said}"
        named = ("can't write", "can't read", "can't remove")
        assert any(words in said for words in named), f"{case}: {ended.said}"


def state(folder: Path) -> dict[str, bytes]:
    """All files of a folder, without the times that differ from run to run."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found[str(path.relative_to(folder))] = _TIMES.sub(b"TIME", path.read_bytes())
    return found


@pytest.fixture(scope="module", params=BY_NAME)
def tried(request, tmp_path_factory):
    """A writer, once for all of its tests."""
    return Tried(BY_NAME[request.param], tmp_path_factory.mktemp("faults"))


# `make test` looks at quick writers of each kind, the suite of the guide at all others.
LOOKED_AT = {
    "worklist",
    "labels",
    "playground",
    "merged baselines",
    "renamed baselines",
    "accepted baselines",
    "merged reports",
    "course's total",
}
by_their_time = pytest.mark.parametrize(
    "tried",
    [
        pytest.param(name, marks=() if name in LOOKED_AT else pytest.mark.suite("guide"))
        for name in BY_NAME
    ],
    indirect=True,
)


@by_their_time
def test_an_undisturbed_run_writes_what_is_looked_for(tried):
    """So that a fault can be seen: calls are counted, and files differ afterwards."""
    assert tried.usual.calls, tried.usual.said
    assert tried.usual.code in (0, 1), tried.usual.said
    assert tried.after != tried.before


@by_their_time
def test_a_few_faults_leave_all_files_whole(tried):
    """The first call, one in the middle and the last, each with another fault."""
    calls = len(tried.usual.calls)
    places = sorted({0, calls // 3, calls // 2, calls - 1})
    for number, place in enumerate(places):
        faults = tried.faults[number :: len(places)]
        for fault in faults[:1] if tried.writer.is_slow else faults:
            tried.meets(place, fault)


@pytest.mark.suite("faults")
def test_every_fault_at_every_call_leaves_all_files_whole(tried):
    """The table of writers and faults; of many alike calls of a writer the first and the last."""
    calls = [call.split()[0] for call in tried.usual.calls]
    counts = {name: [i for i, one in enumerate(calls) if one == name] for name in set(calls)}
    few = 12 if tried.writer.is_slow else 60
    places = set(range(len(calls))) if len(calls) <= few else set()
    for of_name in counts.values():
        places |= {*of_name[:2], *of_name[-2:]}
    for place in sorted(places):
        for fault in tried.faults:
            tried.meets(place, fault)
    sys.__stdout__.write(
        f"\n{tried.writer.name}: {len(tried.faults)} faults at {len(places)} of {len(calls)} calls"
    )


# -- that no writer is forgotten

_WRITES = {"write", "write_all", "append"}
_OF = {"writing", "results", "report_files", "received", "baseline_files", "history"}
_NOT_TRIED = {
    "writing.py": "the function itself, which all others call",
    "classroom/marking/collecting/archives.py": "unpacks what was handed in, for one run",
    "classroom/marking/give_back.py": "the table of --regrade, as all tables of a class",
    "classroom/marking/mark_course.py": "as the class: the same function for its files",
    "course/repository.py": "a sample repository, of a chapter, in a folder of its own",
    "commands/conformance.py": "a badge, as any file of -o",
    "classroom/marking/reviewing/handing_marks.py": "the page to mark, where questions are by hand",
    "classroom/marking/reviewing/hand_marks.py": "the empty table of marks by hand",
    "commands/grade.py": "the page to mark, for another marker",
    "classroom/exercises/translation.py": "copies in another language, written as all copies",
    "classroom/exercises/build.py": "copies; also for nbgrader, by the same function",
}


def writing_modules() -> set[str]:
    """The modules of the package that call a function which writes a file."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        direct = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and str(node.module).endswith(
                ("writing", "results")
            ):
                direct |= {one.name for one in node.names} & _WRITES
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_write(node, direct):
                found.add(path.relative_to(PACKAGE).as_posix())
    return found


def _is_write(call: ast.Call, direct: set[str]) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in direct
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _WRITES:
        return False
    return getattr(call.func.value, "id", "") in _OF


# What stands on the stack of a call that is counted, as the suite makes sure.
_TRIED = {
    "classroom/marking/results.py",
    "classroom/marking/returning/all_files.py",
    "classroom/marking/reviewing/earlier_rows.py",
    "commands/baseline.py",
    "commands/exercises.py",
    "commands/playground.py",
    "commands/questions.py",
    "commands/report.py",
    "course/collection/collection_files.py",
    "diagnosis/conformance/vectors.py",
    "gate/history.py",
    "gate/plugin/baseline_files.py",
    "gate/plugin/received.py",
    "gate/plugin/report_files.py",
    "gate/plugin/session.py",
    "judging/labels.py",
    "judging/worklist.py",
    "views/plotting.py",
}


def test_no_module_that_writes_is_forgotten():
    """Each is tried, or says why it needs not be."""
    assert writing_modules() - _TRIED == _NOT_TRIED.keys() - {"writing.py"}


@pytest.mark.suite("faults")
def test_what_is_said_to_be_tried_is_tried(tmp_path):
    """Its frame stood on the stack of a call."""
    for number, writer in enumerate(WRITERS):
        (tmp_path / str(number)).mkdir()
        Tried(writer, tmp_path / str(number))
    assert set() == _TRIED - MODULES_THAT_WRITE
