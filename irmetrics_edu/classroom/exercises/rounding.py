"""Rounding too early: answers that are the right values with few digits.

Two ways are recognised: the result is rounded, or the numbers in the working of a metric are.
Numbers that are near the right ones for another reason are called near, and nothing else.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Naming, Question
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import noted, said

LABEL = "rounded-too-early"
DIGITS = (1, 2, 3, 4)
# The inputs of a function on which all values have to be near, and how near.
FEWEST, NEAR = 4, 0.005
# Further away than this no rounding to one decimal leads: nothing is computed anew.
FAR = 0.25
_EXACT = 1e-9
# Beyond this, and beside a NaN, nothing was rounded.
BIGGEST = 1e300
_WHY = noted("Keep all digits while you compute, and round only what you print.")

Rounds = Callable[[float], float]


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
    if not any(g for g, _ in pairs) or any(abs(g - w) > FAR * (1 + abs(w)) for g, w in pairs):
        return None
    for digits in DIGITS:
        shown = said("{count} decimals", count=digits) if digits > 1 else said("1 decimal")
        if all(_rounded(g, w, digits) for g, w in pairs):
            return _naming(said("the right answer, rounded to {decimals}", decimals=shown))
        for way in (_of_results, _of_parts, _of_all):
            if _gives(answers, question, inputs, way, digits):
                return _naming(
                    said("the right computation with {decimals} kept on the way", decimals=shown)
                )
    return None


def near(answers: Sequence[Any], wanted: Sequence[Any]) -> bool:
    """Whether all answers of a function are near the right ones, whatever the reason."""
    pairs = _compared(answers, wanted) if len(answers) >= FEWEST else None
    return bool(pairs) and all(abs(g - w) <= NEAR * abs(w) for g, w in pairs or ())


def _naming(says: str) -> Naming:
    return Naming(LABEL, says, said(_WHY))


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


def _gives(
    answers: Sequence[Any],
    question: Question,
    inputs: Sequence[Inputs],
    way: Callable[[Any, Rounds], float],
    digits: int,
) -> bool:
    """Whether the numbers are right if metrics are computed in this way where possible."""

    def exchanged(metric: Any) -> Any:
        def score(*given: Any, **options: Any) -> float:
            return way(metric.working(*given, **options), lambda x: round(x, digits))

        return score

    try:
        for answer, one in zip(answers, inputs, strict=True):
            pairs = _compared([answer], [question.computed_with(exchanged, one)])
            if pairs is None:
                return False
            for g, w in pairs:
                if not min(abs(g - w), abs(g - round(w, digits))) <= _EXACT:
                    return False
    except (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return True


def _of_results(working: Any, rounds: Rounds) -> float:
    return rounds(float(working.value))


def _of_parts(working: Any, rounds: Rounds) -> float:
    return _again(working, rounds, deep=False)


def _of_all(working: Any, rounds: Rounds) -> float:
    return _again(working, rounds, deep=True)


def _again(working: Any, rounds: Rounds, *, deep: bool) -> float:
    """The score of a working from rounded numbers, by the last step that it names."""
    exact = _by_how(working, lambda x: x, deep=False)
    if abs(exact - float(working.value)) > _EXACT:
        raise InputError(f"how {working.name} comes about is no formula: {working.how}")
    return _by_how(working, rounds, deep=deep)


def _by_how(working: Any, rounds: Rounds, *, deep: bool) -> float:
    from irmetrics_edu.course.expressions import evaluate

    names: dict[str, Any] = {"exp": math.exp, "sqrt": math.sqrt}

    def number(match: re.Match[str]) -> str:
        name, value = match[1], 0.0
        if name in working.parts:
            part = working.parts[name]
            value = rounds(_again(part, rounds, deep=True) if deep else float(part.value))
        elif name in working.columns:
            value = math.fsum(rounds(float(x)) for x in working.columns[name])
        else:
            value = rounds(float(working.quantities[name][0]))
        name = f"x{len(names)}"
        names[name] = value
        return name

    expression = re.sub(r"\{([^{}]+)\}", number, working.how)
    try:
        return float(evaluate(re.sub(r"\b(exp|sqrt) (x\d+)", r"\1(\2)", expression), names))
    except SyntaxError:  # words, as in "the precision at"
        raise InputError(f"how {working.name} comes about is no formula: {working.how}") from None
