"""Reading whole numbers; errors say what to give."""

from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError


def whole(name: str, value: Any, least: int, most: int | None = None, *, why: str = "") -> int:
    """A whole number within its bounds; anything else is refused.

    >>> whole("layers", 2, 0)
    2
    """
    fits = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least
    if not fits or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{name}={value!r} is not possible; give a whole number {bounds}{why}")
    return int(value)
