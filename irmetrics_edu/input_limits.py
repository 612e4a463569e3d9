"""How large input may be before it is refused with a message."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import Any

from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class Limits:
    """The most that is read or built; `limits` sets other values.

    `max_line` is how many bytes a line may have. `max_ratio` is how many times its packed size a
    file may take unpacked (beyond the first 64 MiB). `max_cutoff` is the greatest k of measures
    that build a document for every rank down to k.
    """

    max_line: int = 1 << 20
    max_ratio: int = 200
    max_cutoff: int = 4_000_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(
                    f"{field.name}={value!r} is not a limit; give a whole number of at least 1"
                )


_current: ContextVar[Limits] = ContextVar("limits", default=Limits())  # noqa: B039 -- it is frozen


def current() -> Limits:
    """The limits that hold here."""
    return _current.get()


@contextlib.contextmanager
def limits(**given: Any) -> Iterator[Limits]:
    """Set other limits within this block: `max_line`, `max_ratio`, `max_cutoff`.

    If you give a file within the block, these limits also hold when it is read later.

    >>> with limits(max_line=10_000_000):
    ...     current().max_line
    10000000
    """
    known = [field.name for field in fields(Limits)]
    for name in given:
        if name not in known:
            raise InputError(f"{name} is not a limit; use one of {', '.join(known)}")
    token = _current.set(replace(current(), **given))
    try:
        yield current()
    finally:
        _current.reset(token)


def refuse_cutoff(k: int | None, what: str) -> None:
    """Refuse a cut-off for which too much would be built."""
    most = current().max_cutoff
    if k is not None and k > most:
        raise InputError(
            f"k={k}: {what} needs a number for every rank down to k, and k may be at most "
            f"{most:,}; give a smaller k, or a greater max_cutoff (--max-cutoff)"
        )
