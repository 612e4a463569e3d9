"""An exercise under a course key: the right answers and the hidden inputs."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property

from irmetrics_edu.classroom.exercises.computed_question import Inputs, Question, Trial
from irmetrics_edu.classroom.exercises.source import ExerciseSource, solved, with_data
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant, prefixes
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.tiers import Tier
from irmetrics_edu.classroom.marking.matching.code_tokens import all_hashes


@dataclass(frozen=True)
class AnswerKey:
    """An exercise as it is marked under a course key: its questions and their hidden inputs."""

    source: ExerciseSource
    key: bytes
    tier: Tier
    limits: SandboxLimits = field(default_factory=SandboxLimits)

    @property
    def questions(self) -> Sequence[Question]:
        """The questions that a program marks."""
        return self.source.exercise.questions

    def hidden(self, question: Question) -> Trial:
        """The inputs of a function: one set for the class, so that all are marked equally.

        They are drawn once; InputError if no inputs tell the question's mistakes apart.
        """
        if question.name not in self._hidden:
            course = Variant("", self.key)
            trial = course.trial(self.source.exercise.number, question, hidden=True)
            self._hidden[question.name] = trial
        return self._hidden[question.name]

    def require_hidden(self) -> None:
        """Draw the inputs of all functions, so that one which has none is told before any runs."""
        for question in self.questions:
            if question.kind != "value":
                self.hidden(question)

    @cached_property
    def _hidden(self) -> dict[str, Trial]:
        """The hidden inputs that were drawn so far, by question."""
        return {}

    @cached_property
    def handed_out(self) -> set[int]:
        """Code that everybody has: the cells as handed out, and the solution."""
        return all_hashes(c.text for c in self.source.cells if not c.markdown)

    @cached_property
    def solutions(self) -> Mapping[str, tuple[str, ...]]:
        """For each question, the solution's cells up to its answer and none after it."""
        exercise = self.source.exercise
        inputs = {}
        for question in exercise.questions:
            inputs[question.name] = GENERAL.trial(exercise.number, question).general[0]
        solutions: dict[str, tuple[str, ...]] = {}
        cells: tuple[str, ...] = ()
        for cell in self.source.cells:
            if not cell.markdown and not {"spec", "check"} & set(cell.tags):
                cells = (*cells, solved(with_data(cell.text, inputs)))
            name = self.source.question_of(cell)
            if name:
                solutions[name] = cells
        return solutions

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the marks depend on besides the submission."""
        content = self.source.path.read_bytes()
        limits = json.dumps(asdict(self.limits), sort_keys=True).encode()
        return hashlib.sha256(b"\0".join([content, self.key, limits, b"6"])).hexdigest()

    def trial(
        self,
        question: Question,
        student: str,
        *,
        general: bool,
        copy_inputs: Inputs | None = None,
    ) -> Trial:
        """The inputs that decide the marks of a question; those of the student's copy, if given."""
        if question.kind != "value":
            return self.hidden(question)
        if copy_inputs is not None:
            return Trial([copy_inputs], question.edges, prefixes(question, [copy_inputs]))
        variant = GENERAL if general else Variant(student, self.key)
        at = question.name, variant.student
        if at not in self._values:
            self._values[at] = variant.trial(self.source.exercise.number, question)
        return self._values[at]

    @cached_property
    def _values(self) -> dict[tuple[str, str], Trial]:
        """The trials of values that were drawn so far, by question and student."""
        return {}
