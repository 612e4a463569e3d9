"""How an answer differs from what is right, in words: its kind, its first line, a small input."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, Trial, literal
from irmetrics_edu.views.language import noted, said

LONGEST_SHOWN = 160


@dataclass(frozen=True)
class Failed:
    """A call without a value: the type of the error, if one was raised, and the reason in words."""

    why: str
    error: str = ""


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
        try:
            if not (math.isfinite(found) and math.isfinite(wanted)):
                return bool(found == wanted or (math.isnan(found) and math.isnan(wanted)))
            return bool(abs(found - wanted) <= tolerance)
        except OverflowError:  # no float holds such a number
            return False
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
            kind=said(_kind(found)),
            value=shown(found),
            wanted=said(_kind(wanted)),
        )
    if isinstance(found, float) and math.isnan(found):
        return said("It gives NaN, which is no score.")
    if isinstance(wanted, list) and len(found) != len(wanted):
        return said(
            "It should give {wanted} values, not {count}.",
            count=len(found),
            wanted=len(wanted),
        )
    return ""


def shown(value: Any) -> str:
    """A value as Python writes it, shortened, numbers rounded."""
    text = literal(_rounded(value))
    if len(text) <= LONGEST_SHOWN:
        return text
    return text[: LONGEST_SHOWN - 4] + " ..."


def _rounded(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(_rounded, value))
    return round(value, 6) if isinstance(value, float) else value


@dataclass(frozen=True)
class Tried:
    """An input on which an answer was tried; `open` says whether its values may be shown."""

    question: Question
    inputs: Inputs
    answer: Any
    wanted: Any
    right: bool
    open: bool = True

    @property
    def call(self) -> str:
        """The call of the student's function, whole, as Python code that runs."""
        return f"{self.question.name}({', '.join(map(literal, self.inputs.values()))})"

    @property
    def problem(self) -> str:
        """Why the answer can't be compared; "" if it can."""
        if self.open:
            return unlike(self.answer, self.wanted)
        return getattr(self.answer, "why", "")

    @property
    def gives(self) -> str:
        """What the student's function gives and what is right, in a sentence."""
        if self.question.kind == "value" or not self.open:
            return ""
        if self.question.harness and isinstance(self.wanted, bool):
            if self.wanted:
                return said("It should pass.")
            return said("It should fail.")
        if self.problem:
            return said("{wanted} is right.", wanted=shown(self.wanted))
        return said(
            "It gives {value}, but {wanted} is right.",
            value=shown(self.answer),
            wanted=shown(self.wanted),
        )


def where_of(trial: Trial, tried: Sequence[Tried], bad: Tried) -> str:
    """The first line of the working that differs, or the smallest input that differs."""
    question = bad.question
    wanted = _as_list(bad.wanted)
    answer = _as_list(bad.answer)
    of = said(", in the {column}", column=question.column) if question.column else ""
    line = question.line
    lists = isinstance(wanted, list) and isinstance(answer, list) and bad.open
    if lists and len(answer) == len(wanted):
        pairs = list(zip(answer, wanted, strict=True))
        at = next(i for i, (a, w) in enumerate(pairs) if not same(a, w, question.tolerance))
        found = {"line": line, "number": at + 1, "of": of, "value": shown(answer[at])}
        if at:
            text = said(
                "Everything before {line} {number} is right. The first line that differs is that "
                "of {line} {number}{of}: {value} is not right.",
                **found,
            )
        else:
            text = said(
                "The first line that differs is that of {line} {number}{of}: {value} is not right.",
                **found,
            )
        if unlike(*pairs[at]):
            text = f"{text} {unlike(*pairs[at])}"
        if question.kind != "value":
            text = f"{text} {said('Try {call}.', call=bad.call)} {bad.gives}".rstrip()
        return text
    if question.kind == "value":
        return said("{value} is not right.", value=shown(answer))
    n = len(trial.general)
    m = len(trial.edges)
    lines = tried[n + m : n + m + len(trial.prefixes)]
    if lines and not all(one.right for one in lines):
        at = [one.right for one in lines].index(False)
        before = said("The working is right as far as {line} {number}.", line=line, number=at)
        first = replace(lines[at], open=bad.open)
        where = said(
            "The first line that differs is that of {line} {number}{of}: try {call}.",
            line=line,
            number=at + 1,
            of=of,
            call=first.call,
        )
        begun = at and lines[at - 1].wanted  # that nothing comes of nothing is no help
        return f"{before if begun else ''} {where} {first.gives}".strip()
    if lines:
        where = said(
            "The beginnings of the list come out right, but the whole call does not: try {call}.",
            call=bad.call,
        )
    else:
        where = said("Here your answer differs: try {call}.", call=bad.call)
    return f"{where} {bad.gives}".strip()
