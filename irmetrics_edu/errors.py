"""What goes wrong, by kind: bad input and missing libraries are errors, never low scores."""

import importlib
from collections.abc import Container
from dataclasses import dataclass
from typing import Any


class InputError(ValueError):
    """Input that has no score: the message says what is wrong, where, and what to write instead."""


@dataclass(frozen=True)
class WayOut:
    """What a caller may say so that refused input is taken: a keyword, or an option of a command.

    `advice` is the end of a sentence with {} where the keyword or the option stands.
    """

    advice: str
    keyword: str
    option: str

    def in_python(self) -> str:
        """The advice for a caller in Python."""
        return self.advice.format(self.keyword)

    def in_command(self) -> str:
        """The advice for a command that has the option."""
        return self.advice.format(self.option)


SKIP_BAD = WayOut(
    advice=", or leave such lines out and count them with {}",
    keyword="skip_bad=True",
    option="--skip-bad",
)
NAMED_COLUMN = WayOut(
    advice=", or say which one it is by {}",
    keyword="columns=",
    option="--columns",
)
LONGER_LINES = WayOut(
    advice="; if that is right, give a greater {}",
    keyword="max_line=",
    option="--max-line",
)
GREATER_RATIO = WayOut(
    advice="; if that is right, give a greater {}",
    keyword="max_ratio=",
    option="--max-ratio",
)
DEEPER_CUTOFF = WayOut(
    advice=", or a greater {}",
    keyword="max_cutoff=",
    option="--max-cutoff",
)


class Avoidable(InputError):  # noqa: N818 -- it says what the input is
    """Input that is refused unless the caller says otherwise; each front names its own way out.

    The message is `wrong`, the way out, and the `rest`. As a text it is for Python.
    """

    def __init__(self, wrong: str, way: WayOut, rest: str = "") -> None:
        super().__init__(wrong, way, rest)  # so that a copy can be made of what was given
        self.wrong = wrong
        self.way = way
        self.rest = rest

    def __str__(self) -> str:
        return f"{self.wrong}{self.way.in_python()}{self.rest}"

    def in_command(self, options: Container[str]) -> str:
        """The message of a command with these options; it names no way that there is not."""
        option = self.way.option.partition(" ")[0]
        advice = self.way.in_command() if option in options else ""
        return f"{self.wrong}{advice}{self.rest}"


class NotRational(InputError):  # noqa: N818 -- the message reads "NotRational: ..."
    """An exact value that does not exist, because it is irrational (a logarithm, a square root)."""


class RetrieverError(RuntimeError):
    """A retriever that gave no answer, or half of one: the message names the query and says why."""


class OutputError(OSError):
    """A file that can't be written: the message names it and says why."""

    def __str__(self) -> str:
        return str(self.args[-1])


class MissingExtra(InputError, ImportError):  # noqa: N818 -- named as the other errors are read
    """An optional library that is not installed: the message says which, and how to install it."""


# What is raised for a fault of what was given, and not of this package: its message is enough.
REFUSALS = (InputError, RetrieverError, OutputError)


# What is imported: the library's name, and the extra that brings it.
_EXTRAS = {
    "autograd": ("autograd", "lab"),
    "babel": ("Babel", "site"),
    "matplotlib": ("matplotlib", "plot"),
    "narwhals": ("narwhals", "frames"),
    "nbformat": ("nbformat", "course"),
    "pandas": ("pandas", ""),
    "pyarrow": ("pyarrow", "frames"),
    "scipy": ("scipy", "gate"),
    "sklearn": ("scikit-learn", "lab"),
    "sphinx": ("Sphinx", "site"),
}


def extra(module: str, *, what: str = "this", name: str = "") -> Any:
    """A module of an optional library; MissingExtra if it is not installed.

    `what` is the feature that needs it. `name` is the extra to install, if it is not the usual one.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != top:
            raise  # the library is there, but something that it needs is not
        library, usual = _EXTRAS[top]
        chosen = name or usual
        brings = f" (the extra {chosen} of this package brings it)" if chosen else ""
        raise MissingExtra(f"{what} needs {library}: pip install {library}{brings}") from None
