"""The numbers printed in a document: their digits are their tolerance."""

import ast
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import plain

_EXACTLY = Fraction(1, 10**9)  # how near a float must be to a number printed without decimals


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as printed: its text, its value, and how far a right value may be from it."""

    text: str
    value: Fraction
    tolerance: Fraction
    relation: str = "="

    def agrees(self, computed: Any) -> bool:
        """Whether the computed value is the printed one, to the digits printed."""
        if isinstance(computed, float) and not math.isfinite(computed):
            return False
        value = Fraction(plain(computed))
        if self.relation != "=":
            holds = _RELATIONS[self.relation]
            return bool(holds(value, self.value))
        slack = self.tolerance
        if not isinstance(computed, Fraction):
            slack += _EXACTLY
        return abs(value - self.value) <= slack

    def exactly(self, computed: Any) -> bool:
        """Whether the computed value is the printed one without any rounding."""
        if self.relation != "=":
            return self.agrees(computed)
        slack = 0 if isinstance(computed, Fraction) else _EXACTLY
        value = Fraction(plain(computed))
        return abs(value - self.value) <= slack


def read(text: str) -> list[PrintedNumber]:
    """The numbers of a printed list: "2, 2 1/2, 2 3/4", "0.983", "+300%", "(1/1+2/3)/10", "< 1/3".

    A number with decimals may be off by half its last digit, on its own or inside an expression.
    Whole numbers and fractions are exact.

    >>> [str(n.value) for n in read("2, 2 3/4, 98.72%")]
    ['2', '11/4', '617/625']
    >>> read("0.983")[0].agrees(0.98341), read("0.983")[0].agrees(0.9836)
    (True, False)
    >>> read("7.762/7.893")[0].agrees(0.98341), read("5/log2(2)")[0].agrees(5)
    (True, True)
    """
    numbers = []
    for item in text.split(","):
        written = item.strip().replace("×", "*")
        numbers.append(_read_one(written))
    return numbers


def _read_one(text: str) -> PrintedNumber:
    bound = re.fullmatch(r"([<>]=?)\s*(.+)", text)
    if bound:
        return PrintedNumber(
            text,
            _read_one(bound[2]).value,
            Fraction(0),
            bound[1],
        )
    percent = text.endswith("%")
    body = text.removesuffix("%").removeprefix("+").strip()
    scale = Fraction(1, 100) if percent else Fraction(1)
    if re.fullmatch(r"-?\d+(\.\d+)?", body):
        decimals = len(body.partition(".")[2])
        # Without a decimal point a number is meant exactly, unless it is a percentage.
        tolerance = Fraction(0)
        if "." in body or percent:
            tolerance = Fraction(1, 2 * 10**decimals) * scale
        return PrintedNumber(text, Fraction(body) * scale, tolerance)
    mixed = re.fullmatch(r"(-?)(\d+) (\d+)/(\d+)", body)
    if mixed:
        fraction = Fraction(int(mixed[3]), int(mixed[4]))
        value = int(mixed[2]) + fraction
        return PrintedNumber(
            text,
            -value if mixed[1] else value,
            Fraction(0),
        )
    low, value, high = (end * scale for end in _arithmetic(body, text))
    return PrintedNumber(text, value, max(value - low, high - value))


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
# The least, the printed and the largest value that a printed expression can stand for.
_Range = tuple[Fraction, Fraction, Fraction]


def _arithmetic(body: str, text: str) -> _Range:
    def value(node: ast.AST) -> _Range:
        match node:
            case ast.BinOp(left, op, right) if type(op) in _OPERATIONS:
                operation = _OPERATIONS[type(op)]
                return _combined(operation, value(left), value(right))
            case ast.Constant(int() | float()):
                number = _read_one(ast.get_source_segment(body, node) or "")
                low = number.value - number.tolerance
                high = number.value + number.tolerance
                return low, number.value, high
            case ast.Call(ast.Name("log2"), [argument]):
                ends = [Fraction(math.log2(end)) for end in value(argument)]
                return ends[0], ends[1], ends[2]
        raise InputError(
            f"{text!r} is not a printed number: write 7.762, 2 3/4, 98.72% or (1+2/3)/5"
        )

    try:
        return value(ast.parse(body, mode="eval").body)
    except (SyntaxError, ArithmeticError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{text!r} is not a printed number: {error}") from None


def _combined(
    operation: Callable[[Any, Any], Any],
    left: _Range,
    right: _Range,
) -> _Range:
    """The range of an operation: its least and largest value stand at ends of both ranges."""
    left_low, left_printed, left_high = left
    right_low, right_printed, right_high = right
    ends = [
        operation(left_low, right_low),
        operation(left_low, right_high),
        operation(left_high, right_low),
        operation(left_high, right_high),
    ]
    return min(ends), operation(left_printed, right_printed), max(ends)
