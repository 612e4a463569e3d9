"""Guessing earns next to nothing: a zoo of guessers against every question of every exercise."""

import functools
import math
from random import Random
from statistics import fmean

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises import answer_checks, guessing
from irmetrics_edu.classroom.exercises.answer_checks import judge, share_hits_and_chance
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.guessing import counted, share_of, without_marks
from irmetrics_edu.classroom.exercises.variants import Variant, drawn
from irmetrics_edu.errors import InputError
from tests.exercises.guessers import ZOO
from tests.exercises.test_exercises import (
    QUESTIONS,
    each_question,
    exercise_of,
    named,
    question_of,
)
from tests.exercises.test_exercises import trial_of as trial_of_class

MOST = 0.05
# `make test` lets the zoo guess at each fourth question, and the suite of the guide at the others,
# and at those of chapter 13: what is true or false takes 240 rounds.
in_the_guide = pytest.mark.suite("guide")
FOURTHS = [
    pytest.param(path, name, marks=in_the_guide if number % 4 or path.stem.startswith("13") else ())
    for number, (path, name) in enumerate(QUESTIONS)
]


def share(hits, most, tries):
    """The share of the marks for hits, where the most frequent right value occurs `most` times."""
    return share_of(hits, tries, without_marks(most, tries))


@functools.cache
def trial_of(path, name, turn):
    """The inputs that decide the marks, under one of many keys."""
    question = question_of(path, name)
    key = f"a course key of the tests {turn}".encode()
    student = f"s{turn}" if question.kind == "value" else ""
    found = Variant(student, key).trial(exercise_of(path).exercise.number, question, hidden=True)
    return Trial(found.general, found.edges)  # the beginnings give no marks


def shares(path, name, turns, orders):
    """What each guesser of the zoo earns: by its kind and name, a list of shares."""
    question = question_of(path, name)
    general = trial_of_class(path, name, hidden=False).general
    seen = [0.0, 1.0] if question.kind == "value" else [question.right(i) for i in general]
    found = {}
    for turn in range(turns):
        source = Random(turn)
        trial = trial_of(path, name, turn)
        for order in range(orders):
            if order:
                mixed = source.sample(list(trial.general), len(trial.general))
                trial = Trial(mixed, trial.edges)
            wanted = [question.right(inputs) for inputs in trial]
            for kind in ZOO:
                for guesser, guess in kind(seen, source):
                    answers = [guess(call, inputs) for call, inputs in enumerate(trial)]
                    earned = share_hits_and_chance(question, trial, answers, wanted)[0]
                    found.setdefault((kind.__name__, guesser), []).append(earned)
    return found


def by_kind(found):
    """The mean share of each kind of guessers."""
    kinds = {kind for kind, _ in found}
    return {k: fmean(s for (kind, _), each in found.items() if kind == k for s in each)
            for k in kinds}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("path", "name"), FOURTHS, ids=named)
def test_no_guesser_pays(path, name):
    """Each guesser by itself, over several keys or orders of the inputs.

    And no kind of them (constants, counters, coins, echoes, lookups) on the first inputs alone.
    """
    truth = isinstance(question_of(path, name).right(trial_of(path, name, 0).general[0]), bool)
    turns, orders = (40, 6) if truth else (1, 6)  # a coin of two sides varies more
    found = shares(path, name, turns, orders)
    of_each = {who: fmean(each) for who, each in found.items()}
    assert not {who: mean for who, mean in of_each.items() if mean > MOST}
    of_kinds = by_kind({who: each[:1] for who, each in found.items()})
    assert not {kind: mean for kind, mean in of_kinds.items() if mean > MOST}


@pytest.mark.slow
def test_the_zoo_finds_what_pays(monkeypatch):
    """Marks by the part of the answers that are right, as they once were, are found out."""
    [path] = sources(["13"])
    monkeypatch.setattr(answer_checks, "share_of", lambda hits, tries, _: hits / tries)
    means = by_kind(shares(path, "test_average", 1, 1))
    assert means["coins"] > 4 * MOST  # far more than any guesser may earn
    assert means["nearly_constant"] > 0.1


@pytest.mark.slow
@each_question
def test_hidden_inputs_are_balanced(path, name):
    """No value is right for more than half of them, truths in equal parts; all differ."""
    question = question_of(path, name)
    if question.kind == "value":
        return
    trial = trial_of(path, name, 0)
    right = [question.right(inputs) for inputs in trial.general]
    assert len(right) >= 12
    most = counted(right)
    assert most == len(right) / 2 if isinstance(right[0], bool) else most <= len(right) / 4 + 1


def test_a_right_answer_keeps_all_marks_and_half_of_it_some():
    """Half of what is left when guessing is taken off."""
    assert share(40, 20, 40) == 1
    assert share(12, 1, 12) == 1
    assert share(7, 1, 12) == 0.5
    assert share(1, 1, 1) == 1


def test_how_marks_come_about_is_said():
    """Half of what is beyond guessing: how many were right, and how many a guess can bring."""
    [path] = sources(["13"])
    question = question_of(path, "test_average")
    trial = trial_of(path, "test_average", 0)
    answers = [question.right(inputs) for inputs in trial]
    answers[:8] = [not answer for answer in answers[:8]]
    verdict = judge(question, trial, answers)
    assert verdict.share == 0.5
    assert verdict.chance.startswith(
        "32 of 40 answers are right. Somebody who only guesses can have 24"
    )


@pytest.mark.parametrize(("most", "tries"), [(20, 40), (1, 12), (3, 12), (6, 12), (2, 6)])
def test_the_expectation_of_a_coin_is_small(most, tries):
    """By simulation: a coin that hits with the greatest chance expects a twentieth at most."""
    source = Random(7)
    hits = [sum(source.random() < most / tries for _ in range(tries)) for _ in range(4000)]
    assert fmean(share(h, most, tries) for h in hits) <= 0.05
    assert without_marks(most, tries) < tries


def test_a_guess_of_a_list_may_expect_little():
    """Two values of ten are one: marks begin where a coin of a fifth rarely comes."""
    assert guessing.OF_LIST < MOST
    assert without_marks(2, 10, guessing.OF_LIST) >= 3


def test_a_question_with_one_answer_is_refused():
    """Where nearly all inputs have one right answer, nothing can be judged."""
    with pytest.raises(InputError, match="so a guess would do"):
        drawn(
            Question("f", "x > 1", lambda rng: {"x": rng.randint(2, 10**9)}),
            Random(1),
            hidden=True,
        )


def test_the_rare_answer_is_not_at_the_end():
    """Drawn one after another, the rarer of two answers would gather there."""
    question = Question("f", "x > 8", lambda rng: {"x": rng.random() * 10})
    right = [question.right(i) for i in drawn(question, Random(3), hidden=True)]
    assert sum(right) == 20
    assert 4 <= sum(right[:20]) <= 16


def test_numbers_of_one_value_are_one():
    """The last digits of a sum do not make two answers of one."""
    assert counted([0.1 + 0.2, 0.3, (1, 0.3), [1, 0.1 + 0.2], math.nan]) == 2
