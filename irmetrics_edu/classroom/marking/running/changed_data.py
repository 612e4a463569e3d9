"""Whether the data that a copy gives were changed before an answer was computed from them.

A "value" question has data of the student's own, under names of its own. A student may try other
data under the same name, edit the cell, or sort a list in place. So the cells are run once more, up
to the answer, and what the names mean then is compared with the data of the copy. It is told to the
student and to the teacher; no mark hangs on it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from irmetrics_edu.classroom.exercises.computed_question import Inputs, literal
from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.source import Cell, ExerciseSource, given_in
from irmetrics_edu.classroom.grading.outcome import Case
from irmetrics_edu.classroom.grading.plain_values import pack, parts_of
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.matching.code_names import defined_outside
from irmetrics_edu.classroom.marking.matching.copy_data import inputs_in
from irmetrics_edu.classroom.marking.running.readings import NotebookReading
from irmetrics_edu.classroom.marking.running.run_cells import LARGEST_ANSWER, ROOM, QuestionRun
from irmetrics_edu.views.language import said

LONGEST = 120
# What the names mean after the cells, under a name that no student uses.
_READ = "_irmetrics_edu_given"


@dataclass(frozen=True)
class ChangedData:
    """A name of the data that means something else than in the copy, after a cell."""

    name: str
    cell: int
    now: str
    in_copy: str

    @property
    def told(self) -> str:
        """What is said of it."""
        return said(
            "The data of your copy were changed: after cell {cell}, `{name}` is {now}; your copy "
            "has {in_copy}. Answers are marked by the data of the copy.",
            cell=self.cell,
            name=self.name,
            now=self.now,
            in_copy=self.in_copy,
        )


def changed_data(run: QuestionRun, reading: NotebookReading, inputs: Inputs) -> list[ChangedData]:
    """The names whose data were changed before the answer; `inputs` are those that it is marked by.

    Names that the handed-out cells change themselves are left out.
    """
    wanted = _wanted(run, inputs)
    until = _up_to_the_answer(run, reading)
    if not wanted or not until:
        return []
    size = parts_of(pack(list(wanted.values())), LARGEST_ANSWER)
    answer = run.value_of(
        _READ,
        f"{_READ} = [globals().get(name) for name in {list(wanted)!r}]",
        until,
        Case(most=2 * size + ROOM),
    )
    if not isinstance(answer.value, list) or len(answer.value) != len(wanted):
        return []
    changed = []
    for (name, value), now in zip(wanted.items(), answer.value, strict=True):
        if now is not None and not same(now, value, 0.0):
            shown = clean(literal(now), LONGEST)
            in_copy = clean(literal(value), LONGEST)
            changed.append(ChangedData(name, until[-1], shown, in_copy))
    return changed


def _wanted(run: QuestionRun, inputs: Inputs) -> dict[str, object]:
    """The data of the copy by their names in the notebook."""
    held = inputs_in(run.ready.cells, run.answer_key, run.question, inputs) or inputs
    names = _given(run.answer_key.source, run.question.name)
    if len(names) != len(held):
        return {}
    pairs = zip(names, held.values(), strict=True)
    return {name: value for name, value in pairs if name}


def _up_to_the_answer(run: QuestionRun, reading: NotebookReading) -> tuple[int, ...]:
    """The cells that ran, in their order, up to the last that defines the answer."""
    cells = run.ready.cells
    order = reading.order or tuple(range(1, len(cells) + 1))
    last = 0
    for place, number in enumerate(order, 1):
        if run.question.name in defined_outside(_at(cells, number)):
            last = place
    return order[:last]


def _at(cells: Sequence[str], number: int) -> str:
    return cells[number - 1] if 0 < number <= len(cells) else ""


def _given(source: ExerciseSource, question: str) -> list[str]:
    """The names that hold the data of a question, in order; "" for one that the source changes."""
    names: list[str] = []
    for cell in source.cells:
        statements = [] if cell.markdown or "spec" in cell.tags else given_in(cell.text)
        of_question = [one for one in statements if one.question == question]
        if of_question:
            names = list(of_question[-1].names)
        elif source.question_of(cell) == question:
            break
        else:
            names = ["" if _changes(cell, name) else name for name in names]
    return names


def _changes(cell: Cell, name: str) -> bool:
    """Whether a cell that is handed out may change what a name means."""
    if cell.markdown or not name:
        return False
    begins = re.compile(
        rf"^[ \t]*(?:del[ \t]+|for[ \t]+)?{re.escape(name)}\b(?![ \t]*\()", re.MULTILINE
    )
    return bool(begins.search(cell.text))
