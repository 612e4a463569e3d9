"""The house stays small enough to hold: no figure of `make house` rises above its limit."""

import subprocess
import sys
from itertools import pairwise

from dev.tools import house
from irmetrics_edu.numbers import as_fraction
from tests.conftest import ROOT


def test_no_figure_is_above_its_limit():
    """In a fresh interpreter, where no other test has filled a cache."""
    done = subprocess.run(
        [sys.executable, "-m", "dev.tools.house"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_figure_above_its_limit_is_listed():
    """The list of what was counted says what to look at."""
    found = {name: [] for name in house.LIMITS} | {house.WINGS: [f"w{n}" for n in range(17)]}
    assert house.over(found) == [house.WINGS]
    assert house.shown(found).endswith("  w16")


def test_a_circle_is_found_once_however_long():
    """And what only leads into a circle is not part of it."""
    ring = ["a", "b", "c", "d"]
    imports = {one: {other} for one, other in pairwise([*ring, "a"])} | {"e": {"a"}}
    assert list(house._circles_of(imports)) == [frozenset(ring)]


def test_files_are_those_of_the_package_that_run():
    """Not those that are imported only, nor those of the call itself."""
    assert house.files_of(lambda: as_fraction(1)) == ["numbers.py"]
    assert house.files_of(list) == []
