"""Which cells of a notebook were handed out, and which were added, below which question.

A cell that was added below a question belongs to its answer. Where it can't be told, a note asks
the teacher to look.
"""

from collections.abc import Mapping, Sequence
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
    texts = {}
    for name, cell in identified(source):
        question = source.question_of(cell)
        texts[name] = unsolved(cell.text, "" if cell.markdown else question)
    return texts


def placed(source: ExerciseSource, book: Notebook) -> list[Placed]:
    """The cells that are not empty, by their ids, or by their first lines if the ids are lost."""
    blank = handed_out(source)
    firsts = {_first_line(text): name for name, text in blank.items()}
    lost = not set(book.ids) & blank.keys()
    cells = []
    last = ""
    for number, (name, text) in enumerate(
        zip(
            book.ids,
            book.texts,
            strict=True,
        ),
        1,
    ):
        known_id = name
        if lost and _first_line(text) not in {"", BLANK}:
            known_id = firsts.get(_first_line(text), "")
        if known_id in blank:
            last = known_id
        if text.strip():
            cells.append(
                Placed(
                    number,
                    text,
                    last,
                    known_id not in blank,
                )
            )
    return cells


def _first_line(text: str) -> str:
    return text.split("\n", maxsplit=1)[0].strip()


def elsewhere(source: ExerciseSource, book: Notebook) -> str:
    """Where the teacher has to look for a text that is below no question; "" for nowhere."""
    by_hand = {source.id_of(one.name) for one in source.exercise.by_hand}
    changed = _changed_texts(source, book)
    numbers = []
    for cell in placed(source, book):
        new = cell.added or cell.number in changed
        if new and cell.id not in by_hand and _holds_words(cell, book):
            numbers.append(cell.number)
    return f"its cell is empty, look into cell {_listed(numbers)}" if numbers else ""


def _holds_words(cell: Placed, book: Notebook) -> bool:
    """Whether a cell is text, or code of which all lines are comments."""
    if cell.text not in book.cells:
        return True
    lines = [line.lstrip() for line in cell.text.splitlines() if line.strip()]
    return all(line.startswith("#") for line in lines)


def _changed_texts(source: ExerciseSource, book: Notebook) -> set[int]:
    """The numbers of the text cells that were changed.

    Those of a copy in another language can't be compared here: then there are none.
    """
    if any("begin(" in text and ', language="' in text for text in book.texts):
        return set()
    blank = handed_out(source)
    texts = {name for name, cell in identified(source) if cell.markdown}
    changed = set()
    for cell in placed(source, book):
        if cell.id in texts and squeezed(cell.text) != squeezed(blank[cell.id]):
            changed.add(cell.number)
    return changed


def begun(
    source: ExerciseSource,
    cells: Sequence[str],
    question: str,
) -> bool:
    """Whether a cell defines an answer by more than the lines that were handed out."""
    stub = squeezed(handed_out(source)[source.id_of(question)])
    return any(question in defined_outside(text) and squeezed(text) != stub for text in cells)


def answered(source: ExerciseSource, book: Notebook) -> tuple[Notebook, dict[str, str]]:
    """The notebook without untouched answers that another cell gives, and notes to the teacher.

    The notes are by question, for those that seem to have no answer in their place.

    Nobody means `dcg = ...` to count if it runs after the answer proper.
    """
    blank = {name: squeezed(text) for name, text in handed_out(source).items()}
    cells = list(book.cells)
    written = _without_answers(source, book)
    notes: dict[str, str] = {}
    for question in source.exercise.questions:
        name = source.id_of(question.name)
        places = []
        untouched = []
        for place, text in enumerate(cells):
            if question.name in defined_outside(text):
                places.append(place)
                if squeezed(text) == blank[name]:
                    untouched.append(place)
        if len(untouched) < len(places):
            for place in untouched:
                cells[place] = ""
            continue
        beside = _beside(
            source,
            written,
            name,
            blank,
        )
        if beside:
            notes[question.name] = (
                f"{question.name} has no answer where it was asked for; look into cell "
                f"{_listed(beside)}"
            )
    return replace(book, cells=tuple(cells)), notes


def _without_answers(source: ExerciseSource, book: Notebook) -> list[Placed]:
    """The cells, but for those that were added and answer a question by its name."""
    names = {question.name for question in source.exercise.questions}
    kept = []
    for cell in placed(source, book):
        answers = cell.text in book.cells and names & defined_outside(cell.text)
        if not (cell.added and answers):
            kept.append(cell)
    return kept


def _beside(
    source: ExerciseSource,
    cells: Sequence[Placed],
    name: str,
    blank: Mapping[str, str],
) -> list[int]:
    """The cells in which an answer may stand that is not where it was asked for.

    They are the cell itself, the cell above it, and the call of check below it.
    """
    ids = list(blank)
    above = ids[max(0, ids.index(name) - 1)]
    called = name[2:]
    number = source.exercise.number
    area = {name, above, f"{number}-check{called}", f"{number}-hint{called}"}
    beside = []
    for cell in cells:
        added = cell.added and cell.id in area
        changed = cell.id == name and squeezed(cell.text) != blank[name]
        if added or changed:
            beside.append(cell.number)
    return beside


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
