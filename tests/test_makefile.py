"""The targets that a person calls, the suites, and what is done where a Python is not to be had."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None or os.name == "nt", reason="needs make and sh")
TARGET = re.compile(r"^([a-z0-9-]+):(?!=)(.*)$", re.MULTILINE)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SUITES = (ROOT / "dev" / "suites.mk").read_text(encoding="utf-8")


def test_a_person_finds_each_target_on_a_screen() -> None:
    """At most 25, each with a line of its own in what `make` prints."""
    targets = dict(TARGET.findall(MAKEFILE))
    assert len(targets) <= 25
    assert [name for name, rest in targets.items() if not re.search(r"## \w", rest)] == []
    asked = "check house reproduce generated drift mutants fuzz notebooks exercises site release"
    assert {*asked.split(), "metric", "benchmark", "lint", "types", "format", "ci"} <= set(targets)


def test_what_make_test_leaves_out_is_a_suite_and_runs_in_ci() -> None:
    """The list that `make test` prints has the stages of CI, and each suite says what it is."""
    suites = {name: rest for name, rest in TARGET.findall(SUITES) if name.startswith("suite-")}
    assert [name for name, rest in suites.items() if not re.search(r"## \w", rest)] == []
    beside = re.findall(r"^BESIDE = (.*)$", MAKEFILE, re.MULTILINE)[0].split()
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    staged = set(re.findall(r"\b(?:SUITE|HOW)=([a-z-]+)", run))
    assert staged - {"workflows"} == set(beside)
    assert {f"suite-{name}" for name in staged} <= set(suites)


def test_a_stage_of_ci_is_a_target() -> None:
    """Each stage of .ci/run can be called by hand."""
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    stages = set(re.findall(r"^ *(?:stage|beside [a-z]+) ([a-z-]+)", run, re.MULTILINE))
    assert len(stages) > 5
    assert stages <= set(dict(TARGET.findall(MAKEFILE)))


def test_a_suite_that_is_not_there_is_named(tmp_path: Path) -> None:
    """And what lists those that are."""
    code, text = make(tmp_path, "suite", "SUITE=sight")
    assert code != 0
    assert "there is no suite sight: make suite lists them" in text


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
    code, text = make(tmp_path, "suite", "SUITE=pythons", "PYTHONS=python3.13 python3.99")
    assert (code, text) == (0, "Not found, and so not tested: python3.13 python3.99\n")


def test_without_a_python_for_the_lowest_versions_it_fails(tmp_path: Path) -> None:
    """Nothing tested is no success, and the message says what to write."""
    code, text = make(tmp_path, "suite", "SUITE=lowest", "PYTHON=python3.13")
    assert code != 0
    assert "name one, make suite SUITE=lowest PYTHON=python3.11" in text
