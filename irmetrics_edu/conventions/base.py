"""What a convention is: a named value of a kind, with its LaTeX, its meaning and its function."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array


@dataclass(frozen=True, slots=True)
class Convention:
    """One named way to settle a question that a metric's definition leaves open."""

    name: str
    latex: str
    meaning: str
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)
    values: ClassVar[dict[str, Any]]
    makers: ClassVar[dict[str, Callable[[str], Any]]]

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        """Pickled by its name, so that loading it gives the registered value itself."""
        return type(self).named, (self.name,)

    @classmethod
    def named(cls, value: Any, parameter: str = "") -> Self:
        """The convention of this kind that `value` is or names; an error lists the choices."""
        # A kind may have classes of its own for some values; they share one table.
        if isinstance(value, Convention) and value.values is cls.values:
            return value  # type: ignore[return-value]  # of this kind, by the table
        if isinstance(value, str):
            if value in cls.values:
                return cls.values[value]  # type: ignore[no-any-return]  # the class's own table
            called = re.fullmatch(r"(\w+)\((.+)\)", value)
            if called and called[1] in cls.makers:
                return cls.makers[called[1]](called[2])  # type: ignore[no-any-return]
        names = ", ".join(dict.fromkeys(v.name for v in cls.values.values()))
        raise InputError(
            f"{parameter or cls.__name__.lower()}={value!r} is not a known choice; "
            f"use one of {names}"
        )

    @classmethod
    def register(cls, *values: "Convention", **aliases: "Convention") -> None:
        """Enter values in the table, so that they are found by name."""
        cls.values.update({v.name: v for v in values}, **aliases)


def kind(cls: type[Convention]) -> type[Convention]:
    """Give a class of conventions its own table of values."""
    cls.values = {}
    cls.makers = {}
    return cls


def applied(convention: Convention, values: Array) -> Array:
    """The values under the convention's function."""
    if convention.function is None:
        raise InputError(f"{convention.name} has no function")
    result: Array = convention.function(values)
    return result
