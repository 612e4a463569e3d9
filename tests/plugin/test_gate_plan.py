"""How often a gate decides, as `irmetrics-edu gate plan` says it."""

import pytest

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
