"""Errors carried forward: the earlier answers that a later one reads, and their right versions.

Suppose a later answer failed, and it reads an earlier answer that failed too. Then the later answer
is judged again, with the right earlier answer in place of the student's. For a function, the right
answer is the solution's code up to this function and no further. For a value, it is the value
itself. It is put into the same process as the student's code, so that code can read it. That is why
nothing from this second run is shown: no value, no message, no line. Only its marks and the name of
a mistake are used. A student gets the same marks for the later answer as with a right earlier
answer.
"""

from collections.abc import Sequence

from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.grading.outcome import Replaced
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.code_names import defined, reads
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import QuestionMark
from irmetrics_edu.views.language import said


def replaced(
    ready: ReadySubmission,
    answer_key: AnswerKey,
    marked: Sequence[QuestionMark],
    question: Question,
) -> list[Replaced]:
    """The right answers that replace the student's for a failed question; often none.

    `marked` are the marks of the exercise's questions, in order, as the student's own answers got
    them.
    """
    place = [other.name for other in answer_key.questions].index(question.name)
    if not _failed(marked[place]):
        return []
    failed = []
    for earlier, mark in zip(answer_key.questions[:place], marked[:place], strict=True):
        if _failed(mark):
            failed.append(earlier)
    if not failed:
        return []
    read = reads(ready.cells, question.name)
    stand_ins = []
    for earlier in failed:
        # A package that only the earlier question allows would help the later one.
        allowed = earlier.kind == "value" or set(earlier.packages) <= set(question.packages)
        if earlier.name in read and allowed:
            places = _places(ready.cells, earlier, question)
            stand_ins.append(_stand_in(ready, answer_key, earlier, places))
    return stand_ins


def _failed(mark: QuestionMark) -> bool:
    """Whether an answer was judged and is not right, by no trick."""
    return mark.judged and not mark.right and not mark.tampered


def _stand_in(
    ready: ReadySubmission,
    answer_key: AnswerKey,
    earlier: Question,
    places: tuple[int, ...],
) -> Replaced:
    """The right answer to an earlier question: the value itself, or the solution's code."""
    if earlier.kind != "value":
        return Replaced(earlier.name, places, answer_key.solutions[earlier.name])
    copy_inputs = ready.data.own.get(earlier.name)
    trial = answer_key.trial(
        earlier,
        ready.whose,
        general=ready.general,
        copy_inputs=copy_inputs,
    )
    return Replaced(earlier.name, places, value=pack(earlier.right(trial.general[0])))


def _places(cells: Sequence[str], earlier: Question, question: Question) -> tuple[int, ...]:
    """The cells after which the right answer is put: those that define it, else before the later.

    Cells count from 1; 0 is before all of them.
    """
    defining = [number for number, cell in enumerate(cells, 1) if earlier.name in defined(cell)]
    if defining:
        return tuple(defining)
    later = (number for number, cell in enumerate(cells) if question.name in defined(cell))
    return (next(later, len(cells)),)


def told(names: Sequence[str], marks: float, out_of: float) -> str:
    """The feedback on an answer that was judged again and earned more."""
    *most, last = (f"`{name}`" for name in names)
    shown = said("{some} and {last}", some=", ".join(most), last=last) if most else last
    if marks == out_of:
        return said("Judged with the right {names} in place of your own: right.", names=shown)
    return said(
        "Judged with the right {names} in place of your own: {marks} of {total} marks.",
        names=shown,
        marks=f"{marks:g}",
        total=f"{out_of:g}",
    )
