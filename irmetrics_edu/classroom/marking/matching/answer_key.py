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

    @cached_property
    def hidden(self) -> Mapping[str, Trial]:
        """The inputs of functions: one set for the class, so that all are marked equally."""
        course = Variant("", self.key)
        return {
            q.name: course.trial(self.source.exercise.number, q, hidden=True)
            for q in self.questions
            if q.kind != "value"
        }

    @cached_property
    def handed_out(self) -> set[int]:
        """Code that everybody has: the cells as handed out, and the solution."""
        return all_hashes(c.text for c in self.source.cells if not c.markdown)

    @cached_property
    def solutions(self) -> Mapping[str, tuple[str, ...]]:
        """For each question, the solution's cells up to its answer and none after it."""
        exercise = self.source.exercise
        inputs = {q.name: GENERAL.trial(exercise.number, q).general[0] for q in exercise.questions}
        found: dict[str, tuple[str, ...]] = {}
        cells: tuple[str, ...] = ()
        for cell in self.source.cells:
            if not cell.markdown and not {"spec", "check"} & set(cell.tags):
                cells = (*cells, solved(with_data(cell.text, inputs)))
            if name := self.source.question_of(cell):
                found[name] = cells
        return found

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the marks depend on besides the submission."""
        content = self.source.path.read_bytes()
        limits = json.dumps(asdict(self.limits), sort_keys=True).encode()
        return hashlib.sha256(b"\0".join([content, self.key, limits, b"6"])).hexdigest()

    def trial(
        self, question: Question, student: str, *, general: bool, own: Inputs | None = None
    ) -> Trial:
        """The inputs that decide the marks of a question; `own` are those of the student's copy."""
        if question.kind != "value":
            return self.hidden[question.name]
        if own is not None:
            return Trial([own], question.edges, prefixes(question, [own]))
        variant = GENERAL if general else Variant(student, self.key)
        at = question.name, variant.student
        if at not in self._values:
            self._values[at] = variant.trial(self.source.exercise.number, question)
        return self._values[at]

    @cached_property
    def _values(self) -> dict[tuple[str, str], Trial]:
        """The trials of values that were drawn so far, by question and student."""
        return {}
