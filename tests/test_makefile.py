"""What the Makefile does where a Python is not to be had."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None or os.name == "nt", reason="needs make and sh")


def make(folder: Path, *words: str) -> tuple[int, str]:
    """What make says where only `folder` is on the path, with a python3.13 that can't run."""
    stand_in = folder / "python3.13"
    stand_in.write_text(
        "#!/bin/sh\necho 'python3.13: not in use' >&2\nexit 127\n", encoding="utf-8"
    )
    stand_in.chmod(0o755)
    done = subprocess.run(
        [str(MAKE), "--no-print-directory", *words, f"VENV={folder / 'venv'}"],
        cwd=ROOT,
        env={"PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_pythons_that_do_not_run_are_named(tmp_path: Path) -> None:
    """Neither one that isn't there nor a stand-in that only prints an error counts as found."""
    code, text = make(tmp_path, "test-pythons", "PYTHONS=python3.13 python3.99")
    assert (code, text) == (0, "Not found, and so not tested: python3.13 python3.99\n")


def test_without_a_python_for_the_lowest_versions_it_fails(tmp_path: Path) -> None:
    """Nothing tested is no success, and the message says what to write."""
    code, text = make(tmp_path, "test-lowest", "PYTHON=python3.13")
    assert code != 0
    assert "name one, make test-lowest PYTHON=python3.11" in text
