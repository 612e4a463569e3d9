"""What comes into memory with the package: nothing that is not used."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from irmetrics_edu.cli import COMMANDS, main
from irmetrics_edu.course.documents import DOCUMENTS
from irmetrics_edu.judging.labels import SOURCES
from irmetrics_edu.runs.all_pairs import CORRECTIONS
from irmetrics_edu.runs.significance import TESTS

HEAVY = {"IPython", "matplotlib", "pandas", "pytest", "rich", "scipy"}


def loaded(code: str) -> set[str]:
    """The top-level modules that `code` loads in a fresh interpreter."""
    # -I: the same whatever the folder and PYTHONPATH. What the interpreter loads by itself
    # (the .pth files of an environment) is not the code's doing.
    program = (
        "import json, sys\n"
        "before = set(sys.modules)\n"
        f"{code}\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return set(json.loads(result.stdout.splitlines()[-1]))


def test_import_loads_no_library() -> None:
    """A bare import loads the package and, names being resolved on first use, not even numpy."""
    modules = loaded("import irmetrics_edu")
    assert "irmetrics_edu" in modules
    assert not modules & (HEAVY | {"numpy"})


def test_listing_the_names_loads_no_library() -> None:
    """Looking at what there is, as a shell does on completion, loads no library either."""
    assert not loaded("import irmetrics_edu\nassert 'ndcg' in dir(irmetrics_edu)") & (
        HEAVY | {"numpy"}
    )


def test_help_and_version_load_no_library() -> None:
    """The command line says what it and each command can do, and its version, without numpy."""
    asked = [["--version"], ["--help"], *([command, "--help"] for command in COMMANDS)]
    program = (
        "import contextlib\nfrom irmetrics_edu.cli import main\n"
        f"for asked in {asked!r}:\n"
        "    with contextlib.suppress(SystemExit):\n        main(asked)"
    )
    assert not loaded(program) & (HEAVY | {"numpy"})


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("compare", [TESTS, CORRECTIONS]),
        ("judgments merge", [SOURCES]),
        ("reproduce", [DOCUMENTS]),
    ],
)
def test_help_names_the_choices_that_it_does_not_load(
    command: str, known: list[Iterable[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """An option offers what there is."""
    with pytest.raises(SystemExit):
        main([*command.split(), "--help"])
    said = capsys.readouterr().out
    assert not [each for each in known if f"{{{','.join(each)}}}" not in said]


def test_a_score_needs_only_numpy() -> None:
    """Computing a score loads numpy and none of the heavy libraries."""
    modules = loaded("import irmetrics_edu\nirmetrics_edu.ndcg([5, 2, 3])")
    assert "numpy" in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("banned", sorted(HEAVY))
def test_the_check_can_fail(banned: str, tmp_path: Path) -> None:
    """A package that imports a heavy library, even from a module of its own, is caught."""
    # Stand-ins of the same name, so that the test is quick and needs none of the libraries.
    (tmp_path / f"{banned}.py").touch()
    package = tmp_path / "greedy"
    package.mkdir()
    (package / "__init__.py").write_text("from . import inner\n", encoding="utf-8")
    (package / "inner.py").write_text(f"import {banned}\n", encoding="utf-8")
    modules = loaded(f"sys.path.insert(0, {str(tmp_path)!r})\nimport greedy")
    assert modules & HEAVY == {banned}


def test_the_check_sees_a_broken_import() -> None:
    """An import that fails fails the check, rather than passing as light."""
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        loaded("import no_such_module_anywhere")
