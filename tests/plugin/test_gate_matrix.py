"""The matrix of gates: none passes in vain, and no check of the gate may be taken out unnoticed."""

import math
from enum import Enum

import pytest

from dev.benchmarks import gate_cells, gate_writes
from dev.benchmarks.gate_breaks import BREAKS, CHANGES, HARMLESS, broken
from dev.benchmarks.gate_cells import Fate, faults, matrix
from dev.benchmarks.gate_matrix import PAGE
from dev.benchmarks.gate_matrix_page import page
from irmetrics_edu import checks
from irmetrics_edu.gate import (
    against_baseline,
    decision,
    input_checks,
    paired,
    verdict,
    worth_keeping,
)
from irmetrics_edu.gate.policy import GONE, LIMITS, UNANSWERED, Policy
from irmetrics_edu.gate.worth_keeping import Doubt


def test_there_is_enough_to_try():
    """At least 40 breaks of an engine, and 12 changes of data and judgments."""
    assert len({one.name for one in BREAKS}) == len(BREAKS) >= 40
    assert len({one.name for one in CHANGES}) == len(CHANGES) >= 12
    assert len(HARMLESS) >= 5


@pytest.mark.suite("guide")
def test_no_gate_of_a_sample_passes_in_vain():
    """A part of the matrix; `make gate-matrix` tries all of it."""
    cells = matrix(every=23)
    assert faults(cells) == []
    assert {cell.fate for cell in cells} == {Fate.STOPPED, Fate.WARNED, Fate.PASSED}


@pytest.mark.suite("guide")
def test_no_baseline_of_a_sample_is_written_or_refused_in_vain():
    """What is wrong with a run is found from it alone, and compared with what is said."""
    assert gate_writes.faults(gate_writes.matrix(every=23)) == []


def _only(monkeypatch, name, data="nothing"):
    """A matrix of one break, or one harmless change, with one change of the data."""
    for where in (gate_cells, gate_writes):
        for kind, listed in (("BREAKS", BREAKS), ("HARMLESS", HARMLESS), ("CHANGES", CHANGES)):
            wanted = data if kind == "CHANGES" else name
            alone = [one for one in listed if one.name == wanted]
            if kind == "HARMLESS" and name != "nothing":
                alone = []
            monkeypatch.setattr(where, kind, alone)


def _without_limit(name):
    """Take out a limit: whatever happens is allowed."""

    def take_out(patch):
        number, allows = Policy.number, Policy.allows
        patch.setattr(
            Policy, "number", lambda self, of: math.inf if of == name else number(self, of)
        )
        patch.setattr(
            Policy,
            "allows",
            lambda self, of, width: math.inf if of == name else allows(self, of, width),
        )

    return take_out


def _setting(name, value):
    return lambda patch: patch.setattr(Policy, name, value)


def _fits(patch):
    patch.setattr(against_baseline, "lost_its_judgments", lambda *_: False)


def _as_documents(patch):
    """Compare claims as if they were documents that come again."""
    against = against_baseline.Gate.against

    def compared(gate, kept):
        gate.judged_anew = False
        return against(gate, kept)

    patch.setattr(against_baseline.Gate, "against", compared)
    _fits(patch)


class Check(Enum):
    """A check of the gate; limits and doubts have names of their own."""

    TEST = "the paired test"
    IDS = "no judged document was retrieved"
    FITS = "the judgments still fit"
    NOTHING_LEFT = "nothing is left to compare"
    SCORES_OF_CLAIMS = "claims are compared by their scores"
    DOUBT_FAILS = "a gate that can't tell fails, if asked to"
    PROTECTED = "protected queries"
    SWAPPED = "run and judgments are not exchanged"
    FINITE = "scores are finite"
    PAIRS = "ids are no pairs"


NEW_IDS = "a new index with new ids"
# By check: what turns red without it (a break, and a change of the data), and how it is taken out.
CHECKS = {
    "max_observed_drop": (("the order is reversed",), _without_limit("max_observed_drop")),
    "max_group_drop": (("one group of four loses its best",), _without_limit("max_group_drop")),
    "max_query_drop": (
        ("one query loses all its relevant documents",),
        _without_limit("max_query_drop"),
    ),
    GONE: (("nothing", "five queries of forty are gone"), _without_limit(GONE)),
    UNANSWERED: (("one query finds nothing",), _without_limit(UNANSWERED)),
    Check.PROTECTED: (("one protected query is reversed",), _setting("protected", ())),
    Check.DOUBT_FAILS: (
        ("an eighth are reversed, and doubt fails",),
        _setting("inconclusive", "warn"),
    ),
    Check.TEST: (
        ("many fall, and only the test tells",),
        lambda patch: patch.setattr(verdict, "below", lambda _p, _level: False),
    ),
    Check.IDS: (
        ("the ids of four queries have a prefix",),
        lambda patch: patch.setattr(decision, "none_judged", lambda *_: False),
    ),
    Check.FITS: (("the order is reversed", NEW_IDS), _fits),
    Check.NOTHING_LEFT: (
        ("the first two change places, and any query may be gone", NEW_IDS),
        lambda patch: patch.setattr(paired.PairedScores, "nothing_left", False),
    ),
    Check.SCORES_OF_CLAIMS: (("new claims, all wrong",), _as_documents),
    Check.SWAPPED: (
        ("nothing", "run and judgments are exchanged"),
        lambda patch: patch.setattr(input_checks, "_not_swapped", lambda *_: None),
    ),
    Check.FINITE: (
        ("a score is NaN",),
        lambda patch: patch.setattr(checks.math, "isfinite", lambda _: True),
    ),
    Check.PAIRS: (
        ("pairs of id and score are the ids",),
        lambda patch: patch.setattr(input_checks, "_pairs", lambda *_: None),
    ),
}


@pytest.mark.parametrize("check", CHECKS, ids=str)
def test_a_check_that_is_taken_out_turns_the_matrix_red(monkeypatch, check):
    """With the check the break is stopped; without it, the matrix has a fault."""
    tried, take_out = CHECKS[check]
    _only(monkeypatch, *tried)
    assert faults(matrix()) == []
    take_out(monkeypatch)
    assert faults(matrix()) != []


def test_each_limit_of_a_policy_is_one_of_the_checks():
    """A limit that is added needs a break that only it stops."""
    assert {*LIMITS, GONE, UNANSWERED} <= CHECKS.keys()
    assert {*Check} <= CHECKS.keys()


# By what speaks against a baseline: a break, and how the objection is taken out.
WRITES = {
    Doubt.UNJUDGED: "the ids have a prefix",
    Doubt.LEAST: "nothing that is judged is found",
    Doubt.UNANSWERED: "no query but one finds anything",
    gate_writes.Lost.ANSWERS: "a quarter of the queries find nothing",
}


@pytest.mark.parametrize("reason", WRITES, ids=str)
def test_an_objection_that_is_taken_out_turns_the_matrix_of_writes_red(monkeypatch, reason):
    """With it the run is refused as a baseline; without it, the matrix has a fault."""
    _only(monkeypatch, WRITES[reason])
    assert gate_writes.faults(gate_writes.matrix()) == []
    if reason is gate_writes.Lost.ANSWERS:
        monkeypatch.setattr(gate_writes, "too_few_answers", lambda *_: "")
    else:
        doubts = worth_keeping.doubts

        def fewer(*given, **named):
            found = doubts(*given, **named)
            found.pop(reason, None)
            return found

        monkeypatch.setattr(gate_writes, "doubts", fewer)
    assert gate_writes.faults(gate_writes.matrix()) != []


def test_each_objection_is_tried():
    """A reason that is added needs a run that only it refuses."""
    assert WRITES.keys() == {*Doubt, *gate_writes.Lost}


def test_bad_input_is_refused_in_words_and_is_no_baseline(monkeypatch):
    """An error of Python's own, or a score, is a fault of the matrix."""
    refused = [one.name for one in BREAKS if one.refused]
    assert len(refused) >= 5
    for name in refused:
        _only(monkeypatch, name)
        assert faults(matrix()) == []
        assert gate_writes.faults(gate_writes.matrix()) == []


def test_a_break_that_somebody_adds_is_tried_and_stands_on_the_page(monkeypatch):
    """One decorated function is all it takes."""
    before = list(BREAKS)

    @broken("somebody's break")
    def _(world):
        return {query: ranking[6:] for query, ranking in world.run.items()}

    added = BREAKS[-1]
    BREAKS[:] = before
    for where in (gate_cells, gate_writes):
        monkeypatch.setattr(where, "BREAKS", [added])
        monkeypatch.setattr(where, "HARMLESS", HARMLESS[:1])
        monkeypatch.setattr(where, "CHANGES", CHANGES[:1])
    monkeypatch.setattr("dev.benchmarks.gate_matrix_page.BREAKS", [added])
    monkeypatch.setattr("dev.benchmarks.gate_matrix_page.CHANGES", CHANGES[:1])
    cells = matrix()
    assert faults(cells) == []
    told = page(cells, gate_writes.matrix())
    row = next(line for line in told.splitlines() if line.startswith("| somebody's break"))
    assert "stopped: " in row
    assert " fell by " in row


def _rows(section):
    """The rows of a table of the page that is kept, by their first cell."""
    told = PAGE.read_text(encoding="utf-8").partition(f"## {section}\n")[2].partition("\n## ")[0]
    table = [line.strip("| ").split(" | ") for line in told.splitlines() if line.startswith("| ")]
    return {row[0]: row[1:] for row in table[1:]}


def test_the_page_that_is_kept_tells_each_break_with_each_change():
    """What came of it, in a count and in letters, and why for each fate that there is."""
    by_break = _rows("By break")
    each = _rows("Each with each")
    as_a_baseline = _rows("As a baseline")
    for engine in BREAKS:
        *counts, why = by_break[engine.name]
        for fate in Fate:
            happened = any(fate.value in count for count in counts)
            assert (f"{fate.value}: " in why) == happened, engine.name
        assert len(each[engine.name]) == len(CHANGES)
        assert as_a_baseline[engine.name][-1]
    assert _rows("By change of the data").keys() == {one.name for one in CHANGES}
    assert _rows("By harmless change").keys() == {one.name for one in HARMLESS}
