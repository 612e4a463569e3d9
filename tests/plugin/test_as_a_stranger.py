"""The plugin from outside: a project of its own, the wheel, another pytest, a commit that hurts.

Makes an environment and installs into it what the wheel asks for, so it takes a while.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.build import build_wheel

from tests.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.suite("sandbox")]
SAMPLE = ROOT / "tests" / "sample_project"


def clean_environment():
    """No setting of this session reaches the other."""
    kept = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST", "PYTHON", "COV"))}
    for name in ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY"):
        kept.pop(name, None)
    return {**kept, "COLUMNS": "120"}


def call(*command, cwd, **environment):
    """What a command prints; its exit code is left to the caller."""
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        env={**clean_environment(), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python that has the wheel with what it needs, and the pytest before this one."""
    folder = tmp_path_factory.mktemp("stranger")
    here = Path.cwd()
    os.chdir(ROOT)  # the build interface takes the project from the working folder
    try:
        wheel = folder / build_wheel(str(folder))
    finally:
        os.chdir(here)
    found = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    # Another pip fills it, and only what is used is compiled: each would take seconds.
    pip = (sys.executable, "-m", "pip", "--python", found, "install", "--no-compile", "--quiet")
    for command in (
        (sys.executable, "-m", "venv", "--without-pip", folder / "venv"),
        (*pip, "--disable-pip-version-check", f"{wheel}[gate]", "pytest>=8,<9", "pytest-xdist"),
    ):
        code, text = call(*command, cwd=folder)
        assert code == 0, text
    return found


@pytest.fixture
def project(tmp_path):
    """The sample project under version control, as its authors have it."""
    folder = tmp_path / "project"
    shutil.copytree(SAMPLE / "project", folder, ignore=shutil.ignore_patterns("__pycache__"))
    commit(folder, "Search the library")
    return folder


def commit(folder, message):
    """A commit of all there is in the folder."""
    for command in (
        ("init", "--quiet"),
        ("add", "--all"),
        ("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", message),
    ):
        code, text = call("git", *command, cwd=folder)
        assert code == 0, text


def test_the_commit_that_hurts_is_stopped(python, project):
    """The suite passes; the commit breaks it, with the queries and documents named; CI refuses."""
    code, text = call(python, "-m", "pytest", cwd=project)
    assert code == 0, text
    assert "pytest-8." in text
    assert "3 passed" in text
    assert call("git", "status", "--porcelain", cwd=project)[1] == ""

    code, text = call("git", "apply", SAMPLE / "worse_ranking.patch", cwd=project)
    assert code == 0, text
    commit(project, "Weigh titles no more than they deserve")
    code, text = call(python, "-m", "pytest", "-n2", "--irm-report=report.html", cwd=project)
    assert code == 1, text
    assert "test_the_top_is_good - nDCG@5 0.6687 < 0.7000 (short by 0.0313; 48 queries)" in text
    assert "RR@10 fell by 0.3333 > 0.0100 (1.0000 -> 0.6667; 48 queries)" in text
    assert "aquarium-filter, what moved (1.0000 -> 0.5000):" in text
    assert "1 passed" in text
    assert (project / "report.html").read_text(encoding="utf-8").count("<svg") == 4
    code, text = call(python, "-m", "pytest", "--irm-update=failing", cwd=project, CI="true")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert call("git", "diff", "--stat", cwd=project)[1] == ""


def test_gate_failure_review_accept_rename_and_merge(python, project):
    """All that a team does with a gate, in the order of a working day, by the words of the site."""

    def session(*options):
        return call(python, "-m", "pytest", "-q", *options, cwd=project)

    def git(*command):
        code, text = call("git", *command, cwd=project)
        assert code == 0, text
        return text

    def irm(*command):
        return call(python, "-m", "irmetrics_edu", *command, cwd=project)

    for name, value in (
        ("user.name", "a"),
        ("user.email", "a@example.org"),
        ("merge.irm.driver", f"'{python}' -m irmetrics_edu baseline merge %O %A %B"),
    ):
        git("config", name, value)
    (project / ".gitattributes").write_text("irm_baselines.json merge=irm\n", encoding="utf-8")
    commit(project, "Merge baselines by their tests")
    git("branch", "other")

    # The gate fails, and names what to do.
    git("apply", str(SAMPLE / "worse_ranking.patch"))
    code, text = session("-k", "worse")
    assert code == 1
    said = [line for line in text.split("\n") if line.startswith("E  ")]
    assert len(said) <= 12
    accept = "pytest 'test_engine.py::test_no_worse_than_before' --irm-update=failing"
    assert accept in " ".join(text.split())

    # It is meant: accept, and review what moved before the commit.
    assert session("test_engine.py::test_no_worse_than_before", "--irm-update=failing")[0] == 0
    (project / "old.json").write_text(git("show", "HEAD:irm_baselines.json"), encoding="utf-8")
    write = "import corpus, json; print(json.dumps(corpus.judgments()))"
    _, judgments = call(python, "-c", write, cwd=project)
    (project / "qrels.json").write_text(judgments, encoding="utf-8")
    files = ("old.json", "irm_baselines.json", "--qrels", "qrels.json")
    code, text = irm("baseline", "diff", *files, "--worst", "2")
    assert code == 0, text
    assert "queries that changed, the greatest loss first" in text
    assert "bonsai-pruning-article" in text
    code, text = irm("baseline", "diff", *files, "--format", "html")
    assert text.startswith("<!DOCTYPE html>")
    for name in ("old.json", "qrels.json"):
        (project / name).unlink()

    # The test gets a better name, and the gate stays in force.
    test = project / "test_engine.py"
    names = ("test_no_worse_than_before", "test_no_regression")
    test.write_text(test.read_text(encoding="utf-8").replace(*names), encoding="utf-8")
    code, text = irm("baseline", "rename", *(f"test_engine.py::{name}" for name in names))
    assert code == 0, text
    assert session("-k", "regression")[0] == 0
    commit(project, "Accept the new ranking")

    # Meanwhile another branch added a gate; both come together without a conflict.
    git("checkout", "-q", "other")
    more = "\n\ndef test_recall(irm_baseline, run, qrels):\n    irm_baseline(run, qrels, 'R@10')\n"
    test.write_text(test.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert session("-k", "test_recall", "--irm-update=new")[0] == 0
    commit(project, "Promise recall")
    git("merge", "-q", "-m", "Both", "@{-1}")
    code, text = irm("baseline", "show")
    assert [line.split()[:2] for line in text.split("\n")[2:5]] == [
        ["test_engine.py::test_no_regression", "RR@10"],
        ["test_engine.py::test_no_regression", "nDCG@5"],
        ["test_engine.py::test_recall", "R@10"],
    ]
    code, text = session("-k", "regression or test_recall")
    assert code == 0, text


def test_the_same_modes_under_the_pytest_before(python, tmp_path):
    """What holds of failures in every mode under this pytest holds under the one before it."""
    shutil.copy(ROOT / "tests" / "plugin" / "test_modes.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n", encoding="utf-8")
    code, text = call(
        python,
        "-m",
        "pytest",
        "-q",
        "-k",
        "not ipython",
        "-p",
        "no:cacheprovider",
        cwd=tmp_path,
    )
    assert code == 0, text
    assert " passed" in text
