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


def same(value: Any, wanted: Any, tolerance: float) -> bool:
    """Whether a value is right: numbers within the tolerance, everything else exactly.

    A list, a tuple and an array of equal values are equal; a truth value is not a number.
    """
    value = _as_list(value)
    wanted = _as_list(wanted)
    if _is_number(wanted):
        return _is_number(value) and _near(value, wanted, tolerance)
    if isinstance(wanted, list):
        return isinstance(value, list) and _same_items(value, wanted, tolerance)
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and _same_entries(value, wanted, tolerance)
    return type(value) is type(wanted) and bool(value == wanted)


def _same_items(items: Sequence[Any], wanted: Sequence[Any], tolerance: float) -> bool:
    if len(items) != len(wanted):
        return False
    pairs = zip(items, wanted, strict=True)
    return all(same(one, other, tolerance) for one, other in pairs)


def _same_entries(entries: Mapping[Any, Any], wanted: Mapping[Any, Any], tolerance: float) -> bool:
    if set(entries) != set(wanted):
        return False
    return all(same(entries[key], wanted[key], tolerance) for key in wanted)


def _near(number: Any, wanted: Any, tolerance: float) -> bool:
    """Whether two numbers are within the tolerance; infinities and NaN are equal to themselves."""
    try:
        if math.isfinite(number) and math.isfinite(wanted):
            return bool(abs(number - wanted) <= tolerance)
        return bool(number == wanted or (math.isnan(number) and math.isnan(wanted)))
    except OverflowError:  # no float holds such a number
        return False


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


def unlike(value: Any, wanted: Any) -> str:
    """Why a value can't be compared with the right one; "" if it can."""
    if isinstance(value, Failed):
        return value.why
    if value is None:
        return said("It gives None: check that every path through the function ends with a return.")
    if _kind(value) != _kind(wanted):
        return said(
            "It gives {kind}, {value}, but it should give {wanted}.",
            kind=said(_kind(value)),
            value=shown(value),
            wanted=said(_kind(wanted)),
        )
    if isinstance(value, float) and math.isnan(value):
        return said("It gives NaN, which is no score.")
    if isinstance(wanted, list) and len(value) != len(wanted):
        return said(
            "It should give {wanted} values, not {count}.",
            count=len(value),
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
    lists = isinstance(wanted, list) and isinstance(answer, list)
    if bad.open and lists and len(answer) == len(wanted):
        return _in_list(bad, answer, wanted)
    if question.kind == "value":
        return said("{value} is not right.", value=shown(answer))
    start = len(trial.general) + len(trial.edges)
    lines = tried[start : start + len(trial.prefixes)]
    for number, line in enumerate(lines):
        if not line.right:
            return _in_prefix(lines, number, bad)
    if lines:
        where = said(
            "The beginnings of the list come out right, but the whole call does not: try {call}.",
            call=bad.call,
        )
    else:
        where = said("Here your answer differs: try {call}.", call=bad.call)
    return f"{where} {bad.gives}".strip()


def _column(question: Question) -> str:
    """The column of the working that a line is read from, as the end of a sentence."""
    return said(", in the {column}", column=said(question.column)) if question.column else ""


def _in_list(bad: Tried, answer: Sequence[Any], wanted: Sequence[Any]) -> str:
    """The first place of a list that differs."""
    question = bad.question
    place = 0
    while same(answer[place], wanted[place], question.tolerance):
        place += 1
    words = {
        "line": said(question.line),
        "number": place + 1,
        "of": _column(question),
        "value": shown(answer[place]),
    }
    if place:
        text = said(
            "Everything before {line} {number} is right. The first line that differs is that "
            "of {line} {number}{of}: {value} is not right.",
            **words,
        )
    else:
        text = said(
            "The first line that differs is that of {line} {number}{of}: {value} is not right.",
            **words,
        )
    why = unlike(answer[place], wanted[place])
    if why:
        text = f"{text} {why}"
    if question.kind != "value":
        text = f"{text} {said('Try {call}.', call=bad.call)} {bad.gives}".rstrip()
    return text


def _in_prefix(lines: Sequence[Tried], number: int, bad: Tried) -> str:
    """The first beginning of the list that differs."""
    question = bad.question
    first = replace(lines[number], open=bad.open)
    before = ""
    if number and lines[number - 1].wanted:  # that nothing comes of nothing is no help
        before = said(
            "The working is right as far as {line} {number}.",
            line=said(question.line),
            number=number,
        )
    where = said(
        "The first line that differs is that of {line} {number}{of}: try {call}.",
        line=said(question.line),
        number=number + 1,
        of=_column(question),
        call=first.call,
    )
    return f"{before} {where} {first.gives}".strip()
