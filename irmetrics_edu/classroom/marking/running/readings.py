"""The ways to read a notebook: as it stands, as `check` got the answer, and as it was run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from irmetrics_edu.classroom.marking.running.answer_texts import AS_RUN, as_checked
from irmetrics_edu.views.language import said


@dataclass(frozen=True)
class NotebookReading:
    """A way to read a notebook: which cells run, in which order, and which object is the answer.

    First of all they run as they stand, and the answer is what its name means at the end. But the
    name may be used again below. So where this is not right, the notebook is read as it was when
    `check` was called, with the object that `check` got: in the cell `checked_in`, or, if that is
    0, in the order in which cells were run.
    """

    order: tuple[int, ...] = ()
    checked: bool = False
    checked_in: int = 0

    @property
    def told(self) -> str:
        """What the student is told of it; "" where the notebook was read as it stands."""
        if self.checked_in:
            return as_checked(self.checked_in)
        return said(AS_RUN) if self.checked else ""


AT_THE_END = NotebookReading()


def other_readings(runs: Sequence[int], checked: set[int]) -> list[NotebookReading]:
    """The notebook at the last and the first check, and as it was run.

    `runs` are the cells in the order in which the student ran them, and `checked` those that call
    `check` for the answer.
    """
    readings = []
    if checked:
        for cell in dict.fromkeys([max(checked), min(checked)]):
            order = tuple(range(1, cell + 1))
            readings.append(
                NotebookReading(
                    order,
                    checked=True,
                    checked_in=cell,
                )
            )
    if list(runs) != sorted(runs):
        last = len(runs)
        for place, cell in enumerate(runs):
            if cell in checked:
                last = place
        order = tuple(runs[: last + 1])
        readings.append(
            NotebookReading(
                order,
                checked=True,
            )
        )
    return readings


def cells_with_check(
    cells: Sequence[str],
    name: str,
    ran: Sequence[int],
) -> set[int]:
    """The cells that call `check` for an answer, as they ran, or as their text says."""
    called = re.compile(rf"\bcheck\(\s*['\"]{name}['\"]")
    numbers = {number for number in ran if 0 < number <= len(cells)}
    for number, cell in enumerate(cells, 1):
        if called.search(cell):
            numbers.add(number)
    return numbers
