"""The plugin that tries changes: all tests are collected once, and each change gets a fork.

In the fork the code of the changed functions is exchanged where it is in use, so nothing has to be
imported again, and the tests that reach the line are run until one fails. A change outside of
functions (a default, a field, a constant) is made in a copy of the package, which a new Python
imports. Processes that a test starts import that copy, too.
"""

import contextlib
import gc
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.main import pytest_runtestloop as run_all

from irmetrics_edu.classroom.grading import protocol
from irmetrics_edu.classroom.grading.fork_server import FORK_SERVER
from tests.mutants.changes import Change

ROOT = Path(__file__).resolve().parent.parent.parent
MEMORY = 6 << 30
SLOWER = 8  # how many times the seconds of a selection a fork may take, beside:
SPARE = 60
FIRST = 25
ANEW_BY = "in a new Python: "
_HELD: list[dict[str, Any]] = []


# The package is there before pytest is, so pytest can't rewrite its assertions: it has none.
QUIET = (
    *("-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)


class Runner:
    """Runs a list of changes with so many forks at a time, and writes what became of each."""

    def __init__(self, plan: list[dict[str, Any]], jobs: int, results: Path) -> None:
        self.plan, self.jobs, self.results = plan, jobs, results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of the loop over all tests."""
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        waiting = list(reversed(self.plan))
        running: dict[int, tuple[dict[str, Any], float, int]] = {}
        done = 0
        with self.results.open("a", encoding="utf-8") as out:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    entry = waiting.pop()
                    reading, writing = os.pipe()
                    child = os.fork()
                    if not child:
                        os.close(reading)
                        _try(session, items, entry, writing)
                    os.close(writing)
                    limit = time.monotonic() + SLOWER * entry["seconds"] + SPARE
                    running[child] = (entry, limit, reading)
                for child, verdict in _ended(running):
                    entry, _limit, _reading = running.pop(child)
                    done += 1
                    by = verdict.removeprefix(ANEW_BY)
                    told = {
                        "name": entry["name"],
                        "by": "" if by == "survived" else by,
                        "anew": verdict.startswith(ANEW_BY),
                    }
                    print(json.dumps(told), file=out, flush=True)
                    if done % 50 == 0:
                        print(f"{done} of {len(self.plan)}", file=sys.__stderr__, flush=True)
        return True


def _ended(running: dict[int, tuple[dict[str, Any], float, int]]) -> list[tuple[int, str]]:
    """The forks that are over, and by which test; "" where all passed."""
    over = []
    pipes = [reading for _entry, _limit, reading in running.values()]
    ready = select.select(pipes, [], [], 0.2)[0]
    for child, (_entry, limit, reading) in running.items():
        if reading in ready:
            verdict = b"".join(iter(lambda: os.read(reading, 4096), b"")).decode()  # noqa: B023
        elif time.monotonic() > limit:
            verdict = "did not end"
        else:
            continue
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        over.append((child, verdict.removesuffix("\n") if verdict else "the process died"))
    return over


def _try(
    session: pytest.Session, items: dict[str, pytest.Item], entry: dict[str, Any], writing: int
) -> None:
    """The life of a fork: never returns."""
    code = "the process died"
    # The parent's own fork server: let go, it would warn in a test that starts another.
    _HELD.append(vars(FORK_SERVER).copy())
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    folder.chmod(0o755)  # a child with a user of its own imports the package from it
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        change = Change(**entry["change"]) if entry["change"] else None
        if change or entry.get("anew"):
            copy = _copy(change, folder)
            os.environ["PYTHONPATH"] = os.pathsep.join(
                filter(None, [str(copy), os.environ.get("PYTHONPATH", "")])
            )
            # A child gets its code from the files beside this one.
            protocol.__file__ = str(copy / Path(protocol.__file__).relative_to(ROOT))
            protocol.shipped_code.cache_clear()
        if entry.get("anew") or (change and not _exchanged(change)):
            # Collecting takes longer than the quick tests, which catch most.
            quick, slow = entry["tests"][:FIRST], entry["tests"][FIRST:]
            code = _anew(folder, quick)
            if code == "survived" and slow:
                code = _anew(folder, slow)
            code = ANEW_BY + code
        else:
            session.items = [items[name] for name in entry["tests"] if name in items]
            code = _first_failure(session)
    except BaseException as error:  # noqa: BLE001 -- whatever it is, the parent has to hear of it
        code = f"the fork failed: {type(error).__name__}: {error}"
    finally:
        os.write(writing, code.encode()[:4000])
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _first_failure(session: pytest.Session) -> str:
    failed: list[str] = []

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)

    session.config.pluginmanager.register(Listener())
    session.config.option.maxfail = 1
    with contextlib.suppress(session.Failed):
        run_all(session)
    return failed[0] if failed else "survived"


def _copy(change: Change | None, folder: Path) -> Path:
    """The package with the change, beside links to all else, for processes that start anew."""
    shutil.copytree(
        ROOT / "irmetrics_edu", folder / "irmetrics_edu", copy_function=os.link, symlinks=True
    )
    for beside in ROOT.iterdir():
        if beside.name not in ("irmetrics_edu", "tests", "build"):
            (folder / beside.name).symlink_to(beside)
    if change is None:
        return folder
    file = folder / change.file
    source = file.read_text(encoding="utf-8")
    file.unlink()
    file.write_text(change.applied(source), encoding="utf-8")
    os.utime(file, (1, 1))  # so that no compiled file of the right code passes for it
    return folder


def _codes(code: types.CodeType, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """A code object and all in it, each with its path."""
    yield at, code
    seen: dict[str, int] = {}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            number = seen[inner.co_name] = seen.get(inner.co_name, 0) + 1
            yield from _codes(inner, (*at, f"{inner.co_name}#{number}"))


def _exchanged(change: Change) -> bool:
    """Whether the change is inside functions, whose code is then exchanged wherever it is."""
    path = ROOT / change.file
    source = path.read_text(encoding="utf-8")
    right = dict(_codes(compile(source, str(path), "exec")))
    try:
        wrong = dict(_codes(compile(change.applied(source), str(path), "exec")))
    except SyntaxError:
        return False
    if right.keys() != wrong.keys() or _own(right[()]) != _own(wrong[()]):
        return False
    differ = {
        (code.co_name, code.co_firstlineno, code.co_freevars): wrong[at]
        for at, code in right.items()
        if at and _own(code) != _own(wrong[at])
    }
    # What holds a changed function holds its code, too, and makes it anew when it is called.
    holders = {
        (code.co_name, code.co_firstlineno, code.co_freevars): wrong[at]
        for at, code in right.items()
        if at and any(_own(right[in_]) != _own(wrong[in_]) for in_ in right if in_[: len(at)] == at)
    }
    if not differ:
        return False
    if any(_is_class_body(right[at]) for at in right if at and _own(right[at]) != _own(wrong[at])):
        return False
    for function in _functions(str(path)):
        code = function.__code__
        new = holders.get((code.co_name, code.co_firstlineno, code.co_freevars))
        if new is not None:
            function.__code__ = new
    return True


def _is_class_body(code: types.CodeType) -> bool:
    return not code.co_flags & 0x02  # optimised: a function's locals


def _own(code: types.CodeType) -> tuple[Any, ...]:
    """What a code object is by itself, without the code inside it."""
    consts = tuple(
        "code" if isinstance(const, types.CodeType) else (type(const), const)
        for const in code.co_consts
    )
    return (code.co_code, repr(consts), code.co_names, code.co_varnames)


def _functions(path: str) -> Iterable[types.FunctionType]:
    """All functions that were made from a file."""
    gc.unfreeze()
    for found in gc.get_objects():
        if isinstance(found, types.FunctionType) and found.__code__.co_filename == path:
            yield found


ANEW = """
import sys
sys.path.insert(0, {folder!r})
import irmetrics_edu
import json
import pytest
from tests.mutants.runner import Only
tests = json.load(open({tests!r}, encoding="utf-8"))
sys.exit(pytest.main({arguments!r}, plugins=[Only(tests)]))
"""


class Only:
    """Keeps the tests that are named, in their order, and says which failed first."""

    def __init__(self, tests: list[str]) -> None:
        self.tests = {name: place for place, name in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the others."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.tests),
            key=lambda item: self.tests[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell of the first failure."""
        if report.failed:
            print(f"FIRST {report.nodeid}", flush=True)


def _anew(folder: Path, tests: list[str]) -> str:
    """What a new Python says of the tests."""
    # A doctest would import the right module, not the copy.
    places = sorted({name.split("::")[0] for name in tests if name.startswith("tests/")})
    if not places:
        return "survived"
    arguments = [*places, "-x", "-q", "-s", *QUIET]
    listed = folder / "tests.json"  # too many for a command line
    listed.write_text(json.dumps(tests), encoding="utf-8")
    code = ANEW.format(folder=str(folder), arguments=arguments, tests=str(listed))
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        errors="replace",
    )
    for line in done.stdout.splitlines():
        if "FIRST " in line:
            return line.split("FIRST ", 1)[1]
    if done.returncode in {0, 5}:
        return "survived"
    said = (done.stdout + done.stderr).strip().splitlines()
    files = [line.split()[1].split("::")[0] for line in said if line.startswith("ERROR tests/")]
    return f"does not start: {(files or said[-1:] or [done.returncode])[0]}"
