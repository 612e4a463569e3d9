"""The options of `grade`, as the command and a notebook give them."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu import checks
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.marking.reviewing.gradebook import ATTEMPTS
from irmetrics_edu.errors import InputError

WORKERS = 2
_COLUMN = re.compile(r"(?:(\d{1,2})=)?(.+)")

# What shows how far it is: called with the number of submissions, it is entered once, and gives
# what is called after each of them.
Progress = Callable[[int], AbstractContextManager[Callable[[], None]]]


def no_progress(_count: int) -> AbstractContextManager[Callable[[], None]]:
    """Shows nothing."""
    return nullcontext(_nothing)


def _nothing() -> None:
    """One more is done."""


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """What grading a class hangs on, beside the submissions; `docs/grading.md` explains each.

    `key` is the file with the course key, and `out` the folder for marks, feedback and tables. A
    submission that has marks keeps them, unless `force` says to take over what has changed.
    InputError for an option that can't be.
    """

    key: str | Path
    out: str | Path
    exercise: str = ""
    sources: str | Path | None = None
    rosters: Sequence[str | Path] = ()
    own_copies: bool = False
    late: str | Path | None = None
    times: str | Path | None = None
    regrade: str | Path | None = None
    attempt: str = "last"
    tier: str = ""
    limits: Sequence[str] = ()
    columns: Sequence[str] = ()
    workers: int = WORKERS
    force: bool = False

    def __post_init__(self) -> None:
        checks.one_of("attempt", self.attempt, ATTEMPTS)
        checks.whole("workers", self.workers, 1)
        for column in self.columns:
            if _COLUMN.fullmatch(column.strip()) is None:
                raise InputError(
                    f"--column {column!r}: write it as 04=NAME, with the column's name or id"
                )

    @property
    def folder(self) -> Path:
        """The folder for all that is written."""
        return Path(self.out)

    @property
    def number(self) -> str:
        """The exercise that all submissions are of, by two digits; "" if the notebooks say it."""
        return self.exercise.zfill(2) if self.exercise else ""

    @property
    def sandbox_limits(self) -> SandboxLimits:
        """The limits for a student's code."""
        return SandboxLimits.named(self.limits)

    @property
    def named_columns(self) -> Mapping[str, str]:
        """The gradebook's column of an exercise; the exercise is "" for a column alone."""
        named: dict[str, str] = {}
        for column in self.columns:
            match = _COLUMN.fullmatch(column.strip())
            if match is not None:
                number = match[1].zfill(2) if match[1] else ""
                named[number] = match[2].strip()
        return named
