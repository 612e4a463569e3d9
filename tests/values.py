"""Values stay as they are once they are made, and a field that is not given says no."""

import dataclasses
from collections.abc import Callable, Collection, Iterable
from types import ModuleType
from typing import Any


def values_of(module: ModuleType) -> list[Any]:
    """The values that a module defines."""
    found = []
    for one in vars(module).values():
        is_own = isinstance(one, type) and one.__module__ == module.__name__
        if is_own and dataclasses.is_dataclass(one):
            found.append(one)
    return found


def hold_still(
    asked: Iterable[tuple[ModuleType, Callable[[], Any], Any]],
    filled: Collection[type],
    yes: Collection[tuple[str, str]] = (),
) -> None:
    """Ask each module for what it is known to say, and look at the fields of its values.

    Those that are `filled` keep a state, and `yes` names the fields that say yes unless something
    says no.
    """
    for module, ask, said in asked:
        assert ask() == said, module
        for value in values_of(module):
            assert value in filled or value.__dataclass_params__.frozen, value
            for field in dataclasses.fields(value):
                if isinstance(field.default, bool):
                    assert field.default is ((value.__name__, field.name) in yes), (value, field)
