"""Recognizing answers that are the right values with few digits.

Numbers that are near the right ones for another reason are called near, and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Naming, Question
from irmetrics_edu.views.language import noted, said

LABEL = "rounded-too-early"
DIGITS = (1, 2, 3, 4)
# The inputs of a function on which all values have to be near, and how near.
FEWEST, NEAR = 4, 0.005
_EXACT = 1e-9
# Beyond this, and beside a NaN, nothing was rounded.
BIGGEST = 1e300
_WHY = noted("Keep all digits while you compute, and round only what you print.")


def named(question: Question, inputs: Sequence[Inputs], answers: Sequence[Any]) -> Naming | None:
    """Rounding, as a mistake, if it gives all these values.

    >>> question = Question("f", "dcg(grades)")
    >>> given = [{"grades": [3, 2, 1]}]
    >>> named(question, given, [4.76]).says
    'the right answer, rounded to 2 decimals'
    >>> named(question, given, [4.8]).says, named(question, given, [4.7])
    ('the right answer, rounded to 1 decimal', None)
    """
    pairs = _compared(answers, [question.right(one) for one in inputs])
    if not pairs or len({w for _, w in pairs}) > 1 == len({g for g, _ in pairs}):
        return None
    if not any(g for g, _ in pairs):
        return None
    for digits in DIGITS:
        shown = said("{count} decimals", count=digits) if digits > 1 else said("1 decimal")
        if all(_rounded(g, w, digits) for g, w in pairs):
            says = said("the right answer, rounded to {decimals}", decimals=shown)
            return Naming(LABEL, says, said(_WHY))
    return None


def near(answers: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether all answers of a function are near the right ones, whatever the reason."""
    pairs = _compared(answers, wanted) if len(answers) >= FEWEST else None
    return bool(pairs) and all(abs(g - w) <= NEAR * abs(w) for g, w in pairs or ())


def _compared(answers: Sequence[Any], wanted: Sequence[Any]) -> list[tuple[float, float]] | None:
    """Each number of the answers with that in its place; None if their shapes differ."""
    found = []
    for given, right in _places(list(answers), list(wanted)):
        if not (_is_finite(given) and _is_finite(right)):
            return None
        found.append((float(given), float(right)))
    return found


def _places(given: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(right, list | tuple) and isinstance(given, list | tuple):
        for own, wanted in zip_longest(given, right):
            yield from _places(own, wanted)
    elif isinstance(right, Mapping) and isinstance(given, Mapping) and {*given} == {*right}:
        for key in right:
            yield from _places(given[key], right[key])
    else:
        yield given, right


def _is_finite(value: Any) -> bool:
    number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    return number and abs(value) < BIGGEST


def _rounded(given: float, wanted: float, digits: int) -> bool:
    """Whether a number is the right one rounded to this many decimals, a half up or down."""
    step = 10.0**-digits
    return abs(given - round(given, digits)) <= _EXACT and abs(given - wanted) <= step / 2 + _EXACT
