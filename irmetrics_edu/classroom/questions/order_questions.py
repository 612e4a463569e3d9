"""Questions in which systems are put in order by a measure."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.questions import question_answers
from irmetrics_edu.classroom.questions.origin import (
    FEWEST_WRONG,
    MOST_WRONG,
    Origin,
    inputs_of,
    said,
)
from irmetrics_edu.classroom.questions.question import LETTERS, ORDER, Asked, Option, printed
from irmetrics_edu.classroom.questions.question_answers import NO_NUMBER, TIED, TOO_FEW
from irmetrics_edu.classroom.questions.solution import of_systems
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.views.formatting import number

SYSTEMS, MOST_SYSTEMS = 4, 24
# Who rounds on the way has the right order, too.
GAP = 0.005
# What differs from system to system.
RANKED = ("ranking", "recommended", "retrieved", "grades", "seconds")


def order(origin: Origin, rng: Random, digits: int) -> Asked:
    """Systems to put in order, no two of which are tied; with the orders that mistakes give.

    A mistake that gives the right order, or that of another mistake, is none of the answers.
    """
    q = origin.question
    common = inputs_of(q, rng)
    varies = next((name for name in RANKED if name in common), "")
    if not varies or len(q.labels) < FEWEST_WRONG:
        raise TOO_FEW
    near = question_answers.tolerance(digits)
    several, scores = _untied(q, common, varies, rng, max(GAP, 2 * near))
    right, shown = _best_first(scores, digits)
    options = [_ordered(right, f"Right: {shown}.")]
    for label in rng.sample(q.labels, len(q.labels)):
        theirs = [question_answers.computed(q, inputs, label) for inputs in several]
        if not all(map(question_answers.is_number, theirs)) or _tied(theirs, 2 * near):
            continue
        wrong, words = _best_first(theirs, digits)
        if all(wrong != option.order for option in options):
            why = f"{said(q.naming(label))} With this mistake the scores are {words}."
            options.append(_ordered(wrong, why, label))
        if len(options) == MOST_WRONG:
            break
    if len(options) <= FEWEST_WRONG:
        raise question_answers.RIGHT
    rng.shuffle(options)
    systems = dict(zip(LETTERS, several, strict=False))
    given = [(name, printed(value)) for name, value in common.items() if name != varies]
    data = [*given, *((f"{varies} {n}", printed(one[varies])) for n, one in systems.items())]
    worked = of_systems(q, systems, f"The order is {_names(right)}: {shown}.")
    asks = f"Here are {SYSTEMS} systems, {', '.join(systems)}. For each of them: {q.asks}"
    return origin.asked(
        ORDER, several, data, asks, "Put the systems in order, the highest value first.", options,
        worked, items=tuple(systems),
    )  # fmt: skip


def _untied(
    question: Question, common: Inputs, varies: str, rng: Random, gap: float
) -> tuple[list[Inputs], list[Any]]:
    """Systems of different scores, and their scores; Refused if they are not found soon."""
    several: list[Inputs] = []
    scores: list[Any] = []
    for _ in range(MOST_SYSTEMS):
        inputs = {**common, varies: inputs_of(question, rng)[varies]}
        score = question_answers.computed(question, inputs)
        if not question_answers.is_number(score):
            raise NO_NUMBER
        if not _tied([*scores, score], gap):
            several.append(inputs)
            scores.append(score)
        if len(several) == SYSTEMS:
            return several, scores
    raise TIED


def _tied(scores: Sequence[float], gap: float) -> bool:
    return any(b - a <= gap + TOLERANCE for a, b in pairwise(sorted(scores)))


def _best_first(scores: Sequence[float], digits: int) -> tuple[tuple[int, ...], str]:
    """The places of the systems, best first, and their scores in words."""
    places = sorted(range(len(scores)), key=lambda i: -scores[i])
    return tuple(places), ", ".join(f"{LETTERS[i]} {number(scores[i], digits)}" for i in places)


def _names(places: Sequence[int]) -> str:
    return ", ".join(LETTERS[i] for i in places)


def _ordered(places: tuple[int, ...], feedback: str, label: str = "") -> Option:
    return Option(_names(places), feedback, label, order=places)
