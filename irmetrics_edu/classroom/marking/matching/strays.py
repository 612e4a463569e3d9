"""Notebooks of another exercise than the one that was to be handed in."""

from collections.abc import Iterable, Mapping

from irmetrics_edu.classroom.marking.collecting.notebook import Notebook
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey

# An exercise is a stray beside one that so many times as many students handed in: few of them where
# nobody handed in both, as in the download of one assignment.
APART = 2
BESIDE = 10


def main_and_strays(handed_in: Iterable[tuple[str, str]]) -> tuple[str, set[str]]:
    """The exercise that most handed in, and those that nearly nobody did; "" if there is none.

    `handed_in` are pairs of a student and the number of an exercise.

    >>> main_and_strays([("ann", "01"), ("ben", "01"), ("cy", "02")])
    ('01', {'02'})
    >>> main_and_strays([("ann", "01"), ("ben", "01"), ("ann", "02")])
    ('01', set())
    """
    students: dict[str, set[str]] = {}
    for student, number in handed_in:
        if not number:
            continue
        takers = students.setdefault(number, set())
        takers.add(student)
    if not students:
        return "", set()
    numbers = sorted(students)
    main = max(numbers, key=lambda number: len(students[number]))
    most = students.pop(main)
    strays = set()
    for number, takers in students.items():
        times = BESIDE if takers & most else APART
        if len(takers) * times <= len(most):
            strays.add(number)
    return main, strays


def not_this_exercise(
    book: Notebook | None, asked: str, answer_keys: Mapping[str, AnswerKey]
) -> str:
    """The other exercise that a notebook says it is, if it has no cell of the one that was asked.

    "" if it is that exercise, or if it is not known which it is.
    """
    if book is None or not asked or book.exercise in {"", asked}:
        return ""
    source = answer_keys[asked].source
    for question in source.exercise.every:
        if source.id_of(question.name) in book.ids:
            return ""
    return book.exercise
