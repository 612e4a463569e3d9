"""A gate over trials of a random system: the pass rate, its interval, and what is said."""

import warnings
from itertools import cycle

import pytest
from scipy.stats import binomtest

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import InconclusiveWarning, RankingAssertionError, assert_pass_rate
from irmetrics_edu.gate import assert_recall as recall
from irmetrics_edu.runs.intervals import wilson


@pytest.mark.parametrize("level", [0.05, 0.1, 0.01])
def test_wilson_as_scipy_computes_it(level):
    """And never beyond 0 or 1."""
    for trials in (1, 2, 7, 20, 350):
        for passed in {0, 1, trials // 3, trials - 1, trials}:
            found = binomtest(passed, trials).proportion_ci(1 - level, method="wilson")
            assert wilson(passed, trials, level) == pytest.approx((found.low, found.high))
            assert 0 <= wilson(passed, trials, level)[0] <= wilson(passed, trials, level)[1] <= 1


def test_so_many_trials_tell_and_one_less_does_not():
    """Where all pass, the lower end is n / (n + z^2): 35 trials show 0.9, 16 show 0.8."""
    for limit, enough in ((0.8, 16), (0.9, 35), (0.95, 73)):
        assert wilson(enough, enough, 0.05)[0] >= limit > wilson(enough - 1, enough - 1, 0.05)[0]


def outcomes(passed, failed=0):
    """A trial with these outcomes, and how many there are."""
    said = iter([True] * passed + [False] * failed)
    return lambda: next(said), passed + failed


def test_the_gate_passes_fails_and_says_that_it_cannot_tell(heard):
    """Of 20 trials all pass: the true rate may be 0.84, so 0.8 is shown and 0.9 is not."""
    assert assert_pass_rate(*outcomes(20), at_least=0.8).word == "pass"
    with pytest.warns(InconclusiveWarning) as warned:
        found = assert_pass_rate(*outcomes(20), at_least=0.9)
    assert str(warned[0].message) == (
        "pass rate 1.0000, 0.9000 is asserted: 20 trials can't tell "
        "(95% Wilson interval 0.8389 to 1.0000); make more"
    )
    assert (found.rate, found.low, found.high) == (1, pytest.approx(0.838874842), 1)
    with pytest.raises(RankingAssertionError, match="can't tell"):
        assert_pass_rate(*outcomes(20), at_least=0.9, inconclusive="fail")
    with pytest.raises(RankingAssertionError, match=r"^pass rate 0\.6000 < 0\.8000 "):
        assert_pass_rate(*outcomes(12, 8), at_least=0.8)
    assert [one["verdict"] for one in heard] == ["pass", "inconclusive", "fail", "fail"]


def test_a_failure_names_trials_and_reasons_and_reports_hold_one_measurement(heard):
    """The system forgets a document in every second trial."""
    answers = cycle([["a", "b"], ["b"]])
    with pytest.raises(RankingAssertionError) as caught:
        assert_pass_rate(lambda: recall(next(answers), {"a": 1}, at_least=0.9), 20, at_least=0.9)
    assert str(caught.value).split("\n") == [
        "pass rate 0.5000 < 0.9000 (10 of 20 trials passed; 95% Wilson interval 0.2993 to 0.7007)",
        "",
        "trial 2: R 0.0000 < 0.9000 (short by 0.9000)",
        "trial 4: R 0.0000 < 0.9000 (short by 0.9000)",
        "trial 6: R 0.0000 < 0.9000 (short by 0.9000)",
        *(f"trial {n}: R 0.0000 < 0.9000 (short by 0.9000)" for n in range(8, 21, 2)),
    ]
    caught.value.verbosity = 1
    assert len(str(caught.value).split("\n")) == 12
    assert [(one["measure"], one["score"]) for one in heard] == [("pass rate of trials", 0.5)]


def test_a_trial_passes_by_what_it_returns_too():
    """False is a failure; a score, also of 0, and nothing are not."""
    found = iter([True, False, None, 0.0])
    assert assert_pass_rate(lambda: next(found), 4, at_least=0.1, inconclusive="pass").failures == {
        2: "it returned False"
    }


def test_an_advisory_gate_warns(heard):
    """The session's policy holds here as well."""
    from irmetrics_edu import measured

    listener = measured.current()
    listener.policy = lambda: {"policy": "advise"}
    with pytest.warns(UserWarning, match=r"nothing fails: pass rate 0"):
        assert_pass_rate(*outcomes(0, 9), at_least=0.5)
    assert [one["verdict"] for one in heard] == ["fail"]


async def later():
    """What takes no time."""


@pytest.mark.parametrize(
    ("trial", "times", "rate", "message"),
    [
        (lambda: None, None, 0.9, "give a whole number of at least 1 trial, such as times=30"),
        (lambda: None, 0, 0.9, "times=0"),
        ([True], 3, 0.9, r"trial=\[True\]: give a function without arguments"),
        (later, 3, 0.9, "asynchronous; give a function that calls asyncio.run"),
        (lambda: None, 9, 1, "at_least"),
        (lambda: None, 9, 90, "at_least"),
    ],
)
def test_what_is_no_trial_is_refused(trial, times, rate, message):
    """With what to give."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match=message):
            assert_pass_rate(trial, times, at_least=rate)


def test_an_error_of_the_system_is_no_failed_trial():
    """It is raised as it is, and the next assertion is heard again."""
    with pytest.raises(ZeroDivisionError):
        assert_pass_rate(lambda: 1 / 0, 5, at_least=0.5)
