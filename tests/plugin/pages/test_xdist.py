"""What the page "Run ranking tests in parallel" promises, beside what it prints."""

import json
import random
from importlib.metadata import version

import numpy as np
import pytest

from irmetrics_edu.gate import assert_no_regression

pytest_plugins = ["pytester"]

# Two files with what is seldom tried: two gates of one test, ids that are numbers, queries that the
# run lacks or finds nothing for, a test that fails, one that is expected to, and bad input.
CONFTEST = """
import os
import pytest

@pytest.fixture(scope="session", autouse=True)
def engine():
    with open("started.txt", "a") as file:
        file.write(f"{os.getpid()}\\n")

def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.xdist_group("all"))
"""
FIRST = """
import pytest
Q = {f"q{i}": {"d": 2, "e": 1} for i in range(8)}
RUN = {q: ["e", "d"] for q in Q}

def test_two(irm_baseline):
    irm_baseline(RUN, Q, "RR nDCG@3", name="b")
    irm_baseline(RUN, Q, "P@1", name="a")

def test_numbers(irm_baseline):
    irm_baseline({1: [7, 8], 2: [8, 7]}, {1: {7: 1}, 2: {7: 1}}, "RR")

@pytest.mark.parametrize("which", ["a b", "c #d", "ü"])
def test_parameters(irm_baseline, which):
    irm_baseline(RUN, Q, "nDCG@3")
"""
SECOND = """
import os
import pytest
from test_first import Q, RUN

def test_unanswered(irm_baseline):
    irm_baseline({**RUN, "q1": []} | {"q2": ["e"]}, Q, "AP")

def test_lacks(irm_baseline):
    irm_baseline({q: r for q, r in RUN.items() if q != "q3"}, Q, "RR")

def test_low(assert_ndcg):
    assert_ndcg(RUN, Q, k=3, at_least=0.99)

@pytest.mark.xfail
def test_expected(assert_ndcg):
    assert_ndcg(RUN, Q, k=3, at_least=0.99)

def test_bad_input(assert_mrr):
    assert_mrr(RUN, {}, at_least=0.5)

def test_crash(irm_baseline):
    irm_baseline(RUN, Q, "RR")
    if "CRASH" in os.environ:
        os._exit(1)
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """The folder, on a day that stands still."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1750000000")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_first=FIRST, test_second=SECOND)
    return pytester


def written(project, session, folder, *options):
    """What a session writes to a folder: the file of baselines, and reports in each form."""
    where = project.path / folder
    where.mkdir()
    reports = [f"--irm-report={where}/r.{form}" for form in ("json", "md", "html")]
    session("--irm-update=new", "--tb=no", "-q", *reports, *options)
    baselines = project.path / "irm_baselines.json"
    found = {"baselines": baselines.read_bytes()}
    baselines.unlink()
    for report in where.iterdir():
        found[report.name] = report.read_bytes()
    return found


@pytest.mark.suite("guide")
def test_two_workers_write_what_one_process_writes(project, session):
    """Byte for byte; the engine is started once in each worker that runs a test."""
    alone = written(project, session, "one", "-n0")
    started = project.path / "started.txt"
    assert len(set(started.read_text().split())) == 1
    started.unlink()
    together = written(project, session, "two", "-n2", "--dist=loadgroup")
    if (version("pytest-xdist"), version("pytest")) == ("3.8.0", "9.2.0"):
        assert len(set(started.read_text().split())) == 2  # they ignore the group
    assert set(alone) == {"baselines", "r.json", "r.md", "r.html"}
    for name, content in alone.items():
        assert together[name] == content, name
    verdicts = [one["verdict"] for one in json.loads(alone["r.json"])["results"]]
    assert {"new", "fail", "xfail", "error"} == set(verdicts)


def test_a_test_whose_worker_crashes_fails_and_keeps_no_baseline(project, session, monkeypatch):
    """The others keep theirs, those of its worker too."""
    monkeypatch.setenv("CRASH", "1")
    done = session("--irm-update=new", "-n1", "-q", "--tb=no", "-k", "crash or lacks or numbers")
    done.assert_outcomes(passed=2, failed=1, deselected=0)
    kept = json.loads((project.path / "irm_baselines.json").read_text(encoding="utf-8"))
    assert set(kept["baselines"]) == {"test_first.py::test_numbers", "test_second.py::test_lacks"}


def test_a_comparison_draws_the_same_numbers_each_time():
    """Whatever was drawn before it, as in another worker after other tests."""
    draw = random.Random(3)
    qrels = {f"q{i}": {"a": 1} for i in range(60)}
    old = {query: draw.sample(["a", "b", "c", "d"], 4) for query in qrels}
    new = {query: draw.sample(["a", "b", "c", "d"], 4) for query in qrels}
    found = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002 -- what others may have drawn from
        settings = {"max_observed_drop": "off", "inconclusive": "pass", "margin": 0.2}
        [verdict] = assert_no_regression(new, old, qrels, "RR", **settings)
        found.append((verdict.p, verdict.word))
    assert found[0] == found[1]
    assert found[0][0] is not None
