"""The matrix of gates: none passes in vain, and no check of the gate may be taken out unnoticed."""

import pytest

from dev.benchmarks import gate_matrix
from dev.benchmarks.gate_breaks import BREAKS, CHANGES, HARMLESS
from dev.benchmarks.gate_matrix import Fate, faults, matrix
from irmetrics_edu.gate import against_baseline, decision, verdict


def test_there_is_enough_to_try():
    """At least 40 breaks of an engine, and 12 changes of data and judgments."""
    assert len({one.name for one in BREAKS}) == len(BREAKS) >= 40
    assert len({one.name for one in CHANGES}) == len(CHANGES) >= 12
    assert len(HARMLESS) >= 5


def test_no_gate_of_a_sample_passes_in_vain():
    """A part of the matrix; `make gate-matrix` tries all of it."""
    cells = matrix(every=23)
    assert faults(cells) == []
    assert {cell.fate for cell in cells} == set(Fate)


def _only(monkeypatch, name):
    """A matrix of one break, without a change of the data."""
    monkeypatch.setattr(gate_matrix, "BREAKS", [one for one in BREAKS if one.name == name])
    monkeypatch.setattr(gate_matrix, "HARMLESS", [])
    monkeypatch.setattr(gate_matrix, "CHANGES", CHANGES[:1])


CHECKS = {
    "the hard limit on the mean": (
        "the order is reversed",
        lambda m: m.setattr(verdict, "_broken", lambda _v, _policy: ()),
    ),
    "protected queries": (
        "one protected query is reversed",
        lambda m: m.setattr(verdict, "_broken", lambda _v, _policy: ()),
    ),
    "the hard limit on a query": (
        "one query loses all its relevant documents",
        lambda m: m.setattr(verdict, "_broken", lambda _v, _policy: ()),
    ),
    "the test": (
        "many fall, and only the test tells",
        lambda m: m.setattr(verdict, "below", lambda _p, _level: False),
    ),
    "queries that find nothing": (
        "one query finds nothing",
        lambda m: m.setattr(decision, "complete", lambda verdicts, _pair, _policy: verdicts),
    ),
}


@pytest.mark.parametrize("check", CHECKS)
def test_a_check_that_is_taken_out_turns_the_matrix_red(monkeypatch, check):
    """With the check the break is stopped; without it, the matrix has a fault."""
    name, take_out = CHECKS[check]
    _only(monkeypatch, name)
    assert faults(matrix()) == []
    take_out(monkeypatch)
    assert faults(matrix()) != []


def test_judgments_that_no_longer_fit_are_one_of_the_checks(monkeypatch):
    """A new index with new ids, and an engine that is ruined on that day."""
    _only(monkeypatch, "the order is reversed")
    new_ids = [one for one in CHANGES if one.name == "a new index with new ids"]
    monkeypatch.setattr(gate_matrix, "CHANGES", new_ids)
    assert faults(matrix()) == []
    monkeypatch.setattr(against_baseline, "lost_its_judgments", lambda *_: False)
    assert faults(matrix()) != []


def test_claims_are_compared_by_their_scores_or_the_matrix_is_red(monkeypatch):
    """The claims of an answer that is drawn anew are new each time."""
    _only(monkeypatch, "new claims, all wrong")
    assert faults(matrix()) == []
    against = against_baseline.Gate.against

    def as_documents(gate, kept):
        gate.judged_anew = False
        return against(gate, kept)

    monkeypatch.setattr(against_baseline.Gate, "against", as_documents)
    monkeypatch.setattr(against_baseline, "lost_its_judgments", lambda *_: False)
    assert faults(matrix()) != []
