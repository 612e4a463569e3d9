"""Reading whole numbers; errors say what to give."""

from typing import Any

from irmetrics_edu.checks import is_whole
from irmetrics_edu.errors import InputError


def whole(name: str, value: Any, least: int, most: int | None = None, *, why: str = "") -> int:
    """A whole number within its bounds; anything else is refused.

    >>> whole("layers", 2, 0)
    2
    """
    if not is_whole(value) or value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{name}={value!r} is not possible; give a whole number {bounds}{why}")
    return int(value)
