"""Marking one submission: a child runs each question, and this process judges the answers.

Right answers are computed here, from inputs that derive from the course key, and are not sent. The
child gets the student's code cells and then the inputs of each call in turn. If a later answer is
judged again, the child also gets the right earlier answers (`carry_forward.py`).

Code that has seen hidden inputs could tell them: in an error, in a value, in the name of a type. So
the feedback on a wrong answer is of a second run, which gets only inputs that the student may see.
Of the first run it has the marks, the kind of an error and its line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event

from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.grading.outcome import Raised
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.matching.added_cells import begun
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.code_names import repeated
from irmetrics_edu.classroom.marking.matching.code_tokens import fingerprints
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import GRADED, PARTLY, QuestionMark, Result, WhyOpen
from irmetrics_edu.classroom.marking.running import answer_texts, carry_forward
from irmetrics_edu.classroom.marking.running.answer_texts import IMPORTS
from irmetrics_edu.classroom.marking.running.changed_data import ChangedData, changed_data
from irmetrics_edu.classroom.marking.running.child_runs import ALL_RUNS, Patience, Turns, cut
from irmetrics_edu.classroom.marking.running.judging_run import FoundAnswer, judged
from irmetrics_edu.classroom.marking.running.readings import AT_THE_END, NotebookReading
from irmetrics_edu.classroom.marking.running.run_cells import QuestionRun
from irmetrics_edu.classroom.marking.running.tried_readings import (
    TriedReading,
    best_reading,
    can_be_shown,
    seen,
    stopped_at,
)
from irmetrics_edu.views.language import said, spoken_in

MOST_ERRORS = 5


class Stopped(Exception):  # noqa: N818 -- the message reads "Stopped"
    """Marking was interrupted; unfinished results are not kept."""


@dataclass(frozen=True)
class MarkedQuestion:
    """A question's marks, the errors of the cells beside them, what was found, and how."""

    mark: QuestionMark
    errors: Sequence[Raised] = ()
    found: FoundAnswer = FoundAnswer.ANSWER
    reading: NotebookReading = AT_THE_END


def mark_submission(
    ready: ReadySubmission,
    answer_key: AnswerKey,
    stop: Event,
    turns: Turns,
) -> Result:
    """The marks of a submission; Stopped if asked to stop before the last question."""
    patience = Patience(turns, answer_key.limits)
    runs = [QuestionRun(ready, answer_key, one, patience) for one in answer_key.questions]
    by_question: list[MarkedQuestion] = []
    for run in runs:
        if stop.is_set():
            raise Stopped
        by_question.append(_marked(run))
    marks = [_carried(run, by_question, stop) for run in runs]
    exercise = answer_key.source.exercise
    tier = answer_key.tier
    return Result(
        path=ready.path,
        student=ready.student,
        exercise=exercise.number,
        title=exercise.title,
        status=GRADED if all(mark.judged for mark in marks) else PARTLY,
        inputs=ready.inputs,
        tier=tier.name,
        holds=str(tier),
        secure=tier.secure,
        python=answer_texts.PYTHON,
        questions=tuple(marks),
        told=tuple(_first_errors(runs, by_question)),
        notes=(
            *ready.notes,
            *_repeated(ready, answer_key),
            *_elsewhere(ready, by_question),
            *_failed_imports(by_question),
            *cut(patience, [mark.name for mark in marks if mark.limit == ALL_RUNS]),
            *answer_texts.long_code(ready.cells),
        ),
        code=fingerprints(ready.cells, answer_key.handed_out),
        file=ready.file,
        language=ready.language,
    )


def _first_errors(runs: Sequence[QuestionRun], marked: Sequence[MarkedQuestion]) -> list[str]:
    """The errors of the cells, in words, as the first question with any met them."""
    for run, one in zip(runs, marked, strict=True):
        if one.errors:
            errors = one.errors[:MOST_ERRORS]
            with spoken_in(run.ready.language):
                return [answer_texts.error_in_words(error, run.question) for error in errors]
    return []


def _failed_imports(marked: Sequence[MarkedQuestion]) -> list[str]:
    """Notes on the imports that failed, as the first question with any met them."""
    for one in marked:
        failed = [error for error in one.errors if error.type in IMPORTS and error.cell]
        if failed:
            return list(dict.fromkeys(map(answer_texts.import_failed, failed)))
    return []


def _repeated(ready: ReadySubmission, answer_key: AnswerKey) -> Iterator[str]:
    """Notes on the answers that are defined in several cells."""
    for question in answer_key.questions:
        numbers = repeated(ready.cells, question.name)
        if numbers:
            yield answer_texts.defined_again(question.name, numbers)


def _elsewhere(ready: ReadySubmission, marked: Sequence[MarkedQuestion]) -> Iterator[str]:
    """Notes on the questions without an answer, which may stand elsewhere."""
    for one in marked:
        name = one.mark.name
        if not one.found.is_answer and name in ready.elsewhere:
            yield ready.elsewhere[name]


def _marked(run: QuestionRun) -> MarkedQuestion:
    """The marks for one question, and how they came about."""
    question = run.question
    ready = run.ready
    blank = _without_marks(question)
    with spoken_in(ready.language):
        if ready.nobodys and question.kind == "value":
            return MarkedQuestion(_open(blank, WhyOpen.NOBODYS, said(answer_texts.NOBODYS)))
        if question.name in ready.data.unknown:
            return MarkedQuestion(_open(blank, WhyOpen.OTHER_DATA, said(answer_texts.OTHER_DATA)))
    try:
        earning, shown = _runs(run)
    except Exception as error:  # noqa: BLE001 -- whatever one submission does, the class is graded
        with spoken_in(ready.language):
            why = answer_texts.not_graded(error)
        return MarkedQuestion(_open(blank, WhyOpen.FAILED, why), found=FoundAnswer.NOT_JUDGED)
    changed = _changed(run, earning)
    marked = _with_feedback(run, blank, earning, shown, changed)
    if not ready.language:
        return marked
    with spoken_in(ready.language):
        in_words = _with_feedback(run, blank, earning, shown.in_words(question), changed)
    spoken = in_words.mark
    return replace(marked, mark=replace(marked.mark, text=spoken.text, told=spoken.told))


def _without_marks(question: Question) -> QuestionMark:
    return QuestionMark(
        question.name,
        question.title or question.name,
        question.marks,
        bonus=question.bonus,
    )


def _trial(run: QuestionRun) -> Trial:
    """The inputs that decide the marks."""
    ready = run.ready
    return run.answer_key.trial(
        run.question,
        ready.whose,
        general=ready.general,
        copy_inputs=ready.data.own.get(run.question.name),
    )


def _runs(run: QuestionRun) -> tuple[TriedReading, TriedReading]:
    """The run that earns the marks, and the one that can be shown."""
    trial = _trial(run)
    earning = best_reading(run, replace(trial, prefixes=(), examples=()))
    if trial.hidden and earning.judged.verdict.where:
        return earning, can_be_shown(run, trial, earning)
    return earning, earning


def _with_feedback(
    run: QuestionRun,
    blank: QuestionMark,
    earning: TriedReading,
    shown: TriedReading,
    changed_names: Sequence[ChangedData],
) -> MarkedQuestion:
    """The marks of a verdict, with the feedback for student and teacher, in the language set."""
    question = run.question
    outcome = shown.outcome
    verdict = shown.judged.verdict
    state = shown.judged.found
    if state is FoundAnswer.BLANK and begun(run.answer_key.source, run.ready.cells, question.name):
        state = FoundAnswer.BEGUN
        problem = f"{said(answer_texts.NONE)} {said(answer_texts.UNFINISHED)}"
        verdict = AnswerVerdict(0.0, problem=problem)
    text = f"{verdict.text} {verdict.where}" if verdict.mistake else verdict.text
    first = outcome.answers[0]
    stop = stopped_at(run, earning)
    stops = [answer_texts.stopped(stop)] if stop else []
    changed = [one.told for one in changed_names]
    beside = answer_texts.stopped_beside(earning.beside) if earning.beside else ""
    sentences = [
        earning.reading.told,
        beside,
        *shown.judged.told,
        *changed,
        verdict.chance,
    ]
    mark = replace(
        _earning(blank, verdict),
        text=clean(text.rstrip()),
        told=tuple(sentence for sentence in sentences if sentence),
        answer=pack(first.value) if question.kind == "value" and first.given else None,
        limit=outcome.limit,
        tampered=outcome.tampered,
        seen=(*stops, *changed, *seen(shown, earning, state)),
    )
    return MarkedQuestion(mark, earning.errors, state, earning.reading)


def _changed(run: QuestionRun, earning: TriedReading) -> list[ChangedData]:
    """The data that were changed before a wrong answer to a "value" question."""
    judged = earning.judged
    if run.question.kind != "value" or judged.verdict.right:
        return []
    if judged.found is not FoundAnswer.ANSWER or earning.outcome.limit:
        return []
    return changed_data(run, earning.reading, _trial(run).general[0])


def _open(blank: QuestionMark, why: WhyOpen, text: str) -> QuestionMark:
    """A question without marks, with the reason."""
    return replace(
        blank,
        judged=False,
        text=text,
        why_open=why.value,
    )


def _earning(mark: QuestionMark, verdict: AnswerVerdict) -> QuestionMark:
    """The marks for a verdict, with the mistake behind it."""
    marks = round(verdict.share * mark.out_of, 4)
    mistake = verdict.mistake
    if mistake is None:
        return replace(
            mark,
            marks=marks,
            label="",
            says="",
            read="",
        )
    return replace(
        mark,
        marks=marks,
        label=mistake.label,
        says=clean(mistake.says),
        read=mistake.read,
    )


def _carried(run: QuestionRun, marked: Sequence[MarkedQuestion], stop: Event) -> QuestionMark:
    """The marks for a question, judged again if an earlier answer made it fail."""
    question = run.question
    marks = [one.mark for one in marked]
    place = [mark.name for mark in marks].index(question.name)
    mark = marks[place]
    stand_ins = carry_forward.replaced(
        run.ready,
        run.answer_key,
        marks,
        question,
    )
    if not stand_ins:
        return mark
    if stop.is_set():
        raise Stopped
    try:
        trial = replace(_trial(run), prefixes=(), examples=())
        outcome, _ = run.outcome(trial, marked[place].reading, stand_ins)
        verdict = judged(question, trial, outcome, ()).verdict
        with spoken_in(run.ready.language):
            mistake = judged(question, trial, outcome, ()).verdict.mistake
    except Exception:  # noqa: BLE001 -- the marks for the student's own answer stand
        return mark
    again = _earning(mark, verdict)
    if again.marks <= mark.marks:
        return mark
    # Nothing else of this run is shown: its values and messages may hold what is right.
    names = tuple(one.name for one in stand_ins)
    with spoken_in(run.ready.language):
        text = carry_forward.told(names, again.marks, mark.out_of)
        if mistake:
            text = f"{text} {mistake.sentence} {mistake.why}"
    return replace(
        again,
        text=clean(text).rstrip(),
        told=(),
        limit="",
        carried=names,
    )
