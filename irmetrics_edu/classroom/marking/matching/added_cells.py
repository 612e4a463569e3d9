"""Which cells of a notebook were handed out, and which were added, below which question.

A cell that was added below a question belongs to its answer. Where it can't be told, a note asks
the teacher to look.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from irmetrics_edu.classroom.exercises.source import BLANK, ExerciseSource, identified, unsolved
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook
from irmetrics_edu.classroom.marking.matching.code_names import defined_outside


@dataclass(frozen=True)
class Placed:
    """A cell of a notebook: its number, its text, the id of the handed-out cell, or the last above.

    `added` cells were not handed out.
    """

    number: int
    text: str
    id: str
    added: bool


def squeezed(text: str) -> str:
    """A text without the layout that an editor may change."""
    return " ".join(text.split())


def handed_out(source: ExerciseSource) -> dict[str, str]:
    """The texts of the general copy in English, by cell id; data of code cells left as a call."""
    found = {}
    for name, cell in identified(source):
        question = source.question_of(cell)
        found[name] = unsolved(cell.text, "" if cell.markdown else question)
    return found


def placed(source: ExerciseSource, book: Notebook) -> list[Placed]:
    """The cells that are not empty, by their ids, or by their first lines if the ids are lost."""
    given = handed_out(source)
    firsts = {text.split("\n")[0].strip(): name for name, text in given.items()}
    lost = not {*book.ids} & {*given}
    found = []
    last = ""
    for number, (name, text) in enumerate(zip(book.ids, book.texts, strict=True), 1):
        first = text.split("\n")[0].strip()
        known = firsts.get(first, "") if lost and first not in {"", BLANK} else name
        last = known if known in given else last
        if text.strip():
            found.append(Placed(number, text, last, known not in given))
    return found


def elsewhere(source: ExerciseSource, book: Notebook, question: str) -> str:
    """Where the teacher has to look for a text that is not below its question; "" for nowhere."""
    given = handed_out(source)
    texts = {name for name, cell in identified(source) if cell.markdown}
    by_hand = {source.id_of(q.name) for q in source.exercise.by_hand} - {source.id_of(question)}
    # The texts of a copy in another language can't be compared here.
    english = not any("begin(" in text and ', language="' in text for text in book.texts)
    found = []
    for cell in placed(source, book):
        words = cell.text not in book.cells or all(
            line.lstrip().startswith("#") for line in cell.text.splitlines() if line.strip()
        )
        changed = english and cell.id in texts and squeezed(cell.text) != squeezed(given[cell.id])
        if words and (cell.added or changed) and cell.id not in by_hand:
            found.append(cell.number)
    return f"its cell is empty, look into cell {_listed(found)}" if found else ""


def begun(source: ExerciseSource, cells: Sequence[str], question: str) -> bool:
    """Whether a cell defines an answer by more than the lines that were handed out."""
    stub = squeezed(handed_out(source)[source.id_of(question)])
    return any(question in defined_outside(text) and squeezed(text) != stub for text in cells)


def answered(source: ExerciseSource, book: Notebook) -> tuple[Notebook, dict[str, str]]:
    """The notebook without untouched answers that another cell gives, and notes to the teacher.

    The notes are by question, for those that seem to have no answer in their place.

    Nobody means `dcg = ...` to count if it runs after the answer proper.
    """
    given = {name: squeezed(text) for name, text in handed_out(source).items()}
    cells = list(book.cells)
    names = {question.name for question in source.exercise.questions}
    every = [
        cell
        for cell in placed(source, book)
        # An added cell that answers another question by its name is no answer to this one.
        if not (cell.added and cell.text in cells and names & defined_outside(cell.text))
    ]
    notes: dict[str, str] = {}
    for question in source.exercise.questions:
        name = source.id_of(question.name)
        places = [i for i, text in enumerate(cells) if question.name in defined_outside(text)]
        blank = [i for i in places if squeezed(cells[i]) == given[name]]
        if len(blank) < len(places):
            for i in blank:
                cells[i] = ""
            continue
        # The cell itself, the cell above it, and the call of check below it.
        ids = [*given]
        area = {name, ids[max(0, ids.index(name) - 1)]}
        area |= {f"{source.exercise.number}-{call}{name[2:]}" for call in ("check", "hint")}
        beside = [
            cell.number
            for cell in every
            if (cell.added and cell.id in area)
            or (cell.id == name and squeezed(cell.text) != given[name])
        ]
        if beside:
            notes[question.name] = (
                f"{question.name} has no answer where it was asked for; look into cell "
                f"{_listed(beside)}"
            )
    return replace(book, cells=tuple(cells)), notes


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
