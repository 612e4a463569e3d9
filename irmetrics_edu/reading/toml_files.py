"""TOML that a person wrote: what can't be read is refused by its file."""

import tomllib
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError

_MOST_PARTS = 1_000  # of a key, or of brackets in a line: the reader's time grows with their square


def toml_of(text: str, file: str | PathLike[str]) -> dict[str, Any]:
    """The tables of a file of TOML.

    >>> toml_of("seeds = 3", "settings.toml")
    {'seeds': 3}
    """
    for number, line in enumerate(text.splitlines(), 1):
        key = line.partition("=")[0]
        if key.count(".") > _MOST_PARTS:
            raise InputError(
                f"{file}, line {number}: a key has more than {_MOST_PARTS:,} parts; give fewer"
            )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(
            f"{file} can't be read as TOML: it is nested too deeply; give fewer levels"
        ) from None
    except ValueError as error:  # of TOML, and of a number with too many digits
        raise InputError(f"{file} can't be read as TOML: {error}") from None
