"""How numbers, labels and tables are written for people."""

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from irmetrics_edu.near_ties import TOLERANCE
from irmetrics_edu.numbers import plain
from irmetrics_edu.views import escaping

_WRITTEN_IN_FULL = 1e6  # from here on, twelve digits would not reach the decimals that are shown


def steady(value: Any) -> float:
    """The number rounded to twelve digits before it is written, so that all machines agree.

    The number 0.00375 is computed as a little more or a little less, depending on the machine. So
    one machine would round it up and another down. A number below 1e-12 becomes 0.

    >>> f"{steady(0.003749999999999999):.4f}", f"{steady(0.0037500000000000003):.4f}"
    ('0.0037', '0.0037')
    """
    number = float(value)
    if abs(number) < TOLERANCE:
        return 0.0
    return float(format(number, ".12g")) if abs(number) < _WRITTEN_IN_FULL else number


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
        return f"{steady(value):.{digits}f}"
    return str(value)


def percent(share: float) -> str:
    """A share in percent, with as many digits as it has: 95%, 99.9%."""
    return f"{100 * share:.10g}%"


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
    if floats and all(steady(v).is_integer() for v in floats):
        return [str(int(steady(v))) if isinstance(v, float) else cell(v, digits) for v in items]
    return [cell(v, digits) for v in items]


def width(text: str) -> int:
    """How many columns of a terminal a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


Lines = Sequence[Sequence[str]]


def aligned(header: Sequence[str], lines: Lines, *, indent: str = "") -> str:
    """A table in plain text: numbers to the right, words to the left."""
    columns = [[escaping.visible(line[i]) for line in (header, *lines)] for i in range(len(header))]
    shown = []
    for texts in columns:
        right = numeric(texts[1:])
        size = max(map(width, texts))
        pads = [" " * (size - width(t)) for t in texts]
        shown.append([p + t if right else t + p for t, p in zip(texts, pads, strict=True)])
    return "\n".join((indent + "  ".join(line)).rstrip() for line in zip(*shown, strict=True))


def markdown_table(header: Sequence[str], lines: Lines) -> str:
    """A table in Markdown: numbers to the right, words to the left."""
    bars = ["---:" if right else "---" for right in _to_the_right(header, lines)]
    return "\n".join([_bar(header), f"|{'|'.join(bars)}|", *map(_bar, lines)])


def _bar(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaping.markdown, cells))} |"


def html_table(header: Sequence[str], lines: Lines) -> str:
    """A table in HTML."""
    head = "".join(f'<th scope="col">{escaping.html(h)}</th>' for h in header)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escaping.html(c)}</td>" for c in line) + "</tr>" for line in lines
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def latex_table(header: Sequence[str], lines: Lines) -> str:
    """A tabular in LaTeX: numbers to the right, words to the left."""
    kinds = "".join("r" if right else "l" for right in _to_the_right(header, lines))
    head, *body = [" & ".join(map(escaping.latex, line)) + r" \\" for line in (header, *lines)]
    begin, end = rf"\begin{{tabular}}{{{kinds}}}", r"\end{tabular}"
    return "\n".join([begin, r"\hline", head, r"\hline", *body, r"\hline", end])


def csv_table(lines: Iterable[Sequence[Any]], *, end: str = "\n") -> str:
    """CSV, with every digit of a number."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end)
    writer.writerows([escaping.csv(value) for value in line] for line in lines)
    return out.getvalue()


def _to_the_right(header: Sequence[str], lines: Lines) -> list[bool]:
    return [numeric([line[i] for line in lines]) for i in range(len(header))]


def numeric(texts: Iterable[str]) -> bool:
    """Whether all cells of a column are numbers, or marks that there is none."""
    return all(
        t in ("-", "NaN", "") or t.replace(" ", "").lstrip("-+")[:1].isdigit() for t in texts
    )
