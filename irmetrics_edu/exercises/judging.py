"""Judging answers: whether they are right, the mistake behind them, the first wrong line.

The check in the notebook and the grader use the same judgment. Its text holds inputs and the
student's own values, never the right values.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from irmetrics_edu.exercises import partly, rounding
from irmetrics_edu.exercises.guessing import counted, without_marks
from irmetrics_edu.exercises.guessing import share as earned
from irmetrics_edu.exercises.spec import Inputs, Naming, Question, literal
from irmetrics_edu.views.language import noted, said

if TYPE_CHECKING:
    from irmetrics_edu.exercises.variants import Trial

# What a function that is right but for its edges loses at most.
EDGES = 0.2
LONGEST_SHOWN = 160


@dataclass(frozen=True)
class Failed:
    """A call without a value: the type of the error, if one was raised, and the reason in words."""

    why: str
    error: str = ""


@dataclass(frozen=True)
class Verdict:
    """The verdict on the answers to a question.

    `share` is the share of the marks, 0 to 1. `mistake` is the mistake that gives all values, if
    there is one. `where` names the first line or input that differs. `problem` says why a value
    could not be compared. `chance` says how many answers are right, and how many of them a guess
    can expect.
    """

    share: float
    mistake: Naming | None = None
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


def same(found: Any, wanted: Any, tolerance: float) -> bool:
    """Whether a value is right: numbers within the tolerance, everything else exactly.

    A list, a tuple and an array of equal values are equal; a truth value is not a number.
    """
    found, wanted = _as_list(found), _as_list(wanted)
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if _is_number(wanted):
        if not _is_number(found):
            return False
        if not (math.isfinite(found) and math.isfinite(wanted)):
            return bool(found == wanted or (math.isnan(found) and math.isnan(wanted)))
        return bool(abs(found - wanted) <= tolerance)
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(same(f, w, tolerance) for f, w in zip(found, wanted, strict=True))
        )
    if isinstance(wanted, Mapping):
        return bool(
            isinstance(found, Mapping)
            and set(found) == set(wanted)
            and all(same(found[key], wanted[key], tolerance) for key in wanted)
        )
    return type(found) is type(wanted) and bool(found == wanted)


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction) and not isinstance(value, bool)


_KINDS = (
    (bool, noted("True or False")),
    ((int, float, Fraction), noted("a number")),
    (str, noted("a text")),
    (Mapping, noted("a dict")),
    ((list, tuple), noted("a list")),
    ((set, frozenset), noted("a set")),
)


def _kind(value: Any) -> str:
    return next((n for kind, n in _KINDS if isinstance(value, kind)), type(value).__name__)


def unlike(found: Any, wanted: Any) -> str:
    """Why a value can't be compared with the right one; "" if it can."""
    if isinstance(found, Failed):
        return found.why
    if found is None:
        return said("It gives None: check that every path through the function ends with a return.")
    if _kind(found) != _kind(wanted):
        return said(
            "It gives {kind}, {value}, but it should give {wanted}.",
            kind=said(_kind(found)), value=shown(found), wanted=said(_kind(wanted)),
        )  # fmt: skip
    if isinstance(found, float) and math.isnan(found):
        return said("It gives NaN, which is no score.")
    if isinstance(wanted, list) and len(found) != len(wanted):
        return said(
            "It gives {count} values, but it should give {wanted}.",
            count=len(found), wanted=len(wanted),
        )  # fmt: skip
    return ""


def shown(value: Any) -> str:
    """A value as Python writes it, shortened, numbers rounded."""
    value = round(value, 6) if isinstance(value, float) else value
    text = literal(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 4] + " ..."


def call_shown(question: Question, inputs: Inputs) -> str:
    """The call with these inputs, as Python code."""
    return f"{question.name}({', '.join(shown(v) for v in inputs.values())})"


@dataclass(frozen=True)
class Worth:
    """What answers are worth: a share of the marks, which of them hit, what guessing can bring."""

    share: float
    hits: Sequence[bool]
    chance: str


def worth(
    question: Question, trial: "Trial", answers: Sequence[Any], wanted: Sequence[Any]
) -> Worth:
    """What the answers to a trial are worth, where `wanted` is right."""
    hits = [same(a, w, question.tolerance) for a, w in zip(answers, wanted, strict=True)]
    n, m = len(trial.general), len(trial.edges)
    general, edges = hits[:n], hits[n : n + m]
    most = counted(wanted[:n])
    free = without_marks(most, n)
    right, tries, what = sum(general), n, noted("answers")
    share = earned(right, most, n)
    values = _values(question, trial, answers, wanted) if question.partly else None
    if values and not all(general):
        right, tries, free, what = values.hits, values.tries, values.free, noted("values")
        share = max(share, values.share)
    if (
        n > 1
        and _constant(answers[:n], question.tolerance)
        and not _constant(wanted[:n], question.tolerance)
    ):
        share = 0.0
    if edges:
        share *= 1 - EDGES + EDGES * sum(edges) / m
    chance = ""
    if 0 < right < tries and free:
        chance = said(
            "{right} of {tries} {what} are right. A guess can expect {free}: you get marks for "
            "right answers beyond that.",
            right=right, tries=tries, what=said(what), free=free,
        )  # fmt: skip
    elif 0 < right < tries and values:
        chance = said(
            "{right} of {tries} values are right: the marks are in proportion.",
            right=right, tries=tries,
        )  # fmt: skip
    return Worth(1.0 if all(general) and all(edges) else share, hits, chance)


def judge(question: Question, trial: "Trial", answers: Sequence[Any]) -> Verdict:
    """What the answers to a trial come to; one answer for each of its inputs, in their order."""
    wanted = [question.right(inputs) for inputs in trial]
    found = worth(question, trial, answers, wanted)
    share, hits, chance = found.share, found.hits, found.chance
    n, m = len(trial.general), len(trial.edges)
    general, edges = hits[:n], hits[n : n + m]
    if all(general) and all(edges):
        return Verdict(1.0)
    if all(general):
        bad = list(edges).index(False) + n
        inputs = list(trial)[bad]
        problem = unlike(answers[bad], wanted[bad])
        where = said(
            "Right for ordinary inputs, but not for {call}.", call=call_shown(question, inputs)
        )
        return Verdict(share, where=where, problem=problem, chance=chance)
    mistake = mistake_behind(question, trial.general, answers[:n])
    bad = list(general).index(False)
    problem = "" if mistake else unlike(answers[bad], wanted[bad])
    if not problem:
        where = _where(question, trial, answers, hits, bad, wanted[bad])
    else:
        tried = question.kind != "value"
        call = call_shown(question, trial.general[bad])
        where = said("Try {call}.", call=call) if tried else ""
    return Verdict(share, mistake, where, problem, chance)


def _values(
    question: Question, trial: "Trial", answers: Sequence[Any], wanted: Sequence[Any]
) -> partly.Count | None:
    """How many single values are right, over all general inputs."""
    n = len(trial.general)
    return partly.count(
        trial.general, answers[:n], wanted[:n], lambda a, w: same(a, w, question.tolerance)
    )


def _constant(values: Sequence[Any], tolerance: float) -> bool:
    return all(same(v, values[0], tolerance) for v in values)


def mistake_behind(
    question: Question, inputs: Sequence[Inputs], answers: Sequence[Any]
) -> Naming | None:
    """The mistake that gives all these values, if one does."""
    for label in question.labels:
        if all(
            _equals_mistake(question, label, i, a) for i, a in zip(inputs, answers, strict=True)
        ):
            return question.naming(label)
    return rounding.named(question, inputs, answers)


def _equals_mistake(question: Question, label: str, inputs: Inputs, answer: Any) -> bool:
    wrong = question.wrong(label, inputs)
    if isinstance(answer, Failed):
        # Where numpy goes on with an infinity, plain Python stops.
        infinite = isinstance(wrong, float) and not math.isfinite(wrong)
        return infinite and answer.error == "ZeroDivisionError"
    return same(answer, wrong, question.tolerance)


def _where(
    question: Question, trial: "Trial", answers: Sequence[Any], hits: Sequence[bool], bad: int,
    wanted: Any,
) -> str:  # fmt: skip
    """The first line of the working that differs, or the first input that differs."""
    answer = _as_list(answers[bad])
    of = said(", in the {column}", column=question.column) if question.column else ""
    line = question.line
    if isinstance(wanted, list) and isinstance(answer, list) and len(answer) == len(wanted):
        pairs = zip(answer, wanted, strict=True)
        at = next(i for i, (a, w) in enumerate(pairs) if not same(a, w, question.tolerance))
        found = {"line": line, "number": at + 1, "of": of, "value": shown(answer[at])}
        if at:
            return said("The lines are right before {line} {number}; the first line that differs "
                        "is that of {line} {number}{of}: {value} is not it.", **found)  # fmt: skip
        return said("The first line that differs is that of {line} {number}{of}: {value} is not "
                    "it.", **found)  # fmt: skip
    lines = hits[len(trial.general) + len(trial.edges) :]
    if lines and not all(lines):
        at = list(lines).index(False)
        before = said("The working is right as far as {line} {number}.", line=line, number=at)
        where = said(
            "The first line that differs is that of {line} {number}{of}: try {call}.",
            line=line, number=at + 1, of=of, call=call_shown(question, trial.prefixes[at]),
        )  # fmt: skip
        return f"{before} {where}" if at else where
    inputs = trial.general[bad]
    if question.kind == "value":
        return said("{value} is not it.", value=shown(answer))
    call = call_shown(question, inputs)
    if lines:
        return said(
            "The beginnings of the list come out right, but the whole call does not: try {call}.",
            call=call,
        )
    return said("The first input that differs: try {call}.", call=call)
