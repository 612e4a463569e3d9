"""The resource limits of a submission, and their names in messages."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import noted

MIB = 1 << 20

#: What an outcome names when a limit ended a question.
NAMES: Mapping[str, str] = {
    "wall": noted("wall time"),
    "cpu": noted("processor time"),
    "memory": noted("memory"),
    "output": noted("output"),
    "file": noted("file size"),
    "processes": noted("processes"),
    "answer": noted("size of an answer"),
}


@dataclass(frozen=True)
class SandboxLimits:
    """Limits are how much of the machine one question may use.

    `wall` and `cpu` are seconds, by the clock and of the processor; marks hang on `cpu`, as the
    clock goes on while other programs run. `memory` (address space of a process, and memory of all
    of them, swapped out or not), `output` (printed), `file` (each file written) and `answer` (one
    value, as it is sent) are bytes; `processes` counts the student's threads too. `submission` is
    seconds that all runs of one notebook that the clock cut may take together. Raises InputError
    for a limit that is not above 0.

    >>> SandboxLimits(wall=2).wall
    2
    >>> SandboxLimits(processes=0)
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
    submission: float = 120.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise InputError(f"limit {field.name}={value!r}: give a number above 0")

    @classmethod
    def named(cls, words: Iterable[str]) -> "SandboxLimits":
        """The default limits with changes given as NAME=VALUE; bytes may be in MiB.

        >>> SandboxLimits.named(["cpu=20", "memory=2048MiB"]).memory == 2048 * MIB
        True
        >>> SandboxLimits.named(["cpu=much"])
        Traceback (most recent call last):
        irmetrics_edu.errors.InputError: limit 'cpu=much': give a number, such as cpu=20
        """
        usual = asdict(cls())
        changed: dict[str, Any] = {}
        for word in words:
            name, _, value = word.partition("=")
            if name not in usual:
                raise InputError(f"limit {word!r}: write NAME=VALUE; known are {', '.join(usual)}")
            try:
                number = float(value.removesuffix("MiB")) * (MIB if value.endswith("MiB") else 1)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                example = f"{name}={usual[name] * 4:g}"
                raise InputError(f"limit {word!r}: give a number, such as {example}")
            changed[name] = type(usual[name])(number)
        return cls(**changed)

    def shown(self, name: str) -> str:
        """A limit with its unit.

        >>> (
        ...     SandboxLimits().shown("cpu"),
        ...     SandboxLimits().shown("memory"),
        ...     SandboxLimits().shown("processes"),
        ... )
        ('5 s', '1024 MiB', '16')
        """
        value = getattr(self, name)
        if name == "processes":
            return str(value)
        in_time = name in {"wall", "cpu", "submission"}
        return f"{value:g} s" if in_time else f"{value / MIB:g} MiB"
