"""The benchmark runs small, agrees with its peers on every mean, and writes its page."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dev.benchmarks import data, goals, report
from dev.benchmarks.__main__ import HERE, interpreters, main, prepare, python_with
from dev.benchmarks.contestants import CASES

SMALL = {"search, mappings": 6, "search, files": 6, "recommendation": 40, "diversity": 3}
TOGETHER = [
    (case, name)
    for case, (_, contestants) in CASES.items()
    for name, contestant in contestants.items()
    if contestant.package not in ("ranx", "rankereval")  # they live in an environment of their own
]


@pytest.mark.parametrize(("case", "name"), TOGETHER, ids=lambda part: part)
def test_contestants_compute_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str, name: str
) -> None:
    """On a small part of each case a peer comes to our means, to four digits."""
    load, contestants = CASES[case]
    prepare(case, tmp_path, SMALL.get(case, 1))
    given = load(tmp_path)
    ours = contestants["irmetrics-edu"].run(given)
    theirs = contestants[name].run(given)
    capsys.readouterr()
    assert theirs or name == "one pass"  # it computes nothing
    for measure, score in theirs.items():
        assert score == pytest.approx(ours[measure], abs=5e-5)


def test_it_runs_and_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole program, on one small case, in processes of its own."""
    out = tmp_path / "page.md"
    given = ["--case", "search, files", "--scale", "0.001", "--rounds", "1", "--times", "1"]
    given += ["--only", "irmetrics-edu", "--peers", str(tmp_path / "none"), "--out", str(out)]
    assert main(given) == 0
    page = out.read_text(encoding="utf-8")
    assert capsys.readouterr().out == page
    assert "## (a) Search: the same as TREC files" in page
    assert "| **irmetrics-edu** |" in page
    assert "The run's file has" in page


def test_recommended_items_are_told_apart(tmp_path: Path) -> None:
    """No user is recommended an item twice, and some held-out items are among the recommended."""
    data.recommendation(tmp_path, 30)
    recommended, held_out = np.load(tmp_path / "recommended.npy"), data.load(tmp_path / "held_out")
    assert all(len(set(row)) == 100 for row in recommended.tolist())
    assert all(len(set(items)) == 10 for items in held_out)
    shared = zip(recommended.tolist(), held_out, strict=True)
    assert all(len(set(row) & set(items)) == 5 for row, items in shared)


def results() -> list[report.Result]:
    """Made-up results."""
    common: Any = {"version": "1", "python": "3.11"}
    return [
        report.Result(
            "search, mappings", "irmetrics-edu", 100, 0.5, 0.4, 10**7, {"AP": 0.5}, **common
        ),
        report.Result("search, mappings", "other", 100, 4.0, 3.9, 10**8, {"AP": 0.6}, **common),
        report.Result("search, mappings", "absent", 100, failed="not installed"),
        report.Result("search, mappings", "irmetrics-edu", 10, 0.05, 0.05, 10**7, **common),
    ]


def test_the_page_tells_ratios_growth_and_differences() -> None:
    """A peer that computes something else is told, one that is not installed too."""
    page = report.page(results(), rounds=1, times=2)
    assert "| other | 4.00 s | 3.90 s | 8.0 | 100 MB |" in page
    assert "| absent | not installed | | | |" in page
    assert "- other differs: AP 0.6000 (ours 0.5000)." in page
    assert "10.0 times the queries (10 to 100) took 10.0 times the time" in page


def test_goals_are_shown_beside_what_was_measured() -> None:
    """A goal is a time or a ratio of two; one that was not measured is left out."""
    case = "search, mappings"
    made = [*results(), report.Result(case, "one pass", 100, 0.3, 0.25, scores={})]
    (line,) = [line for line in goals.section(made) if "one pass" in line]
    assert line == "| five means from dicts | at most 2.0 times one pass over them | 1.60 |"
    assert not any("pyndeval" in line for line in goals.section(made))
    assert goals.section([]) == []


@pytest.mark.suite("guide")
def test_whole_commands_are_run(tmp_path: Path) -> None:
    """Each command of the goals runs, on little, and `diagnose` explains drawn numbers."""
    measured = list(goals.measured(tmp_path, scale=0.00001, times=1))
    assert all(r.fastest > 0 and not r.failed for r in measured)
    wanted = {
        name for g in goals.GOALS for case, name in (g.time, g.to or g.time) if case == goals.CASE
    }
    assert {r.name for r in measured} == wanted


def test_a_package_that_is_nowhere() -> None:
    """Where no Python has a package, there is no contestant."""
    pythons = interpreters(Path("nowhere"))
    assert pythons == [sys.executable]
    assert python_with("numpy", pythons) == sys.executable
    assert python_with("no_such_package", pythons) is None


def test_the_options_are_described() -> None:
    """`python -m dev.benchmarks --help` tells the options."""
    told = subprocess.run(
        [sys.executable, "-m", "dev.benchmarks", "--help"],
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--scale" in told.stdout
