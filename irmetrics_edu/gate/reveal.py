"""Whether a failure shows the expected values or only hints, for graded exercises."""

from irmetrics_edu import measured
from irmetrics_edu.errors import InputError

ALL, HINT = "all", "hint"


def revealing(given: str | None) -> str:
    """What an assertion shows: as its own keyword says, else as the session says."""
    reveal = measured.reveal() if given is None else given
    if reveal not in (ALL, HINT):
        raise InputError(f"reveal={reveal!r} is not known; use one of {ALL}, {HINT}")
    return reveal
