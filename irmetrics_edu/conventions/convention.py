"""What a convention is: one of the choices on which libraries differ, as a named value."""

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from irmetrics_edu.errors import InputError

_TEXTS = tomllib.loads(Path(__file__).with_name("conventions.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Convention:
    """One named way to settle a question that a metric's definition leaves open."""

    name: str
    latex: str
    meaning: str
    function: Callable[..., Any] | None = field(default=None, compare=False, repr=False)
    meant: ClassVar[dict[str, str]] = {}  # what words of other programs mean, by our names
    closed: ClassVar[bool] = False  # whether all values are known, as each is settled elsewhere
    values: ClassVar[dict[str, Any]]
    makers: ClassVar[dict[str, Callable[[str], Any]]]
    forms: ClassVar[tuple[str, ...]]  # what the makers read, each with numbers that others replace

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> Any:
        """Pickled by its name, so that loading it gives the registered value itself."""
        return type(self).named, (self.name,)

    def __call__(self, first: Any, *rest: Any) -> Any:
        """What its function makes of what is given: gains of grades, say."""
        function = self.function
        if function is None:
            raise InputError(f"{self.name} has no function")
        return function(first, *rest) if rest else function(first)

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
                return cls.makers[called[1]](called[2])  # type: ignore[no-any-return]  # numpy's and the makers' types end here
        if isinstance(value, Mapping) and "table" in cls.makers:
            entries = []
            for grade, worth in value.items():
                entry = f"{grade}:{worth}"
                entries.append(entry)
            table = ",".join(entries)
            return cls.makers["table"](table)  # type: ignore[no-any-return]  # as above
        asked = parameter or cls.__name__.lower()
        rather = cls._suggestion(str(value))
        raise InputError(
            f"{asked}={value!r} is not a known choice; {rather}use one of {', '.join(cls.ways())}"
        )

    @classmethod
    def _suggestion(cls, word: str) -> str:
        """A question for what was probably meant: what others call it, or a name that is near."""
        near = difflib.get_close_matches(word, cls.values, n=1)
        meant = cls.meant.get(word.casefold())
        if meant:
            near = [meant]
        if not near:
            return ""
        return f"did you mean {near[0]}? "

    @classmethod
    def ways(cls) -> list[str]:
        """What can be written for this kind: its values, then the forms with numbers of your own.

        >>> from irmetrics_edu.conventions import Gain
        >>> Gain.ways()[:4]
        ['linear', 'exp', 'binary', 'linear(1)']
        """
        names: dict[str, None] = {}
        for convention in cls.values.values():
            names[convention.name] = None
        for form in cls.forms:
            names[form] = None
        return list(names)

    @classmethod
    def known(cls, name: str, function: Callable[..., Any] | None = None, **facts: Any) -> Self:
        """A value of this package, entered in the table; its words are in `conventions.toml`."""
        home = next(kind for kind in cls.__mro__ if "values" in vars(kind))
        made = cls(name, **_TEXTS[home.__name__][name], function=function, **facts)
        cls.values[name] = made
        return made

    @classmethod
    def register(cls, *values: "Convention", **aliases: "Convention") -> None:
        """Enter values in the table, so that they are found by name.

        InputError for a kind whose values are settled where rankings meet their judgments: another
        value would be taken for one of them in silence.
        """
        if cls.closed:
            raise InputError(
                f"{cls.__name__} has these values alone: {', '.join(cls.values)}; what each does "
                "is written where a ranking meets its judgments, so choose one of them"
            )
        cls.values.update({v.name: v for v in values}, **aliases)


def kind(cls: type[Convention]) -> type[Convention]:
    """Give a class of conventions its own table of values."""
    cls.values = {}
    cls.makers = {}
    cls.forms = ()
    return cls
