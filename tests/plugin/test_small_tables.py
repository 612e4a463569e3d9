"""Small decisions of gates and their sessions, each over all that can stand before it."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.gate.against_baseline import Corpus, Gate
from irmetrics_edu.gate.baseline import Baseline, Outdated
from irmetrics_edu.gate.checked_value import _of_run
from irmetrics_edu.gate.decision import RankingAssertionError
from irmetrics_edu.gate.latency import assert_latency
from irmetrics_edu.gate.message import _GROUPS, _lowest_groups
from irmetrics_edu.gate.plugin import baseline_fixture
from irmetrics_edu.gate.plugin.baseline_diff import Difference
from irmetrics_edu.gate.plugin.measured_test import gates
from irmetrics_edu.gate.plugin.session import Session
from irmetrics_edu.gate.still_judged import lost_its_judgments
from irmetrics_edu.gate.verdict import Verdict
from irmetrics_edu.gate.worked_steps import _gained
from irmetrics_edu.metrics.reciprocal_rank import reciprocal_rank
from irmetrics_edu.rows.item_categories import FREQUENCIES
from irmetrics_edu.rows.two_orders import ORDERS


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


@pytest.mark.parametrize("had", [None, {}, {1: 0}, {1: 1}, {1: 1, 2: 0, 3: 2}, {1: 1, 2: 1, 3: 2}])
@pytest.mark.parametrize("now", [set(), {1}, {2}, {1, 2}, {1, 3}, {2, 3}])
def test_a_ranking_lost_its_judgments_if_most_of_what_counted_is_gone(had, now):
    """Relevant documents count, else all that were judged; without grades, a score above 0 does."""
    for ranking, scores in product(([], ["a", "b", "c"]), ([], [0.0], [0.5], [0.0, 0.5])):
        found = lost_its_judgments(ranking, had, scores, now)
        if had is None:
            assert found is (bool(ranking) and max(scores, default=0) > 0 and not now)
            continue
        relevant = [rank for rank, grade in had.items() if grade > 0] or list(had)
        gone = [rank for rank in relevant if rank not in now]
        assert found is (len(gone) > len(relevant) / 2)


@pytest.mark.parametrize("update", [None, "new", "failing", "all"])
@pytest.mark.parametrize("error", [None, "advice"])
def test_a_gate_that_was_not_to_be_updated_says_so(update, error, monkeypatch):
    """Where failing ones alone were asked for; and what is better is told if nothing is wrong."""
    told = []
    gate = SimpleNamespace(
        item=SimpleNamespace(config=None),
        _tell_not_updated=lambda call, _judged: told.append(("not updated", call)),
        _tell_better=lambda call, _judged: told.append(("better", call)),
    )
    monkeypatch.setattr(baseline_fixture, "option", lambda _config, _name: update)
    judged = SimpleNamespace(error=error)
    baseline_fixture.BaselineGate._tell_of_pass(gate, "call", judged)
    expected = ["not updated"] * (update == "failing") + ["better"] * (error is None)
    assert told == [(what, "call") for what in expected]


COUNTS, RUN = {"d1": 3, "d2": 1}, {"q1": ["d1"], "q2": ["d2"]}


@pytest.mark.parametrize("kind", [FREQUENCIES, ORDERS])
@pytest.mark.parametrize(("first", "is_run"), [(COUNTS, False), (RUN, True), (["d1"], False)])
def test_counts_and_orders_are_a_run_if_they_have_queries(kind, first, is_run):
    """Counts by category are of a ranking."""
    assert _of_run(kind, {kind.arguments[0]: first}) is is_run
    if kind is FREQUENCIES:
        with_categories = {kind.arguments[0]: first, "categories": {}}
        assert _of_run(kind, with_categories) is (kind.arguments[0] in ("ranking", "recommended"))


@pytest.mark.parametrize(
    "of_each", [*product(["RR", "P@1", "RR #de", "RR without a gate"], repeat=3)]
)
def test_gates_of_one_measure_are_told_apart(of_each):
    """By their names, or counted from the second on; what is no gate has no suffix."""
    kinds = {
        "RR": {"measure": "RR", "gate": ""},
        "P@1": {"measure": "P@1", "gate": ""},
        "RR #de": {"measure": "RR", "gate": "de"},
        "RR without a gate": {"measure": "RR"},
    }
    expected = []
    for place, kind in enumerate(of_each):
        number = of_each[: place + 1].count(kind)
        unnamed = kind in ("RR", "P@1")
        counted = f" ({number})" if unnamed and number > 1 else ""
        expected.append(" #de" if kind == "RR #de" else counted)
    assert gates([kinds[kind] for kind in of_each]) == expected


@pytest.mark.parametrize("depth", [None, 1, 10, 0, -1, 1.5, True, "3"])
def test_a_depth_is_a_number_of_documents(depth):
    """From 1 on; another is refused before anything is measured."""
    gate = SimpleNamespace(_key=lambda name: name, _kept_or_judged=lambda *_: None)
    call = baseline_fixture.BaselineGate.__call__
    run, qrels = {"q": ["d"]}, {"q": {"d": 1}}
    if depth is None or (type(depth) is int and depth > 0):
        assert call(gate, run, qrels, depth=depth) == []
        return
    with pytest.raises(ValueError, match="depth"):
        call(gate, run, qrels, depth=depth)


@pytest.mark.parametrize("update", [None, "new", "failing"])
def test_a_baseline_that_cannot_be_compared_is_refused_or_made_anew(update, monkeypatch):
    """Made anew only if failing ones are updated; else the error says how."""

    def against(_baseline):
        raise Outdated("other judgments")

    monkeypatch.setattr(baseline_fixture, "option", lambda _config, _name: update)
    entry = Baseline({}, "j", {}, {}, {}, 10, whole=True, lacked=[]).entry()
    gate = SimpleNamespace(
        item=SimpleNamespace(config=None), path=Path("b.json"), _accept=lambda how: how
    )
    judged = baseline_fixture.BaselineGate._judged
    if update == "failing":
        assert judged(gate, None, SimpleNamespace(against=against), entry, {}) is None
        return
    with pytest.raises(
        ValueError, match="other judgments; make the baseline anew with --irm-update"
    ):
        judged(gate, None, SimpleNamespace(against=against), entry, {})


@pytest.mark.parametrize("odd", [None, 3, "x", ["x"]])
@pytest.mark.parametrize(
    "part", ["conventions", "judgments", "means", "queries", "depth", "lacked"]
)
def test_an_entry_that_lacks_a_part_is_outdated(part, odd):
    """Or has another thing there; it is never a baseline of nothing."""
    entry = Baseline({}, "j", {}, {}, {}, 10, whole=True, lacked=[]).entry()
    assert Baseline.read(entry).entry() == entry
    with pytest.raises(Outdated, match="the baseline can't be read"):
        Baseline.read({name: value for name, value in entry.items() if name != part})
    if part in ("means", "queries", "conventions"):
        with pytest.raises(Outdated, match="the baseline can't be read"):
            Baseline.read({**entry, part: odd})


@pytest.mark.parametrize("number", range(4))
def test_a_verdict_says_of_how_many_queries_it_is(number):
    """One query is one."""
    found = Verdict.__repr__(
        SimpleNamespace(differences=[0] * number, name="RR", word="pass", before=1, after=0.5)
    )
    noun = "1 query" if number == 1 else f"{number} queries"
    assert found == f"<Verdict RR: pass (1.0000 -> 0.5000; {noun})>"


@pytest.mark.parametrize("number", range(1, 9))
def test_the_five_slowest_calls_are_named(number):
    """The slowest first; as many as there are, if they are fewer."""
    with pytest.raises(RankingAssertionError) as caught:
        assert_latency({f"q{i}": 1.0 + i for i in range(number)}, p50=0.1)
    lines = str(caught.value).splitlines()
    named = [line.strip() for line in lines if line.endswith(" s") and line.startswith("  q")]
    slowest = sorted(range(number), reverse=True)[:5]
    assert named == [f"q{i}: {1 + i:.4g} s" for i in slowest]
