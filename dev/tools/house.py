"""Measures how much of the package one reader must hold: `python -m dev.tools.house`.

It counts the wings, the modules of the top folder, the lines, circles of imports, names, and the
files of the package that a call runs through. It fails where a figure is above its limit, and then
lists what was counted. `--files CALL` lists the files of one call.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import grimp

import irmetrics_edu
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put

PACKAGE = Path(irmetrics_edu.__file__).parent
SOLVED = PACKAGE.parent / "solutions" / "01_relevant_or_not.ipynb"

WINGS, MODULES = "wings", "modules of the top folder"
CIRCLES, TWICE = "circles of imports", "module names that stand twice"
# Each figure's limit, and its goal. A limit is what the figure is today, until the goal is reached:
# then it is the goal. So no figure may rise. Lines have no limit: docs/decisions.md says why.
LIMITS = {
    WINGS: (16, 16),
    MODULES: (12, 12),
    CIRCLES: (0, 0),
    TWICE: (12, 12),
    "files of ndcg": (10, 10),
    "files of explain": (12, 12),
    "files of evaluate": (24, 24),
    "files of assert_ndcg": (28, 28),
    "files of diagnose": (36, 36),
    "files of the command evaluate": (38, 38),
    "files of grading a notebook": (55, 55),
}
TEACHING = ("course", "classroom", "lab")
RUN = {f"q{q}": {f"d{d}": 1 / d for d in range(1, 6)} for q in range(1, 4)}
QRELS = {f"q{q}": {f"d{d}": (d + q) % 3 for d in range(1, 6)} for q in range(1, 4)}


def lines_by_wing() -> dict[str, int]:
    """The lines of code of each wing, and of the modules in the top folder."""
    found: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).parts
        found[place[0] if len(place) > 1 else ""] += path.read_bytes().count(b"\n")
    return dict(sorted(found.items()))


def circles() -> list[list[str]]:
    """Modules that import one another, and wings that do; lazy and type-only imports count."""
    graph = grimp.build_graph("irmetrics_edu", cache_dir=None)
    imports = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    found = set(_circles_of(imports))
    for folder in {module.rpartition(".")[0] for module in imports} - {""}:
        parts: dict[str, set[str]] = {}
        for module, imported in imports.items():
            if part := _part(module, folder):
                others = {_part(other, folder) for other in imported} - {"", part}
                parts.setdefault(part, set()).update(others)
        found.update(_circles_of(parts))
    return sorted(sorted(circle) for circle in found)


def _part(module: str, folder: str) -> str:
    """The module or subfolder of a folder in which a module lies; empty if it lies elsewhere."""
    inside = module.removeprefix(f"{folder}.")
    return "" if inside == module else f"{folder}.{inside.partition('.')[0]}"


def _circles_of(imports: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """Each largest set of modules from any of which an import leads to any other."""
    reached = {module: _reached(module, imports) for module in imports}
    for module, others in reached.items():
        circle = frozenset(other for other in others if module in reached[other])
        if len(circle) > 1 and module == min(circle):
            yield circle


def _reached(module: str, imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def names_twice() -> list[str]:
    """The names that two modules or wings have, wherever they lie."""
    paths = (p.parent if p.name == "__init__.py" else p for p in PACKAGE.rglob("*.py"))
    named = Counter(path.stem for path in paths if path != PACKAGE)
    return sorted(name for name, count in named.items() if count > 1 and name != "__main__")


def files_of(call: Callable[[], Any]) -> list[str]:
    """The package's files that a call runs through, once everything is imported and cached."""
    call()
    seen: set[str] = set()

    def noted(frame: FrameType, event: str, _argument: Any) -> None:
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


def calls(folder: Path) -> dict[str, Callable[[], Any]]:
    """The calls whose files are counted, by name; files are written into `folder`."""
    from irmetrics_edu import diagnose, evaluate, explain, ndcg
    from irmetrics_edu.classroom.marking.mark_class import mark_class
    from irmetrics_edu.cli import main
    from irmetrics_edu.gate import assert_ndcg

    run, qrels = folder / "a.run", folder / "a.qrels"
    run.write_text(
        "".join(f"{q} Q0 {d} 1 {s} a\n" for q, docs in RUN.items() for d, s in docs.items()),
        encoding="utf-8",
    )
    qrels.write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()),
        encoding="utf-8",
    )
    (folder / "key").write_bytes(b"a key of the course, long enough")

    def grading() -> None:
        out = tempfile.mkdtemp(dir=folder)
        str(mark_class(SOLVED, key=folder / "key", out=out))

    return {
        "ndcg": lambda: ndcg([5, 2, 3]),
        "explain": lambda: str(explain("nDCG@3", [5, 2, 3])),
        "evaluate": lambda: evaluate(RUN, QRELS, "nDCG@10"),
        "assert_ndcg": lambda: assert_ndcg(RUN, QRELS, k=10, at_least=0.1),
        "diagnose": lambda: (
            diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], unretrieved=[3, 2], value="0.949").text
        ),
        "the command evaluate": lambda: _quietly(lambda: main(["evaluate", str(qrels), str(run)])),
        "grading a notebook": grading,
    }


def _quietly(command: Callable[[], int]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as e:
        code = command()
    if code > 1:
        raise InputError(f"a command ended with {code}: {e.getvalue()}")


def counted(folder: Path) -> dict[str, list[str]]:
    """What each figure of `LIMITS` counts."""
    found = {
        WINGS: sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py")),
        MODULES: sorted(p.stem for p in PACKAGE.glob("*.py")),
        CIRCLES: [" <-> ".join(circle) for circle in circles()],
        TWICE: names_twice(),
    }
    return found | {f"files of {name}": files_of(call) for name, call in calls(folder).items()}


def shown(found: Mapping[str, list[str]]) -> str:
    """The figures as text, and below them what was counted where a figure is too high."""
    by_wing = lines_by_wing()
    lines = {
        **{f"lines of {wing or 'the top folder'}": count for wing, count in by_wing.items()},
        "lines of the core": sum(count for wing, count in by_wing.items() if wing not in TEACHING),
        "lines of all": sum(by_wing.values()),
        "names at the top of the package": len(irmetrics_edu.__all__),
    }
    out = [f"{count:>7,}  {name}" for name, count in lines.items()]
    for name, listed in found.items():
        limit, goal = LIMITS[name]
        note = f"limit {limit}" if limit == goal else f"limit {limit}, goal {goal}"
        if len(listed) < limit > goal:
            note += f"; set the limit to {max(goal, len(listed))}"
        out.append(f"{len(listed):>7,}  {name} ({note})")
    for name in over(found):
        out += ["", f"Too many {name}:", *(f"  {one}" for one in dict.fromkeys(found[name]))]
    return "\n".join(out)


def over(found: Mapping[str, list[str]]) -> list[str]:
    """The figures that are above their limits."""
    return [name for name, listed in found.items() if len(listed) > LIMITS[name][0]]


def main(arguments: list[str]) -> int:
    """Print the figures; 1 if one is above its limit."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.house", description=shown.__doc__)
    parser.add_argument("--files", metavar="CALL", help="list the files of a call, such as ndcg")
    asked = parser.parse_args(arguments).files
    with tempfile.TemporaryDirectory() as place:
        if asked is None:
            found = counted(Path(place))
            put(shown(found))
            return 1 if over(found) else 0
        known = calls(Path(place))
        if asked not in known:
            raise InputError(f"--files {asked}: there is no such call; known: {', '.join(known)}")
        put("\n".join(files_of(known[asked])))
        return 0


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.house", lambda: main(sys.argv[1:])))
