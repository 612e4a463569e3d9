"""Runs the code of all notebooks in seconds: `python -m dev.tools.quick [NAME ...]`.

For every save: each notebook runs in a process of its own, forked from one that has imported what
they all need, and whatever a cell shows is rendered. Outputs are not compared; nbval does that.
"""

import argparse
import ast
import multiprocessing
import sys
import traceback
from pathlib import Path
from typing import Any

from dev.tools.notebooks import sources
from irmetrics_edu.views.output import ended

SHARED = ("numpy", "matplotlib.pyplot", "irmetrics_edu.course", "irmetrics_edu.views.plotting")


def cells(source: Path) -> list[tuple[int, str]]:
    """The code cells of a percent source with their line numbers."""
    found: list[tuple[int, list[str]]] = []
    code = False
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("# %%"):
            code = "[markdown]" not in line
            if code:
                found.append((number, []))
        elif code:
            found[-1][1].append(line)
    return [(number, "\n".join(lines)) for number, lines in found]


def run(source: Path) -> str:
    """Run a notebook's cells in order; what went wrong, or nothing."""
    import matplotlib as mpl

    mpl.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in cells(source):
        try:
            _rendered(execute(code, names, str(source), number))
        except Exception:  # noqa: BLE001 -- whatever a cell raises is the report
            return f"{source.name}, cell at line {number}:\n{traceback.format_exc(limit=-3)}"
    return ""


def execute(code: str, names: dict[str, Any], file: str, line: int = 0) -> Any:
    """Run a cell among the names of its notebook; the value that it shows, if it shows one."""
    tree = ast.parse("\n" * line + code, filename=file)
    last = tree.body[-1] if tree.body else None
    shown = isinstance(last, ast.Expr)
    before = ast.Module(tree.body[:-1] if shown else tree.body, [])
    exec(compile(before, file, "exec"), names)  # noqa: S102 -- the course's own code
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), file, "eval"), names)  # noqa: S307 -- the same


def _rendered(value: Any) -> None:
    for face in ("_repr_mimebundle_", "_repr_html_", "__repr__"):  # as Jupyter chooses
        if hasattr(type(value), face):
            getattr(value, face)()
            return


def main(arguments: list[str] | None = None) -> int:
    """Run the notebooks that are named, or all; the exit code is 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="such as 04; default all")
    chosen = sources(parser.parse_args(arguments).names)
    forks = "fork" in multiprocessing.get_all_start_methods()
    if forks:
        for module in SHARED:
            __import__(module)
    context = multiprocessing.get_context("fork" if forks else "spawn")
    with context.Pool(maxtasksperchild=1) as pool:
        failures = [message for message in pool.imap(run, chosen, chunksize=1) if message]
    for message in failures:
        print(message, file=sys.stderr)
    print(f"{len(chosen) - len(failures)} of {len(chosen)} notebooks run")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.quick", main))
