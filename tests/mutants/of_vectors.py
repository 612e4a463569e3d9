"""Changes the plain loops that make the test vectors, and says how many a vector tells.

    python -m tests.mutants.of_vectors                 # every change of every oracle
    python -m tests.mutants.of_vectors --number 60     # 60 of them, drawn by a seed

A changed oracle is a wrong program. It is caught if one of its values is not that of a vector, by
more than the tolerance of `conformance check`, or if it fails on an input. A change that makes no
difference stands in vectors_equivalent.toml with the reason. The exit code is 1 if fewer than 98 %
of the others are caught.
"""

import argparse
import ast
import functools
import importlib.abc
import importlib.machinery
import multiprocessing
import multiprocessing.pool
import random
import resource
import sys
import tomllib
import warnings
from collections.abc import Iterable, Sequence
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

from irmetrics_edu.diagnosis.conformance import cases
from irmetrics_edu.diagnosis.conformance.result_checks import same
from tests.mutants.changes import Change, changes

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("vectors_equivalent.toml")
BOUND = 0.98
SECONDS = 30  # of a processor, for all cases; it takes one
# The oracles, and the functions beside them that compute: how a ranking is read, and means.
_ORACLES = "dev/tools/vectors/oracles/*.py"
_COMPUTING = {
    "dev/tools/vectors/reading_cases.py": (
        "in_orders", "_grade", "_ties", "_kept", "_without_repeats", "_orders", "read_value",
    ),
    "dev/tools/vectors/run_cases.py": ("scores", "mean", "geometric_mean"),
}  # fmt: skip


def every_change() -> list[Change]:
    """All changes of what computes the vectors, in the order of the files."""
    oracles = (c for path in sorted(ROOT.glob(_ORACLES)) for c in changes(path, ROOT))
    beside = (
        c
        for name, functions in _COMPUTING.items()
        for c in changes(ROOT / name, ROOT)
        if c.function in functions
    )
    return [c for c in (*oracles, *beside) if not _is_default(c)]


@functools.cache
def _defaults(file: str) -> list[tuple[int, int]]:
    """The places of the defaults of parameters: a vector says every word, so none is used."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    every = (d for f in functions for d in (*f.args.defaults, *f.args.kw_defaults) if d)
    return [(d.lineno, d.col_offset) for d in every]


def _is_default(change: Change) -> bool:
    """Whether a change is of the default of a parameter."""
    lines = (ROOT / change.file).read_bytes().splitlines(keepends=True)
    column = change.start - sum(map(len, lines[: change.line - 1]))
    return (change.line, column) in _defaults(change.file)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module with a change in its source."""

    def __init__(self, change: Change) -> None:
        self.name = change.file.removesuffix(".py").replace("/", ".")
        path = ROOT / change.file
        self.code = compile(change.applied(path.read_text(encoding="utf-8")), str(path), "exec")

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """The changed module alone."""
        return spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, vars(module))  # noqa: S102 -- ours, with one change


def verdict(change: Change) -> str:
    """The first vector that tells the change, an error's name, or "" if nothing tells it.

    It imports `dev.tools.vectors` anew, so it belongs into a process of its own.
    """
    warnings.simplefilter("ignore")  # of a changed text, such as `is` beside a number
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    for name in [name for name in sys.modules if name.startswith("dev.tools.vectors")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Changed(change))
    right = {case.id: case.number for case in cases()}
    try:
        from dev.tools.vectors.made import made

        for case in made():
            if case.id in right and not same(case.number, right[case.id]):
                return case.id
    except Exception as error:  # noqa: BLE001 -- a wrong program may fail in any way
        return type(error).__name__
    return ""


def _told(change: Change, found: "multiprocessing.SimpleQueue[str]") -> None:
    found.put(verdict(change))


def tried(change: Change) -> str:
    """The verdict on a change, from a process of its own."""
    here = multiprocessing.get_context("fork")
    found = here.SimpleQueue()
    process = here.Process(target=_told, args=(change, found))
    process.start()
    process.join()
    return f"ended with {process.exitcode}" if found.empty() else found.get()


def known() -> dict[str, str]:
    """The changes that make no difference, each with its reason."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {change: entry["reason"] for entry in listed for change in entry["changes"]}


def report(verdicts: Iterable[tuple[Change, str]]) -> int:
    """What lived, and the share that is caught."""
    none, all_, same_, caught = known(), 0, 0, 0
    for change, by in verdicts:
        all_ += 1
        caught += bool(by)
        same_ += not by and change.name in none
        if not by and change.name not in none:
            print(f"lived: {change.name} (line {change.line})")
    share = caught / max(all_ - same_, 1)
    print(f"{all_} changes, {same_} make no difference, {caught} caught: {share:.1%}")
    return int(share < BOUND)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all changes, or as many as are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.of_vectors", description=__doc__)
    parser.add_argument("--number", type=int, help="how many are drawn; all without it")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the draw")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    options = parser.parse_args(arguments)
    found = every_change()
    if options.number is not None:
        found = random.Random(options.seed).sample(found, options.number)
    cases()
    with multiprocessing.pool.ThreadPool(options.jobs) as threads:
        return report(zip(found, threads.imap(tried, found), strict=True))


if __name__ == "__main__":
    sys.exit(main())
