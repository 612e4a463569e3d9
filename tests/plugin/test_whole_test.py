"""The whole test decides what is written and reported: every report of it, and its last attempt."""

import json
import xml.etree.ElementTree as ET

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

HEAD = """
import pytest
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
GOOD = {"q1": ["a"], "q2": ["b"]}
LOWER = {"q1": ["x", "a"], "q2": ["b"]}
RUN = GOOD
TRIES = []

@pytest.fixture
def torn_down():
    yield
    assert not "torn down"

@pytest.fixture
def skips_at_the_end():
    yield
    pytest.skip("at the end")

@pytest.fixture
def fails_at_the_start(irm_baseline):
    irm_baseline(RUN, QRELS, "RR")
    assert not "set up"
"""

# Tests that use their baseline and do not pass; what the summary says of the baseline.
FAILED = "test_it.py::test_it: not written, since the test failed"
OTHER = "test_it.py::test_it: not written, since the test did not pass"
NOT_PASSED = {
    "an assertion after it": ("(irm_baseline)", ["irm_baseline(RUN, QRELS, 'RR')", "assert 0"]),
    "a subtest after it": (
        "(subtests, irm_baseline)",
        [
            "with subtests.test(): irm_baseline(RUN, QRELS, 'RR')",
            "with subtests.test(): assert 0",
        ],
    ),
    "a subtest before it": (
        "(subtests, irm_baseline)",
        ["with subtests.test(): assert 0", "irm_baseline(RUN, QRELS, 'RR')"],
    ),
    "a subtest beside it, and a good one last": (
        "(subtests, irm_baseline)",
        [
            "with subtests.test(): irm_baseline(RUN, QRELS, 'RR')",
            "with subtests.test(): assert 0",
            "with subtests.test(): assert 1",
        ],
    ),
    "a subtest that skips": (
        "(subtests, irm_baseline)",
        [
            "with subtests.test(): irm_baseline(RUN, QRELS, 'RR')",
            "with subtests.test(): pytest.skip()",
        ],
    ),
    "a teardown that fails": ("(torn_down, irm_baseline)", ["irm_baseline(RUN, QRELS, 'RR')"]),
    "a teardown that skips": (
        "(skips_at_the_end, irm_baseline)",
        ["irm_baseline(RUN, QRELS, 'RR')"],
    ),
    "a setup that fails": ("(fails_at_the_start)", ["pass"]),
    "a skip after it": ("(irm_baseline)", ["irm_baseline(RUN, QRELS, 'RR')", "pytest.skip()"]),
    "an xfail after it": ("(irm_baseline)", ["irm_baseline(RUN, QRELS, 'RR')", "pytest.xfail()"]),
}
HAS_SUBTESTS = hasattr(pytest, "Subtests")  # from pytest 9 on
KINDS = [kind for kind in NOT_PASSED if HAS_SUBTESTS or "subtests" not in NOT_PASSED[kind][0]]
WITH_WORKERS = ["a subtest after it", "a teardown that fails"]


def a_test(kind, run="GOOD"):
    """A test file with a test of this kind over a run."""
    given, lines = NOT_PASSED[kind]
    body = "".join(f"    {line}\n" for line in lines)
    return f"{HEAD}\nRUN = {run}\ndef test_it{given}:\n{body}"


def session(pytester, text, *options):
    """A session over one test file."""
    pytester.makepyfile(test_it=text)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)


@pytest.mark.parametrize("kind", KINDS)
def test_a_test_that_does_not_pass_writes_no_baseline(pytester, kind):
    """Neither a new one, nor in the place of another."""
    file = pytester.path / "irm_baselines.json"
    made = session(pytester, a_test(kind), "--irm-update=new", "--irm-report=r.json")
    assert not file.exists()
    why = OTHER if "skip" in kind or "xfail" in kind else FAILED
    [only] = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))["results"]
    assert (only["verdict"], only["explanation"]) == ("error", why)
    made.stdout.no_fnmatch_line("*baseline written*")

    passing = f"{HEAD}\ndef test_it(irm_baseline):\n    irm_baseline(GOOD, QRELS, 'RR')\n"
    session(pytester, passing, "--irm-update=new").assert_outcomes(passed=1)
    before = file.read_bytes()
    for update in ("failing", "all"):
        session(pytester, a_test(kind, "LOWER"), f"--irm-update={update}")
        assert file.read_bytes() == before


@pytest.mark.parametrize("kind", [kind for kind in WITH_WORKERS if kind in KINDS])
def test_so_it_is_with_workers(pytester, kind):
    """The main process writes, and knows of all reports."""
    session(pytester, a_test(kind), "--irm-update=new", "-n2")
    assert not (pytester.path / "irm_baselines.json").exists()


def test_a_session_that_is_stopped_writes_only_tests_that_ended(pytester):
    """Ctrl-C in the teardown of the second test."""
    text = HEAD + (
        "\n@pytest.fixture\ndef stops():\n    yield\n    raise KeyboardInterrupt\n"
        "\ndef test_a(irm_baseline):\n    irm_baseline(RUN, QRELS, 'RR')\n"
        "\ndef test_b(stops, irm_baseline):\n    irm_baseline(RUN, QRELS, 'RR')\n"
    )
    pytester.makepyfile(test_it=text)
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "--irm-update=new")
    kept = json.loads((pytester.path / "irm_baselines.json").read_text(encoding="utf-8"))
    assert list(kept["baselines"]) == ["test_it.py::test_a"]


# How plugins run a test again. The first calls it within the report of its failure, the second
# makes no report of the second attempt, and the third runs the whole protocol again.
IN_THE_REPORT = """
import pytest
@pytest.hookimpl(wrapper=True{order})
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed and not hasattr(item, "again"):
        report.outcome = "again"
        item.ihook.pytest_runtest_logreport(report=report)
        item.again = pytest.CallInfo.from_call(
            lambda: item.ihook.pytest_runtest_call(item=item), when="call"
        )
        report = item.ihook.pytest_runtest_makereport(item=item, call=item.again)
    return report
"""
WITHOUT_A_REPORT = """
import pytest
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed and not hasattr(item, "again"):
        nextitem = pytest.Class.from_parent(item.session, name="Nothing")
        item.again = pytest.CallInfo.from_call(
            lambda: item.ihook.pytest_runtest_teardown(item=item, nextitem=nextitem),
            when="teardown",
        )
        report.outcome = "retried"
        item.ihook.pytest_runtest_logreport(report=report)
        item._initrequest()
        pytest.CallInfo.from_call(
            lambda: item.ihook.pytest_runtest_setup(item=item), when="setup"
        )
        second = pytest.CallInfo.from_call(
            lambda: item.ihook.pytest_runtest_call(item=item), when="call"
        )
        made = pytest.TestReport.from_item_and_call(item, second)
        report.outcome = made.outcome
        report.longrepr = made.longrepr
    return report
"""
THE_PROTOCOL = """
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in (1, 2):
        item._initrequest()
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = [one for one in reports if one.failed]
        if not failed or attempt == 2:
            break
        for report in reports:
            if report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
"""
AGAIN = {
    "in the report": IN_THE_REPORT.format(order=""),
    "in the report, first": IN_THE_REPORT.format(order=", tryfirst=True"),
    "in the report, last": IN_THE_REPORT.format(order=", trylast=True"),
    "without a report": WITHOUT_A_REPORT,
    "the protocol": THE_PROTOCOL,
}


def twice(gate, good, fixtures="", more=""):
    """A test whose assertion after the gate holds in attempt number `good` alone."""
    lines = [
        f"def test_it(irm_baseline, assert_mrr{fixtures}):",
        "    TRIES.append(1)",
        f"    run = GOOD if len(TRIES) == {good} else LOWER",
        f"    irm_baseline({gate}, QRELS, 'RR')",
        more and f"    {more}",
        "    assert_mrr(run, QRELS, at_least=0.9)",
    ]
    return "\n".join([HEAD, *lines, ""])


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.suite("guide"))])
@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("good", [2, 3])
def test_the_last_attempt_counts_everywhere(pytester, monkeypatch, again, good, workers):
    """In the table, reports, annotations, the history, JUnit, and for the baseline."""
    if workers == "-n1" and again not in {"in the report", "without a report"}:
        workers = "-n0"  # starting a worker takes seconds
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    pytester.makeconftest(AGAIN[again])
    session(pytester, twice("GOOD", 1), "--irm-update=new").assert_outcomes(passed=1)
    text = twice("run", good)
    written = ("--irm-report=r.json", "--irm-history=h.jsonl", "--junitxml=j.xml")
    result = session(pytester, text, "--irm-policy=strict", workers, *written)
    results = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))["results"]
    history = (pytester.path / "h.jsonl").read_text(encoding="utf-8").splitlines()
    held = [(r["measure"], r["score"], r["verdict"]) for r in results]
    root = ET.parse(pytester.path / "j.xml").getroot()  # noqa: S314 -- our own file
    junit = root.findall(".//testcase")[-1]
    scores = {one.get("name"): one.get("value") for one in junit.findall(".//property")}
    if good == 2:
        assert held == [("MRR", 1.0, "pass"), ("RR", 1.0, "pass")]
        assert scores == {"RR": "1", "MRR": "1"}
        result.stdout.no_fnmatch_line("::error*")
    else:  # the gate fails in both attempts, so the assertion after it is never made
        assert held == [("RR", 0.75, "fail")]
        assert scores == {"RR": "0.75"}
        assert len([line for line in result.outlines if "::error" in line]) == 1
    assert [json.loads(line)["score"] for line in history] == [1.0 if good == 2 else 0.75]


@pytest.mark.parametrize("again", AGAIN)
def test_the_last_attempt_s_baseline_is_written(pytester, again):
    """And not that of the attempt before it, which failed."""
    pytester.makeconftest(AGAIN[again])
    session(pytester, twice("run", 2), "--irm-update=new")
    kept = json.loads((pytester.path / "irm_baselines.json").read_text(encoding="utf-8"))
    assert kept["baselines"]["test_it.py::test_it"]["means"] == {"RR": 1.0}


@pytest.mark.parametrize("again", AGAIN)
def test_a_test_that_fails_in_both_attempts_writes_none(pytester, again):
    """Nor does a subtest of the second attempt that fails."""
    pytester.makeconftest(AGAIN[again])
    session(pytester, twice("GOOD", 3), "--irm-update=new")
    assert not (pytester.path / "irm_baselines.json").exists()
    if not HAS_SUBTESTS:
        return
    part = twice("GOOD", 2, ", subtests", "with subtests.test(): assert False")
    session(pytester, part, "--irm-update=new")
    assert not (pytester.path / "irm_baselines.json").exists()


def test_an_expected_failure_is_told_as_one(pytester):
    """By pytest.raises, and by a marker; in a test that fails elsewhere it is a failure."""
    text = HEAD + (
        "\ndef test_raises(assert_mrr):\n"
        "    with pytest.raises(AssertionError):\n"
        "        assert_mrr(LOWER, QRELS, at_least=0.9)\n"
        "\n@pytest.mark.xfail\ndef test_marked(assert_mrr):\n"
        "    assert_mrr(LOWER, QRELS, at_least=0.9)\n"
        "\ndef test_both(assert_mrr):\n"
        "    with pytest.raises(AssertionError):\n"
        "        assert_mrr(LOWER, QRELS, at_least=0.9)\n"
        "    assert 0\n"
    )
    session(pytester, text, "--irm-report=r.json")
    results = json.loads((pytester.path / "r.json").read_text(encoding="utf-8"))["results"]
    assert {r["test"].partition("::")[2]: r["verdict"] for r in results} == {
        "test_raises": "xfail",
        "test_marked": "xfail",
        "test_both": "fail",
    }
