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
    """The same gate fails without; the warning has its first line and the reason."""
    with pytest.raises(RankingAssertionError) as failed:
        gated(NEW)
    fact, (warning,) = gated(NEW, advisory="all labels are of one model")
    assert isinstance(warning, AdvisoryWarning)
    assert str(warning) == (
        f"advisory, so nothing fails (all labels are of one model): {failed.value.summary}"
    )
    assert fact["verdict"] == "advisory"
    assert fact["explanation"].startswith(failed.value.summary)
    assert str(gated(NEW, advisory=True)[1][0]).startswith("advisory, so nothing fails: RR")


def test_a_gate_that_advises_passes_where_it_would_pass():
    """Nothing is said, and the verdict is a pass."""
    fact, warned = gated(OLD, advisory=True)
    assert (fact["verdict"], "advisory" in fact, warned) == ("pass", False, [])


@pytest.mark.parametrize("given", ["", " ", 1, None])
def test_what_is_no_reason_is_refused(given):
    """Neither True nor words."""
    with pytest.raises(InputError, match="give True, or why in words"):
        made({"advisory": given})


SESSION = """
import pytest
QRELS = {f"q{i}": {"a": 1} for i in range(8)}
OLD, NEW = ({q: r for q in QRELS} for r in (["a"], ["x", "a"]))

@pytest.mark.irm_baseline(advisory="a model's labels")
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
    result.stdout.fnmatch_lines(
        ["*AdvisoryWarning: advisory, so nothing fails (a model's labels)*"]
    )
