"""What is right and what each mistake gives for drawn inputs; which of them can be told apart.

A draw is refused where two answers could be taken for each other at the digits that are asked for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question
from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.variants import is_trivial
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import formatting

# Answers are rounded: half a unit of the last digit, and a little for what lies on the edge.
HALF = 0.51
_EQUAL = 1e-9


class Refused(InputError):  # noqa: N818 -- read as what happened to the draw
    """A draw that makes no question: the message says why."""


class Never(Refused):
    """A draw that is refused whatever is drawn: this question has no such kind."""


TRIVIAL = Refused("the right answer is easy to guess, such as 0 or 1")
RIGHT = Refused("a mistake gives the right answer")
ALIKE = Refused("two answers are alike at the digits that are asked for")
FEW = Refused("too few mistakes give an answer of their own")
TOO_FEW = Never("the exercise knows too few mistakes for this kind of question")
NO_NUMBER = Never("the right answer is not a number")
SAME_TABLE = Refused("two of the given tables are the same")
NO_VALUE = Refused("nothing can be computed from the values drawn")


@dataclass(frozen=True)
class Values:
    """What is right, and the mistakes that show in these inputs with what each gives."""

    right: Any
    wrong: Mapping[str, Any]


def values(question: Question, inputs: Inputs) -> Values:
    """What is right and what the mistakes give; Refused where a mistake gives what is right.

    A question that tells its mistakes apart by several inputs only (`jointly`) goes without those
    that make no difference in these, as long as half of them show.
    """
    right = computed(question, inputs)
    shown = {}
    for label in question.labels:
        value = computed(question, inputs, label)
        if not same(value, right, _EQUAL):
            shown[label] = value
        elif not question.jointly:
            raise RIGHT
    if 2 * len(shown) < len(question.labels):
        raise RIGHT
    return Values(right, shown)


def computed(question: Question, inputs: Inputs, label: str = "") -> Any:
    """What is right, or what a mistake gives; Refused where that can't be computed."""
    try:
        return question.wrong(label, inputs) if label else question.right(inputs)
    except (InputError, ArithmeticError, ValueError, LookupError):
        raise NO_VALUE from None


def is_number(value: Any) -> bool:
    """Whether a value is a number that somebody can type."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def decimals(value: Any, digits: int) -> int:
    """How many decimals a number is asked to: more where it begins with zeros.

    >>> decimals(0.4567, 3), decimals(0.00439, 3), decimals(7, 3)
    (3, 5, 0)
    """
    if isinstance(value, int):
        return 0
    size = abs(formatting.steady(value))
    return digits + (max(0, -math.floor(math.log10(size)) - 1) if size else 0)


def tolerance(places: int) -> float:
    """How far an answer with so many decimals may be from the exact value."""
    return float(f"{HALF * 10.0**-places:.3g}")


def refuse_alike(right: Any, wrong: Sequence[Any], near: float) -> None:
    """Refused if an answer can be taken for another one: what is right, or what a mistake gives."""
    if any(same(value, right, 2 * near) for value in wrong):
        raise RIGHT
    if any(same(a, b, 2 * near) for a, b in combinations(wrong, 2)):
        raise ALIKE


def refuse_trivial(right: Any, near: float) -> None:
    """Refused if anybody would guess it."""
    if isinstance(right, float | list) and is_trivial(right, near / 20):
        raise TRIVIAL


def texts(found: Sequence[Any], places: int) -> list[str]:
    """Values as the options of one question show them; Refused if two read the same."""
    if all(isinstance(value, list | tuple) for value in found):
        shown = [_list(value, places) for value in found]
    elif all(isinstance(value, Mapping) for value in found):
        shown = [", ".join(f"{k}: {_list([v[k]], places)}" for k in sorted(v)) for v in found]
    else:
        shown = formatting.column(found, places)
    if len(set(shown)) < len(shown):
        raise ALIKE
    return shown


def _list(value: Sequence[Any], places: int) -> str:
    return ", ".join(formatting.column(value, places)) or "none"
