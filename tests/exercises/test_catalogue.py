"""Each question lists the mistakes of the catalogue that apply to it; what it leaves out is said.

That a listed mistake is told apart from what is right, and from the others, is tested in
`test_exercises.py`, mistake by mistake.
"""

import dataclasses
from functools import reduce

import pytest

from irmetrics_edu.exercises.variants import untold, values_of
from irmetrics_edu.mistakes import MISTAKES, mistakes_of
from tests.exercises.test_exercises import QUESTIONS, exercise_of, named, trial_of

SET = "what was retrieved is a set here, and has no first document"
SHORTER = "a list that lacks a value is said to be too short"
EDGE = "an edge of the inputs has k = 1, and no cut-off is lower"
TABLE = "the inputs are the four counts of a table, not documents"
ATTENTION = "the question is of attention, and has no gain"
# Where a mistake could be told and is not listed: exercise and question, label, reason.
LEFT_OUT = {
    ("01", "precision"): {"first-document-dropped": SET},
    ("01", "recall"): {"first-document-dropped": SET},
    ("01", "from_table"): dict.fromkeys(
        ["first-document-dropped", "r-of-the-retrieved", "arguments-swapped"], TABLE
    ),
    ("02", "precision_at"): {"cut-off-one-too-low": EDGE},
    ("02", "precisions"): {"first-document-dropped": SHORTER},
    ("04", "contributions"): {"first-document-dropped": SHORTER},
    ("04", "ndcg"): {"cut-off-one-too-low": EDGE},
    ("18", "share_of_new"): {"gain-without-minus-1": ATTENTION},
}
# Exercise 10 asks for what AdaRank makes of nDCG, 11 and 12 for tests, and 13 for times.
OF_VALUES = [(path, name) for path, name in QUESTIONS if not "10" <= path.stem[:2] <= "13"]


def not_listed(question, trial):
    """The mistakes that a question does not list, though their values are like no others."""
    metrics = {m.name for m in question._used.values()}
    labels = {m.label for name in metrics for m in mistakes_of(name)} - {*question.labels}
    found = set()
    for label in sorted(labels):
        asked = dataclasses.replace(question, mistakes=[*question.mistakes, label])
        try:
            values = [values_of(asked, inputs) for inputs in trial.general]
        except KeyError:
            continue  # it has no such column
        if any(isinstance(v, str) for v in values):
            continue  # it can't be computed: the question has a convention of its own
        alike = reduce(set.intersection, ({*untold(asked, v)} for v in values))
        if not any(label in pair for pair in alike):
            found.add(label)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("path", "name"), OF_VALUES, ids=named)
def test_a_question_lists_the_mistakes_that_apply(path, name):
    """All that give values of their own, but those that are left out for a reason."""
    question = exercise_of(path).exercise[name]
    left_out = LEFT_OUT.get((path.stem[:2], name), {})
    assert not_listed(question, trial_of(path, name)) == {*left_out}


@pytest.mark.slow
def test_what_is_not_listed_is_found():
    """The check can fail: a question that forgets one of its mistakes."""
    path, name = next(q for q in QUESTIONS if q[1] == "ap")
    question = exercise_of(path).exercise[name]
    fewer = [label for label in question.mistakes if label != "ap-over-k"]
    forgetful = dataclasses.replace(question, mistakes=fewer)
    assert not_listed(forgetful, trial_of(path, name)) == {"ap-over-k"}
    assert "ap-over-k" in MISTAKES
