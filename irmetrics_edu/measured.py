"""Where assertions tell what they measured, to whoever listens. Imports next to nothing."""

import math
from collections.abc import Mapping
from typing import Any, Protocol

ALL, HINT = "all", "hint"  # what a failure shows
_LISTENERS: list["Listener"] = []


class Listener(Protocol):
    """Who reports measurements, and says what holds where an assertion does not say it."""

    def hear(self, measurement: Any) -> None:
        """Take note of a measurement, which has `facts()`."""
        ...

    def reveal(self) -> str:
        """What a failure shows where the assertion does not say: "all" or "hint"."""
        ...

    def policy(self) -> Mapping[str, Any]:
        """What gates let through where they do not say, by the names of `Policy`."""
        ...


def listen(listener: Listener) -> None:
    """Tell `listener` every measurement from now on; who listened before waits."""
    _LISTENERS.append(listener)


def stop(listener: Listener) -> None:
    """Tell it no more."""
    if listener in _LISTENERS:
        _LISTENERS.remove(listener)


def tell(measurement: Any) -> None:
    """Pass a measurement to who listens."""
    if _LISTENERS:
        _LISTENERS[-1].hear(measurement)


def revealing(given: str | None) -> str:
    """Whether a failure shows the expected values or only hints: as the assertion or session says.

    Exercises that are graded show hints.
    """
    reveal = given
    if reveal is None:
        reveal = _LISTENERS[-1].reveal() if _LISTENERS else ALL
    if reveal not in (ALL, HINT):
        from irmetrics_edu.errors import InputError  # here: every pytest session loads this module

        raise InputError(f"reveal={reveal!r} is not known; use one of {ALL}, {HINT}")
    return reveal


def policy() -> Mapping[str, Any]:
    """What gates let through where they do not say."""
    return _LISTENERS[-1].policy() if _LISTENERS else {}


def current() -> Any:
    """Who listens now; None if nobody does."""
    return _LISTENERS[-1] if _LISTENERS else None


def no_result(measure: str, said: str) -> dict[str, Any]:
    """The facts of an assertion that could not be made, and why."""
    return {
        "measure": measure,
        "score": None,
        "verdict": "error",
        "bounds": {},
        "queries": 0,
        "conventions": "",
        "per_query": {},
        "explanation": said,
    }


def finite(value: float) -> float | None:
    """A number as JSON can hold it: None for NaN."""
    return float(value) if math.isfinite(value) else None
