"""A submission that is ready to be marked: its cells, and whose copy it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from irmetrics_edu.classroom.marking.matching.code_tokens import names_in
from irmetrics_edu.classroom.marking.matching.copy_data import CopyData, language_in


@dataclass(frozen=True)
class ReadySubmission:
    """A submission ready to be marked: its code cells, and `whose` copy it is, or `nobodys`.

    `runs` are the numbers of the cells in the order in which the student ran them, as far as the
    notebook tells. `elsewhere` has a note for each question whose answer may stand elsewhere.
    """

    path: str
    student: str
    inputs: str
    cells: Sequence[str]
    general: bool = False
    nobodys: bool = False
    notes: tuple[str, ...] = ()
    file: str = ""
    whose: str = ""
    runs: tuple[int, ...] = ()
    listed_language: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    data: CopyData = field(default_factory=CopyData)

    @cached_property
    def language(self) -> str:
        """The language of the copy, or else the one that the roster has; "" for English."""
        told = language_in(self.cells)
        return self.listed_language if told is None else told

    @cached_property
    def names(self) -> list[set[str]]:
        """The names in each cell."""
        return [names_in(cell) for cell in self.cells]
