"""What goes wrong, by kind: bad input and missing libraries are errors, never low scores."""

import importlib
from typing import Any


class InputError(ValueError):
    """Input that has no score: the message says what is wrong, where, and what to write instead."""


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
        install = f"'irmetrics-edu[{chosen}]'" if chosen else library
        raise MissingExtra(f"{what} needs {library}: pip install {install}") from None
