"""Rows of the table in the surroundings of this process: `python -m tests.repeatable.child`.

The standard input is JSON: the folder in which each row has its prepared one, and the rows. The
last line of the standard output is JSON: how each row ended.
"""

import base64
import json
import os
import re
import shutil
import stat
import sys
from pathlib import Path

from tests.faults.injected import forked
from tests.repeatable.rows import BY_NAME

USUAL_UMASK = 0o022


def files(folder: Path) -> dict[str, tuple[int, str]]:
    """All files of a folder: the mode of each, and its bytes."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not {"__pycache__", ".pytest_cache"} & {*path.parts}:
            content = base64.b64encode(path.read_bytes()).decode("ascii")
            found[path.relative_to(folder).as_posix()] = (
                stat.S_IMODE(path.stat().st_mode),
                content,
            )
    return found


def main() -> None:
    """Run all rows that are asked for, each in a fork and in a folder of its own."""
    asked = json.loads(sys.stdin.read())
    os.umask(int(os.environ.get("USED_UMASK", oct(USUAL_UMASK)), 8))
    told = {}
    for name in asked["rows"]:
        at = Path(asked["folder"]) / "here"
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(Path(asked["prepared"]) / re.sub(r"\W", "_", name), at)
        before = files(at)
        ended = forked(BY_NAME[name].run, at)
        after = files(at)
        written = {path: one for path, one in after.items() if before.get(path) != one}
        told[name] = {"code": ended.code, "said": ended.said, "files": written}
    sys.__stdout__.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
