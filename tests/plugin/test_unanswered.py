"""Finding nothing is an answer with a name: a query whose ranking is empty is told everywhere."""

import json

import pytest

from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_improves,
    assert_ndcg,
    assert_no_regression,
)
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.decision import judge
from irmetrics_edu.gate.policy import POLICIES, made
from irmetrics_edu.judging import judge_claims

pytest_plugins = ["pytester"]
QRELS = {f"q{i}": {"a": 1} for i in range(20)}
RUN = {q: ["a"] for q in QRELS}
EMPTY = {**RUN, "q7": []}
MISSING = {q: r for q, r in RUN.items() if q != "q7"}
UNRANKED = {**RUN, "q7": {}}  # scores, and no document
TEST = """
import os
Q = {f"q{i}": {"a": 1} for i in range(20)}
BAD = set(os.environ.get("BAD", "").split())
def test_e(irm_baseline):
    irm_baseline({q: [] if q in BAD else ["a"] for q in Q}, Q, "RR")
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """A project with a baseline in which every query is answered."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    pytester.makepyfile(test_e=TEST)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-update=new").assert_outcomes(
        passed=1
    )
    return pytester


@pytest.mark.parametrize("run", [EMPTY, MISSING, UNRANKED], ids=["empty", "missing", "no scores"])
@pytest.mark.parametrize("policy", ["strict", "sample"])
def test_a_query_that_finds_nothing_now_fails_and_is_named(run, policy):
    """Whatever the mean does: 19 of 20 queries are as they were."""
    with pytest.raises(RankingAssertionError, match="q7") as failed:
        assert_no_regression(run, RUN, QRELS, "RR", policy=policy)
    assert "nothing" in str(failed.value)


def test_a_gain_elsewhere_hides_no_query_that_finds_nothing():
    """Another query is answered for the first time: the count is the same, and q7 is told."""
    was = {**RUN, "q3": []}
    with pytest.raises(RankingAssertionError, match=r"finds nothing now.*\(q7\)"):
        assert_no_regression(EMPTY, was, QRELS, "RR", max_observed_drop="off")
    with pytest.raises(RankingAssertionError, match="q7"):
        assert_improves(EMPTY, {**was, "q4": ["b"]}, QRELS, "RR")


@pytest.mark.parametrize(("most", "stopped"), [(0, True), (1, False), (2, False), ("off", False)])
def test_max_unanswered_says_how_many_may(most, stopped):
    """What may be is a warning that names the query."""
    if stopped:
        with pytest.raises(RankingAssertionError):
            assert_no_regression(EMPTY, RUN, QRELS, "RR", max_unanswered=most, inconclusive="pass")
    else:
        with pytest.warns(UserWarning, match=r"1 query finds nothing .*\(q7\)"):
            assert_no_regression(EMPTY, RUN, QRELS, "RR", max_unanswered=most, inconclusive="pass")


def test_what_found_nothing_before_is_no_news():
    """A query that neither answers is no reason to fail."""
    assert [v.word for v in assert_no_regression(EMPTY, EMPTY, QRELS, "RR")] == ["pass"]


def test_a_verdict_is_shown_in_a_line():
    """In a notebook the cell shows what came out, and not every query."""
    qrels = {f"query number {i}": {"a": 1} for i in range(200)}
    run = {q: ["a"] for q in qrels}
    found = assert_no_regression(run, run, qrels, "RR AP nDCG@10")
    assert repr(found[0]) == "<Verdict RR: pass (1.0000 -> 1.0000; 200 queries)>"
    assert len(repr(found)) < 300


@pytest.mark.parametrize(("ranking", "what"), [((d for d in "a"), "a generator"), (None, "None")])
def test_what_is_no_ranking_is_named(ranking, what):
    """A generator or None for a query is not taken for one ranking."""
    with pytest.raises(ValueError, match=f"the run has {what} for 'q0'; give each query"):
        assert_no_regression({"q0": ranking}, {"q0": ["a"]}, {"q0": {"a": 1}}, "RR")


def test_advise_only_warns_of_it():
    """As of any other reason to fail."""
    assert "advise" in POLICIES
    with pytest.warns(UserWarning, match="q7"):
        assert_no_regression(EMPTY, RUN, QRELS, "RR", policy="advise")


def test_a_failed_assertion_names_what_finds_nothing():
    """Beside what is missing and what is not judged."""
    with pytest.raises(RankingAssertionError, match=r"1 query finds nothing \(q7\)"):
        assert_ndcg(EMPTY, QRELS, k=10, at_least=0.99)


def test_the_baseline_the_report_and_the_diff_name_it(project, monkeypatch):
    """A gate that fails, its report, the line of an update, and the review of the change."""
    before = project.path / "before.json"
    before.write_bytes((project.path / "irm_baselines.json").read_bytes())
    monkeypatch.setenv("BAD", "q7")
    done = project.runpytest_inprocess("-p", "no:cacheprovider", "--irm-report=r.json")
    done.assert_outcomes(failed=1)
    assert "q7" in done.stdout.str()
    assert "nothing" in done.stdout.str()
    (result,) = json.loads((project.path / "r.json").read_text(encoding="utf-8"))["results"]
    assert result["unanswered"] == ["q7"]
    done = project.runpytest_inprocess("-p", "no:cacheprovider", "--irm-update=failing")
    done.stdout.fnmatch_lines(["updated: *1 query finds nothing now (q7)*"])
    from irmetrics_edu.gate.plugin.baseline_diff import difference

    found = difference(before, project.path / "irm_baselines.json")
    assert any("1 query finds nothing now (q7)" in note for note in found.notes)


def test_an_option_and_a_marker_set_it(project, monkeypatch):
    """As every other setting."""
    monkeypatch.setenv("BAD", "q7")
    done = project.runpytest_inprocess(
        "-p", "no:cacheprovider", "--irm-max-unanswered=1", "-Wdefault"
    )
    done.assert_outcomes(passed=1, warnings=2)
    done = project.runpytest_inprocess("-p", "no:cacheprovider", "--irm-max-unanswered=1.5")
    assert done.ret == pytest.ExitCode.USAGE_ERROR


def test_a_bad_new_claim_is_shown_beside_the_good_old_one(pytester, monkeypatch):
    """What came in says more than what moved."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    pytester.makepyfile(
        test_v="""
        import os
        from irmetrics_edu.judging import judge_claims
        SAID = {"Cats purr.": 1, "Fish fly.": 0} if "BAD" in os.environ else {"Cats purr.": 1}
        def test_v(irm_baseline):
            irm_baseline(*judge_claims({f"q{i}": SAID for i in range(9)}), "P", policy="strict")
        """
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--irm-update=new")
    monkeypatch.setenv("BAD", "1")
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["E*Fish fly.*0*-*2*", "E*Cats purr.*-0.5000"])


@pytest.mark.parametrize("policy", ["strict", "sample"])
def test_an_answer_that_says_nothing_now_stops_a_gate_and_is_named(policy):
    """One of 20 answers falls silent: claims are drawn anew each time, and it is counted."""
    spoke = {f"q{i}": {f"Claim of {i}.": 1} for i in range(20)}
    quiet = {**{q: {f"New {q}.": 1} for q in spoke}, "q7": {}}
    gate = Gate(*judge_claims(spoke), "P", {})
    entry = Baseline.of(gate.after, gate.judged).entry()
    pair = Gate(*judge_claims(quiet), "P", {}).against(Baseline.read(entry))
    found = judge(pair, made({"policy": policy}), reveal="all")
    assert found.error is not None
    first = {
        "strict": "1 query finds nothing that the baseline answered (q7)",
        "sample": "1 of the baseline's 20 queries finds nothing now, more than max_unanswered=0",
    }
    assert first[policy] in str(found.error)
    assert "(q7)" in str(found.error)
