"""A mistake that a chapter tells of is one that its exercise names."""

from typing import NamedTuple

import pytest

from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.source import paths_in, read
from irmetrics_edu.classroom.exercises.variants import GENERAL
from tests.lessons.claims import texts_of


class Told(NamedTuple):
    """Words of a chapter, and the mistake of a question that they are about."""

    chapter: str
    words: str
    question: str
    mistake: str


TOLD = [
    Told("02", "is a staircase over the saw", "eleven_points", "not-interpolated"),
    Told("02", "called **recall levels**", "eleven_points", "levels-of-floating-point"),
    Told("05", "A student adds the nine precisions", "map_score", "one-mean-of-all-precisions"),
    Told("12", "is the share of $\\exp(-E)$", "next_weights", "sign-turned"),
    Told("15", "the 95th percentile by numpy's default", "latency", "interpolated"),
    Told("18", "divide the clicks of a document", "corrected", "multiplied"),
    Told("23", "one vital and one okay nugget", "answer_f", "okay-counts-for-recall"),
    Told("26", "Why not count sessions?", "lift", "session-as-unit"),
]


@pytest.mark.parametrize("told", TOLD, ids=lambda told: f"{told.chapter}-{told.mistake}")
def test_a_mistake_that_a_chapter_tells_of_is_named(told: Told) -> None:
    """The chapter has the words; the exercise names the mistake and tells it from what is right."""
    assert any(told.words in text for text in texts_of(told.chapter))
    [path] = [path for path in paths_in() if path.stem[:2] == told.chapter]
    exercise = read(path).exercise
    [question] = [one for one in exercise.questions if one.name == told.question]
    assert told.mistake in [wrong.label for wrong in question.wrongs]
    told_apart = [
        not same(question.wrong(told.mistake, one), question.right(one), question.tolerance)
        for one in GENERAL.trial(exercise.number, question)
    ]
    assert any(told_apart)
