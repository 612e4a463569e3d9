"""Whether a failure shows what was expected, or hints only, for graded exercises."""

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError

ALL, HINT = "all", "hint"


def revealing(given: str | None) -> str:
    """What an assertion was told to show, or, where it was not, what the session is told to."""
    reveal = measured.reveal() if given is None else given
    if reveal not in (ALL, HINT):
        raise InputError(f"reveal={reveal!r} is not known; use one of {ALL}, {HINT}")
    return reveal
