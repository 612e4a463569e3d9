"""A rounded result is named; what is near the right values for another reason is called near."""

import math
from random import Random

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises.answer_checks import judge
from irmetrics_edu.classroom.exercises.computed_question import Trial
from irmetrics_edu.classroom.exercises.source import read
from irmetrics_edu.classroom.exercises.variants import GENERAL

[PATH] = sources(["04"])
EXERCISE = read(PATH).exercise
LABEL = "rounded-too-early"


def judged(name, function):
    """The verdict on a function, tried on the inputs of the general copy."""
    question = EXERCISE[name]
    trial = Trial(GENERAL.trial(EXERCISE.number, question).general)
    return judge(question, trial, [function(*inputs.values()) for inputs in trial])


def dcg(grades, k=None, rounds=lambda x: x):
    """DCG by the definition, each contribution taken through `rounds`."""
    return sum(rounds(g / math.log2(i + 1)) for i, g in enumerate(grades[:k], start=1))


def to(digits):
    """Rounding to so many decimals."""
    return lambda x: round(x, digits)


def test_what_is_near_is_called_near_and_no_more():
    """Rounded on the way, or a small constant: nobody can tell from the numbers which it was."""
    for wrong in (
        lambda g, k: sum(x * round(1 / math.log2(i + 1), 3) for i, x in enumerate(g[:k], 1)),
        lambda g, k: dcg(g, k, to(3)),
        lambda g, k: dcg(g, k) + 1e-5,
    ):
        verdict = judged("dcg", wrong)
        assert verdict.mistake is None
        assert "within 0.5 % of the right ones" in verdict.text
    assert "within" not in judged("dcg", lambda g, k: 1.02 * dcg(g, k)).text


@pytest.mark.parametrize("digits", [1, 2, 3, 4])
def test_a_rounded_result_is_named(digits):
    """With its digits, and what to do; the marks are for what is right."""
    verdict = judged("dcg", lambda g, k: round(dcg(g, k), digits))
    assert verdict.mistake.label == LABEL
    assert f"rounded to {digits} decimal" in verdict.text
    assert "Keep all digits" in verdict.text
    assert verdict.share == 0


@pytest.mark.parametrize(
    "shape", [lambda v: [[x] for x in v], lambda v: dict(zip("abcdef", v, strict=True)), str]
)
def test_right_numbers_in_another_shape_are_not_called_rounded(shape):
    """The values are exact; the words are about the shape, or about the element that differs."""
    question = EXERCISE["contributions"]
    trial = GENERAL.trial(EXERCISE.number, question)
    verdict = judge(question, trial, [shape(question.right(trial.general[0]))])
    assert verdict.mistake is None
    assert "It gives a" in verdict.text
    assert "but it should give a" in verdict.text


def test_other_mistakes_keep_their_names():
    """A mistake of the catalogue, a constant, and a value that is merely wrong."""
    assert judged("dcg", lambda g, k: dcg(g, k) / math.log(2)).mistake.label != LABEL
    for wrong in (
        lambda _g, _k: 3.1,
        lambda g, k: dcg(g, k) + 0.3,
        lambda g, k: 1.05 * dcg(g, k),
        lambda _g, _k: "3.1",
        lambda _g, _k: math.nan,
        lambda _g, _k: [],
    ):
        mistake = judged("dcg", wrong).mistake
        assert mistake is None or mistake.label != LABEL


def test_no_guess_is_called_rounded():
    """Numbers of one decimal drawn by chance are not taken for rounded ones."""
    source = Random(5)
    for _ in range(200):
        mistake = judged("dcg", lambda _g, _k: round(source.random() * 8, 1)).mistake
        assert mistake is None


def test_a_list_by_hand_is_named():
    """Values of a list with one decimal: what is right, rounded."""
    question = EXERCISE["contributions"]
    trial = GENERAL.trial(EXERCISE.number, question)
    [inputs] = trial.general
    right = [g / math.log2(i + 1) for i, g in enumerate(inputs["grades"], start=1)]
    verdict = judge(question, Trial([inputs]), [[round(x, 1) for x in right]])
    assert verdict.mistake.label == LABEL
