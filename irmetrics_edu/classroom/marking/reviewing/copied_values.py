"""Whose numbers a wrong answer is right for: values that fit another student's copy."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from irmetrics_edu.classroom.exercises.differing import same
from irmetrics_edu.classroom.exercises.variants import Variant
from irmetrics_edu.classroom.grading.plain_values import unpack
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.ownership import HandIn
from irmetrics_edu.classroom.marking.results import QuestionMark, Result


class CopiedValues:
    """Compares the wrong answers to "value" questions with what is right for other students."""

    def __init__(
        self,
        hand_ins: Sequence[HandIn],
        answer_keys: Mapping[str, AnswerKey],
    ) -> None:
        self.hand_ins = hand_ins
        self.answer_keys = answer_keys
        self._right: dict[tuple[str, str], dict[str, object]] = {}

    @cached_property
    def copies(self) -> Mapping[str, str]:
        """The copy of each student who has one of their own."""
        copies: dict[str, str] = {}
        for hand_in in self.hand_ins:
            if hand_in.ready and not hand_in.ready.general:
                copies[hand_in.student] = hand_in.ready.whose
        return copies

    def right(
        self,
        number: str,
        name: str,
    ) -> Mapping[str, object]:
        """What is right for each student's own numbers, computed once."""
        at = number, name
        if at not in self._right:
            answer_key = self.answer_keys[number]
            question = answer_key.source.exercise[name]
            values: dict[str, object] = {}
            for student, copy in sorted(self.copies.items()):
                trial = Variant(copy, answer_key.key).trial(number, question)
                values[student] = question.right(trial.general[0])
            self._right[at] = values
        return self._right[at]

    def notes(
        self,
        hand_in: HandIn,
        result: Result,
    ) -> list[str]:
        """For each wrong answer of a submission, the students for whom it would be right."""
        if not hand_in.ready:
            return []
        notes = []
        for mark in result.questions:
            if mark.answer is None or (mark.right and not mark.carried):
                continue
            students = self._right_for(hand_in, mark)
            if students:
                whose = "; ".join(students)
                notes.append(f"{mark.name}: right for {whose}, not for {hand_in.student}")
        return notes

    def _right_for(
        self,
        hand_in: HandIn,
        mark: QuestionMark,
    ) -> list[str]:
        """The other students for whose numbers an answer is right."""
        answer = unpack(mark.answer)
        values = self.right(hand_in.number, mark.name)
        own_value = values.get(hand_in.student)
        tolerance = self.answer_keys[hand_in.number].source.exercise[mark.name].tolerance
        students = []
        for student, value in values.items():
            other = student != hand_in.student and value != own_value
            if other and same(
                answer,
                value,
                tolerance,
            ):
                students.append(student)
        return students
