"""The most memory that a process of its own takes, whatever the process of the tests holds."""

import subprocess
import sys
from typing import NamedTuple

# Linux hands the peak of a process on to what it starts, so a small one stands between.
_BETWEEN = """
import os, resource, sys
pid = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *sys.argv[1:]])
_, status, used = os.wait4(pid, 0)
print("\\n" + str(used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)))
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Ran(NamedTuple):
    """What a process took and said."""

    peak: int  # bytes
    out: str
    err: str
    code: int


def ran(*arguments: object) -> Ran:
    """Python, run with these arguments."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", _BETWEEN, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    out, _, peak = done.stdout.rstrip("\n").rpartition("\n")
    return Ran(int(peak), out.rstrip("\n"), done.stderr, done.returncode)
