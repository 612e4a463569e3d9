"""What may stand in the fields of a question, a criterion and an exercise.

A field that is wrong would show when a class is marked: a text where a list belongs is read letter
by letter, and a tolerance of NaN makes every answer wrong.
"""

import keyword
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu.errors import InputError

# The tags of other cells, and the names that a copy imports.
TAKEN = frozenset({"spec", "setup", "check", "hint", "begin"})


def refuse_unfit_name(name: Any) -> None:
    """InputError for a question's name that no variable and no cell can have.

    >>> refuse_unfit_name("lambda")
    Traceback (most recent call last):
        ...
    irmetrics_edu.errors.InputError: question 'lambda': a name must be one that Python can have
    """
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise InputError(f"question {name!r}: a name must be one that Python can have")
    if name in TAKEN:
        raise InputError(
            f"question {name!r}: a copy uses this name itself; give another one, such as my_{name}"
        )


def refuse_unless_number(field: str, value: Any, *, above: bool = False) -> None:
    """InputError unless a field is a finite number from 0 on, or `above` 0."""
    wanted = "0 or a number above it"
    if above:
        wanted = "a number above 0"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0 or (above and value == 0):
        raise InputError(f"{field}: {value!r}; give {wanted}")


def refuse_unless_count(field: str, value: Any) -> None:
    """InputError unless a field is a whole number of at least 1."""
    if type(value) is not int or value < 1:
        raise InputError(f"{field}: {value!r}; give a whole number from 1 on")


def refuse_unless_text(field: str, value: Any) -> None:
    """InputError unless a field is text."""
    if not isinstance(value, str):
        raise InputError(f"{field}: {value!r}; give text, in quotes")


def refuse_unless_listed(
    field: str,
    values: Any,
    kind: type,
    example: str,
) -> None:
    """InputError unless a field is a list of one kind of thing, as in the example."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(f"{field}: {values!r}; give a list, such as {example}")
    for value in values:
        if not isinstance(value, kind):
            raise InputError(f"{field}: {value!r} is in the list; write it as in {example}")


def refuse_repeated(field: str, names: Iterable[str]) -> None:
    """InputError for a name that a field has twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{field}: {name!r} is there twice; leave one out, or rename it")
        seen.add(name)


def in_order_of(inputs: Mapping[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs in the order of an example's: a function is called with them by position.

    >>> in_order_of({"k": 3, "grades": [1]}, {"grades": [], "k": 1})
    {'grades': [1], 'k': 3}
    """
    ordered = {}
    for name in example:
        if name in inputs:
            ordered[name] = inputs[name]
    return {**ordered, **inputs}
