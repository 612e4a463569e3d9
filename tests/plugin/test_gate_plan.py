"""How often a gate decides, as `irmetrics-edu gate plan` says it."""

import numpy as np
import pytest
import scipy.stats

from irmetrics_edu.cli import main
from irmetrics_edu.commands.gate import passes


@pytest.mark.parametrize(
    ("n", "margin", "simulated"),
    [
        (100, 0.02, 0.37),
        (200, 0.02, 0.54),
        (500, 0.02, 0.89),
        (500, 0.01, 0.38),
        (2000, 0.01, 0.89),
    ],
)
def test_the_plan_agrees_with_the_simulation_of_the_guide(n, margin, simulated):
    """The table of changes that pass in docs/gates.md, where changes spread by 0.14."""
    assert passes(n, 0.14, margin, 0.05) == pytest.approx(simulated, abs=0.08)


@pytest.mark.parametrize("n", [50, 100, 400, 1768])
def test_the_plan_agrees_with_draws_and_a_t_test_of_scipy(n):
    """Of 4,000 draws: how often the interval of the mean lies above -0.02, and below 0.

    The standard error of such a share is at most 0.8 points. A gate fails only if the fall is more
    than the margin, too, so false alarms are at most those of the interval.
    """
    draws = np.random.default_rng(n).normal(0, 0.3, (4000, n))
    low, high = scipy.stats.ttest_1samp(draws, 0, axis=1).confidence_interval(0.95)
    assert passes(n, 0.3, 0.02, 0.05) == pytest.approx(np.mean(low > -0.02), abs=0.03)
    assert np.mean((high < 0) & (draws.mean(axis=1) < -0.02)) < 0.025 + 0.01


def test_the_number_of_queries_agrees_with_the_normal_formula(capsys):
    """((1.960 + 0.842) x 0.3 / 0.02)^2 = 1,766; the t-test needs two or three more."""
    assert main(["gate", "plan", "--queries", "50", "--spread", "0.3", "--margin", "0.02"]) == 0
    out = capsys.readouterr().out
    assert "1,768" in out
    assert "at most 2.5 %" in out


def test_an_impossible_value_is_refused(capsys):
    """With its option, and what would do."""
    assert main(["gate", "plan", "--queries", "1", "--spread", "0.3"]) == 2
    assert "--queries 1: give a number from 2 to 1,000,000" in capsys.readouterr().err
