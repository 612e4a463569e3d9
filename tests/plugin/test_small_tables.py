"""Small decisions of gates and their sessions, each over all that can stand before it."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.gate.against_baseline import Corpus, Gate
from irmetrics_edu.gate.message import _GROUPS, _lowest_groups
from irmetrics_edu.gate.plugin.baseline_diff import Difference
from irmetrics_edu.gate.plugin.session import Session
from irmetrics_edu.gate.worked_steps import _gained
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank


@pytest.mark.parametrize("which", [*product([False, True], repeat=3)])
def test_files_differ_if_anything_is_new_gone_or_changed(which):
    """Each alone, and together."""
    new, removed, changed = which
    difference = Difference(
        new=["a"] * new,
        removed=["b"] * removed,
        same=["d"],
        changes=[],
        kept={"c": ({}, {})} if changed else {},
        notes=[],
    )
    assert difference.empty is not any(which)


@pytest.mark.parametrize("number", range(1, _GROUPS + 3))
def test_groups_are_listed_until_they_are_too_many(number):
    """Dots stand where some are left out, and nowhere else."""
    groups = {f"g{i}": ["q"] for i in range(number)}
    outcome = SimpleNamespace(group_scores=dict.fromkeys(groups, 0.5), groups=groups)
    said = _lowest_groups(outcome)
    assert said.count("(1 query)") == min(number, _GROUPS)
    assert said.endswith(" ...") is (number > _GROUPS)


@pytest.mark.parametrize(("prunes", "is_removed"), [*product([False, True], repeat=2)])
def test_a_stale_baseline_is_named_with_what_became_of_it(prunes, is_removed):
    """Removed, or how to remove it; nothing of one that a session that prunes had to keep."""
    stale = ("/home/b.json", "t.py::gone")
    session = SimpleNamespace(
        config=SimpleNamespace(rootpath=Path("/home"), getoption=lambda _name: prunes),
        written=[],
        stale={stale},
        removed={stale} if is_removed else set(),
    )
    said = Session._said(session)
    if is_removed:
        assert [line.split(":")[0] for line in said] == ["removed"]
    elif prunes:
        assert said == []
    else:
        assert "--irm-prune removes it" in said[0]


@pytest.mark.parametrize(("kept", "now"), [*product(["", "x", "y"], repeat=2)])
def test_a_corpus_is_the_same_another_or_not_known(kept, now):
    """It is not known where either side has none."""
    expected = Corpus.SAME if kept == now else Corpus.OTHER
    if not (kept and now):
        expected = Corpus.UNKNOWN
    sides = SimpleNamespace(corpus=now), SimpleNamespace(corpus=kept)
    assert Gate._same_corpus(*sides) is expected


@pytest.mark.parametrize("grades", [*product([None, 0, 1, 2], repeat=3)])
def test_rows_of_gain_are_the_relevant_ones(grades):
    """Also where RR takes the first alone; an unjudged one is none."""
    judged = {f"d{i}": grade for i, grade in enumerate(grades) if grade is not None}
    working = reciprocal_rank.working(["d0", "d1", "d2"], {**judged, "x": 1})
    assert _gained(working, 3) == [grade is not None and grade > 0 for grade in grades]
