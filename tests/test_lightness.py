"""What comes into memory with the package: nothing that is not used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_no_library(option: str) -> None:
    """The command line says what it can do and which version it is without numpy."""
    program = (
        "import contextlib\nfrom irmetrics_edu.cli import main\n"
        f"with contextlib.suppress(SystemExit):\n    main([{option!r}])"
    )
    assert not loaded(program) & (HEAVY | {"numpy"})


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
