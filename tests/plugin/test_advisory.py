"""A gate that only advises: it says what it found, and fails nothing."""

import warnings

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    AdvisoryWarning,
    RankingAssertionError,
    assert_no_regression,
)
from irmetrics_edu.gate.policy import made
from irmetrics_edu.metrics.definition import import_all

import_all()  # as above: metrics are registered once in a process

pytest_plugins = ["pytester"]

QRELS = {f"q{i}": {"a": 1} for i in range(8)}
OLD, NEW = (dict.fromkeys(QRELS, r) for r in (["a"], ["x", "a"]))


class Session:
    """Who listens, as the plugin does, and says what holds for the gate."""

    def __init__(self, **policy):
        self.said, self.heard = policy, []

    def hear(self, measurement):
        """Keep what is told."""
        self.heard.append(measurement.facts())

    def reveal(self):
        """Everything."""
        return "all"

    def policy(self):
        """What was given."""
        return self.said


def gated(run, **policy):
    """What a gate tells under this policy, and what it warns of."""
    session = Session(**policy)
    measured.listen(session)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert_no_regression(run, OLD, QRELS, "RR")
    finally:
        measured.stop(session)
    (fact,) = session.heard
    return fact, [w.message for w in caught]


def test_a_gate_that_advises_warns_where_it_would_fail():
    """The same gate fails without; the warning has its first line."""
    with pytest.raises(RankingAssertionError) as failed:
        gated(NEW)
    fact, (warning,) = gated(NEW, policy="advise")
    assert isinstance(warning, AdvisoryWarning)
    assert str(warning) == f"policy=advise, so nothing fails: {failed.value.summary}"
    assert fact["verdict"] == "advisory"
    assert fact["explanation"].startswith(failed.value.summary)


def test_a_gate_that_advises_passes_where_it_would_pass():
    """Nothing is said, and the verdict is a pass."""
    fact, warned = gated(OLD, policy="advise")
    assert (fact["verdict"], "advisory" in fact, warned) == ("pass", False, [])


@pytest.mark.parametrize("given", ["advice", "advise: why", 1, True])
def test_what_is_no_policy_is_refused(given):
    """A word that is not known, or no word."""
    with pytest.raises(InputError, match="is not known; use one of strict, sample, advise"):
        made({"policy": given})


SESSION = """
import pytest
QRELS = {f"q{i}": {"a": 1} for i in range(8)}
OLD, NEW = ({q: r for q in QRELS} for r in (["a"], ["x", "a"]))

@pytest.mark.irm_baseline(policy="advise")
def test_advises(assert_no_regression):
    assert_no_regression(NEW, OLD, QRELS, "RR")

def test_gates(assert_no_regression):
    assert_no_regression(NEW, OLD, QRELS, "RR")
"""


def test_the_marker_makes_a_gate_advisory(pytester):
    """One test warns, the other fails, and both stand in the table."""
    pytester.makepyfile(test_it=SESSION)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--tb=no", "-Wdefault")
    result.assert_outcomes(passed=1, failed=1, warnings=1)
    result.stdout.fnmatch_lines(["fail *test_gates", "advisory *test_advises"])
    result.stdout.fnmatch_lines(["*AdvisoryWarning: policy=advise, so nothing fails: RR *"])


def loses(queries):
    """The old run, but these queries no longer find anything: RR falls by an eighth for each."""
    return {**OLD, **{query: ["x"] for query in queries}}


@pytest.mark.parametrize(("fallen", "margin"), [(0, 0.01), (1, 0.1251), (2, 0.25)])
def test_a_strict_gate_passes_within_the_margin(fallen, margin):
    """No test is involved, so it is never in doubt."""
    run = loses([*QRELS][:fallen])
    (verdict,) = assert_no_regression(run, OLD, QRELS, "RR", policy="strict", margin=margin)
    assert verdict.word == "pass"


@pytest.mark.parametrize(("fallen", "margin"), [(1, 0.1249), (2, 0.2499), (8, 0.9)])
def test_a_strict_gate_fails_beyond_the_margin(fallen, margin):
    """The mean of the queries at hand is the answer, however few they are."""
    run = loses([*QRELS][:fallen])
    with pytest.raises(RankingAssertionError, match="the hard limit for the mean"):
        assert_no_regression(run, OLD, QRELS, "RR", policy="strict", margin=margin)


def test_a_strict_gate_asks_about_each_group_as_well():
    """A group may not fall by more than the margin, though the mean over all queries does not."""
    run = loses(["q0"])
    groups = {q: "de" if q in ("q0", "q1") else "en" for q in QRELS}
    assert_no_regression(run, OLD, QRELS, "RR", policy="strict", margin=0.2)
    with pytest.raises(RankingAssertionError, match="the hard limit for a group"):
        assert_no_regression(run, OLD, QRELS, "RR", policy="strict", margin=0.2, groups=groups)


def test_a_setting_beside_a_policy_counts_for_itself():
    """What the policy says of the mean is lifted; the policy of the session gives way to it."""
    run = loses(["q0"])
    session = Session(policy="strict")
    measured.listen(session)
    try:
        with pytest.raises(RankingAssertionError):
            assert_no_regression(run, OLD, QRELS, "RR")
        for own in ({"max_observed_drop": "off"}, {"policy": "sample", "max_observed_drop": 0.2}):
            with pytest.warns(UserWarning, match="can't tell"):
                assert_no_regression(run, OLD, QRELS, "RR", **own)
    finally:
        measured.stop(session)
