"""What the page "A gate in CI" promises, beside what it prints."""

import json
import os
import subprocess
from html import unescape

import pytest
import yaml

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin.received import RECEIVED
from tests.plugin.pages.sentences import ROOT
from tests.plugin.test_review import NEW, OLD, entry, kept

pytest_plugins = ["pytester"]

GATES = """
import os
BAD = "BAD" in os.environ
Q = {f"q{i}": {"d": 1, "e": 0} for i in range(12)}
RUN = {q: ["x", "d"] if BAD else ["d"] for q in Q}

def test_three(irm_baseline):
    irm_baseline(RUN, Q, "RR AP nDCG@3")

def test_first(assert_mrr):
    assert_mrr(RUN, Q, at_least=0.9)

def test_two(irm_baseline):
    irm_baseline(RUN, Q, "RR", name="a")
    irm_baseline(RUN, Q, "nDCG@3", name="b")

def test_other_ids(irm_baseline):
    irm_baseline({q: ["z"] if BAD else ["d"] for q in Q}, Q, "RR")

def test_half_is_gone(irm_baseline):
    irm_baseline({q: RUN[q] for q in list(Q)[:6]} if BAD else RUN, Q, "RR")

def test_advises(irm_baseline):
    irm_baseline(RUN, Q, "RR", policy="advise")

def test_fails_elsewhere(irm_baseline):
    irm_baseline({q: ["d"] for q in Q}, Q, "RR")
    assert not BAD
"""


@pytest.fixture
def failed(pytester, session, monkeypatch):
    """A folder in which gates failed in CI, with two reports in folders of their own."""
    pytester.makepyfile(test_it=GATES)
    session("--irm-update=new").assert_outcomes(passed=7)
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("BAD", "1")
    reports = ["--irm-report=a/ranking.html", "--irm-report=b/ranking.json"]
    pytester.ended = session(*reports)
    return pytester


def test_the_report_explains_each_failed_score_and_is_there_where_a_test_failed(failed):
    """Of each measure of a gate, and of an assertion."""
    page = unescape((failed.path / "a" / "ranking.html").read_text(encoding="utf-8"))
    found = json.loads((failed.path / "b" / "ranking.json").read_text(encoding="utf-8"))["results"]
    explained = [one for one in found if one["verdict"] in {"fail", "unjudged"}]
    assert {one["measure"] for one in explained} == {"MRR", "RR", "AP", "nDCG@3"}
    for one in explained:
        first, *rest = one["explanation"].splitlines()
        assert first in page
        assert len(rest) > 1
        assert any(line.startswith("Lost most: ") or "step by step" in line for line in rest)


def test_what_a_failing_gate_received_is_left_beside_the_first_report(failed):
    """Of each test that failed at a gate, and of no other."""
    assert not (failed.path / "b" / RECEIVED).exists()
    text = (failed.path / "a" / RECEIVED).read_text(encoding="utf-8")
    [entries] = json.loads(text)["files"].values()
    assert set(entries) == {"test_it.py::test_three", "test_it.py::test_two #a"}
    failed.ended.stdout.fnmatch_lines(["2 runs were not accepted; *"])


def test_a_run_that_an_update_would_refuse_is_not_left(failed, monkeypatch):
    """No judged document, or half the queries without an answer: it could not be accepted."""
    text = (failed.path / "a" / RECEIVED).read_text(encoding="utf-8")
    for test in ("test_other_ids", "test_half_is_gone"):
        assert test not in text
        monkeypatch.delenv("CI", raising=False)
        refused = failed.runpytest_inprocess("-k", test, "--irm-update=failing")
        refused.assert_outcomes(failed=1, deselected=6)
    monkeypatch.chdir(failed.path)
    assert main(["baseline", "accept", f"a/{RECEIVED}"]) == 0
    now = failed.runpytest_inprocess("-k", "three or two", "--irm-report=a/ranking.html")
    now.assert_outcomes(passed=1, failed=1, deselected=5)  # the second gate of test_two is due now
    assert "test_two #b" in (failed.path / "a" / RECEIVED).read_text(encoding="utf-8")


def test_without_judgments_the_difference_shows_no_documents(tmp_path, capsys):
    """The measures and the queries alone."""
    for name, run in (("old", OLD), ("new", NEW)):
        kept(tmp_path / f"{name}.json", t=entry(run))
    files = [str(tmp_path / f"{name}.json") for name in ("old", "new")]
    assert main(["baseline", "diff", *files, "--format", "markdown"]) == 0
    shown = capsys.readouterr().out
    assert "| test_it.py::t | RR |" in shown
    assert "queries that changed" in shown
    assert "documents that moved, by their effect on the score, the greatest" not in shown
    documents = {document for ranking in (*OLD.values(), *NEW.values()) for document in ranking}
    assert not [one for one in documents if f"| {one} |" in shown]


def test_from_a_fork_the_summary_has_the_text(tmp_path):
    """`gh` may not write: the job goes on, and the summary page has what the comment would."""
    action = yaml.safe_load((ROOT / "dev" / "ci" / "action.yml").read_text(encoding="utf-8"))
    steps = {one["name"]: one for one in action["runs"]["steps"] if "name" in one}
    programs = {"git": "exit 0", "irmetrics-edu": "echo RR fell", "gh": "exit 1"}
    for name, script in programs.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    given = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": "summary.md",
        "BASELINES": "b.json",
        "QRELS": "",
        "GITHUB_BASE_REF": "main",
        "REQUEST": "7",
    }
    script = steps["Show what changed"]["run"]
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=tmp_path,
        env=given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "::warning::The comment could not be written" in done.stdout
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == "RR fell\n"


def test_on_gitlab_the_comment_is_no_part_of_what_fails_the_job():
    """GitLab ends a job by its script; what stands in after_script changes nothing of that."""
    text = (ROOT / "dev" / "ci" / "gitlab.yml").read_text(encoding="utf-8")
    job = yaml.safe_load(text)[".ranking-gate"]
    assert not [line for line in job["script"] if "curl" in line or "git " in line]
    assert [line for line in job["after_script"] if "curl" in line]


def test_what_the_workflow_keeps_is_what_its_command_writes():
    """The artifacts, also where a test failed, and the file of JUnit that GitLab shows."""
    page = (ROOT / "docs" / "gates-in-ci.md").read_text(encoding="utf-8")
    github = yaml.safe_load(
        page.partition("yaml .github/workflows/ranking.yml\n")[2].split("```")[0]
    )
    *_, tested, kept_step = github["jobs"]["test"]["steps"]
    assert tested["run"] == f"pytest --irm-report={kept_step['with']['path']}"
    assert kept_step["if"] == "always()"
    gitlab = yaml.safe_load(page.partition("yaml .gitlab-ci.yml\n")[2].split("```")[0])["ranking"]
    artifacts = gitlab["artifacts"]
    command = f"pytest --junitxml={artifacts['reports']['junit']} --irm-report="
    assert gitlab["script"][-1] == command + artifacts["paths"][0]
    assert artifacts["when"] == "always"
