"""Tells how the package is laid out, and what a change did to it: `python -m dev.tools.house`.

It reports, beside the same figures of another commit: the lines of each wing, the public names,
the nodes of syntax on a line of code, and the files and lines that seven calls run through. Of
these the nodes alone have a limit. It fails where a rule of `LIMITS` is broken more often than its
limit allows, and lists the places. A limit may only fall.
`python -m dev.tools.house_calls ndcg` lists the files of one call.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import grimp

import irmetrics_edu
from dev.tools import house_measures as measures
from dev.tools.places import unpack_commit
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put

PACKAGE = Path(irmetrics_edu.__file__).parent
ROOT = PACKAGE.parent
INTERFACE = "tests/public/interface.txt"

WINGS = "wings"
MODULES = "modules of the top folder"
CIRCLES = "circles of imports"
MODULES_TWICE = "module names that stand twice"
# How often a rule may be broken. Whoever lowers a figure lowers its limit with it.
LIMITS = {
    WINGS: 16,
    MODULES: 12,
    CIRCLES: 0,
    MODULES_TWICE: 12,
    measures.CLASSES_TWICE: 0,
    measures.UNTYPED: 10,
    **dict.fromkeys(measures.RULES, 0),
    measures.EMPTY_NAMES: 4,
}
MOST_NODES_A_LINE = 8.5
TEACHING = ("course", "classroom", "lab")


@dataclass(frozen=True)
class Figures:
    """What is reported of one state of the package; `calls` gives files and lines."""

    lines: Mapping[str, int]
    public: Mapping[str, int]
    nodes_a_line: float
    branching: float
    calls: Mapping[str, tuple[int, int]]

    def rows(self) -> Iterator[tuple[str, float, str]]:
        """Each figure: its name, its value, and how its value is written."""
        for wing, count in self.lines.items():
            yield f"lines of {wing or 'the top folder'}", count, ",.0f"
        core = sum(count for wing, count in self.lines.items() if wing not in TEACHING)
        yield "lines of the core", core, ",.0f"
        yield "lines of all", sum(self.lines.values()), ",.0f"
        for kind, count in self.public.items():
            yield f"public: {kind}", count, ",.0f"
        yield "nodes of syntax on a line of code", self.nodes_a_line, ".2f"
        yield f"% of functions with over {measures.MOST_BRANCHES} branches", self.branching, ".1f"
        for call, (files, lines) in self.calls.items():
            yield f"files of {call}", files, ",.0f"
            yield f"lines of the files of {call}", lines, ",.0f"


def figures_of(root: Path) -> Figures:
    """The figures of a checkout, or of another state that was unpacked into a folder."""
    modules = measures.modules_of(root / "irmetrics_edu")
    interface = root / INTERFACE
    public = interface.read_text(encoding="utf-8").splitlines() if interface.exists() else []
    return Figures(
        lines=lines_by_wing(root / "irmetrics_edu"),
        public=dict(sorted(Counter(line.partition(" ")[0] for line in public).items())),
        nodes_a_line=measures.nodes_a_line(modules),
        branching=100 * measures.share_of_branching(modules),
        calls=_calls_of(root),
    )


def lines_by_wing(package: Path = PACKAGE) -> dict[str, int]:
    """The lines of code of each wing, and of the modules in the top folder."""
    found: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        place = path.relative_to(package).parts
        found[place[0] if len(place) > 1 else ""] += path.read_bytes().count(b"\n")
    return dict(sorted(found.items()))


def _calls_of(root: Path) -> dict[str, tuple[int, int]]:
    """Files and lines of each call, measured in a process that imports the package from `root`."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dev.tools.house_calls", "--json"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(root), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise InputError(f"the calls can't be measured in {root}: {done.stderr.strip()[-400:]}")
    found = {}
    for name, files in json.loads(done.stdout).items():
        texts = [(root / "irmetrics_edu" / file).read_bytes() for file in files]
        found[name] = (len(files), sum(text.count(b"\n") for text in texts))
    return found


def circles() -> list[list[str]]:
    """Modules that import one another, and wings that do; lazy and type-only imports count."""
    graph = grimp.build_graph("irmetrics_edu", cache_dir=None)
    imports = {m: graph.find_modules_directly_imported_by(m) for m in graph.modules}
    found = set(_circles_of(imports))
    for folder in {module.rpartition(".")[0] for module in imports} - {""}:
        parts: dict[str, set[str]] = {}
        for module, imported in imports.items():
            part = _part(module, folder)
            if part:
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


def places(modules: list[measures.Module]) -> dict[str, list[str]]:
    """For each rule of `LIMITS` the places of the package's modules that break it."""
    found = {
        WINGS: sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py")),
        MODULES: sorted(p.stem for p in PACKAGE.glob("*.py")),
        CIRCLES: [" <-> ".join(circle) for circle in circles()],
        MODULES_TWICE: names_twice(),
    }
    return found | measures.broken_rules(modules)


def over(found: Mapping[str, list[str]]) -> list[str]:
    """The rules that are broken more often than their limits allow."""
    return [name for name, listed in found.items() if len(listed) > LIMITS[name]]


def too_dense(density: float) -> bool:
    """Whether the package has more nodes of syntax on a line of code than it may."""
    return density > MOST_NODES_A_LINE


def report(now: Figures, before: Figures | None) -> str:
    """The figures, and beside them what they were and what changed."""
    was = {name: value for name, value, _ in before.rows()} if before else {}
    out = []
    for name, value, form in now.rows():
        line = f"{value:>9{form}}  {name}"
        if name in was and round(value - was[name], 2):
            line += f" ({value - was[name]:+{form}})"
        out.append(line)
    return "\n".join(out)


def verdict(found: Mapping[str, list[str]], density: float) -> str:
    """Each rule with its count and limit, and below them the places where a limit is exceeded."""
    out = []
    for name, listed in found.items():
        note = f"limit {LIMITS[name]}"
        if len(listed) < LIMITS[name] and name not in (WINGS, MODULES):
            note += f"; set it to {len(listed)}"
        out.append(f"{len(listed):>9,}  {name} ({note})")
    for name in over(found):
        out += ["", f"Too many {name}:", *(f"  {place}" for place in found[name])]
    if too_dense(density):
        out += [
            "",
            f"{density:.2f} nodes on a line of code; at most {MOST_NODES_A_LINE}: write it out",
        ]
    return "\n".join(out)


def main(arguments: list[str]) -> int:
    """Print the figures and the rules; 1 if a rule is broken too often."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.house", description=report.__doc__)
    parser.add_argument("--since", metavar="COMMIT", help="the commit to compare with")
    parser.add_argument("--rules", action="store_true", help="check the rules alone, in seconds")
    options = parser.parse_args(arguments)
    modules = measures.modules_of(PACKAGE)
    found = places(modules)
    density = measures.nodes_a_line(modules)
    if not options.rules:
        before = None
        if options.since:
            with tempfile.TemporaryDirectory() as folder:
                parts = ("irmetrics_edu", "solutions", INTERFACE)
                before = figures_of(unpack_commit(ROOT, options.since, Path(folder), *parts))
        put(report(figures_of(ROOT), before))
    put(verdict(found, density))
    return 1 if over(found) or too_dense(density) else 0


if __name__ == "__main__":
    sys.exit(ended("python -m dev.tools.house", lambda: main(sys.argv[1:])))
