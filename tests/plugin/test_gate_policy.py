"""A team's policy by ini file, option, marker and call; what reports tell of gates and updates."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu import measured
from irmetrics_edu.gate import RankingAssertionError, assert_no_regression
from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow

# One of 36 queries falls from rank 1 to nothing: RR by 1/36, inconclusive, no limit is met.
WORLD = """
import pathlib
import pytest
from irmetrics_edu.gate import assert_no_regression
WORSE = pathlib.Path(__file__).with_name("worse").exists()
QRELS = {f"q{i}": {"r": 1} for i in range(36)}
OLD = {q: ["r"] for q in QRELS}
NEW = {**OLD, "q0": ["x"]}
RUN = NEW if WORSE else OLD
LANGUAGES = {q: "de" if q in ("q0", "q1") else "<en>" for q in QRELS}
"""


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    """A screen on which nothing is cut."""
    monkeypatch.setenv("COLUMNS", "160")


def session(pytester, test, *options):
    """A session over a test of this world."""
    pytester.makepyfile(test_it=WORLD + test)
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)


def gated(pytester, test, *options):
    """A session whose baseline was written while the engine was better."""
    session(pytester, test, "--irm-update=new")
    (pytester.path / "worse").touch()
    return session(pytester, test, *options)


EACH_WAY = """
pytestmark = pytest.mark.irm_baseline(confidence=0.9)
marked = pytest.mark.irm_baseline

def gate(**options):
    assert_no_regression(NEW, OLD, QRELS, "RR", **options)

def test_plain():
    gate()

@marked(max_query_drop=0.5)
def test_mark_limits():
    gate()

@marked(protected=["q0"])
def test_mark_protects():
    gate()

@marked(inconclusive="pass")
def test_mark_passes():
    gate()

@marked(max_query_drop=0.5)
def test_call_lifts():
    gate(max_query_drop="off")

@marked(protected=["q0"])
def test_call_protects_another():
    gate(protected=["q1"], inconclusive="pass")
"""


@pytest.mark.parametrize(
    ("ini", "options", "stopped"),
    [
        ("", "", "mark_limits mark_protects"),
        (
            "irm_max_query_drop = 0.5",
            "",
            "plain mark_limits mark_protects mark_passes call_protects_another",
        ),
        ("irm_max_query_drop = 0.5", "--irm-max-query-drop=off", "mark_limits mark_protects"),
        (
            "irm_inconclusive = fail",
            "",
            "plain mark_limits mark_protects call_lifts",
        ),
        (
            "irm_margin = 0.02",
            "--irm-max-observed-drop=0.02",
            "plain mark_limits mark_protects mark_passes call_lifts call_protects_another",
        ),
        (
            "irm_policy = strict",
            "",
            "plain mark_limits mark_protects mark_passes call_lifts call_protects_another",
        ),
        ("irm_policy = strict", "--irm-max-observed-drop=off", "mark_limits mark_protects"),
        ("irm_policy = strict", "--irm-policy=advise", ""),
    ],
)
def test_the_closest_word_counts(pytester, ini, options, stopped):
    """Call before marker, marker before option, option before ini file."""
    pytester.makeini(f"[pytest]\n{ini}\n")
    result = session(pytester, EACH_WAY, *options.split(), "-rf", "--tb=no")
    failed = {line.split()[1] for line in result.outlines if line.startswith("FAILED ")}
    assert failed == {f"test_it.py::test_{name}" for name in stopped.split()}


def test_the_fixture_follows_the_policy_too(pytester):
    """Markers of module and test add up: what the closer one does not say, the other one says."""
    test = """
pytestmark = pytest.mark.irm_baseline(max_query_drop=0.5)

@pytest.mark.irm_baseline(inconclusive="pass")
def test_kept(irm_baseline):
    irm_baseline(RUN, QRELS, "RR")

def test_lifted(irm_baseline):
    irm_baseline(RUN, QRELS, "RR", max_query_drop="off")
"""
    gated(pytester, test).assert_outcomes(failed=1, passed=1, warnings=1)


def test_the_ini_file_of_the_page_is_one(pytester):
    """Every key that the page names is known, and its value taken."""
    page = Path(__file__).resolve().parents[2] / "docs" / "gates.md"
    ini = re.search(r"```ini\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert ini.count("irm_") == 2
    pytester.makeini(ini)
    test = 'def test_given():\n    assert_no_regression(RUN, OLD, QRELS, "RR")\n'
    session(pytester, test, "--strict-config").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("ini", "says"),
    [
        ("irm_margin = lots", "margin = 'lots' is not a number"),
        ("irm_max_query_drop = -1", "max_query_drop=-1.0: give 0 or more"),
        ("irm_policy = lax", "policy='lax' is not known; use one of strict, sample, advise"),
        ("irm_inconclusive = maybe", "use one of pass, warn, fail"),
        ("irm_max_group_drop = tenth", "give a number, such as 0.05, or 'off' or 'margin'"),
    ],
)
def test_a_policy_that_is_none_is_refused_before_any_test(pytester, ini, says):
    """With what would do."""
    pytester.makeini(f"[pytest]\n{ini}\n")
    result = session(pytester, "def test_it(): pass\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert says in result.stderr.str()


KEPT = (
    'def test_kept(irm_baseline):\n    irm_baseline(RUN, QRELS, "RR Success", max_query_drop=0.5)\n'
)


@pytest.mark.parametrize(("update", "verbosity"), [("failing", ""), ("all", "-q")])
def test_an_accepted_change_is_told_with_the_name_of_its_test(pytester, update, verbosity):
    """Old and new mean of each measure; not as an expected failure."""
    result = gated(
        pytester, KEPT, f"--irm-update={update}", "--irm-report=it.json", *verbosity.split()
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["updated: test_it.py::test_kept, RR 1.0000 -> 0.9722, Success 1.0000 -> 0.9722"]
    )
    assert "xfail" not in result.stdout.str()
    if not verbosity:
        result.stdout.fnmatch_lines(["updated *RR*0.9722*was 1.0000*36*test_it.py::test_kept"])
    facts = json.loads((pytester.path / "it.json").read_text(encoding="utf-8"))["results"]
    assert [(f["verdict"], f["score"], f["bounds"]) for f in facts] == [
        ("updated", 0.972222, {"was": 1.0})
    ] * 2


def test_what_did_not_change_is_not_told_as_a_change(pytester):
    """Written anew, but the same."""
    session(pytester, KEPT, "--irm-update=new").stdout.fnmatch_lines(["new *RR*1.0000*-*36*"])
    result = session(pytester, KEPT, "--irm-update=all")
    result.stdout.no_fnmatch_line("updated: *")
    result.stdout.fnmatch_lines(["1 baseline written*"])


GROUPED = """
def test_gate(irm_baseline):
    irm_baseline(RUN, QRELS, "RR", groups=LANGUAGES, max_group_drop=0.4, queries={"q0": "a & b"})

def test_floor(assert_mrr):
    assert_mrr(RUN, QRELS, groups=LANGUAGES, every_group_at_least={"<en>": 0.9})
"""


def test_reports_hold_groups_and_the_explanation_of_the_terminal(pytester):
    """In JSON, Markdown and HTML: the worst group first, and the message word for word."""
    options = [f"--irm-report=it.{kind}" for kind in ("json", "md", "html")]
    result = gated(pytester, GROUPED, *options)
    result.assert_outcomes(passed=1, failed=1)
    read = {kind: (pytester.path / f"it.{kind}").read_text("utf-8") for kind in ("json", "md")}
    page = (pytester.path / "it.html").read_text(encoding="utf-8")
    gate, floor = json.loads(read["json"])["results"]
    assert [(g["group"], g["queries"], g["score"], g["verdict"]) for g in gate["groups"]] == [
        ("de", 2, 0.5, "fail"),
        ("<en>", 34, 1.0, "pass"),
    ]
    assert [g["group"] for g in floor["groups"]] == ["de", "<en>"]
    assert floor["bounds"] == {"every_group_at_least": {"<en>": 0.9}}
    said = gate["explanation"].split("\n")
    assert (
        "pytest 'test_it.py::test_gate' --irm-update=failing makes this run the baseline"
    ) in " ".join(gate["explanation"].split())
    assert said[0] == (
        "RR of group de fell by 0.5000 > 0.4000, the hard limit for a group (1.0000 -> 0.5000; "
        "2 queries)"
    )
    shown = [line.removeprefix("E").strip() for line in result.outlines]
    for line in said:
        assert line.strip() in shown
        assert f"    {line}" in read["md"].split("\n")
    assert "| fail | de | 2 | 1.0000 | 0.5000 | 1.0000 |" in read["md"]
    assert "<en>" not in page
    assert "<td>&lt;en&gt;</td>" in page
    assert '<pre tabindex="0">RR of group de fell by 0.5000 &gt; 0.4000' in page
    assert "&quot;a &amp; b&quot;" in page
    result.stdout.fnmatch_lines(
        ["fail *RR*0.9722*baseline 1.0000 - 0.01, group - 0.4*36*", "pass *MRR*<en> >= 0.9*"]
    )


def test_an_inconclusive_gate_is_explained_in_reports(pytester):
    """As the warning has it."""
    test = 'def test_kept(irm_baseline):\n    irm_baseline(RUN, QRELS, "RR")\n'
    gated(pytester, test, "--irm-report=it.json").assert_outcomes(passed=1, warnings=1)
    (facts,) = json.loads((pytester.path / "it.json").read_text(encoding="utf-8"))["results"]
    assert facts["verdict"] == "inconclusive"
    assert facts["explanation"].startswith("RR fell by 0.0278, 0.0100 is tolerated: 36 queries")


def test_a_measure_that_cannot_tell_has_its_reason_beside_one_that_fails():
    """By hand: a falls from rank 1 of q0, which is protected, and out of two of q1: P@2."""
    qrels = {f"q{i}": {"a": 1} for i in range(12)}
    old = {q: ["a", "b", "c"] for q in qrels}
    heard = []
    listener = SimpleNamespace(hear=heard.append, reveal=lambda: "all", policy=dict)
    measured.listen(listener)
    try:
        with pytest.raises(RankingAssertionError, match="RR of protected query q0 fell by"):
            assert_no_regression(
                {**old, "q0": ["b", "a", "c"], "q1": ["b", "c", "a"]},
                old,
                qrels,
                "RR P@2",
                protected=["q0"],
            )
    finally:
        measured.stop(listener)
    facts = {fact["measure"]: fact for fact in (one.facts() for one in heard)}
    assert facts["P@2"]["verdict"] == "inconclusive"
    # 0.5 / 12 = 0.0417
    assert facts["P@2"]["explanation"].startswith("P@2 fell by 0.0417, 0.0100 is tolerated: 12 ")


def test_each_failing_measure_has_its_reason_and_what_was_protected_is_said(pytester):
    """In reports: the message of the terminal is that of the first measure alone."""
    test = (
        "def test_kept(irm_baseline):\n"
        '    irm_baseline(RUN, QRELS, "RR Success nDCG@3", protected=["q0", "q1"])\n'
    )
    result = gated(pytester, test, "--irm-report=it.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["fail *Success *baseline 1.0000 - 0.01, 2 protected *"])
    facts = json.loads((pytester.path / "it.json").read_text(encoding="utf-8"))["results"]
    for fact in facts:
        measure = fact["measure"]
        assert fact["bounds"]["protected"] == ["q0", "q1"]
        assert fact["explanation"].startswith(f"{measure} of protected query q0 fell by 1.0000")
