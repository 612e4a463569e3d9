"""How numbers, labels and tables are written for people."""

import csv
import io
import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Self

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
    if abs(number) < _WRITTEN_IN_FULL:
        return float(format(number, ".12g"))
    return number


class Marked(str):
    """A cell with marks after it and perhaps in bold: 0.4512 ab in text, raised elsewhere."""

    __slots__ = ("bare", "bold", "raised")
    bare: str
    bold: bool
    raised: str

    @classmethod
    def of(
        cls,
        text: str,
        *,
        raised: str = "",
        bold: bool = False,
        room: int = 0,
    ) -> Self:
        """The text with its marks, for which a plain table leaves `room`."""
        made = cls(f"{text} {raised:<{room}}" if raised or room else text)
        made.bare = text
        made.raised = raised
        made.bold = bold
        return made


class PValue(float):
    """A p-value: one that is shown as 0.0000 would be a claim that no test makes."""


def _marked(
    cell: str,
    escape: Callable[[str], str],
    bold: str,
    raised: str,
) -> str:
    """A cell in a format, in which `bold` and `raised` are the frames of such text."""
    if not isinstance(cell, Marked):
        return escape(cell)
    text = bold.replace("#", escape(cell.bare)) if cell.bold else escape(cell.bare)
    return text + (raised.replace("#", escape(cell.raised)) if cell.raised else "")


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
        if isinstance(value, PValue) and value < 10.0**-digits:
            return f"<{10.0**-digits:.{digits}f}"
        return f"{steady(value):.{digits}f}"
    return str(value)


def percent(share: float) -> str:
    """A share in percent, with as many digits as it has: 95%, 99.9%."""
    return f"{100 * share:.10g}%"


def mixed(value: Fraction) -> str:
    """A fraction as people write it: 3, 1/2, 2 3/4."""
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    magnitude = abs(value)
    whole, rest = divmod(magnitude, 1)
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def cell(value: Any, digits: int = 4) -> str:
    """What a table shows for a value: numbers, ids, sets of nuggets or categories."""
    if value is None:
        return "-"
    if isinstance(value, Marked):
        return value
    if isinstance(value, (set, frozenset)):
        return ", ".join(sorted(map(str, value))) or "-"
    if isinstance(value, (tuple, list)):
        return ", ".join(cell(v, digits) for v in value) or "-"
    return number(value, digits)


def column(
    values: Iterable[Any],
    digits: int = 4,
) -> list[str]:
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


def aligned(
    header: Sequence[str],
    lines: Lines,
    *,
    indent: str = "",
) -> str:
    """A table in plain text: numbers to the right, words to the left."""
    columns = [[escaping.visible(line[i]) for line in (header, *lines)] for i in range(len(header))]
    shown = []
    for texts in columns:
        right = numeric(texts[1:])
        size = max(map(width, texts))
        pads = [" " * (size - width(t)) for t in texts]
        shown.append([p + t if right else t + p for t, p in zip(texts, pads, strict=True)])
    return "\n".join((indent + "  ".join(line)).rstrip() for line in zip(*shown, strict=True))


def markdown_table(
    header: Sequence[str],
    lines: Lines,
) -> str:
    """A table in Markdown: numbers to the right, words to the left."""
    bars = ["---:" if right else "---" for right in _to_the_right(header, lines)]
    return "\n".join(
        [
            _bar(header),
            f"|{'|'.join(bars)}|",
            *map(_bar, lines),
        ]
    )


def _bar(cells: Sequence[str]) -> str:
    shown = (_marked(cell, escaping.markdown, "**#**", "<sup>#</sup>") for cell in cells)
    return f"| {' | '.join(shown)} |"


def html_table(
    header: Sequence[str],
    lines: Lines,
) -> str:
    """A table in HTML."""
    head = "".join(f'<th scope="col">{escaping.html(h)}</th>' for h in header)

    def cell_of(text: str) -> str:
        return f"<td>{_marked(text, escaping.html, '<b>#</b>', '<sup>#</sup>')}</td>"

    body = "\n".join(f"<tr>{''.join(map(cell_of, line))}</tr>" for line in lines)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def latex_table(
    header: Sequence[str],
    lines: Lines,
) -> str:
    """A tabular in LaTeX, with the rules of booktabs: numbers to the right, words to the left."""
    kinds = "".join("r" if right else "l" for right in _to_the_right(header, lines))

    def cells(line: Sequence[str]) -> str:
        bold, raised = r"\textbf{#}", r"\textsuperscript{#}"
        return " & ".join(_marked(c, escaping.latex, bold, raised) for c in line) + r" \\"

    head, *body = [cells(line) for line in (header, *lines)]
    begin = rf"\begin{{tabular}}{{{kinds}}}"
    end = r"\end{tabular}"
    return "\n".join(
        [
            begin,
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            end,
        ]
    )


def csv_table(
    lines: Iterable[Sequence[Any]],
    *,
    end: str = "\n",
) -> str:
    """CSV, with every digit of a number."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end)
    writer.writerows([escaping.csv(value) for value in line] for line in lines)
    return out.getvalue()


def _to_the_right(
    header: Sequence[str],
    lines: Lines,
) -> list[bool]:
    return [numeric([line[i] for line in lines]) for i in range(len(header))]


def numeric(texts: Iterable[str]) -> bool:
    """Whether all cells of a column are numbers, or marks that there is none."""
    return all(
        t in ("-", "NaN", "") or t.replace(" ", "").lstrip("-+<")[:1].isdigit() for t in texts
    )
