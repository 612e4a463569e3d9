"""The questions marked by hand: their marks in the book, and their tables on disk."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irmetrics_edu.classroom.exercises.rubric import ByHand
from irmetrics_edu.classroom.marking import rubrics, store
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.gradebook import Line, Row
from irmetrics_edu.classroom.marking.ownership import Work
from irmetrics_edu.classroom.marking.rubrics import CHANGED, FOLDER, HandMark
from irmetrics_edu.classroom.marking.store import Manual
from irmetrics_edu.classroom.marking.submission_result import GRADED, QuestionMark

PENDING = "to be marked by hand"
_SAID = {
    rubrics.OPEN: "Your teacher has not marked this yet.",
    rubrics.NONE: "There is no answer yet.",
    rubrics.MARKED: "",
    CHANGED: "Your teacher has not marked this answer yet.",
}


def marked(
    rows: Sequence[Row], works: Sequence[Work], papers: Mapping[str, Paper], out: Path,
    by_hand: Mapping[tuple[str, str, str], Manual],
) -> list[Row]:  # fmt: skip
    """The rows with marks by hand; writes the tables and pages without losing a line.

    All tables are read before the first one is written.
    """
    books = {w.submission.path: w.submission.notebook for w in works}
    given: dict[tuple[str, str], Mapping[str, HandMark]] = {}
    texts: dict[Path, str] = {}
    for number, question, source in [
        (n, q, papers[n].source)
        for n in sorted({row.exercise for row in rows} - {""})
        for q in papers[n].source.exercise.by_hand
    ]:
        answers = [
            rubrics.answer(source, question, student, book)
            for (exercise, student), path in sorted(_called(rows).items())
            if exercise == number and (book := books.get(path))
        ]
        name = rubrics.name_of(number, question)
        path = out / FOLDER / f"{name}.csv"
        found, left = rubrics.marks(path, question, answers)
        given[number, question.name] = found
        texts[path] = rubrics.sheet(question, answers, found, left)
        texts[path.with_suffix(".html")] = rubrics.as_html(number, question, answers, found)
    for path, text in texts.items():
        store.write(path, text)
    return [_row(row, papers, given, by_hand) if row.lines else row for row in rows]


def _called(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """The submissions that count, by exercise and unit; a group has one line."""
    return {(row.exercise, row.unit): row.result.path for row in rows if row.lines and row.result}


def _row(
    row: Row, papers: Mapping[str, Paper], given: Mapping[tuple[str, str], Mapping[str, HandMark]],
    by_hand: Mapping[tuple[str, str, str], Manual],
) -> Row:  # fmt: skip
    lines = []
    for question in papers[row.exercise].source.exercise.by_hand:
        hand = given[row.exercise, question.name].get(row.unit)
        if hand is not None:
            at = row.exercise, question.name
            own = by_hand.get((row.student, *at)) or by_hand.get((row.unit, *at))
            lines.append(_line(question, hand, own))
    every = (*row.lines, *lines)
    waits = any(line.marks is None for line in lines) and row.by_hand is None
    status = PENDING if row.status == GRADED and waits else row.status
    return replace(row, lines=every, status=status)


def _line(question: ByHand, hand: HandMark, manual: Manual | None) -> Line:
    mark = QuestionMark(
        question.name, question.title or question.name, question.marks, judged=False,
        text=_SAID[hand.state],
    )  # fmt: skip
    return Line(mark, manual, hand)
