"""Statistics of a class: the distribution of marks, and the difficulty of each question.

Difficulty is the mean share of a question's marks; discrimination is the correlation of its marks
with those of all other questions (the corrected item-total correlation), over the students whose
marks are all known. All sums are of fractions, so that no digit hangs on rounding.
"""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from irmetrics_edu.classroom.marking.gradebook import Line, Row
from irmetrics_edu.classroom.marking.rubrics import NONE

BINS = 10
# Below this a correlation says nothing of the question.
FEWEST = 5
# How the words begin that a student is told who has no answer.
BLANK = ("There is no answer yet.", "There is nothing called ")
FREQUENT = 3


@dataclass(frozen=True)
class Item:
    """The figures of a question; None if they are unknown, as in a very small class."""

    name: str
    out_of: float
    students: int
    mean: float | None
    difficulty: float | None
    discrimination: float | None
    blank: float | None
    right: int
    mistakes: tuple[tuple[str, int], ...]


def items(rows: Sequence[Row]) -> list[Item]:
    """The questions of one exercise, in its order."""
    names = list(dict.fromkeys(line.question.name for row in rows for line in row.lines))
    lines = {n: [x for row in rows for x in row.lines if x.question.name == n] for n in names}
    whole = [row for row in rows if row.lines and all(x.marks is not None for x in row.lines)]
    return [_item(name, lines[name], whole) for name in names]


def _item(name: str, lines: Sequence[Line], whole: Sequence[Row]) -> Item:
    out_of = lines[0].question.out_of
    got = [_exact(line.marks) for line in lines if line.marks is not None]
    mean = sum(got, Fraction(0)) / len(got) if got else None
    own, rest = [], []
    for row in whole:
        marks = {x.question.name: _exact(x.marks) for x in row.lines}
        if name in marks:
            own.append(marks[name])
            rest.append(sum(marks.values(), Fraction(0)) - marks[name])
    empty = [blank(x) for x in lines if x.hand or x.question.judged]
    labels = Counter(line.question.label for line in lines if line.question.label)
    frequent = sorted(labels.items(), key=lambda found: (-found[1], found[0]))[:FREQUENT]
    return Item(
        name,
        out_of,
        len(lines),
        None if mean is None else float(mean),
        float(mean / _exact(out_of)) if mean is not None and out_of else None,
        correlation(own, rest),
        sum(empty) / len(empty) if empty else None,
        sum(line.marks == out_of for line in lines),
        tuple(frequent),
    )


def _exact(marks: float | None) -> Fraction:
    return Fraction(repr(float(marks or 0.0)))


def blank(line: Line) -> bool:
    """Whether a student left a question without an answer."""
    if line.hand:
        return line.hand.state == NONE
    return line.question.text.startswith(BLANK)


def correlation(one: Sequence[Fraction], other: Sequence[Fraction]) -> float | None:
    """Pearson's correlation; None for fewer than five values, or if one side is constant."""
    if len(one) < FEWEST:
        return None
    a, b = statistics.mean(one), statistics.mean(other)
    both = sum(((x - a) * (y - b) for x, y in zip(one, other, strict=True)), Fraction(0))
    squares = sum(((x - a) ** 2 for x in one), Fraction(0)) * sum(
        ((y - b) ** 2 for y in other), Fraction(0)
    )
    if not squares:
        return None
    return math.copysign(math.sqrt(both * both / squares), both)


@dataclass(frozen=True)
class Bin:
    """A bin of the histogram: from and up to how many marks, and how many students."""

    low: float
    high: float
    count: int


def histogram(rows: Sequence[Row]) -> list[Bin]:
    """The final marks of one exercise in ten bins; a mark on a border belongs to the upper bin.

    Full marks belong to the last bin, and so do marks above the total.
    """
    out_of = _exact(max((row.out_of for row in rows), default=0.0))
    got = [_exact(row.marks) for row in rows if row.marks is not None]
    if not out_of or not got:
        return []
    places = Counter(max(0, min(BINS - 1, int(m * BINS / out_of))) for m in got)
    edges = [float(out_of * i / BINS) for i in range(BINS + 1)]
    return [Bin(edges[i], edges[i + 1], places[i]) for i in range(BINS)]
