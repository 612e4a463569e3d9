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
FEWEST = 4
NEAR = 0.005
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


def share_hits_and_chance(
    question: Question,
    trial: Trial,
    answers: Sequence[Any],
    wanted: Sequence[Any],
) -> tuple[float, Sequence[bool], str]:
    """The share of the marks, which answers are the `wanted` ones, and what guessing can bring."""
    pairs = zip(answers, wanted, strict=True)
    hits = [same(answer, right, question.tolerance) for answer, right in pairs]
    count_general = len(trial.general)
    general = hits[:count_general]
    edges = hits[count_general : count_general + len(trial.edges)]
    theirs = answers[:count_general]
    right_ones = wanted[:count_general]
    free = without_marks(counted(right_ones), count_general)
    score = _Score(sum(general), count_general, free)
    share = score.share
    chance = ""
    values = None
    if question.partly:
        equal = partial(same, tolerance=question.tolerance)
        values = count(trial.general, theirs, right_ones, equal)
    if values:
        score = _Score(*values)
        share = max(share, score.share)
    if _constant(theirs, question.tolerance) and not _constant(right_ones, question.tolerance):
        share = 0.0
    if edges:
        share *= 1 - EDGES + EDGES * sum(edges) / len(edges)
    if score.free or values:
        chance = score.sentence(noted("values") if values else noted("answers"))
    return 1.0 if all(general) and all(edges) else share, hits, chance


@dataclass(frozen=True)
class _Score:
    """How many of some tries are right, and how many of them a guess can expect."""

    right: int
    tries: int
    free: int

    @property
    def share(self) -> float:
        """The share of the marks."""
        return share_of(self.right, self.tries, self.free)

    def sentence(self, what: str) -> str:
        """What guessing can bring, where some are right and some are not."""
        if not 0 < self.right < self.tries:
            return ""
        return said(
            "{right} of {tries} {what} are right. Somebody who only guesses can have {free} of "
            "them right. So marks begin above {free}.",
            right=self.right,
            tries=self.tries,
            what=said(what),
            free=self.free,
        )


def judge(question: Question, trial: Trial, answers: Sequence[Any]) -> AnswerVerdict:
    """What the answers to a trial come to; one answer for each of its inputs, in their order."""
    wanted = [question.right(inputs) for inputs in trial]
    share, hits, chance = share_hits_and_chance(question, trial, answers, wanted)
    count_general = len(trial.general)
    general = hits[:count_general]
    edges = hits[count_general : count_general + len(trial.edges)]
    if all(general) and all(edges):
        return AnswerVerdict(1.0)
    each = zip(
        trial,
        answers,
        wanted,
        hits,
        strict=True,
    )
    tried = [Tried(question, *one) for one in each]
    if all(general):
        bad = tried[count_general + list(edges).index(False)]
        where = said("Right for ordinary inputs, but not for {call}.", call=bad.call)
        return AnswerVerdict(
            share,
            where=f"{where} {bad.gives}",
            problem=bad.problem,
            chance=chance,
        )
    mistake = mistake_behind(question, trial.general, answers[:count_general])
    bad = _shortest(trial, tried)
    if not mistake and bad.problem:
        where = ""
        if question.kind != "value":
            where = said("Try {call}.", call=bad.call)
        where = f"{where} {bad.gives}".strip()
        return AnswerVerdict(
            share,
            None,
            where,
            bad.problem,
            chance,
        )
    where = where_of(trial, tried, bad)
    if not mistake and near(answers[:count_general], wanted[:count_general]):
        close = said(
            "All your values are within 0.5 % of the right ones. Look for a number "
            "that is rounded, or for a small constant."
        )
        where = f"{close} {where}"
    return AnswerVerdict(
        share,
        mistake,
        where,
        "",
        chance,
    )


def _shortest(trial: Trial, tried: Sequence[Tried]) -> Tried:
    """The shortest call that fails and may be shown; else the first that fails, closed."""
    shown: Sequence[Tried] = tried
    if trial.hidden:
        shown = tried[-len(trial.examples) :] if trial.examples else []
    failing = [one for one in shown[: len(trial.general)] if not one.right]
    if failing:
        return replace(min(failing, key=lambda one: len(one.call)), open=True)
    first = next(one for one in tried if not one.right)
    return replace(first, open=False)


def _constant(values: Sequence[Any], tolerance: float) -> bool:
    return all(same(v, values[0], tolerance) for v in values)


def mistake_behind(
    question: Question, inputs: Sequence[Inputs], answers: Sequence[Any]
) -> Wrong | None:
    """The mistake that gives all these values, if one does."""
    for label in question.labels:
        pairs = zip(inputs, answers, strict=True)
        if all(_equals_mistake(question, label, one, answer) for one, answer in pairs):
            return question.naming(label)
    return rounded(question, inputs, answers)


def _equals_mistake(
    question: Question,
    label: str,
    inputs: Inputs,
    answer: Any,
) -> bool:
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
    answer_numbers = {one for one, _ in pairs}
    right = {one for _, one in pairs}
    if not any(answer_numbers) or (len(answer_numbers) == 1 and len(right) > 1):
        return None
    for digits in DIGITS:
        if all(_rounds(one, other, digits) for one, other in pairs):
            shown = said("{count} decimals", count=digits) if digits > 1 else said("1 decimal")
            says = said("the right answer, rounded to {decimals}", decimals=shown)
            return Wrong("rounded-too-early", says, why=said(_WHY))
    return None


def _rounds(number: float, right: float, digits: int) -> bool:
    """Whether a number is another with few digits; a half may be rounded up or down."""
    most = 10.0**-digits / 2 + _EXACT
    return abs(number - round(number, digits)) <= _EXACT and abs(number - right) <= most


def near(answers: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether all answers of a function are near the right ones, whatever the reason."""
    pairs = _numbers(answers, wanted) if len(answers) >= FEWEST else []
    return bool(pairs) and all(abs(g - w) <= NEAR * abs(w) for g, w in pairs)


def _numbers(answers: Sequence[Any], wanted: Sequence[Any]) -> list[tuple[float, float]]:
    """Each number of the answers with that in its place; none if their shapes differ."""
    answered = cells(list(answers))
    right = cells(list(wanted))
    numbers = [*answered.values(), *right.values()]
    if answered.keys() != right.keys() or not all(map(_bounded, numbers)):
        return []
    return [(float(answered[place]), float(right[place])) for place in right]


def _bounded(value: Any) -> bool:
    number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    return number and abs(value) < BIGGEST
