"""Measure how inputs grow, try the worst of 1 MB, and write docs/limits.md: `make limits`.

    python -m tests.limits                   # all: ten minutes
    python -m tests.limits --hostile         # the inputs of 1 MB alone; writes nothing
    python -m tests.limits --hostile notebooks archives

Times on the page are ratios, so it says the same of every machine. The exit code is 1 if a call
took more than a limit, or ended in a traceback.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.limits import page
from tests.limits.growth import GROWING
from tests.limits.hostile import HOSTILE
from tests.marking.conftest import Class

ROOT = Path(__file__).parent.parent.parent
SECONDS, BYTES = 10.0, 1 << 30
PATIENCE = 120  # seconds of the clock: a machine may be busy
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


def called(folder: Path, call: list[str]) -> Told:
    """One call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.limits.child"],
            input=json.dumps([str(folder), *call]),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=folder,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Told(PATIENCE, 0, f"no end within {PATIENCE} s", frozenset())
    if done.returncode:
        return Told(
            0, 0, f"the process ended with {done.returncode}: {done.stderr[-200:]}", frozenset()
        )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
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
