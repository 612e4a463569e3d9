"""Each question lists the mistakes of the catalogue that apply to it; what it leaves out is said.

That a listed mistake is told apart from what is right, and from the others, is tested in
`test_exercises.py`, mistake by mistake.
"""

import dataclasses

import pytest

from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.variants import MARGIN, values_of
from irmetrics_edu.diagnosis.mistakes import MISTAKES, mistakes_of
from irmetrics_edu.errors import InputError
from tests.exercises.test_exercises import QUESTIONS, exercise_of, named, question_of, trial_of

SET = "what was retrieved is a set here, and has no first document"
SHORTER = "a list that lacks a value is said to be too short"
EDGE = "an edge of the inputs has k = 1, and no cut-off is lower"
TABLE = "the inputs are the four counts of a table, not documents"
ATTENTION = "the question is of attention, and has no gain"
AREA = "the question asks for a sum over ranks, and a program that joins points makes this mistake"
BY_TRAPEZOIDS = {"ap-by-trapezoids": AREA}
# The question gives the judgments, and a scale that was turned round is no mistake of the answer.
OF_THE_DATA = {"grades-turned-round"}
ONE_BY_ONE = "the questions of each value before it name what is wrong with one of them"
# Where a mistake could be told and is not listed: exercise and question, label, reason.
LEFT_OUT = {
    ("01", "precision"): {"first-document-dropped": SET},
    ("01", "recall"): {"first-document-dropped": SET},
    ("01", "from_table"): dict.fromkeys(
        ["first-document-dropped", "r-of-the-retrieved", "arguments-swapped"], TABLE
    ),
    ("02", "precision_at"): {"cut-off-one-too-low": EDGE},
    ("02", "precisions"): {"first-document-dropped": SHORTER},
    ("02", "ap"): BY_TRAPEZOIDS,
    ("03", "auc_with_ties"): {"auc-turned-round": ONE_BY_ONE},
    ("03", "both"): {"auc-turned-round": ONE_BY_ONE},
    ("04", "contributions"): {"first-document-dropped": SHORTER},
    ("04", "ndcg"): {"cut-off-one-too-low": EDGE},
    ("05", "map_score"): BY_TRAPEZOIDS,
    ("08", "two_aps"): BY_TRAPEZOIDS,
    ("08", "three_views"): BY_TRAPEZOIDS,
    ("21", "share_of_new"): {"gain-without-minus-1": ATTENTION},
}
# These ask for what AdaRank makes of nDCG, for tests, and for times.
OTHERS = {"learning_to_rank", "metrics_as_tests", "gates", "fast_enough"}
OF_VALUES = [(path, name) for path, name in QUESTIONS if path.stem[3:] not in OTHERS]


def not_listed(question, trial):
    """The mistakes that a question does not list, though their values are like no others."""
    metrics = {m.name for m in question.used.values()}
    labels = {m.label for name in metrics for m in mistakes_of(name)}
    labels -= {*question.labels, *OF_THE_DATA}
    listed = [values_of(question, inputs) for inputs in trial.general]
    if any(isinstance(values, str) for values in listed):
        return set()  # it can't be computed: the question has a convention of its own
    found = set()
    for label in sorted(labels):
        try:
            asked = dataclasses.replace(question, mistakes=[*question.mistakes, label])
            wrong = [asked.wrong(label, inputs) for inputs in trial.general]
        except (InputError, KeyError, ZeroDivisionError):
            continue  # it has no such column, or a convention of its own
        pairs = list(zip(listed, wrong, strict=True))
        if not any(alike(question, pairs, other) for other in listed[0]):
            found.add(label)
    return found


def alike(question, pairs, other):
    """Whether what was listed under a name is, on each input, the value beside it."""
    margin = MARGIN * question.tolerance
    return all(same(listed[other], value, margin) for listed, value in pairs)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "name"), OF_VALUES, ids=named)
def test_a_question_lists_the_mistakes_that_apply(path, name):
    """All that give values of their own, but those that are left out for a reason."""
    question = question_of(path, name)
    left_out = LEFT_OUT.get((path.stem[:2], name), {})
    assert not_listed(question, trial_of(path, name)) == {*left_out}


CUTS = {"cut-off-one-too-high", "cut-off-one-too-low"}
QUERIES = {"mean-over-queries-with-a-hit", "median-for-the-mean", "ratio-of-means"}
LOGARITHMS = {"natural-logarithm", "logarithm-to-base-10"}
# What no input can tell from the right answer, besides cuts without k and means of one query.
NEVER = {
    ("01", "precision"): {"p-over-the-list", "ranking-reversed"},  # of a set
    ("01", "recall"): {"ranking-reversed"},
    ("01", "from_table"): {"p-over-the-list", "ranking-reversed"},
    # The column of precisions, or of stops, is read, not what is made of it.
    ("02", "precisions"): {
        "ap-by-trapezoids", "ap-not-divided", "ap-over-k", "ap-over-the-hits",
        "ap-ranks-one-too-high", "ap-without-the-document",
    },
    # No two scores are equal.
    ("03", "auc"): {"auc-ties-lost", "auc-ties-won"},
    ("03", "both"): {"auc-ties-lost", "auc-ties-won"},
    ("05", "stops"): {"err-without-the-stop"},
    ("09", "gains"): {"redundancy-counts-the-document"},
    # No value is below the floor.
    ("05", "which_is_better"): {"gmap-epsilon-added", "gmap-of-raw-zeros", "gmap-without-zeros"},
    # The question gives the discount; or the base of the logarithm cancels out.
    ("04", "jk_dcg"): {
        "discount-by-the-root", "log-of-rank", "log-of-rank-plus-2", "ranks-from-0", *LOGARITHMS
    },
    ("19", "ceiling"): LOGARITHMS,
    ("21", "share_of_new"): LOGARITHMS,
}  # fmt: skip


@pytest.mark.suite("guide")
@pytest.mark.parametrize(("path", "name"), OF_VALUES, ids=named)
def test_no_mistake_that_could_show_looks_right_on_all_inputs(path, name):
    """Listed or not: an answer with a mistake is not right on every input, but for a reason."""
    question = question_of(path, name)
    metrics = {m.name for m in question.used.values()}
    labels = {*question.labels, *(m.label for n in metrics for m in mistakes_of(n))}
    for hidden in (False, True):
        inputs = trial_of(path, name, hidden=hidden).general
        asked = dataclasses.replace(
            question, mistakes=[*{*question.mistakes, *labels} & {*MISTAKES}]
        )
        untold_of = {label for label in labels if looks_right(asked, label, inputs)}
        never = set(NEVER.get((path.stem[:2], name), ()))
        never |= set() if "k" in inputs[0] else CUTS
        never |= QUERIES
        assert untold_of <= never


def looks_right(question, label, inputs):
    """Whether the mistake gives what is right, or cannot be computed, on all inputs."""
    told = []
    for one in inputs:
        try:
            wrong = question.wrong(label, one)
        except (InputError, KeyError, ZeroDivisionError):
            return False  # the question has a convention of its own
        told.append(not same(wrong, question.right(one), question.tolerance))
    return not any(told)


@pytest.mark.slow
def test_what_is_not_listed_is_found():
    """The check can fail: a question that forgets one of its mistakes."""
    path, name = next(q for q in QUESTIONS if q[1] == "ap")
    question = exercise_of(path).exercise[name]
    fewer = [label for label in question.mistakes if label != "ap-over-k"]
    forgetful = dataclasses.replace(question, mistakes=fewer)
    assert not_listed(forgetful, trial_of(path, name)) == {"ap-over-k", *BY_TRAPEZOIDS}
    assert "ap-over-k" in MISTAKES
