"""The runs of one question: the reading that earns most, and what of it can be shown."""

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, Raised, RunOutcome
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.code_names import cells_of
from irmetrics_edu.classroom.marking.matching.code_tokens import names_in
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.running import answer_texts
from irmetrics_edu.classroom.marking.running.answer_texts import IMPORTS
from irmetrics_edu.classroom.marking.running.judging_run import FoundAnswer, RunJudgment, judged
from irmetrics_edu.classroom.marking.running.readings import (
    AT_THE_END,
    NotebookReading,
    cells_with_check,
    other_readings,
)
from irmetrics_edu.classroom.marking.running.run_cells import QuestionRun


@dataclass(frozen=True)
class TriedReading:
    """One run of a question under one reading, judged.

    `errors` are those of all cells, and `own` those of the cells that name the answer. `beside` is
    the run that a cell beside the answer stopped, if one did.
    """

    reading: NotebookReading
    outcome: RunOutcome
    judged: RunJudgment
    errors: Sequence[Raised]
    own: Sequence[Raised]
    trial: Trial
    beside: RunOutcome | None = None

    @property
    def worth(self) -> tuple[float, bool, bool]:
        """How much a run earns, and of equal ones, how much can be said of it."""
        verdict = self.judged.verdict
        return verdict.share, verdict.mistake is not None, self.judged.found.is_answer

    def in_words(self, question: Question) -> "TriedReading":
        """The same, judged in the language that is set."""
        judgment = judged(question, self.trial, self.outcome, self.own)
        return replace(self, judged=judgment)


def best_reading(run: QuestionRun, trial: Trial) -> TriedReading:
    """The run that earns most: at the end of the notebook, or else as `check` got it."""
    best = _tried(run, trial, AT_THE_END)
    if best.outcome.tampered or best.outcome.limit:
        return best
    cells = run.ready.cells
    checked = cells_with_check(cells, run.question.name, best.outcome.checked)
    for reading in other_readings(run.ready.runs, checked):
        if best.judged.verdict.right or run.patience.spent:
            break
        other = _tried(run, trial, reading)
        if other.worth > best.worth:
            best = other
    return best


def _tried(run: QuestionRun, trial: Trial, reading: NotebookReading) -> TriedReading:
    """A run on a trial, judged."""
    question = run.question
    outcome, beside = run.outcome(trial, reading)
    errors = []
    errors_of_answer = []
    for error in outcome.cell_errors:
        if _for_another(error, question, run.answer_key):
            continue
        errors.append(error)
        if question.name in _names(run.ready, error):
            errors_of_answer.append(error)
    return TriedReading(
        reading=reading,
        outcome=outcome,
        judged=judged(question, trial, outcome, errors_of_answer),
        errors=errors,
        own=errors_of_answer,
        trial=trial,
        beside=beside,
    )


def can_be_shown(run: QuestionRun, trial: Trial, hidden: TriedReading) -> TriedReading:
    """The outcome of a trial that can be shown: no answer to hidden inputs tells of them."""
    before = hidden.outcome
    cells = run.ready.cells
    first = [_withheld(answer, cells) for answer in before.answers[: len(trial.general)]]
    shown_trial = replace(trial, general=())
    if first[-1].lack is NoValue.ENDED:
        left = first[-1:] * len(shown_trial)
        outcome = replace(before, answers=(*first, *left))
    else:
        again, _ = run.outcome(shown_trial, hidden.reading)
        outcome = replace(
            before,
            answers=(*first, *again.answers),
            tampered=before.tampered or again.tampered,
        )
    judgment = judged(run.question, trial, outcome, hidden.own)
    return replace(
        hidden,
        outcome=outcome,
        judged=judgment,
        trial=trial,
    )


def stopped_at(run: QuestionRun, tried: TriedReading) -> Raised | None:
    """The error with which a cell of the answer stopped; None if it is right, or none stopped.

    A failed import stops no cell, and is told by itself. A call counts too if it fails for want of
    something that a later Python may have.
    """
    if tried.judged.verdict.right:
        return None
    name = run.question.name
    cells = run.ready.cells
    stopping = _stopping(tried.errors)
    defining = cells_of(cells, name)
    for error in stopping:
        if error.cell in defining:
            return error
    if tried.judged.found is FoundAnswer.NOTHING:
        for error in stopping:
            if error.cell <= len(cells) and name in names_in(_CALLS.sub("", cells[error.cell - 1])):
                return error
    for answer in tried.outcome.answers:
        if answer.error and answer_texts.may_be_of_a_later_python(answer.error):
            return answer.error
    return None


def _stopping(errors: Sequence[Raised]) -> list[Raised]:
    """The errors that stopped a cell."""
    absent = [error for error in errors if error.type in IMPORTS]
    wanting = answer_texts.is_for_want_of_a_package
    return [error for error in errors if error.cell and not wanting(error, absent)]


# What stands below an answer in every copy: it stops where the answer did.
_CALLS = re.compile(r"\b(?:check|hint)\([^\n]*")


def seen(shown: TriedReading, tried: TriedReading, state: FoundAnswer) -> tuple[str, ...]:
    """What a teacher may want to look at in how the code ran."""
    outcome = shown.outcome
    raised = [answer.error for answer in outcome.answers if answer.error]
    notes = answer_texts.refused([*tried.own, *raised])
    if outcome.ended and not outcome.limit and not outcome.tampered:
        notes.append(outcome.ended)
    if outcome.started:
        notes.append(answer_texts.STARTED)
    if state is FoundAnswer.BEGUN:
        notes.append(answer_texts.ABOVE)
    if tried.reading.told:
        notes.append(tried.reading.told)
    return tuple(notes)


def _names(ready: ReadySubmission, error: Raised) -> set[str]:
    """The names in the cell that an error comes from."""
    cells = ready.names
    return cells[error.cell - 1] if 0 < error.cell <= len(cells) else set()


def _withheld(answer: Answer, cells: Sequence[str]) -> Answer:
    """An answer without words of the code: an error is one of Python's, in a line that exists."""
    error = answer.error
    if error:
        cell = cells[error.cell - 1] if 0 < error.cell <= len(cells) else ""
        line = error.line if 0 < error.line <= cell.count("\n") + 1 else 0
        of_python = isinstance(getattr(builtins, error.type, None), type)
        kind = error.type if of_python else answer_texts.OWN_ERROR
        return replace(
            answer,
            error=Raised(kind, "", error.cell, line),
        )
    if answer.lack in {NoValue.NOT_PLAIN, NoValue.TOO_BIG}:
        return replace(answer, why=answer_texts.NO_PLAIN_DATA, lack=NoValue.NOT_PLAIN)
    return answer


def _for_another(error: Raised, question: Question, answer_key: AnswerKey) -> bool:
    """Whether an import failed that another question of the exercise allows: it is no error."""
    if error.type not in IMPORTS:
        return False
    allowed: set[str] = set()
    for other in answer_key.questions:
        allowed.update(other.packages)
    package = error.name.partition(".")[0]
    return package in allowed and package not in question.packages
