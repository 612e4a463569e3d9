"""The action for GitHub and the template for GitLab: what they call, and what they ask for."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from irmetrics_edu.cli import parser
from tests.conftest import ROOT

ACTION = yaml.safe_load((ROOT / "dev" / "ci" / "action.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "dev" / "ci" / "gitlab.yml").read_text(encoding="utf-8"))[
    ".ranking-gate"
]
STEPS = ACTION["runs"]["steps"]
# What a step may call: the package, pytest, pip, and what carries the old file and the comment.
CALLED = {
    *("python -m pip install", "python -m pytest", "irmetrics-edu baseline diff"),
    *("git fetch", "git cat-file", "git show", "gh pr comment", "curl"),
    *("echo", "cat", "exit", "test", "code=0"),
}


def commands(script):
    """The commands of a shell script, each as its line or its part of a pipe begins."""
    script = re.sub(r"\s*(\||\|\||>)\s*\n\s*", r" \1 ", script)
    for line in script.splitlines():
        for part in re.split(r" \|\|? |; then", line):
            command = re.sub(r"^\s*(if|then|else|fi)\b", "", part).strip()
            if command and not re.fullmatch(r"code=\$\?", command):
                yield command


def test_the_action_has_the_form_of_a_composite_action():
    """Each step names its shell; inputs come through the environment, never into the script."""
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "runs"} == set(ACTION)
    assert all({"description", "default"} == set(one) for one in ACTION["inputs"].values())
    for step in STEPS:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
    told = re.findall(r"inputs\.(\w+)", str(STEPS))
    assert set(told) == set(ACTION["inputs"])


def test_only_the_package_and_what_carries_the_comment_are_called():
    """Both files; no download of a script, no other action."""
    scripts = [step["run"] for step in STEPS] + GITLAB["script"] + GITLAB["after_script"]
    for script in scripts:
        for command in commands(script):
            assert command.startswith(tuple(CALLED)), command
    assert not any("uses" in step for step in STEPS)


def test_the_diff_that_both_print_is_a_command_of_ours():
    """Its options are known, with judgments and without."""
    text = str(STEPS) + str(GITLAB)
    assert len(re.findall(r"irmetrics-edu baseline diff - [^>]*--format markdown >", text)) == 2
    for qrels in ([], ["--qrels", "q.txt"]):
        given = ["baseline", "diff", "-", "b.json", *qrels, "--format", "markdown"]
        assert parser("baseline").parse_args(given).form == "markdown"


@pytest.mark.suite("guide")
def test_the_comment_is_written_also_where_a_gate_fails(tmp_path):
    """The steps run in a real repository; `gh` is a script that keeps what it gets."""
    from tests.plugin.test_review import NEW, OLD, entry, kept

    def shell(script, **environment):
        path = os.pathsep.join(
            [str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]
        )
        given = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
        return subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=tmp_path,
            env={**given, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    gh = tmp_path / "gh"
    gh.write_text('#!/bin/bash\ncat "${@: -1}" > comment.md\n', encoding="utf-8")
    gh.chmod(gh.stat().st_mode | stat.S_IXUSR)
    git = "git -c user.name=a -c user.email=a@example.org"
    kept(tmp_path / "b.json", t=entry(OLD))
    made = f"git init -q -b main && git add b.json && {git} commit -qm x; git remote add origin ."
    assert shell(made).returncode == 0
    kept(tmp_path / "b.json", t=entry(NEW))
    show = next(step["run"] for step in STEPS if step["name"] == "Show what changed")
    done = shell(show, BASELINES="b.json", QRELS="", GITHUB_BASE_REF="main", REQUEST="7")
    assert done.returncode == 0, done.stderr
    comment = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert "| test_it.py::t | RR | 0.8333 | 0.7500 | -0.0833 | 3 | 1 | 1 |" in comment
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == comment
    gates = next(step["run"] for step in STEPS if step.get("id") == "gates")
    out = tmp_path / "out.txt"
    (tmp_path / "test_none.py").write_text("def test_no():\n    assert False\n", encoding="utf-8")
    assert shell(gates, TESTS="test_none.py", GITHUB_OUTPUT=str(out)).returncode == 0
    assert out.read_text(encoding="utf-8") == "code=1\n"
    assert shell(STEPS[-1]["run"], CODE="1").returncode == 1
