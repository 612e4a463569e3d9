"""How much a submission may use, and what it is called to have used more."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from irmetrics_edu.errors import InputError

MIB = 1 << 20

#: What an outcome names when a limit ended a question.
NAMES: Mapping[str, str] = {
    "wall": "wall time",
    "cpu": "processor time",
    "memory": "memory",
    "output": "output",
    "file": "file size",
    "processes": "processes",
    "answer": "size of an answer",
}


@dataclass(frozen=True)
class Limits:
    """Limits are how much of the machine one question may use.

    `wall` and `cpu` are seconds; `memory` (address space of a process, and resident memory of all
    of them), `output` (printed), `file` (each file written) and `answer` (one value, as it is
    sent) are bytes; `processes` counts the student's threads too. Raises InputError for a limit
    that is not above 0.

    >>> Limits(wall=2).wall
    2
    >>> Limits(processes=0)
    Traceback (most recent call last):
    irmetrics_edu.errors.InputError: limit processes=0: give a number above 0
    """

    wall: float = 10.0
    cpu: float = 5.0
    memory: int = 1024 * MIB
    output: int = 8 * MIB
    file: int = 8 * MIB
    processes: int = 16
    answer: int = 1 * MIB

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise InputError(f"limit {field.name}={value!r}: give a number above 0")

    def plan(self) -> dict[str, float]:
        """The limits as plain numbers, for the child."""
        return asdict(self)
