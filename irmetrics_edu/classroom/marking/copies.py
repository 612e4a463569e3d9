"""Whether a notebook is a student's own copy or the general one, for each notebook by itself.

A fingerprint is a text that anybody can paste. A class may be mixed: some students have copies of
their own, others the general copy. So the notebook decides: first by the student's own fingerprint,
then by the data of the student's own copy or of the general copy. If it has none of these, it
counts as the kind that most other notebooks of the exercise are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from irmetrics_edu.classroom.exercises.source import with_data
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.notebook import Notebook

OWN, GENERAL_COPY, UNCLEAR = "own", "general", ""


@dataclass
class Copies:
    """The kind of copy of each notebook; `asked` is the teacher's choice: own, general or auto."""

    papers: Mapping[str, Paper]
    key: bytes
    asked: str = "auto"
    _data: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def whose(
        self, book: Notebook, number: str, student: str, owner: str, others: Sequence[str]
    ) -> str:
        """The owner of a notebook's copy among several possible owners.

        It may be a group or one of its members, and anybody under anonymous marking.
        """
        if owner in others:
            return owner
        text = "".join("".join(book.cells).split())
        general = self._data_of(number, "")
        for other in () if owner or self.asked == GENERAL_COPY else others:
            own = self._data_of(number, other)
            if any(a != b and a in text for a, b in zip(own, general, strict=True)):
                return other
        return student

    def kinds(
        self, works: Sequence[tuple[Notebook | None, str, str, str]]
    ) -> tuple[list[str], list[str]]:
        """Own or general for each of (notebook, exercise, student, owner of the fingerprint).

        And what most notebooks of the same exercise are.
        """
        if self.asked != "auto":
            return [self.asked] * len(works), [self.asked] * len(works)
        shown = [self._shown(*work) for work in works]
        most: dict[str, str] = {}
        for number in {number for _, number, _, _ in works}:
            own = [s for s, (_, n, _, _) in zip(shown, works, strict=True) if n == number]
            most[number] = OWN if own.count(OWN) > own.count(GENERAL_COPY) else GENERAL_COPY
        common = [most[number] for _, number, _, _ in works]
        return [s or c for s, c in zip(shown, common, strict=True)], common

    def _shown(self, book: Notebook | None, number: str, student: str, owner: str = "") -> str:
        """The kind of copy that a notebook shows by itself."""
        if book is None or not number:
            return UNCLEAR
        if book.fingerprint and book.fingerprint == Variant(student, self.key).fingerprint:
            return OWN
        text = "".join("".join(book.cells).split())
        own, general = self._data_of(number, student), self._data_of(number, "")
        differing = [(a, b) for a, b in zip(own, general, strict=True) if a != b]
        if any(a in text for a, _ in differing):
            return OWN
        if any(b in text for _, b in differing):
            return GENERAL_COPY
        # Another's own copy, with another's data: it was no general copy that was handed in.
        return OWN if owner else UNCLEAR

    def _data_of(self, number: str, student: str) -> list[str]:
        """The data of a copy, as its cells hold it, without spaces."""
        at = number, student
        if at not in self._data:
            source = self.papers[number].source
            variant = Variant(student, self.key) if student else GENERAL
            cells = [c.text for c in source.cells if not c.markdown and "spec.given(" in c.text]
            inputs = {
                q.name: variant.trial(source.exercise, q).general[0]
                for q in source.exercise.questions
                if any(f'"{q.name}"' in text for text in cells)
            }
            self._data[at] = ["".join(with_data(text, inputs).split()) for text in cells]
        return self._data[at]


def notes_on(book: Notebook, owner: str, student: str, kind: str) -> tuple[str, ...]:
    """Notes to the teacher about a notebook's fingerprint."""
    if owner and owner != student:
        by = "as a general copy" if kind == GENERAL_COPY else f"by the inputs of {student}"
        return (f"the notebook carries the fingerprint of {owner}; it was marked {by}",)
    if kind == OWN and not book.fingerprint:
        return ("the notebook carries no fingerprint; it was marked by the student's own inputs",)
    if book.fingerprint and not owner:
        nobody = "the fingerprint is nobody's under this key; are all students on the roster?"
        return (nobody + (" It was marked as a general copy" if kind == GENERAL_COPY else ""),)
    return ()


def aside(kind: str, common: str) -> tuple[str, ...]:
    """Notes to the teacher about a general copy in a class with own copies."""
    if kind == GENERAL_COPY and common == OWN:
        said = "it was marked as a general copy, whose numbers everybody has; most others have"
        return (f"{said} copies of their own (--copies own marks all by their own)",)
    return ()
