"""The package's files that seven calls run through: `python -m dev.tools.house_calls ndcg`."""

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import irmetrics_edu

PACKAGE = Path(irmetrics_edu.__file__).parent
SOLVED = PACKAGE.parent / "solutions" / "01_relevant_or_not.ipynb"
RUN = {f"q{q}": {f"d{d}": 1 / d for d in range(1, 6)} for q in range(1, 4)}
QRELS = {f"q{q}": {f"d{d}": (d + q) % 3 for d in range(1, 6)} for q in range(1, 4)}


def files_of(call: Callable[[], object]) -> list[str]:
    """The package's files that a call runs through, once everything is imported and cached."""
    call()
    seen: set[str] = set()

    def noted(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(noted)
    sys.setprofile(noted)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    start = f"{PACKAGE}{os.sep}"
    return sorted(file.removeprefix(start) for file in seen if file.startswith(start))


def calls(folder: Path) -> dict[str, Callable[[], object]]:
    """The calls whose files are counted, by name; files are written into `folder`."""
    from irmetrics_edu import diagnose, evaluate, explain, ndcg
    from irmetrics_edu.cli import main
    from irmetrics_edu.gate import assert_ndcg

    run = folder / "a.run"
    qrels = folder / "a.qrels"
    _write(run, RUN, "{query} Q0 {document} 1 {value} a\n")
    _write(qrels, QRELS, "{query} 0 {document} {value}\n")
    key = folder / "key"
    key.write_bytes(b"a key of the course, long enough")

    def grading() -> int:
        out = tempfile.mkdtemp(dir=folder)
        return main(["grade", str(SOLVED), "--key", str(key), "--out", out])

    return {
        "ndcg": lambda: ndcg([5, 2, 3]),
        "explain": lambda: str(explain("nDCG@3", [5, 2, 3])),
        "evaluate": lambda: evaluate(RUN, QRELS, "nDCG@10"),
        "assert_ndcg": lambda: assert_ndcg(RUN, QRELS, k=10, at_least=0.1),
        "diagnose": lambda: (
            diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], unretrieved=[3, 2], value="0.949").text
        ),
        "the command evaluate": lambda: main(["evaluate", str(qrels), str(run)]),
        "the command grade, a notebook": grading,
    }


def _write(
    path: Path, data: dict[str, dict[str, float]] | dict[str, dict[str, int]], line: str
) -> None:
    lines = [
        line.format(query=query, document=document, value=value)
        for query, documents in data.items()
        for document, value in documents.items()
    ]
    path.write_text("".join(lines), encoding="utf-8")


def quietly(call: Callable[[], object]) -> Callable[[], object]:
    """The call, with what it prints kept from the screen."""

    def silent() -> object:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return call()

    return silent


def main(arguments: list[str]) -> int:
    """Print the files of one call, or of all as JSON."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.house_calls", description=__doc__)
    parser.add_argument("call", nargs="?", help="such as ndcg")
    parser.add_argument("--json", action="store_true", help="all calls, for programs")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        known = calls(Path(folder))
        if options.json:
            found = {name: files_of(quietly(call)) for name, call in known.items()}
            sys.stdout.write(json.dumps(found))
            return 0
        if options.call not in known:
            parser.error(f"there is no call {options.call!r}; known: {', '.join(known)}")
        files = files_of(quietly(known[options.call]))
    sys.stdout.write("\n".join([*files, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
