"""How numbers and labels are written for people."""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.numbers import plain


def number(value: Any, digits: int = 4) -> str:
    """A float to some digits, a fraction as a mixed number: 2 3/4."""
    value = plain(value)
    if isinstance(value, Fraction):
        return mixed(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return f"{value:.{digits}f}"
    return str(value)


def mixed(value: Fraction) -> str:
    """A fraction as people write it: 3, 1/2, 2 3/4."""
    if value.denominator == 1:
        return str(value.numerator)
    sign, magnitude = ("-" if value < 0 else ""), abs(value)
    whole, rest = divmod(magnitude, 1)
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def cell(value: Any, digits: int = 4) -> str:
    """What a table shows for a value: numbers, ids, sets of nuggets or categories."""
    if value is None:
        return "-"
    if isinstance(value, (set, frozenset)):
        return ", ".join(sorted(map(str, value))) or "-"
    if isinstance(value, (tuple, list)):
        return ", ".join(cell(v, digits) for v in value) or "-"
    return number(value, digits)


def column(values: Iterable[Any], digits: int = 4) -> list[str]:
    """A column of cells; floats that are all whole are written without decimals."""
    items = [plain(v) for v in (values.tolist() if isinstance(values, np.ndarray) else values)]
    floats = [v for v in items if isinstance(v, float)]
    if floats and all(math.isfinite(v) and v == int(v) for v in floats):
        return [str(int(v)) if isinstance(v, float) else cell(v, digits) for v in items]
    return [cell(v, digits) for v in items]


def width(text: str) -> int:
    """How many columns of a terminal a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def aligned(header: Sequence[str], lines: Sequence[Sequence[str]], *, indent: str = "") -> str:
    """A table in plain text: numbers to the right, words to the left."""
    columns = [[h, *(line[i] for line in lines)] for i, h in enumerate(header)]
    shown = []
    for texts in columns:
        right = all(_numeric(t) for t in texts[1:])
        size = max(map(width, texts))
        pads = [" " * (size - width(t)) for t in texts]
        shown.append([p + t if right else t + p for t, p in zip(texts, pads, strict=True)])
    return "\n".join((indent + "  ".join(line)).rstrip() for line in zip(*shown, strict=True))


def _numeric(text: str) -> bool:
    return text in ("-", "NaN", "") or text.replace(" ", "").lstrip("-+")[:1].isdigit()
