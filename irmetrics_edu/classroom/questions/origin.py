"""Where a question is drawn from: one question of an exercise, with its mistakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Naming, Question
from irmetrics_edu.classroom.questions.question import Asked, Option, printed, regardless
from irmetrics_edu.classroom.questions.question_answers import NO_VALUE, SAME_TABLE
from irmetrics_edu.classroom.questions.solution import Solution

MOST_WRONG, FEWEST_WRONG = 4, 2


@dataclass(frozen=True)
class Origin:
    """Where a question is drawn from: an exercise's number and title, and one of its questions."""

    chapter: str
    title: str
    question: Question

    @property
    def topic(self) -> str:
        """What the question is about."""
        return self.question.title or self.question.name

    def asked(
        self, kind: str, inputs: Sequence[Inputs], data: Sequence[tuple[str, str]], asks: str,
        wants: str, options: Sequence[Option], worked: Solution, **more: Any,
    ) -> Asked:  # fmt: skip
        """The question, complete; Refused if two of its tables hold the same."""
        q = self.question
        tables = [value for _, value in data if ", " in value or "; " in value]
        if len({*tables}) < len(tables):
            raise SAME_TABLE
        return Asked(
            kind, self.chapter, q.name, self.topic, asks, tuple(data), wants, tuple(options),
            worked.text, worked.html, regardless(f"{self.chapter} {q.name}", inputs), **more,
        )  # fmt: skip


def given(inputs: Inputs) -> list[tuple[str, str]]:
    """The values drawn, as a question shows them."""
    return [(name, printed(value)) for name, value in inputs.items()]


def said(naming: Naming) -> str:
    """What to tell whoever made a mistake."""
    return f"Your answer equals that of {naming.says}. {naming.why}".strip()


def inputs_of(question: Question, rng: Random) -> Inputs:
    """Inputs of a question; Refused if nothing draws any."""
    if question.inputs is None:
        raise NO_VALUE
    return question.inputs(rng)
