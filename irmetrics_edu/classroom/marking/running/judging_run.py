"""What one run of a question came to: what was found of an answer, and the verdict on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict, judge
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.differing import Failed
from irmetrics_edu.classroom.grading.outcome import Answer, NoValue, PlainValue, Raised, RunOutcome
from irmetrics_edu.classroom.grading.sandbox import SandboxError
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.running import answer_texts
from irmetrics_edu.classroom.marking.running.answer_texts import IMPORTS
from irmetrics_edu.views.language import said


class FoundAnswer(Enum):
    """What was found of an answer: each kind has its own words, and its own notes."""

    ANSWER = "an answer"
    NOTHING = "nothing has its name"
    BLANK = "it is as it was handed out"
    BEGUN = "it was begun above a line that was handed out"
    TAMPERED = "the code interfered with the grader"
    NOT_JUDGED = "it could not be judged"

    @property
    def is_answer(self) -> bool:
        """Whether the student gave an answer here."""
        return self not in {FoundAnswer.NOTHING, FoundAnswer.BLANK, FoundAnswer.BEGUN}


@dataclass(frozen=True)
class RunJudgment:
    """The judgment of one run: what was found, the verdict, and more sentences for the student."""

    verdict: AnswerVerdict
    found: FoundAnswer = FoundAnswer.ANSWER
    told: tuple[str, ...] = ()


def found_in(question: Question, outcome: RunOutcome) -> FoundAnswer:
    """What a run found of an answer."""
    if outcome.tampered:
        return FoundAnswer.TAMPERED
    first = outcome.answers[0]
    if first.lack is NoValue.MISSING:
        return FoundAnswer.NOTHING
    unwritten = first.error is not None and first.error.type == "NotImplementedError"
    empty = first.given and first.value is None and question.kind == "value"
    if unwritten or empty or first.lack is NoValue.BLANK:
        return FoundAnswer.BLANK
    return FoundAnswer.ANSWER


def judged(
    question: Question,
    trial: Trial,
    outcome: RunOutcome,
    errors: Sequence[Raised],
) -> RunJudgment:
    """The judgment, and further sentences for the student; `errors` are the student's own."""
    state = found_in(question, outcome)
    if state is FoundAnswer.TAMPERED:
        return RunJudgment(AnswerVerdict(0.0, problem=said(answer_texts.TAMPERED)), state)
    if state is FoundAnswer.NOTHING:
        problem = answer_texts.missing(question.name)
        told = tuple(answer_texts.error_in_words(error, question) for error in errors[:1])
        return RunJudgment(AnswerVerdict(0.0, problem=problem), state, told)
    if state is FoundAnswer.BLANK:
        return RunJudgment(AnswerVerdict(0.0, problem=said(answer_texts.NONE)), state)
    absent = [error for error in outcome.cell_errors if error.type in IMPORTS]
    answers = [received(answer, question, absent) for answer in outcome.answers]
    if question.kind == "value":
        answers = answers[:1]
    try:
        return RunJudgment(judge(question, trial, answers))
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise SandboxError(f"the answer can't be compared ({type(error).__name__})") from error


def received(
    answer: Answer, question: Question, absent: Sequence[Raised] = ()
) -> "PlainValue | Failed":
    """An answer for the judgment: a value that can be compared, or why there is none.

    `absent` are the imports that failed.
    """
    if answer.given:
        return answer.value
    if answer.error is not None:
        why = answer_texts.raises(answer.error, question, absent)
        return Failed(why, clean(answer.error.type, 100))
    return Failed(answer_texts.no_value(answer))
