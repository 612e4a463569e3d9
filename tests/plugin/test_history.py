"""The history of gates: what a session adds, what is refused, and what drifts."""

import json
import math
import re
import statistics
import subprocess
import sys
from dataclasses import asdict

import pytest
import scipy.stats

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.history import Entry, append, commit_of, drift, entries, read
from irmetrics_edu.metrics.definition import import_all

import_all()  # metrics are registered once in a process

pytest_plugins = ["pytester"]

WORLD = """
from irmetrics_edu.gate import assert_no_regression
QRELS = {f"q{i}": {"a": 1} for i in range(20)}
OLD = {q: ["a"] for q in QRELS}
NEW = {**OLD, "q0": ["x", "a"]}

def test_gate():
    assert_no_regression(NEW, OLD, QRELS, "RR", margin=0.03)

def test_floor(assert_mrr):
    assert_mrr(NEW, QRELS, at_least=0.5)

def test_kept(irm_baseline):
    irm_baseline(NEW, QRELS, "RR")
"""


def entry(score, margin=0.02, **other):
    """One line of a history."""
    said = {"commit": f"c{score}", "test": "t.py::t", "measure": "RR", "verdict": "pass"}
    said |= {"score": score, "low": None, "high": None, "queries": 9, "margin": margin}
    return Entry(**said | other)


@pytest.mark.slow
@pytest.mark.parametrize(
    "workers",
    [
        pytest.param([], id="one"),
        pytest.param(["-n", "2"], id="two", marks=pytest.mark.suite("guide")),
    ],
)
def test_a_session_adds_a_line_for_each_gate(pytester, monkeypatch, workers):
    """Of gates and written baselines, not of floors; the interval is that of the textbook."""
    monkeypatch.setenv("GITHUB_SHA", "abc123")
    pytester.makepyfile(test_it=WORLD)
    options = ["--irm-history=h.jsonl", "-p", "no:cacheprovider", *workers]
    pytester.runpytest(*options, "--irm-update=new")
    pytester.runpytest(*options)
    lines = read(pytester.path / "h.jsonl")
    found = sorted((e.test, e.verdict, e.margin) for e in lines)
    gate, kept = "test_it.py::test_gate", "test_it.py::test_kept"
    assert found == [(gate, "inconclusive", 0.03)] * 2 + [(kept, "new", None), (kept, "pass", 0.01)]
    scores = [0.5] + [1.0] * 19
    half = scipy.stats.t.ppf(0.975, 19) * statistics.stdev(scores) / math.sqrt(20)
    for one in lines:
        assert (one.commit, one.score, one.queries) == ("abc123", 0.975, 20)
        assert one.low == pytest.approx(0.975 - half)
        assert one.high == pytest.approx(0.975 + half)


@pytest.mark.parametrize(
    ("scores", "drifts"),
    [
        ([0.80, 0.79, 0.78], False),  # by the margin, not more
        ([0.80, 0.79, 0.775], True),
        ([0.80, 0.77], False),  # at once: the gate has told
        ([0.80, 0.79, 0.775, 0.80], False),  # back again
        ([0.70, 0.80, 0.79, 0.775], True),  # from the highest
        ([0.80, 0.70, 0.69, 0.68], False),  # since the fall that was told, by the margin
        ([0.80, 0.70, 0.69, 0.675], True),
        ([0.80, 0.70, 0.80, 0.79, 0.775], True),  # a fall that was mended hides nothing
        ([0.80], False),
    ],
)
def test_what_drifts(scores, drifts):
    """Down by more than the margin of 0.02, never at once, since the last fall that was told."""
    assert (drift([entry(s) for s in scores]) is not None) is drifts
    assert drift([entry(s, margin=None) for s in scores]) is None


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("{}\n", "line 2: '{}' is no line"),
        ('{"a"', "line 2: the last line is torn"),
        ("[1]\n", "line 2: '[1]' is no line"),
        (json.dumps(asdict(entry(0.5)) | {"score": None}) + "\n", "line 2: "),
        (json.dumps(asdict(entry(0.5)) | {"margin": True}) + "\n", "line 2: "),
        (json.dumps(asdict(entry(0.5)) | {"commit": 7}) + "\n", "line 2: "),
    ],
)
def test_a_line_that_is_none_is_refused_and_kept_aside(tmp_path, bad, says):
    """A reader is told of it by its number; the next session goes on, and no line is lost."""
    path = tmp_path / "h.jsonl"
    append(path, [entry(0.5)])
    good = path.read_text(encoding="utf-8")
    path.write_text(good + bad, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read(path)
    assert says in str(refused.value)
    (said,) = append(path, [entry(0.6)])
    assert "line 2: not readable, and kept in" in said
    assert [one.score for one in read(path)] == [0.5, 0.6]
    aside = (tmp_path / "h.jsonl.unreadable").read_text(encoding="utf-8")
    assert aside == bad.removesuffix("\n") + "\n"
    assert append(path, [entry(0.7)]) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of a file can be set")
def test_what_a_full_disk_leaves_is_taken_back(tmp_path):
    """The file is as it was, and the next session adds to it."""
    path = tmp_path / "h.jsonl"
    code = f"""
import pathlib, resource, signal
from irmetrics_edu.gate import history
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
numbers = (.5, .4, .6, 10, .01)
e = [history.Entry("c" * 40, f"t.py::test_{{i}}", "AP", "pass", *numbers) for i in range(5)]
h = pathlib.Path({str(path)!r})
history.append(h, e)
size = h.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 250, resource.RLIM_INFINITY))
try:
    history.append(h, e)
except OSError as error:
    print(error)
assert h.stat().st_size == size
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
assert history.append(h, e) == []
assert len(history.read(h)) == 10
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "too large" in done.stdout


def test_a_tree_with_changes_is_no_clean_commit(tmp_path):
    """But for the history itself, if it is committed."""

    def git(*arguments):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    git("config", "user.email", "a@example.org")
    git("config", "user.name", "A")
    (tmp_path / "engine.py").write_text("1\n", encoding="utf-8")
    (tmp_path / "h.jsonl").write_text("", encoding="utf-8")
    git("add", ".")
    git("commit", "-qm", "First")
    history = tmp_path / "h.jsonl"
    clean = commit_of(tmp_path, history)
    assert re.fullmatch("[0-9a-f]{40}", clean)
    history.write_text("{}\n", encoding="utf-8")
    assert commit_of(tmp_path, history) == clean
    (tmp_path / "engine.py").write_text("2\n", encoding="utf-8")
    assert commit_of(tmp_path, history) == f"{clean}-dirty"


def test_the_command_shows_each_series_and_fails_if_one_drifts(tmp_path, capsys):
    """With the commits between which it fell; a figure on request."""
    path = tmp_path / "h.jsonl"
    append(path, [entry(s, low=s - 0.1, high=s + 0.1) for s in (0.8, 0.79, 0.775)])
    append(path, [entry(0.5, measure="AP")])
    assert main(["history", str(path), "--svg", str(tmp_path / "h.svg")]) == 1
    said = capsys.readouterr().out
    assert "It drifts: it fell by 0.0250 from c0.8 to c0.775" in said
    assert said.count("It drifts") == 1
    assert "<svg" in (tmp_path / "h.svg").read_text(encoding="utf-8")
    assert main(["history", str(path), "--measure", "AP"]) == 0
    assert main(["history", str(path), "--measure", "nDCG"]) == 2
    assert "it holds AP of t.py::t, RR of t.py::t" in capsys.readouterr().err


def test_what_has_no_score_is_no_entry():
    """A gate that could not be made has none."""
    nothing = {"bounds": {"margin": 0.1}, "score": None, "verdict": "error"}
    assert entries([nothing], "") == []


def test_without_ci_git_says_the_commit(tmp_path, monkeypatch):
    """And without git there is none."""
    for name in ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"):
        monkeypatch.delenv(name, raising=False)
    assert commit_of(tmp_path) == ""
    monkeypatch.setenv("PATH", "")
    assert commit_of(tmp_path) == ""


def test_a_line_with_a_key_twice_is_refused(tmp_path):
    """Nobody can tell which of its values counts."""
    path = tmp_path / "h.jsonl"
    append(path, [Entry("c", "t.py::t", "AP", "pass", 0.5, 0.4, 0.6, 10, 0.01)])
    text = path.read_text(encoding="utf-8").replace('"score": 0.5', '"score": 0.5, "score": 0.9')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"h\.jsonl, line 1: .* is no line of a history"):
        read(path)


def test_the_name_of_the_file_is_checked(pytester):
    """Before any test runs."""
    result = pytester.runpytest("--irm-history=h.json")
    assert "the name ends in .jsonl" in result.stderr.str()


def _line(**other):
    """A line of a history, with other values."""
    usual = {
        "commit": "c", "test": "t", "measure": "AP", "verdict": "pass", "score": 0.5,
        "low": 0.4, "high": 0.6, "queries": 3, "margin": 0.1,
    }  # fmt: skip
    return json.dumps(usual | other) + "\n"


@pytest.mark.parametrize(
    "other",
    [
        {"low": 0.54, "high": 0.5},
        {"low": None},
        {"high": None},
        {"score": 1e308},
        {"score": 10**400},
        {"queries": 2.5},
        {"queries": -1},
        {"queries": True},
        {"score": "0.5"},
        {"commit": 5},
    ],
)
def test_a_line_of_odd_values_is_named(tmp_path, capsys, other):
    """Numbers that fit no interval, no count and no plot: the line is named, nothing ends badly."""
    path = tmp_path / "history.jsonl"
    path.write_text(_line() + _line(**other), encoding="utf-8")
    assert main(["history", str(path)]) == 2
    assert f"{path}, line 2: " in capsys.readouterr().err


@pytest.mark.parametrize("score", [0.0, 0.39, 0.61, 0.9, -1e300])
def test_a_mean_beside_its_interval_is_drawn(tmp_path, capsys, score):
    """As a geometric mean may be: the interval is of the arithmetic one."""
    path = tmp_path / "history.jsonl"
    path.write_text(_line() + _line(score=score), encoding="utf-8")
    assert main(["history", str(path), "--svg", str(tmp_path / "out.svg")]) in (0, 1)
    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  c ")]
    assert [line.count("o") for line in shown] == [1, 1]
    assert (tmp_path / "out.svg").exists()
