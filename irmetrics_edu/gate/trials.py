"""Whether a random system does well often enough: a pass rate over trials, with its interval."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import iscoroutine
from types import SimpleNamespace
from typing import Any

import numpy as np

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.decision import InconclusiveWarning, advice
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.message import told_apart
from irmetrics_edu.gate.policy import policy_of
from irmetrics_edu.gate.setting_keywords import split, takes_settings
from irmetrics_edu.gate.verdict import FAIL, INCONCLUSIVE, PASS
from irmetrics_edu.measured import Measurement
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.runs.intervals import wilson
from irmetrics_edu.runs.keywords import refuse_unknown
from irmetrics_edu.views.formatting import percent, steady

__tracebackhide__ = True
__unittest = True
Trial = Callable[[], Any]
_SETTINGS = ("confidence", "inconclusive")


@dataclass(frozen=True)
class PassRate:
    """How many trials passed; `low` and `high` bound the true pass rate (Wilson's interval).

    `word` is "pass" if the whole interval is at least what was asserted, "fail" if all of it is
    less, and else "inconclusive". `failures` maps the number of each trial that failed, from 1, to
    the first line of why.
    """

    trials: int
    failures: Mapping[int, str]
    low: float
    high: float
    at_least: float
    confidence: float

    @property
    def passed(self) -> int:
        """How many trials passed."""
        return self.trials - len(self.failures)

    @property
    def rate(self) -> float:
        """The share of trials that passed, from 0 to 1."""
        return self.passed / self.trials

    @property
    def word(self) -> str:
        """The verdict."""
        if exceeds(self.at_least, self.high):
            return FAIL
        return INCONCLUSIVE if exceeds(self.at_least, self.low) else PASS

    def __str__(self) -> str:
        return (
            f"pass rate {steady(self.rate):.4f}: {self.passed:,} of {self.trials:,} trials passed "
            f"({self._interval})"
        )

    @property
    def _interval(self) -> str:
        low = steady(self.low)
        high = steady(self.high)
        return f"{percent(self.confidence)} Wilson interval {low:.4f} to {high:.4f}"

    def summary(self) -> str:
        """The first line of a failure or warning."""
        rate, limit, _ = told_apart(self.rate, self.at_least)
        if self.word == FAIL:
            share = f"{self.passed:,} of {self.trials:,} trials passed"
            return f"pass rate {rate} < {limit} ({share}; {self._interval})"
        return (
            f"pass rate {rate}, {limit} is asserted: {self.trials:,} trials can't tell "
            f"({self._interval}); make more"
        )

    @property
    def lines(self) -> list[str]:
        """Which trials failed, and why."""
        return [f"trial {number}: {why}" for number, why in self.failures.items()]


@takes_settings(*_SETTINGS)
def assert_pass_rate(
    trial: Trial,
    times: int,
    *,
    at_least: float,
    **options: Any,
) -> PassRate:
    """Assert that a system with randomness does well in a large enough share of trials.

    `trial` is a function without arguments that asks the system anew and makes its assertions; it
    is called `times` times. A trial fails if it raises AssertionError or returns False. Any other
    error is raised.

    `at_least` is the pass rate that the system needs, above 0 and below 1. The gate knows the true
    pass rate only from the trials, so it compares Wilson's score interval for a binomial
    proportion. It passes if the whole interval is at least `at_least`, and fails if all of it is
    less. Else the trials are too few to tell, and `inconclusive` says what happens. `confidence` is
    the interval's. What is not given is as the session says (pytest's ini options and marker). The
    trials have to be independent of each other: switch caches off.

    Raises RankingAssertionError with the trials that failed, and InputError for bad input. Source:
    Wilson (1927), Probable inference, the law of succession, and statistical inference, Journal of
    the American Statistical Association 22.

    >>> answers = iter([True] * 38 + [False] * 2)
    >>> print(assert_pass_rate(lambda: next(answers), 40, at_least=0.8))
    pass rate 0.9500: 38 of 40 trials passed (95% Wilson interval 0.8350 to 0.9862)
    """
    settings, others = split(options, _SETTINGS)
    try:
        refuse_unknown(others, ("at_least", *_SETTINGS), [], "assert_pass_rate")
        policy = policy_of(settings)
        checks.between("at_least", at_least, 0, 1, open_low=True, open_high=True)
        outcomes = _called(trial, times)
        rate = _pass_rate(outcomes, float(at_least), policy.confidence)
    except InputError as error:
        raise refused(error) from None
    fails = rate.word == FAIL or (rate.word == INCONCLUSIVE and policy.inconclusive == "fail")
    stops = fails and not policy.advisory
    failure = RankingAssertionError(rate.summary(), rate.lines)
    told = Measurement(
        "pass rate of trials",
        rate.rate,
        FAIL if stops else rate.word,
        {"at_least": rate.at_least},
        queries=rate.trials,
        error=None if rate.word == PASS else failure,
    )
    measured.tell(told)
    if stops:
        raise failure
    if fails:
        warnings.warn(advice(failure), stacklevel=2)
    elif rate.word == INCONCLUSIVE and policy.inconclusive == "warn":
        text = "\n".join([rate.summary(), *rate.lines[:1]])
        warnings.warn(text, InconclusiveWarning, stacklevel=2)
    return rate


def _pass_rate(outcomes: Sequence[str | None], at_least: float, confidence: float) -> PassRate:
    """The pass rate of trials with its interval, from why each failed."""
    failures = {number: why for number, why in enumerate(outcomes, 1) if why is not None}
    passed = len(outcomes) - len(failures)
    low, high = wilson(passed, len(outcomes), 1 - confidence)
    return PassRate(
        trials=len(outcomes),
        failures=failures,
        low=low,
        high=high,
        at_least=at_least,
        confidence=confidence,
    )


def _called(trial: Trial, times: int) -> list[str | None]:
    """Why each trial failed, or None if it passed."""
    if not callable(trial):
        raise InputError(f"trial={trial!r:.60}: give a function without arguments")
    times = checks.whole("times", times, 1, why=" trial, such as times=30")
    # The measurements of single trials stay out of reports, which have the pass rate.
    reveal = measured.revealing(None)
    policy = measured.policy()
    unheard: Any = SimpleNamespace(
        hear=lambda _: None, reveal=lambda: reveal, policy=lambda: policy
    )
    measured.listen(unheard)
    try:
        return [_outcome(trial) for _ in range(times)]
    finally:
        measured.stop(unheard)


def _outcome(trial: Trial) -> str | None:
    try:
        answer = trial()
    except AssertionError as failed:
        return str(failed).partition("\n")[0] or type(failed).__name__
    if iscoroutine(answer):
        answer.close()
        raise InputError("the trial is asynchronous; give a function that calls asyncio.run")
    if isinstance(answer, (bool, np.bool_)) and not answer:
        return "it returned False"
    return None
