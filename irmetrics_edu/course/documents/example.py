"""A worked example: what a document prints, the call that computes it, and the verdict."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, wraps
from typing import Any

import numpy as np

from irmetrics_edu.course.documents.printed_numbers import PrintedNumber, read
from irmetrics_edu.course.expressions import evaluate, working_behind
from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import plain
from irmetrics_edu.views.formatting import steady
from irmetrics_edu.working import Working

AGREES = "agrees"
ROUNDS = "agrees (rounded)"
DIFFERS = "DIFFERS"
MISPRINT = "misprint"
CAUTION = "caution"
GARBLED = "garbled"
NOTATION = "notation"
EXTRA, NOTE = "not printed", "note"
# What an erratum may be: wrong as printed; lost when a page or slide became text; true, but easily
# taken for more; an unusual sign.
KINDS = (MISPRINT, GARBLED, CAUTION, NOTATION)


@dataclass(frozen=True, slots=True)
class Erratum:
    """What a reader must know of a document's text: what it says, what is right, and why.

    `kind` is "misprint" for an error of an author or a translator, and "garbled" for signs that
    were lost when a page or slide became text. It is "caution" for words that are easily taken for
    more than they say, and "notation" for an unusual sign.
    """

    printed: str
    right: str
    why: str
    places: tuple[int, ...] = ()  # which of the printed numbers, counted from 1; none: all
    kind: str = MISPRINT

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "kind": self.kind,
            "printed": self.printed,
            "right": self.right,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Sides:
    """A formula tested on small inputs: its values as printed, and the right ones.

    `of` says what each value belongs to, such as "R=2, N=3".
    """

    printed: Sequence[Any]
    right: Sequence[Any]
    of: Sequence[str] = ()

    @property
    def wrong(self) -> list[int]:
        """The places, counted from 1, where the formula as printed gives another value."""
        printed = _flat(self.printed)
        right = _flat(self.right)
        places = []
        for place, (one, other) in enumerate(zip(printed, right, strict=True), 1):
            if not _same(one, other):
                places.append(place)
        return places


Compared = Iterator[tuple[Any, Any, str]]


def compared(formula: Callable[..., Compared]) -> Callable[..., Sides]:
    """The sides of a function that yields the printed value, the right one and their input."""

    @wraps(formula)
    def sides(*args: Any, **options: Any) -> Sides:
        printed, right, inputs = zip(*formula(*args, **options), strict=True)
        return Sides(printed, right, inputs)

    return sides


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing a document prints and the call that computes it."""

    what: str
    call: str = ""
    printed: str = ""
    numbers: str = ""  # what a print says in numbers, where it is in words or lost its signs
    in_columns: bool = False  # a printed list that stands in columns, so in another order
    inputs: Mapping[str, Any]
    erratum: Erratum | None = None
    at: Sequence[tuple[int, int]] = ()  # lines of the document: from, to

    @cached_property
    def result(self) -> Any:
        """What the call gives."""
        return evaluate(self.call, self.inputs) if self.call else None

    @property
    def in_numbers(self) -> str:
        """The print as numbers: as it stands there, or as its words are meant."""
        return self.numbers or self.printed

    @cached_property
    def values(self) -> list[Any]:
        """The computed numbers, one for each printed one."""
        if isinstance(self.result, Sides):
            return _flat(self.result.right)
        return _flat(self.result)

    @cached_property
    def verdict(self) -> str:
        """Whether the print is right: to its digits, exactly, or but for a known erratum."""
        if not self.call:
            return self.erratum.kind if self.erratum else NOTE
        if isinstance(self.result, Sides):
            return self._verdict_on_formula(self.result)
        if not self.printed:
            if self.erratum is None:
                return EXTRA
            return self.erratum.kind if self._right_comes_out() else DIFFERS
        return self._verdict_on_numbers(read(self.in_numbers))

    def _verdict_on_formula(self, sides: Sides) -> str:
        if not self.values or len(_flat(sides.printed)) != len(self.values):
            return DIFFERS
        wrong = sides.wrong
        if self.erratum is None:
            if wrong:
                return DIFFERS
            if self.printed:
                return AGREES
            return EXTRA
        places = list(self.erratum.places)
        if wrong and places in ([], wrong):
            return self.erratum.kind
        return DIFFERS

    def _verdict_on_numbers(self, numbers: list[PrintedNumber]) -> str:
        if len(numbers) != len(self.values):
            return DIFFERS
        pairs = list(zip(numbers, self.values, strict=True))
        wrong = []
        for place, (number, value) in enumerate(pairs, 1):
            if not number.agrees(value):
                wrong.append(place)
        if self.erratum is not None:
            every = range(1, len(numbers) + 1)
            places = self.erratum.places or every
            if wrong == list(places) and self._right_comes_out():
                return self.erratum.kind
            return DIFFERS
        if wrong:
            return DIFFERS
        exactly = all(number.exactly(value) for number, value in pairs)
        return AGREES if exactly else ROUNDS

    def _right_comes_out(self) -> bool:
        if self.erratum is None or not self.erratum.right:
            return True
        right = read(self.erratum.right)
        places = self.erratum.places or range(1, len(self.values) + 1)
        chosen = [self.values[i - 1] for i in places]
        if len(right) != len(chosen):
            return False
        return all(number.agrees(value) for number, value in zip(right, chosen, strict=True))

    @cached_property
    def working(self) -> Working | None:
        """The working behind the number, if the call is that of a metric."""
        if self.call:
            return working_behind(self.call, self.inputs, self.result)
        return None


@dataclass(frozen=True, kw_only=True)
class Example(Line):
    """A worked example: its place, what is printed, and its intermediate lines."""

    document: str
    id: str
    where: str
    note: str = ""
    lines: tuple[Line, ...] = ()

    @cached_property
    def verdict(self) -> str:
        """The example's own verdict, or the worst of its lines'."""
        first = super().verdict
        if any(line.verdict == DIFFERS for line in self.lines):
            return DIFFERS
        return first

    @property
    def comes_out(self) -> bool:
        """Whether every number and formula is right, or a known erratum."""
        return self.verdict != DIFFERS

    def facts(self) -> dict[str, Any]:
        """For JSON: numbers as numbers, with the fraction if the value is one."""
        facts_of_example: dict[str, Any] = {
            "document": self.document,
            "id": self.id,
            "where": self.where,
            "what": self.what,
            **_facts(self),
        }
        if self.lines:
            facts_of_example["lines"] = [{"what": line.what, **_facts(line)} for line in self.lines]
        if self.note:
            facts_of_example["note"] = self.note
        return facts_of_example


def _facts(line: Line) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "call": line.call,
        "printed": line.printed,
        "computed": None,
        "verdict": line.verdict,
    }
    if line.numbers:
        facts["numbers"] = line.numbers
    if line.call:
        values = line.values
        shown = [_written(v) for v in values]
        if isinstance(line.result, Sides):
            as_printed = _flat(line.result.printed)
            facts["as_printed"] = [_written(v) for v in as_printed]
        facts["computed"] = shown[0] if len(shown) == 1 else shown
        if any(isinstance(v, Fraction) for v in values):
            exact = [str(v) for v in values]
            facts["exact"] = exact[0] if len(exact) == 1 else exact
    if line.erratum is not None:
        facts["erratum"] = line.erratum.facts()
    return facts


def _written(value: Any) -> Any:
    """A value as JSON has it: a number to the digits that all machines agree on."""
    return value if isinstance(value, bool | int | str) else steady(value)


def _flat(result: Any) -> list[Any]:
    if isinstance(result, Working):
        return [plain(v) for v in result.score]
    if isinstance(result, np.ndarray | list | tuple):
        return [v for item in result for v in _flat(item)]
    return [plain(result)]


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, bool | str) or isinstance(right, bool | str):
        return type(left) is type(right) and bool(left == right)
    return left == right or bool(abs(left - right) <= TOLERANCE)
