"""Rounding too early: answers that are the right values with few digits.

Three ways are recognised. The result is rounded. The numbers in the working of a metric are
rounded. Or all numbers are so near to the right ones that something must have been rounded on the
way.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.exercises.spec import Inputs, Naming, Question
from irmetrics_edu.views.language import noted, said

LABEL = "rounded-too-early"
DIGITS = (1, 2, 3, 4)
# The inputs of a function on which all values have to be near, and how near.
FEWEST, NEAR = 4, 0.005
# Further away than this no rounding to one decimal leads: nothing is computed anew.
FAR = 0.25
_EXACT = 1e-9
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
    found = [list(_numbers(answer)) for answer in answers]
    if not all(found):
        return None
    right = [list(_numbers(question.right(one))) for one in inputs]
    if [len(f) for f in found] != [len(r) for r in right]:
        return None
    given = [x for each in found for x in each]
    wanted = [x for each in right for x in each]
    if len({*wanted}) > 1 == len({*given}) or not all(map(math.isfinite, given + wanted)):
        return None
    if any(abs(g - w) > FAR * (1 + abs(w)) for g, w in zip(given, wanted, strict=True)):
        return None
    for digits in DIGITS:
        shown = said("{count} decimals", count=digits) if digits > 1 else said("1 decimal")
        if all(_rounded(g, w, digits) for g, w in zip(given, wanted, strict=True)):
            return _naming(said("the right answer, rounded to {decimals}", decimals=shown))
        for way in (_of_results, _of_parts, _of_all):
            if _gives(given, question, inputs, way, digits):
                return _naming(
                    said("the right computation with {decimals} kept on the way", decimals=shown)
                )
    if len(inputs) >= FEWEST and all(
        abs(g - w) <= NEAR * abs(w) for g, w in zip(given, wanted, strict=True)
    ):
        return _naming(
            said(
                "the right computation with too few digits: all values are close to the right ones"
            )
        )
    return None


def _naming(says: str) -> Naming:
    return Naming(LABEL, says, said(_WHY))


def _numbers(value: Any) -> Iterator[float]:
    """The numbers in a value, in order; nothing if it holds anything else."""
    if isinstance(value, list | tuple):
        found = [list(_numbers(item)) for item in value]
        if all(found):
            for each in found:
                yield from each
    elif isinstance(value, dict):
        yield from _numbers([value[key] for key in sorted(value, key=repr)])
    elif not isinstance(value, bool) and hasattr(value, "__float__"):
        yield float(value)


def _rounded(given: float, wanted: float, digits: int) -> bool:
    """Whether a number is the right one rounded to this many decimals, a half up or down."""
    step = 10.0**-digits
    return abs(given - round(given, digits)) <= _EXACT and abs(given - wanted) <= step / 2 + _EXACT


def _gives(
    given: Sequence[float],
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

    left = iter(given)
    try:
        for one in inputs:
            for value in _numbers(question.computed_with(exchanged, one)):
                g = next(left, math.nan)
                if not min(abs(g - value), abs(g - round(value, digits))) <= _EXACT:
                    return False
    except (InputError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return next(left, None) is None


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
    from irmetrics_edu.documents.calls import evaluate

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
