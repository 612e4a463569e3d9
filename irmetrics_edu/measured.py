"""Where assertions tell what they measured, to whoever listens. Imports next to nothing."""

import math
from collections.abc import Callable
from typing import Any

_LISTENERS: list[Callable[[Any], None]] = []


def listen(listener: Callable[[Any], None]) -> None:
    """Call `listener` with every measurement from now on."""
    _LISTENERS.append(listener)


def stop(listener: Callable[[Any], None]) -> None:
    """Call it no more."""
    if listener in _LISTENERS:
        _LISTENERS.remove(listener)


def tell(measurement: Any) -> None:
    """Pass a measurement, which has `facts()`, to all who listen."""
    for listener in tuple(_LISTENERS):
        listener(measurement)


def finite(value: float) -> float | None:
    """A number as JSON can hold it: None for NaN."""
    return float(value) if math.isfinite(value) else None
