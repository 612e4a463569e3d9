"""One call in a process of its own, with a limit on its memory: how it ended, and what it took.

    python -m tests.limits.child FOLDER ARGUMENT ...

The last line of the standard error is JSON: the exit code, what was raised, seconds of processor
(children too), bytes of memory at the most, and the modules of the package that opened a file of
the folder.
"""

import contextlib
import io
import json
import os
import resource
import sys
import traceback
from pathlib import Path
from typing import Any

from irmetrics_edu.cli import main
from irmetrics_edu.errors import REFUSALS

PACKAGE = Path(__file__).parent.parent.parent / "irmetrics_edu"
ROOM = 4 << 30  # of addresses, of which libraries take a lot that they never use
_readers: set[str] = set()
_folder = ""


def _heard(event: str, given: tuple[Any, ...]) -> None:
    if event == "open" and _folder and str(given[0]).startswith(_folder):
        frame: Any = sys._getframe(1)
        while frame is not None:
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                _readers.add(path.relative_to(PACKAGE).as_posix())
            frame = frame.f_back


def _seconds() -> float:
    return sum(os.times()[:4])


def _own_memory() -> int:
    """Kilobytes at the most since this program began; getrusage counts its parent's, too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def _call(arguments: list[str]) -> int:
    if not arguments[0].startswith("!"):
        return main(arguments)
    from tests.limits import readers

    try:
        return getattr(readers, arguments[0][1:])(*arguments[1:]) or 0
    except REFUSALS as error:
        sys.stderr.write(f"{error}\n")
        return 2


def run() -> None:
    """Make the call and tell."""
    global _folder
    _folder, *arguments = json.loads(sys.stdin.read())
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
    sys.addaudithook(_heard)
    said, shown, raised, code = io.StringIO(), io.StringIO(), "", 0
    before = _seconds()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(said):
        try:
            code = _call(arguments)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:  # noqa: BLE001 -- what is looked for
            raised = traceback.format_exc()[-1500:]
    beside = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    told = {
        "code": code,
        "raised": raised,
        "seconds": round(_seconds() - before, 2),
        "bytes": 1024 * max(_own_memory(), beside),
        "said": said.getvalue()[-300:],
        "readers": sorted(_readers),
        "shown": len(shown.getvalue()),
        "longest": max(map(len, said.getvalue().splitlines()), default=0),
    }
    sys.__stdout__.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    run()
