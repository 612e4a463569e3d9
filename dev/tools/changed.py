"""What a change needs checked: `python -m dev.tools.changed`, or `make check`.

A change is what differs from the commit that main is at, or, where nothing differs, from the commit
before. Where what is public has changed, a line of the changelog tells it. Lint looks at
everything; types and the figures of `make house` are looked at if code has changed. Of the tests
that are not slow those run that import a changed module, by itself or by a public name that lives
in it; if no test does, those that import what imports it. A changed page has its blocks run, a
changed notebook its outputs compared.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from dev.tools import changelog
from dev.tools.places import ROOT
from irmetrics_edu import _HOME_OF

PACKAGE = "irmetrics_edu"
BIN = Path(sys.executable).parent


def compared_with() -> str:
    """The commit that a change is compared with, unless one is named."""
    base = "main" if _git("rev-parse", "--verify", "-q", "main") else "HEAD"
    return base if _differs(base) else "HEAD~1"


def _differs(base: str) -> list[str]:
    tracked = _git("diff", "--name-only", base, "--")
    untracked = _git("ls-files", "--others", "--exclude-standard")
    return sorted({*tracked, *untracked})


def _git(*words: str) -> list[str]:
    command = ["git", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def imports(path: Path, modules: set[str]) -> set[str]:
    """The modules of the project that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                full = f"{node.module}.{name.name}"
                home = _HOME_OF.get(name.name) if node.module == PACKAGE else None
                found.add(home or (full if full in modules else node.module))
        elif (  # irm.ndcg, where the package was imported whole
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in (PACKAGE, "irm")
            and node.attr in _HOME_OF
        ):
            found.add(_HOME_OF[node.attr])
    return found & modules


def module_of(path: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def tests_of(files: Iterable[str]) -> list[str]:
    """What pytest is told to run for changed files."""
    sources = {
        module_of(path): path
        for folder in (PACKAGE, "tests", "dev")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }
    importing = {module: imports(path, set(sources)) for module, path in sources.items()}
    chosen: set[str] = set()
    for name in files:
        path = ROOT / name
        if (name.startswith("docs/") and path.suffix == ".md") or name == "README.md":
            chosen.add(f"tests/site/test_docs.py::{path.stem}")
        elif path.suffix == ".py" and name.startswith((f"{PACKAGE}/", "tests/")):
            chosen |= _of_module(module_of(path), sources, importing)
            if name.startswith(PACKAGE) and path.exists():
                chosen.add(name)  # its doctests
        elif name.startswith(f"{PACKAGE}/"):  # data: the tests of its wing
            wing = ROOT / "tests" / Path(name).parts[1]
            chosen |= {wing.relative_to(ROOT).as_posix()} if wing.is_dir() else set()
        elif name.startswith(("solutions/", "exercises/")):
            chosen.add("tests/exercises")
    return sorted(chosen)


def _of_module(module: str, sources: dict[str, Path], importing: dict[str, set[str]]) -> set[str]:
    """The test files that import a module, or else those that import what imports it."""
    seen, ring = {module}, {module}
    while ring:
        tests = {m for m in ring if sources.get(m, Path()).name.startswith("test_")}
        tests |= {
            m
            for m, names in importing.items()
            if names & ring and sources[m].name.startswith("test_")
        }
        if tests:
            return {sources[m].relative_to(ROOT).as_posix() for m in tests if m in sources}
        ring = {m for m, names in importing.items() if names & ring} - seen
        seen |= ring
    return set()


def main() -> int:
    """Check what has changed; the exit code is that of the first check that fails."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.changed", description=__doc__)
    parser.add_argument("--since", help="the commit to compare with")
    parser.add_argument("--jobs", default="2", help="test processes")
    options = parser.parse_args()
    base = options.since or compared_with()
    files = _differs(base)
    if fault := changelog.untold(files, base):
        print(fault)
        return 1
    code = any(name.endswith((".py", ".pyi", ".toml", ".cfg")) for name in files)
    commands = [["ruff", "check", "-q"], ["ruff", "format", "--check", "-q"]]
    if code:
        commands += [["lint-imports", "--no-logo"], ["mypy"]]
        commands.append([sys.executable, "-m", "dev.tools.house"])
    tests = tests_of(files)
    pages = {name.rpartition("::")[2] for name in tests if "::" in name}
    plain = [name for name in tests if "::" not in name]
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    if plain:
        commands.append([*run, "-n", options.jobs, "-m", "not slow", *plain])
    if pages:
        chosen = ["tests/site/test_docs.py", "-k", " or ".join(sorted(pages))]
        commands += [[*run, *chosen], [*run, "--suite=site", *chosen]]
    print(f"{len(files)} files differ; {len(plain)} files of tests, {len(pages)} pages")
    for command in commands:
        program = BIN / command[0]
        done = subprocess.run(
            [str(program) if program.exists() else command[0], *command[1:]], cwd=ROOT, check=False
        )
        if done.returncode not in (0, 5):  # 5: pytest has nothing that is not slow
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
