"""The house can be held in the head: no rule of `make house` is broken more often than before."""

import ast
import shutil
import subprocess
import sys
from itertools import pairwise

import pytest

from dev.tools import house, house_calls
from dev.tools import house_measures as measures
from irmetrics_edu.numbers import as_fraction
from tests.conftest import ROOT


@pytest.mark.suite("guide")
def test_no_rule_is_broken_more_often_than_its_limit():
    """In a fresh interpreter, where no other test has filled a cache."""
    done = subprocess.run(
        [sys.executable, "-m", "dev.tools.house", "--rules"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_rule_above_its_limit_lists_its_places():
    """The list of what was counted says where to look."""
    found = {name: [] for name in house.LIMITS} | {house.WINGS: [f"w{n}" for n in range(17)]}
    assert house.over(found) == [house.WINGS]
    assert house.verdict(found, 8.0).endswith("  w16")
    assert "write it out" in house.verdict(found, 99.0)


def test_a_circle_is_found_once_however_long():
    """And what only leads into a circle is not part of it."""
    ring = ["a", "b", "c", "d"]
    imports = {one: {other} for one, other in pairwise([*ring, "a"])} | {"e": {"a"}}
    assert list(house._circles_of(imports)) == [frozenset(ring)]


def test_files_are_those_of_the_package_that_run():
    """Not those that are imported only, nor those of the call itself."""
    assert house_calls.files_of(lambda: as_fraction(1)) == ["numbers.py"]
    assert house_calls.files_of(list) == []


def module(text):
    """A module of the package with this text."""
    return measures.Module("some/file.py", text, ast.parse(text))


BRANCHING = "def f(x):\n    return " + " or ".join(f"x == {n}" for n in range(14)) + "\n"
BROKEN = {
    measures.many_branches: BRANCHING,
    measures.long_functions: "def f():\n" + "    a = 1\n" * 61,
    measures.many_parameters: "def f(a, b, c, d, e, *, f, g, h, i): ...\n",
    measures.many_positional: "f(1, 2, 3, 4, 5, 6)\n",
    measures.dense_file: "x = f(a.b(c[d], e + g), h if i else j)\n" * 20,
    measures.walrus_in_conditions: "x = [y for z in a if (y := z.b)]\n",
    measures.three_levels: "x = [[c for c in b] for a in d for b in a]\n",
    measures.unlike_pairs: "a, b = f(), g()\n",
    measures.for_its_error: "_ = pool.kind\n",
    measures.empty_names: "def f(runs):\n    return [found for found in runs]\n",
}
HELD = {
    measures.many_branches: "def f(x):\n    return x == 1 or x == 2\n",
    measures.long_functions: "def f():\n" + "    a = 1\n" * 59,
    measures.many_parameters: "def f(a, b, c, d, *, e, f, g, h): ...\n",
    measures.many_positional: "f(1, 2, 3, 4, 5, g=6)\n",
    measures.dense_file: "x = f(a.b(c[d], e + g), h if i else j)\n",  # too short to say
    measures.walrus_in_conditions: "if y := z.b:\n    x = [y for z in a if z]\n",
    measures.three_levels: "x = [[c for c in b] for b in d]\n",
    measures.unlike_pairs: "a, b = b, a\nlow, high = 0, 1\n",
    measures.for_its_error: "pool.require_kind()\n",
    measures.empty_names: "def f(runs):\n    return runs.found(own=1).given\n",
}


@pytest.mark.parametrize("rule", BROKEN, ids=lambda rule: rule.__name__)
def test_each_rule_can_fail(rule):
    """On a line that breaks it, and not on its neighbour that doesn't."""
    assert list(rule(module(BROKEN[rule])))
    assert not list(rule(module(HELD[rule])))


def test_every_rule_has_an_example():
    """A rule without one could be one that finds nothing."""
    assert set(BROKEN) == set(HELD) == set(measures.RULES.values())


def test_a_name_is_counted_in_the_function_that_binds_it():
    """A parameter of any kind, a lambda's, a loop's and a walrus's; an inner function's once."""
    text = """
def f(of, *given, known=None, **said):
    def g():
        own = 1
        return own
    if (found := g()):
        return lambda own: found
"""
    places = [place.partition(" ")[2] for place in measures.empty_names(module(text))]
    outer = [f"f: {word}" for word in ("found", "given", "known", "of", "own", "said")]
    assert places == [*outer, "g: own"]


def test_rules_over_all_modules_can_fail():
    """A class name that stands twice, and `Any` in what a wing lists."""
    one = measures.Module("a/x.py", "class Pool: ...\n", ast.parse("class Pool: ...\n"))
    two = measures.Module("b/y.py", "class Pool: ...\n", ast.parse("class Pool: ...\n"))
    assert list(measures.classes_twice([one, two])) == ["Pool: a/x.py, b/y.py"]
    assert not list(measures.classes_twice([one]))
    text = "def shown(a: Any, b: list[Any]) -> object: ...\ndef own(a: Any) -> None: ...\n"
    door = 'HOMES = {"irmetrics_edu.a.x": "shown"}\n'
    modules = [
        measures.Module("a/__init__.py", door, ast.parse(door)),
        measures.Module("a/x.py", text, ast.parse(text)),
    ]
    assert list(measures.untyped_doors(modules)) == ["a/x.py:1 shown(a)"]


def test_docstrings_and_comments_are_no_code():
    """Density counts the lines that a reader must understand."""
    found = module('"""Two\nlines."""\n\n# a comment\nx = 1\n')
    assert found.code_lines == 1


@pytest.mark.slow
@pytest.mark.suite("guide")
def test_another_commit_is_measured_by_its_own_files(tmp_path):
    """A module that only one of the two has runs in the figures of that one alone."""
    package = tmp_path / "irmetrics_edu"
    shutil.copytree(ROOT / "irmetrics_edu", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions")
    numbers = package / "numbers.py"
    numbers.write_text(numbers.read_text(encoding="utf-8") + "\n" * 7, encoding="utf-8")
    here = house.figures_of(ROOT)
    there = house.figures_of(tmp_path)
    assert there.lines[""] == here.lines[""] + 7
    assert there.calls["ndcg"] == (here.calls["ndcg"][0], here.calls["ndcg"][1] + 7)
