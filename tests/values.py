"""Values stay as they are once they are made, and a field that is not given says no."""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from types import FunctionType, ModuleType
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


def are_made_as_told(
    kinds: Iterable[Any],
    *,
    filled: Collection[str] = (),
    alone: Collection[str] = (),
    slotted: Collection[str] = (),
    shown_by_themselves: Collection[str] = (),
    behind: Collection[str] = (),
    unshown: Collection[str] = (),
    uncompared: Collection[str] = (),
    yes: Collection[str] = (),
    numbers: Mapping[str, float] | None = None,
) -> None:
    """Look at how values are made: what may be changed, compared, shown, given or left out.

    Named are those that are `filled` as they are used, equal to themselves `alone`, `slotted`, and
    `shown_by_themselves`. Fields are named with their class: those `behind` nobody gives or sees,
    `unshown` ones are given, `uncompared` ones make no difference, `yes` is what a field says if it
    is not given, and `numbers` are those that are not 0.
    """
    other = dict(numbers or {})
    for one in kinds:
        name = one.__name__
        assert one.__dataclass_params__.frozen is (name not in filled), one
        assert (one.__eq__ is object.__eq__) is (name in alone), one
        assert ("__slots__" in vars(one)) is (name in slotted), one
        assert one.__dataclass_params__.repr is (name not in shown_by_themselves), one
        for field in dataclasses.fields(one):
            called = f"{name}.{field.name}"
            assert field.init is (called not in behind), called
            assert field.repr is (called not in {*behind, *unshown}), called
            assert field.compare is (called not in uncompared), called
            if isinstance(field.default, bool):
                assert field.default is (called in yes), called
            elif isinstance(field.default, int | float):
                assert field.default == other.get(called, 0), called


def defaults_of(module: ModuleType) -> dict[str, set[Any]]:
    """The numbers and truth values that parameters of a module's functions have by default."""
    found: dict[str, set[Any]] = {}
    waiting = [module, *(one for one in vars(module).values() if isinstance(one, type))]
    for holder in waiting:
        if holder is not module and holder.__module__ != module.__name__:
            continue
        for given in vars(holder).values():
            one = given.fget if isinstance(given, property) else getattr(given, "__func__", given)
            if not isinstance(one, FunctionType) or one.__code__.co_filename != module.__file__:
                continue
            for parameter in inspect.signature(one).parameters.values():
                if isinstance(parameter.default, bool | int | float):
                    found.setdefault(parameter.name, set()).add(parameter.default)
    return found
