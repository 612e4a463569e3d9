"""A baseline follows its test; what CI received can be accepted; jobs and reports have names."""

import json
import os

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin.received import RECEIVED
from irmetrics_edu.metrics.definition import import_all

import_all()  # metrics are registered once in a process
pytest_plugins = ["pytester"]

OLD = """
import os
def test_old(irm_baseline):
    bad = "BAD" in os.environ
    irm_baseline({"q1": ["x", "a"] if bad else ["a"], "q2": ["a"]},
                 {"q1": {"a": 1}, "q2": {"a": 1}}, "RR", policy="strict")
"""


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)


def session(pytester, *options):
    """A session in this process."""
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *options)


def keys(path):
    """The keys of a file of baselines."""
    return set(json.loads(path.read_text(encoding="utf-8"))["baselines"])


@pytest.fixture
def kept(pytester):
    """A test in a folder of its own, with its baseline."""
    folder = pytester.path / "a"
    folder.mkdir()
    (folder / "test_x.py").write_text(OLD, encoding="utf-8")
    session(pytester, "--irm-update=new").assert_outcomes(passed=1)
    assert keys(folder / "irm_baselines.json") == {"test_x.py::test_old"}
    return folder


@pytest.mark.parametrize("options", [["--irm-prune"], ["--irm-prune", "--irm-update=new"]])
def test_prune_spares_what_a_gate_without_a_baseline_may_have_been(pytester, kept, options):
    """The command that the session advises still works after it."""
    (kept / "test_x.py").write_text(OLD.replace("test_old", "test_new"), encoding="utf-8")
    done = session(pytester, *options)
    done.stdout.fnmatch_lines(["not removed: *test_x.py::test_old*baseline rename*test_new*"])
    assert "test_x.py::test_old" in keys(kept / "irm_baselines.json")


def test_prune_removes_what_no_gate_may_have_been(pytester, kept):
    """The missing gate has other queries: it can't be the test that is gone."""
    other = OLD.replace("test_old", "test_new").replace('"q1"', '"p1"').replace('"q2"', '"p2"')
    (kept / "test_x.py").write_text(other, encoding="utf-8")
    session(pytester, "--irm-prune", "--irm-update=new")
    assert keys(kept / "irm_baselines.json") == {"test_x.py::test_new"}


@pytest.mark.parametrize("where", ["same folder", "other folder"])
def test_a_test_that_moved_to_another_file_takes_its_baseline_along(
    pytester, kept, where, monkeypatch
):
    """The hint names the old entry, and its command moves it."""
    folder = kept if where == "same folder" else pytester.path / "b"
    folder.mkdir(exist_ok=True)
    (kept / "test_x.py").rename(folder / "test_y.py")
    done = session(pytester)
    done.assert_outcomes(failed=1)
    said = done.stdout.str()
    line = next(line for line in said.splitlines() if "baseline rename" in line)
    command = line.partition("irmetrics-edu ")[2].split()
    monkeypatch.chdir(pytester.path)
    assert main(command) == 0
    assert keys(folder / "irm_baselines.json") == {"test_y.py::test_old"}
    session(pytester).assert_outcomes(passed=1)


@pytest.mark.usefixtures("kept")
def test_what_a_gate_of_ci_received_can_be_accepted(pytester, monkeypatch):
    """The failing gate writes it beside the report; elsewhere a command takes it over."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("BAD", "1")
    done = session(pytester, "--irm-report=out/r.html")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"*irmetrics-edu baseline accept out/{RECEIVED}*"])
    received = pytester.path / "out" / RECEIVED
    monkeypatch.chdir(pytester.path)
    assert main(["baseline", "accept", str(received)]) == 0
    session(pytester, "--irm-report=out/r.html").assert_outcomes(passed=1)
    assert not received.exists()  # nothing is left to accept


def test_a_gate_without_a_baseline_is_received_too(pytester, monkeypatch):
    """A team whose index lives in CI alone makes its first baseline so."""
    pytester.makepyfile(test_x=OLD)
    monkeypatch.setenv("CI", "true")
    session(pytester, "--irm-report=r.md").assert_outcomes(failed=1)
    monkeypatch.chdir(pytester.path)
    assert main(["baseline", "accept", RECEIVED]) == 0
    session(pytester).assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ["../irm_baselines.json", "/etc/irm_baselines.json", "x.json"])
def test_a_received_file_writes_nowhere_else(pytester, kept, name, monkeypatch, capsys):
    """A path that leads out of the folder is refused."""
    entry = json.loads((kept / "irm_baselines.json").read_text(encoding="utf-8"))["baselines"]
    text = {"format": "irmetrics-edu received baselines, version 1", "files": {name: entry}}
    (pytester.path / RECEIVED).write_text(json.dumps(text), encoding="utf-8")
    monkeypatch.chdir(pytester.path)
    assert main(["baseline", "accept", RECEIVED]) == 2
    assert "no file of baselines below this folder" in capsys.readouterr().err


def test_reports_of_two_jobs_merge_by_their_labels(pytester, monkeypatch, capsys):
    """Without labels the command says how to name them; with them each result has its job."""
    pytester.makepyfile(test_x=OLD)
    session(pytester, "--irm-update=new")
    monkeypatch.chdir(pytester.path)
    for job in ("", "py311", "py312"):
        name = [f"--irm-label={job}", "--irm-title=Release 7"] if job else []
        session(pytester, f"--irm-report=r{job}.json", "--irm-history=h.jsonl", *name)
    assert main(["report", "merge", "r.json", "r.json", "--to", "all.md"]) == 2
    assert "--irm-label" in capsys.readouterr().err
    assert main(["report", "merge", "rpy311.json", "rpy312.json", "--to", "all.json"]) == 0
    merged = json.loads((pytester.path / "all.json").read_text(encoding="utf-8"))
    tests = {one["test"] for one in merged["results"]}
    assert tests == {"[py311] test_x.py::test_old", "[py312] test_x.py::test_old"}
    sessions = [one["label"] for one in merged["made"] if "label" in one]
    assert sessions == ["py311", "py312"]
    assert merged["made"][-1]["command"].startswith("irmetrics-edu report merge rpy311.json")
    from irmetrics_edu.gate.history import read, series

    assert len(series(read(pytester.path / "h.jsonl"))) == 3  # one without a label


@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_a_report_says_of_what_it_is(pytester, form, monkeypatch):
    """Its title, the job, the commit, the date and the versions."""
    monkeypatch.setenv("GITHUB_SHA", "abcdef0123456789")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    pytester.makepyfile(test_x=OLD)
    session(pytester, "--irm-update=new")
    options = ["--irm-title=Release 7", "--irm-label=shop"]
    session(pytester, f"--irm-report=r.{form}", *options)
    said = (pytester.path / f"r.{form}").read_text(encoding="utf-8")
    for part in ("Release 7", "shop", "abcdef0123", "2025-06-15 15:06 UTC", "irmetrics-edu"):
        assert part in said


def test_annotations_are_from_the_top_of_the_repository(pytester, kept, monkeypatch):
    """Where the suite runs in a folder of it."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(pytester.path))
    monkeypatch.setenv("BAD", "1")
    os.chdir(kept)
    (kept / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    done = session(pytester)
    done.stdout.fnmatch_lines(["::error file=a/test_x.py,*"])


def test_a_run_that_is_better_is_told(pytester, monkeypatch):
    """Nobody holds the gain until it is the baseline."""
    monkeypatch.setenv("BAD", "1")
    pytester.makepyfile(test_x=OLD)
    session(pytester, "--irm-update=new")
    monkeypatch.delenv("BAD")
    done = session(pytester)
    done.stdout.fnmatch_lines(["better: *test_old, RR rose by 0.2500; --irm-update=all keeps it"])


@pytest.mark.parametrize("name", ["TF_BUILD", "TEAMCITY_VERSION", "CODEBUILD_BUILD_ID"])
def test_no_ci_service_writes_baselines(pytester, monkeypatch, name):
    """Those that set neither CI nor BUILD_NUMBER are known as well."""
    monkeypatch.setenv(name, "1")
    pytester.makepyfile(test_x=OLD)
    assert session(pytester, "--irm-update=new").ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"),
        ("<!DOCTYPE html><html>Sign in</html>", "download the file again"),
        ("nothing", "git checkout"),
    ],
)
def test_a_damaged_file_of_baselines_says_how_it_comes_back(pytester, kept, content, says):
    """By what it is."""
    (kept / "irm_baselines.json").write_text(content, encoding="utf-8")
    assert says in session(pytester).stdout.str()
