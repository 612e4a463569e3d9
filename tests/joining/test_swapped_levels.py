"""Nested mappings whose levels are turned round are named, and right ones are not."""

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError

RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}


def turned(levels):
    """The two levels of a mapping in the other order."""
    found = {}
    for outer, held in levels.items():
        for inner, value in held.items():
            found.setdefault(inner, {})[outer] = value
    return found


def test_documents_first_are_named_on_either_side():
    """Of the run, or of the judgments; of other ids nothing is said."""
    for run, qrels in ((turned(RUN), QRELS), (RUN, turned(QRELS))):
        with pytest.raises(InputError, match="keyed by document first"):
            evaluate(run, qrels, "RR")
    with pytest.raises(InputError) as caught:
        evaluate(RUN, {"other": {"a": 1}}, "RR")
    assert "document first" not in str(caught.value)
    assert evaluate(turned(RUN), turned(QRELS), "RR").mean["RR"] <= 1


def test_subtopics_first_are_named():
    """The right way is worth 1/2: of subtopics 1 and 2 the first alone is found."""
    subtopics = {"q": {"1": {"a": 1}, "2": {"b": 1, "c": 1}}}
    found = evaluate({"q": ["a", "z"]}, subtopics, "S-recall@2")
    assert "these have subtopics first" in str(found)
    assert "have the ids changed" not in str(found)
    right = evaluate(
        {"q": ["a", "z"]}, {q: turned(of) for q, of in subtopics.items()}, "S-recall@2"
    )
    assert right.mean == {"S-recall@2": 0.5}
    assert "subtopics first" not in str(right)
    none = evaluate({"q": ["y", "z"]}, subtopics, "S-recall@2")
    assert "have the ids changed" in str(none)
