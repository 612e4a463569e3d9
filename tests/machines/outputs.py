"""Runs in the process that is another machine: what differs from what is stored, and what is said.

Notebooks and solved exercises are run here and compared with their files, letter by letter;
students' copies are built and compared; other texts are passed on. Pictures are not compared, so
figures are made and not drawn.
"""

import contextlib
import difflib
import functools
import io
import json
import multiprocessing
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dev.tools import quick
from dev.tools.exercises import sources
from dev.tools.notebooks import without_pictures
from dev.tools.places import FOLDER, ROOT
from irmetrics_edu.classroom.exercises.build import as_text, notebook
from irmetrics_edu.classroom.exercises.source import SOLUTIONS, read
from tests.machines.machines import taken
from tests.near_ties import choices


def differences(file: Path) -> list[str]:
    """Run a notebook's cells in order; what they show that its file does not hold."""
    import matplotlib as mpl

    mpl.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for place, cell in enumerate(json.loads(file.read_text(encoding="utf-8"))["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        try:
            shown = _shown(quick.execute("".join(cell["source"]), names, file.name))
        except Exception:  # noqa: BLE001 -- whatever a cell raises is the report
            found.append(f"cell {place}:\n{traceback.format_exc(limit=-3)}")
            break
        stored = {
            kind: "".join(text)
            for output in cell["outputs"]
            for kind, text in output.get("data", {}).items()
        }
        for kind in sorted(stored | shown):
            old, new = (without_pictures(texts.get(kind, "")) for texts in (stored, shown))
            if old != new:
                found.append(f"cell {place}, {kind}:\n{apart(old, new)}")
    return found


def _shown(value: Any) -> dict[str, str]:
    """What Jupyter would store of a value, by kind."""
    from IPython.core.formatters import DisplayFormatter

    if value is None:
        return {}
    data, _ = DisplayFormatter().format(value)
    return {kind: text for kind, text in data.items() if isinstance(text, str)}


def apart(old: str, new: str) -> str:
    """The lines in which two texts differ."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return "\n".join([line for line in lines if not line.startswith(("---", "+++", "@@"))][:40])


def copies(source: Path) -> list[str]:
    """Build the copy that students get; whether it differs from the one that is checked in."""
    built = as_text(notebook(read(source)))
    name = f"{source.stem}.ipynb"
    stored = (ROOT / "exercises" / name).read_text(encoding="utf-8")
    return [] if built == stored else ["it is not what its source gives"]


def printed(*arguments: str) -> str:
    """What the command prints, with its exit code."""
    from irmetrics_edu.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(list(arguments))
    return f"{out.getvalue()}\nexit code {code}\n"


def chosen() -> str:
    """What every algorithm chooses from duplicates."""
    return "\n".join(choices.lines())


def studied() -> str:
    """The limits and tables of a small study."""
    from irmetrics_edu.lab import Settings, study_diversity
    from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
    from irmetrics_edu.lab.study.study_tables import limits, sheets

    data = catalogue(users=60, items=200)
    found = study_diversity(data, Settings(cutoffs=(5, 10), pool=30, epochs=60))
    return "\n".join([*limits(found), *(sheet.text() for sheet in sheets(found))])


# What is stored nowhere: compared with what this machine gives.
TEXTS: dict[str, Callable[[], str]] = {
    "worked examples": functools.partial(printed, "reproduce", "--format", "json"),
    "study": studied,
    "choices": chosen,
}


def tasks() -> dict[str, Callable[[], list[str] | str]]:
    """All that runs, by name; each gives what differs, or a text."""
    books = [*sorted(FOLDER.glob("*.ipynb")), *sorted(SOLUTIONS.glob("*.ipynb"))]
    copied = {f"exercises/{p.stem}": functools.partial(copies, p) for p in sources()}
    stored = {f"{p.parent.name}/{p.stem}": functools.partial(differences, p) for p in books}
    return {**stored, **copied, **TEXTS}


def undrawn() -> None:
    """Close each figure of a notebook instead of drawing it, which takes most of the time."""
    from matplotlib import pyplot as plt

    from irmetrics_edu.course import figures

    def closed(drawn: Any) -> str:
        plt.close(drawn)
        return ""

    figures._svg = closed


def _called(more: Callable[[], list[str]], name: str) -> tuple[str, list[str] | str, list[str]]:
    return name, tasks()[name](), more()


def main(more: Callable[[], list[str]] = list) -> None:
    """Run everything, each notebook in a process of its own; print what was found as JSON.

    Arguments are words in the names of what to run. `more` tells, in each process, what else was
    found there.
    """
    asked = [n for n in tasks() if not sys.argv[1:] or any(word in n for word in sys.argv[1:])]
    forks = "fork" in multiprocessing.get_all_start_methods()
    for module in (*quick.SHARED, "IPython.core.formatters", "nbformat") if forks else ():
        __import__(module)
    undrawn()
    context = multiprocessing.get_context("fork" if forks else "spawn")
    found, texts = [], {}
    with context.Pool(1, maxtasksperchild=1) as pool:
        for name, result, also in pool.imap(functools.partial(_called, more), asked):
            found += [f"{name}, {line}" for line in also]
            if isinstance(result, str):
                texts[name] = result
            else:
                found += [f"{name}, {line}" for line in result]
    json.dump({"taken": taken(), "differences": found, "texts": texts}, sys.stdout)


if __name__ == "__main__":
    main()
