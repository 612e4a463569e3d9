"""The content of an exercise: what the `spec` cell of its source makes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.classroom.exercises.computed_question import Question, Wrong
from irmetrics_edu.classroom.exercises.spec_fields import (
    refuse_unfit_name,
    refuse_unless_listed,
    refuse_unless_number,
    refuse_unless_text,
)
from irmetrics_edu.classroom.exercises.variants import GENERAL
from irmetrics_edu.errors import InputError

__all__ = [
    "ByHand",
    "Criterion",
    "Exercise",
    "Question",
    "Wrong",
]  # what a source of an exercise imports


@dataclass(frozen=True)
class Criterion:
    """A criterion of a rubric: its name, its maximum points, and what earns them."""

    name: str
    points: float
    text: str = ""


@dataclass(frozen=True)
class ByHand:
    """A question that the teacher marks: its answer is a cell tagged with its name.

    >>> ByHand("why", "Why it fell", [Criterion("cause", 2), Criterion("evidence", 1)]).marks
    3
    """

    name: str
    title: str
    rubric: Sequence[Criterion]

    def __post_init__(self) -> None:
        refuse_unfit_name(self.name)
        refuse_unless_listed(
            f"question {self.name}, rubric",
            self.rubric,
            Criterion,
            '[Criterion("cause", 2)]',
        )
        names = [criterion.name for criterion in self.rubric]
        if not names or len(set(names)) != len(names) or not all(names):
            raise InputError(f"question {self.name}: a rubric has criteria of different names")
        for criterion in self.rubric:
            field = f"question {self.name}, points of criterion {criterion.name!r}"
            refuse_unless_number(field, criterion.points, above=True)

    @property
    def marks(self) -> float:
        """The maximum points of all criteria together."""
        return sum(criterion.points for criterion in self.rubric)


@dataclass(frozen=True)
class Exercise:
    """An exercise is a number, a title and questions; its source defines it in a `spec` cell.

    `by_hand` are the questions that the teacher marks by a rubric.
    """

    number: str
    title: str
    questions: Sequence[Question]
    by_hand: Sequence[ByHand] = ()

    def __post_init__(self) -> None:
        refuse_unless_text("the number of an exercise", self.number)
        where = f"exercise {self.number}"
        question = 'Question("dcg", "dcg(grades)", some)'
        by_hand = 'ByHand("why", "Why it fell", [Criterion("cause", 2)])'
        refuse_unless_text(f"{where}, title", self.title)
        if isinstance(self.questions, Sequence):
            for listed in self.questions:
                if isinstance(listed, ByHand):
                    raise InputError(
                        f"{where}: {listed.name} is marked by hand, so it stands in the list after "
                        f"that of the questions; write Exercise(number, title, [{question}], "
                        f"[{by_hand}])"
                    )
        refuse_unless_listed(f"{where}, questions", self.questions, Question, f"[{question}]")
        refuse_unless_listed(f"{where}, by_hand", self.by_hand, ByHand, f"[{by_hand}]")
        names = [q.name for q in self.every]
        if len(set(names)) != len(names):
            raise InputError(f"exercise {self.number}: two questions have one name: {names}")

    def __getitem__(self, name: str) -> Question:
        for question in self.questions:
            if question.name == name:
                return question
        names = ", ".join(q.name for q in self.questions)
        raise InputError(f"exercise {self.number} has no question {name!r}; it has {names}")

    @property
    def every(self) -> list[Question | ByHand]:
        """All questions, computed ones first."""
        return [*self.questions, *self.by_hand]

    @property
    def marks(self) -> float:
        """The total: the marks of all questions except bonus questions."""
        computed = sum(q.marks for q in self.questions if not q.bonus)
        return computed + sum(q.marks for q in self.by_hand)

    def given(self, name: str) -> Any:
        """The general copy's inputs of a question: one value, or a tuple of them.

        A cell of the source that reads `a, b = spec.given("name")` stands in the built notebooks
        as assignments of the copy's own data.
        """
        values = tuple(GENERAL.trial(self.number, self[name]).general[0].values())
        return values[0] if len(values) == 1 else values
