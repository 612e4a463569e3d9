"""Marks that change after grading, by the teacher's table: for all, or for one answer of all.

`docs/grading.md` explains its rules. The comment goes back with the feedback on the question. Marks
of one student are in manual.csv, which comes before all of it.
"""

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.spec import ByHand, Exercise
from irmetrics_edu.classroom.grading.plain_values import unpack
from irmetrics_edu.classroom.marking.collecting.class_tables import entries, points
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row, with_status
from irmetrics_edu.errors import InputError

HEAD = ("rule", "exercise", "question", "value", "comment")
RULES = ("give", "withdraw", "accept")
# Of regraded.csv: whose marks changed, from what to what, and why.
CHANGED = ("student", "exercise", "question", "before", "after", "comment")


@dataclass(frozen=True)
class MarkChange:
    """A line of the table: its rule, what it is for, and where it stands."""

    rule: str
    exercise: str
    question: str
    value: str
    comment: str
    marks: float | None
    where: str


def read(path: Path, exercises: Mapping[str, Exercise]) -> list[MarkChange]:
    """The changes in a table; InputError names the line of one that can't be."""
    questions: dict[str, dict[str, Question | ByHand]] = {}
    for number, exercise in exercises.items():
        questions[number] = {question.name: question for question in exercise.every}
    changes = []
    for where, cells in entries(
        path,
        (),
        HEAD,
        rules=RULES,
        questions=questions,
    ):
        rule = cells["rule"]
        value = cells["value"]
        if not cells["question"]:
            raise InputError(f"{where}: name a question")
        question = questions[cells["exercise"]][cells["question"]]
        if not value and rule != "withdraw":
            raise InputError(f"{where}: {rule} needs a value")
        marks = None
        if rule == "give":
            marks = points(value, question.marks, f"{where}: marks")
        elif rule == "accept":
            _refuse_unknown(question, value, where)
        changes.append(
            MarkChange(
                rule=rule,
                exercise=cells["exercise"],
                question=question.name,
                value=value,
                comment=cells["comment"],
                marks=marks,
                where=where,
            )
        )
    return changes


def _refuse_unknown(question: Question | ByHand, value: str, where: str) -> None:
    """InputError if no answer could be meant."""
    if isinstance(question, ByHand):
        raise InputError(f"{where}: {question.name} is marked by hand; change its points there")
    if question.kind == "function" and value not in question.labels:
        labels = ", ".join(question.labels) or "none"
        raise InputError(
            f"{where}: accept {value!r}: of a function give a mistake's name: {labels}"
        )


def applied(
    rows: Sequence[Row], changes: Sequence[MarkChange], exercises: Mapping[str, Exercise]
) -> tuple[list[Row], list[list[str]]]:
    """The rows after all changes, and what changed: student, exercise, question, marks, comment."""
    after = []
    changed: list[list[str]] = []
    for row in rows:
        changes_of_exercise = [change for change in changes if change.exercise == row.exercise]
        if not changes_of_exercise:
            after.append(with_status(row))
            continue
        exercise = exercises[row.exercise]
        withdrawn = {change.question for change in changes_of_exercise if change.rule == "withdraw"}
        lines = []
        for line in row.lines:
            now = _after_all(line, changes_of_exercise, exercise)
            gone = line.question.name in withdrawn
            marks = "withdrawn" if gone else _shown(now.marks)
            if marks != _shown(line.marks):
                names = [row.student, row.exercise, line.question.name]
                changed.append(
                    [
                        *names,
                        _shown(line.marks),
                        marks,
                        now.said,
                    ]
                )
            if not gone:
                lines.append(now)
        out_of = round(row.out_of - _marks_of(withdrawn, exercise), 4)
        after.append(with_status(replace(row, lines=tuple(lines), out_of=out_of)))
    return after, changed


def _after_all(
    line: QuestionLine, changes: Sequence[MarkChange], exercise: Exercise
) -> QuestionLine:
    """A line after all changes to its question."""
    for change in changes:
        if change.question == line.question.name:
            line = _changed(line, change, exercise)
    return line


def _marks_of(names: set[str], exercise: Exercise) -> float:
    """The marks of some questions that count for the total: a bonus does not."""
    marks = 0.0
    for question in exercise.every:
        if question.name in names and not getattr(question, "bonus", False):
            marks += question.marks
    return marks


def _shown(marks: float | None) -> str:
    return "open" if marks is None else f"{marks:g}"


def _changed(line: QuestionLine, change: MarkChange, exercise: Exercise) -> QuestionLine:
    """A line after one change; marks never fall."""
    now = line.marks
    after = change.marks
    if change.rule == "accept":
        if not _meant(line, change, exercise):
            return line
        after = line.question.out_of
    if after is None or (now is not None and now > after):
        after = now
    return replace(line, regraded=after, said=change.comment)


def _meant(line: QuestionLine, change: MarkChange, exercise: Exercise) -> bool:
    """Whether an answer is the one that is accepted: by its value, or by its mistake's name."""
    question = exercise[change.question]
    if question.kind == "function" or change.value in question.labels:
        return line.question.label == change.value
    try:
        value = ast.literal_eval(change.value)
    except (ValueError, SyntaxError):
        raise InputError(
            f"{change.where}: accept {change.value!r}: write the answer as Python does, or give a "
            "mistake's name"
        ) from None
    if line.question.answer is None or (isinstance(value, float) and not math.isfinite(value)):
        return False
    return same(unpack(line.question.answer), value, question.tolerance)
