"""Judging answers: whether they are right, the mistake behind them, the first wrong line.

The check in the notebook and the grader use the same judgment. Its text holds inputs and the
student's own values. A right value is shown for an input that gives no marks, or for an edge.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, Trial, Wrong
from irmetrics_edu.classroom.exercises.differing import Failed, Tried, same, where_of
from irmetrics_edu.classroom.exercises.guessing import (
    cells,
    count,
    counted,
    share_of,
    without_marks,
)
from irmetrics_edu.views.language import noted, said

# What a function that is right but for its edges loses at most.
EDGES = 0.2
DIGITS = (1, 2, 3, 4)
# The inputs of a function on which all values have to be near, and how near.
FEWEST, NEAR = 4, 0.005
_EXACT = 1e-9
# Beyond this, and beside a NaN, nothing was rounded.
BIGGEST = 1e300
_WHY = noted("Keep all digits while you compute, and round only what you print.")


@dataclass(frozen=True)
class AnswerVerdict:
    """The verdict on the answers to a question.

    `share` is the share of the marks, 0 to 1. `mistake` is the mistake that gives all values, if
    there is one. `where` names the first line or input that differs. `problem` says why a value
    could not be compared. `chance` says how many answers are right, and how many of them a guess
    can expect.
    """

    share: float
    mistake: Wrong | None = None
    where: str = ""
    problem: str = ""
    chance: str = ""

    @property
    def right(self) -> bool:
        """Whether all is right."""
        return self.share == 1

    @property
    def text(self) -> str:
        """The text for the student."""
        if self.right:
            return said("Right.")
        parts = [self.problem]
        if self.mistake:
            parts += [self.mistake.sentence, self.mistake.why]
        else:
            parts.append(self.where)
        return " ".join(p for p in parts if p)


def worth(
    question: Question,
    trial: Trial,
    answers: Sequence[Any],
    wanted: Sequence[Any],
) -> tuple[float, Sequence[bool], str]:
    """The share of the marks, which answers are the `wanted` ones, and what guessing can bring."""
    hits = [same(a, w, question.tolerance) for a, w in zip(answers, wanted, strict=True)]
    n = len(trial.general)
    m = len(trial.edges)
    general = hits[:n]
    edges = hits[n : n + m]
    most = counted(wanted[:n])
    free = without_marks(most, n)
    right = sum(general)
    tries = n
    what = noted("answers")
    share = share_of(right, n, free)
    values = None
    if question.partly:
        equal = partial(same, tolerance=question.tolerance)
        values = count(trial.general, answers[:n], wanted[:n], equal)
    if values:
        right, tries, free = values
        what = noted("values")
        share = max(share, share_of(right, tries, free))
    if _constant(answers[:n], question.tolerance) and not _constant(wanted[:n], question.tolerance):
        share = 0.0
    if edges:
        share *= 1 - EDGES + EDGES * sum(edges) / m
    chance = ""
    if 0 < right < tries and (free or values):
        chance = said(
            "{right} of {tries} {what} are right. Somebody who only guesses can have {free} of "
            "them right. So marks begin above {free}.",
            right=right,
            tries=tries,
            what=said(what),
            free=free,
        )
    return 1.0 if all(general) and all(edges) else share, hits, chance


def judge(question: Question, trial: Trial, answers: Sequence[Any]) -> AnswerVerdict:
    """What the answers to a trial come to; one answer for each of its inputs, in their order."""
    wanted = [question.right(inputs) for inputs in trial]
    share, hits, chance = worth(question, trial, answers, wanted)
    n = len(trial.general)
    m = len(trial.edges)
    general = hits[:n]
    edges = hits[n : n + m]
    if all(general) and all(edges):
        return AnswerVerdict(1.0)
    tried = [Tried(question, *each) for each in zip(trial, answers, wanted, hits, strict=True)]
    if all(general):
        bad = tried[list(edges).index(False) + n]
        where = said("Right for ordinary inputs, but not for {call}.", call=bad.call)
        return AnswerVerdict(
            share,
            where=f"{where} {bad.gives}",
            problem=bad.problem,
            chance=chance,
        )
    mistake = mistake_behind(question, trial.general, answers[:n])
    shortest = (tried[-len(trial.examples) :] if trial.examples else []) if trial.hidden else tried
    failing = [one for one in shortest[:n] if not one.right]
    bad = min(failing, key=lambda one: len(one.call), default=tried[list(general).index(False)])
    bad = replace(bad, open=bool(failing))
    problem = "" if mistake else bad.problem
    if not problem:
        where = where_of(trial, tried, bad)
        if not mistake and near(answers[:n], wanted[:n]):
            close = said(
                "All your values are within 0.5 % of the right ones. Look for a number "
                "that is rounded, or for a small constant."
            )
            where = f"{close} {where}"
    else:
        function = question.kind != "value"
        where = said("Try {call}.", call=bad.call) if function else ""
        where = f"{where} {bad.gives}".strip()
    return AnswerVerdict(share, mistake, where, problem, chance)


def _constant(values: Sequence[Any], tolerance: float) -> bool:
    return all(same(v, values[0], tolerance) for v in values)


def mistake_behind(
    question: Question, inputs: Sequence[Inputs], answers: Sequence[Any]
) -> Wrong | None:
    """The mistake that gives all these values, if one does."""
    for label in question.labels:
        if all(
            _equals_mistake(question, label, i, a) for i, a in zip(inputs, answers, strict=True)
        ):
            return question.naming(label)
    return rounded(question, inputs, answers)


def _equals_mistake(question: Question, label: str, inputs: Inputs, answer: Any) -> bool:
    wrong = question.wrong(label, inputs)
    if isinstance(answer, Failed):
        # Where numpy goes on with an infinity, plain Python stops.
        infinite = isinstance(wrong, float) and not math.isfinite(wrong)
        return infinite and answer.error == "ZeroDivisionError"
    return same(answer, wrong, question.tolerance)


def rounded(question: Question, inputs: Sequence[Inputs], answers: Sequence[Any]) -> Wrong | None:
    """Rounding, as a mistake, if all these values are the right ones with few digits.

    >>> question = Question("f", "dcg(grades)")
    >>> given = [{"grades": [3, 2, 1]}]
    >>> rounded(question, given, [4.76]).says
    'the right answer, rounded to 2 decimals'
    >>> rounded(question, given, [4.8]).says, rounded(question, given, [4.7])
    ('the right answer, rounded to 1 decimal', None)
    """
    pairs = _numbers(answers, [question.right(one) for one in inputs])
    if not any(g for g, _ in pairs) or len({w for _, w in pairs}) > 1 == len({g for g, _ in pairs}):
        return None
    for digits in DIGITS:
        # A half may be rounded up or down.
        most = 10.0**-digits / 2 + _EXACT
        if all(abs(g - round(g, digits)) <= _EXACT and abs(g - w) <= most for g, w in pairs):
            shown = said("{count} decimals", count=digits) if digits > 1 else said("1 decimal")
            says = said("the right answer, rounded to {decimals}", decimals=shown)
            return Wrong("rounded-too-early", says, why=said(_WHY))
    return None


def near(answers: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether all answers of a function are near the right ones, whatever the reason."""
    pairs = _numbers(answers, wanted) if len(answers) >= FEWEST else []
    return bool(pairs) and all(abs(g - w) <= NEAR * abs(w) for g, w in pairs)


def _numbers(answers: Sequence[Any], wanted: Sequence[Any]) -> list[tuple[float, float]]:
    """Each number of the answers with that in its place; none if their shapes differ."""
    given = cells(list(answers))
    right = cells(list(wanted))
    fit = given.keys() == right.keys() and all(map(_bounded, [*given.values(), *right.values()]))
    if fit:
        return [(float(given[place]), float(right[place])) for place in right]
    return []


def _bounded(value: Any) -> bool:
    number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    return number and abs(value) < BIGGEST
