"""Measure how inputs grow, try the worst of 1 MB, and write docs/limits.md: `make limits`.

    python -m tests.limits                   # all: ten minutes
    python -m tests.limits --hostile         # the inputs of 1 MB alone; writes nothing
    python -m tests.limits --hostile notebooks archives

Times on the page are ratios, so it says the same of every machine. The exit code is 1 if a call
took more than a limit, or ended in a traceback.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.limits import page
from tests.limits.growth import GROWING
from tests.limits.hostile import HOSTILE
from tests.marking.conftest import Class

ROOT = Path(__file__).parent.parent.parent
SECONDS, BYTES = 10.0, 1 << 30
MOST_SECONDS = 60.0  # of processor, after which a call is ended
PATIENCE = 3600.0  # of the clock: a machine may be busy, or a call may wait for ever
TRIES = 2  # of each measurement, of which the quickest counts


def say(text: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(frozen=True)
class Told:
    """What one call took."""

    seconds: float
    bytes: int
    wrong: str
    readers: frozenset[str]


def _children(process: int) -> list[int]:
    """The processes that one started, as Linux tells of them."""
    held = Path(f"/proc/{process}/task/{process}/children")
    with contextlib.suppress(OSError):
        return [int(word) for word in held.read_text(encoding="ascii").split()]
    return []


def _used(process: int) -> float:
    """Seconds of processor of a process, of all that it started, and of those that ended."""
    found = 0.0
    with contextlib.suppress(OSError, IndexError):
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        found = sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    return found + sum(map(_used, _children(process)))


def _ended(process: subprocess.Popen[str]) -> str:
    """Wait for the end of a call; why it was ended, or nothing.

    What counts is time of the processor: the clock goes on while others have it.
    """
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
            return ""
        late = time.monotonic() > until
        if late or _used(process.pid) > MOST_SECONDS:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "waits for ever" if late else f"took more than {MOST_SECONDS:.0f} s"


def called(folder: Path, call: list[str]) -> Told:
    """One call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.limits.child"],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            text=True,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin:
            process.stdin.write(json.dumps([str(folder), *call]))
        why = _ended(process)
        for file in (out, err):
            file.seek(0)
        said, shown = out.read(), err.read()
    if why:
        return Told(MOST_SECONDS, 0, why, frozenset())
    if process.returncode:
        ended = f"the process ended with {process.returncode}: {shown[-200:]}"
        return Told(0, 0, ended, frozenset())
    return _told(json.loads(said.splitlines()[-1]))


def _told(told: dict[str, Any]) -> Told:
    """What the process said of its call."""
    wrong = told["raised"]
    if told["seconds"] > SECONDS:
        wrong += f" took {told['seconds']} s"
    if told["bytes"] > BYTES:
        wrong += f" took {told['bytes']:,} bytes"
    return Told(told["seconds"], told["bytes"], wrong, frozenset(told["readers"]))


def hostile(name: str) -> list[Told]:
    """All calls over one family of inputs; what is wrong is printed."""
    with tempfile.TemporaryDirectory(prefix="limits-") as place:
        folder = Path(place)
        Class(folder / "class")
        found = []
        for call in HOSTILE[name](folder):
            told = called(folder, call)
            found.append(told)
            if told.wrong:
                shown = " ".join(word.replace(f"{folder}/", "")[:60] for word in call)
                say(f"{name}: {shown}: {told.wrong}")
    return found


def grown() -> list[page.Row]:
    """Each input at one, ten and a hundred times its usual size."""
    rows = []
    for one in GROWING:
        measured = []
        for times in (1, 10, 100):
            best: Told | None = None
            for _ in range(TRIES):
                with tempfile.TemporaryDirectory(prefix="limits-") as place:
                    Class(Path(place) / "class")
                    told = called(Path(place), one.make(Path(place), one.usual * times))
                if told.wrong:
                    say(f"{one.what}, {times} times: {told.wrong}")
                if best is None or told.seconds < best.seconds:
                    best = told
            assert best is not None
            measured.append(best)
        first = measured[0]
        ratios = [(m.seconds / first.seconds, m.bytes / first.bytes) for m in measured[1:]]
        rows.append(page.Row(one.what, one.usual, ratios, one.above))
        say(str(rows[-1]))
    return rows


def main() -> int:
    """Measure and write, or try."""
    parser = argparse.ArgumentParser(prog="python -m tests.limits", description=__doc__)
    parser.add_argument("--hostile", nargs="*", choices=list(HOSTILE), help="try these alone")
    options = parser.parse_args()
    wrong = 0
    tried: dict[str, int] = {}
    for name in options.hostile or HOSTILE:
        found = hostile(name)
        tried[name] = len(found)
        wrong += sum(bool(told.wrong) for told in found)
        say(f"{name}: {len(found)} calls")
    if options.hostile is None:
        page.write(grown(), tried)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
