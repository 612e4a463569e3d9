"""Running a notebook's cells for one question: in the sandbox, and again if a cell stops it."""

from collections.abc import Sequence
from dataclasses import dataclass

from irmetrics_edu.classroom.exercises import NAMES
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, Call, Case, Replaced, RunOutcome
from irmetrics_edu.classroom.grading.plain_values import pack, parts_of
from irmetrics_edu.classroom.grading.sandbox import run_question
from irmetrics_edu.classroom.grading.tiers import WITH_PACKAGE
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.code_names import defined, needed
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.running.child_runs import ALL_RUNS, Patience, waits
from irmetrics_edu.classroom.marking.running.readings import AT_THE_END, NotebookReading

STUBS = {"irmetrics_edu.classroom.exercises": NAMES}
# How many parts an answer may have beyond twice those of the right one: what is bigger is wrong,
# and nothing walks through it.
ROOM = 200
LARGEST_ANSWER = 100_000


@dataclass(frozen=True)
class QuestionRun:
    """One question of one submission, and what its runs share."""

    ready: ReadySubmission
    answer_key: AnswerKey
    question: Question
    patience: Patience

    @property
    def packages(self) -> tuple[str, ...]:
        """What the code may import, with what that needs."""
        packages = tuple(self.question.packages)
        if "irmetrics_edu" in packages:
            packages = tuple(dict.fromkeys([*packages, *WITH_PACKAGE]))
        return packages

    def outcome(
        self,
        trial: Trial,
        reading: NotebookReading = AT_THE_END,
        replaced: Sequence[Replaced] = (),
    ) -> tuple[RunOutcome, RunOutcome | None]:
        """Run the cells and ask; if a cell stops the notebook, run only what the answer needs.

        With the outcome comes that of the run which a cell beside the answer stopped.
        """
        cells = self.ready.cells
        outcome = self._run(cells, trial, reading, replaced)
        if not _stopped(outcome):
            return outcome, None
        some = needed(cells, self.question.name)
        defines = any(self.question.name in defined(cell) for cell in some)
        if not defines or some == list(cells):
            return outcome, None
        again = self._run(some, trial, reading, replaced)
        if any(answer.given for answer in again.answers):
            return again, outcome
        return again if again.limit == ALL_RUNS else outcome, None

    def value_of(
        self,
        name: str,
        harness: str,
        order: tuple[int, ...],
        case: Case,
    ) -> Answer:
        """What a name of the harness means after some of the cells, in their order."""
        call = Call(name, read=True, harness=harness, order=order)
        tier = self.answer_key.tier

        def once(limits: SandboxLimits) -> RunOutcome:
            return run_question(
                self.ready.cells,
                call,
                [case],
                limits,
                tier=tier,
                packages=self.packages,
                stubs=STUBS,
            )

        beside = (self.packages, harness, order)
        outcome = self.patience.run(self.ready.cells, beside, once, tier, 1)
        return Answer() if outcome.tampered else outcome.answers[0]

    def _run(
        self,
        cells: Sequence[str],
        trial: Trial,
        reading: NotebookReading,
        replaced: Sequence[Replaced],
    ) -> RunOutcome:
        question = self.question
        call = Call(
            question.calls or question.name,
            read=question.kind == "value",
            harness=question.harness,
            answer=question.name,
            order=reading.order,
            checked=reading.checked,
        )
        cases = _cases(question, trial)
        packages = self.packages
        tier = self.answer_key.tier

        def once(limits: SandboxLimits) -> RunOutcome:
            return run_question(
                cells,
                call,
                cases,
                limits,
                tier=tier,
                packages=packages,
                stubs=STUBS,
                replaced=replaced,
            )

        beside = (packages, question.harness, reading, *replaced)
        return self.patience.run(
            cells,
            beside,
            once,
            tier,
            len(cases),
        )


def _cases(question: Question, trial: Trial) -> list[Case]:
    """The inputs of each call, with the size that an answer to it may have."""
    cases = []
    for inputs in trial:
        size = parts_of(pack(question.right(inputs)), LARGEST_ANSWER)
        most = 2 * size + ROOM
        if question.kind == "value":
            return [Case(most=most)]
        cases.append(Case(*inputs.values(), most=most))
    return cases


def _stopped(outcome: RunOutcome) -> bool:
    """Whether the notebook was ended before it answered, by no fault of the answer."""
    if not outcome.ended or outcome.tampered or waits(outcome):
        return False
    return not any(answer.given for answer in outcome.answers)
