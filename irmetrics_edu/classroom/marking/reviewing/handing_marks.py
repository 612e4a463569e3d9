"""The rows with the marks that people gave by hand, and the page on which they give them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irmetrics_edu.classroom.exercises.source import unsolved
from irmetrics_edu.classroom.exercises.spec import ByHand
from irmetrics_edu.classroom.marking.collecting.notebook import Notebook
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import ELSEWHERE, UNREADABLE, QuestionMark, write
from irmetrics_edu.classroom.marking.reviewing import hand_marks, marking_page
from irmetrics_edu.classroom.marking.reviewing.earlier_rows import EarlierRow
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row, with_status
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    FOLDER,
    HandAnswer,
    HandMark,
    ManualMarks,
)
from irmetrics_edu.classroom.marking.reviewing.marking_page import PageQuestion
from irmetrics_edu.errors import InputError


@dataclass(frozen=True)
class HandMarked:
    """The rows with marks by hand, the questions of the marking page, and how markers agree.

    `earlier` are the rows of earlier rounds that stand. `answers` are those that are marked by
    hand, by unit and exercise, and then by question.
    """

    rows: Sequence[Row]
    earlier: Sequence[Row]
    questions: Sequence[PageQuestion]
    answers: Mapping[tuple[str, str], Mapping[str, HandAnswer]]
    agreement: Sequence[str]

    def write_page(self, out: Path) -> None:
        """Write the page to mark in a browser, if there is anything to mark."""
        if self.questions:
            page = out / FOLDER / marking_page.NAME
            write(page, marking_page.as_html(self.questions, marking_page.own_word(page)))


@dataclass(frozen=True)
class _Asked:
    """A question that is marked by hand, its exercise, and the name that the page has for it."""

    number: str
    question: ByHand

    @property
    def name(self) -> str:
        return f"{self.number}-{self.question.name}"


def with_hand_marks(
    rows: Sequence[Row],
    hand_ins: Sequence[HandIn],
    answer_keys: Mapping[str, AnswerKey],
    out: Path,
    manual: ManualMarks,
    earlier: Sequence[EarlierRow] = (),
) -> HandMarked:
    """The rows with marks by hand, and how far markers agree.

    `earlier` are rows of earlier rounds that stand: their answers are on the page, too. All that
    was saved in a browser is read before. InputError for a table of an earlier version.
    """
    asked = _asked(rows, answer_keys, earlier)
    by_name = {one.name: one.question for one in asked}
    saved = marking_page.read_saved(out / FOLDER, by_name)
    marks: dict[tuple[str, str], list[HandMark]] = {}
    every: dict[tuple[str, str], dict[str, HandAnswer]] = {}
    questions = []
    for one in asked:
        _refuse_old_table(out / FOLDER / f"{one.name}.csv")
        answers = _answers(one, rows, hand_ins, answer_keys)
        answers += _earlier_answers(one, earlier)
        for answer in answers:
            every.setdefault((answer.student, one.number), {})[one.question.name] = answer
        marked = hand_marks.marks(one.name, one.question, answers, saved)
        for unit, mark in marked.items():
            marks.setdefault((one.number, unit), []).append(mark)
        questions.append(
            marking_page.question_data(
                one.name,
                one.question,
                answers,
                marked,
                _task(one, answer_keys),
            )
        )
    made = []
    for row in rows:
        hand_marks_of_row = marks.get((row.exercise, row.unit), [])
        made.append(_marked(row, hand_marks_of_row, manual) if _is_read(row) else row)
    standing = []
    for before in earlier:
        marks_before = marks.get((before.row.exercise, before.row.unit), [])
        by_question = {mark.question.name: mark for mark in marks_before}
        standing.append(before.with_marks(by_question, manual))
    agreement = marking_page.agreement(saved, by_name) if len(saved) > 1 else []
    return HandMarked(made, standing, questions, every, agreement)


def _task(asked: _Asked, answer_keys: Mapping[str, AnswerKey]) -> str:
    """What was asked, as it stands in the copy; "" if the exercise is none of this round."""
    if asked.number not in answer_keys:
        return ""
    source = answer_keys[asked.number].source
    for cell in source.cells:
        if source.question_of(cell) == asked.question.name:
            return unsolved(cell.text, "")
    return ""


def _is_read(row: Row) -> bool:
    """Whether there is a notebook that could be read, though it may have no computed question."""
    return row.result is not None and row.result.status not in {UNREADABLE, ELSEWHERE}


def _asked(
    rows: Sequence[Row],
    answer_keys: Mapping[str, AnswerKey],
    earlier: Sequence[EarlierRow],
) -> list[_Asked]:
    """The questions by hand of the exercises that there are rows for."""
    asked: dict[str, _Asked] = {}
    for number in {row.exercise for row in rows} - {""}:
        for question in answer_keys[number].source.exercise.by_hand:
            one = _Asked(number, question)
            asked[one.name] = one
    for before in earlier:
        for question in before.by_hand:
            one = _Asked(before.row.exercise, question)
            asked.setdefault(one.name, one)
    return sorted(asked.values(), key=lambda one: one.number)


def _earlier_answers(asked: _Asked, earlier: Sequence[EarlierRow]) -> list[HandAnswer]:
    """The answers to a question in rows of earlier rounds, one for each unit."""
    answers: dict[str, HandAnswer] = {}
    for before in earlier:
        if before.row.exercise == asked.number and asked.question.name in before.answers:
            answers[before.row.unit] = before.answers[asked.question.name]
    return list(answers.values())


def _answers(
    asked: _Asked,
    rows: Sequence[Row],
    hand_ins: Sequence[HandIn],
    answer_keys: Mapping[str, AnswerKey],
) -> list[HandAnswer]:
    """The answers to a question, one for each unit: a group has one line."""
    books: dict[str, Notebook | None] = {}
    for hand_in in hand_ins:
        books[hand_in.submission.path] = hand_in.submission.notebook
    counting: dict[str, str] = {}
    for row in rows:
        if row.exercise == asked.number and row.result and _is_read(row):
            counting[row.unit] = row.result.path
    answers: list[HandAnswer] = []
    if not counting:
        return answers
    source = answer_keys[asked.number].source
    for unit, path in sorted(counting.items()):
        book = books.get(path)
        if book:
            answers.append(hand_marks.answer(source, asked.question, unit, book))
    return answers


def _refuse_old_table(path: Path) -> None:
    """InputError for a table of points, which is no longer read: its points would be lost."""
    if path.exists():
        raise InputError(
            f"{path}: points are no longer read from this table; give them in "
            f"{marking_page.NAME} beside it, and move the table away"
        )


def _marked(row: Row, marks: Sequence[HandMark], manual: ManualMarks) -> Row:
    """The row with a line for each question by hand."""
    lines = list(row.lines)
    for hand in marks:
        question = hand.question
        mark = QuestionMark(
            question.name,
            question.title or question.name,
            question.marks,
            judged=False,
        )
        by_teacher = manual.get((row.student, row.exercise, question.name))
        lines.append(QuestionLine(mark, by_teacher, hand))
    return with_status(replace(row, lines=tuple(lines)))
