"""Marking one submission: a child runs each question, and this process judges the answers.

Right answers are computed here, from inputs that derive from the course key, and are not sent. The
child gets the student's code cells and then the inputs of each call in turn. If a later answer is
judged again, the child also gets the right earlier answers (`carry_forward.py`).

Code that has seen hidden inputs could tell them: in an error, in a value, in the name of a type. So
the feedback on a wrong answer is of a second run, which gets only inputs that the student may see.
Of the first run it has the marks, the kind of an error and its line.
"""

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from threading import Event
from typing import Any

from irmetrics_edu.classroom.exercises import NAMES
from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict, judge
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.differing import Failed
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import (
    Answer,
    Call,
    Case,
    NoValue,
    Raised,
    Replaced,
    RunOutcome,
)
from irmetrics_edu.classroom.grading.plain_values import pack, parts_of
from irmetrics_edu.classroom.grading.sandbox import SandboxError, run_question
from irmetrics_edu.classroom.grading.tiers import WITH_PACKAGE
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.matching.added_cells import begun
from irmetrics_edu.classroom.marking.matching.answer_key import AnswerKey
from irmetrics_edu.classroom.marking.matching.code_names import defined, needed
from irmetrics_edu.classroom.marking.matching.code_tokens import LONGEST, fingerprints
from irmetrics_edu.classroom.marking.matching.ready import ReadySubmission
from irmetrics_edu.classroom.marking.results import GRADED, PARTLY, QuestionMark, Result, WhyOpen
from irmetrics_edu.classroom.marking.running import carry_forward
from irmetrics_edu.classroom.marking.running.child_runs import ALL_RUNS, Patience, Turns, cut, waits

STUBS = {"irmetrics_edu.classroom.exercises": NAMES}
MOST_ERRORS = 5
NONE = "There is no answer yet."
NOBODYS = "Your copy is of nobody in the class, so your teacher looks at your values."
OTHER_DATA = (
    "The data in your copy are not those that the exercise has now, so your teacher looks at this."
)
UNFINISHED = "Your code still has the line `...` or `raise NotImplementedError`: delete that line."
_IMPORTS = {"ModuleNotFoundError", "ImportError"}
_NAME = re.compile(r"name '(\w+)' is not defined")
_PACKAGE = re.compile(r"(?:named|from) '(\w+)")


class Stopped(Exception):  # noqa: N818 -- the message reads "Stopped"
    """Marking was interrupted; unfinished results are not kept."""


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
class NotebookReading:
    """A way to read a notebook: which cells run, in which order, and which object is the answer.

    First of all they run as they stand, and the answer is what its name means at the end. But the
    name may be used again below. So where this is not right, the notebook is read as it was when
    `check` was called, with the object that `check` got.
    """

    order: tuple[int, ...] = ()
    checked: bool = False
    told: str = ""


AT_THE_END = NotebookReading()
AS_RUN = (
    "It was marked in the order in which the cells were run, which is not that of the notebook."
)


def as_checked(cell: int) -> str:
    """What is said where the answer counts as `check` got it."""
    return (
        f"It was marked as `check` got it in cell {cell}: what stands below uses a name again, or "
        "changes what the answer needs."
    )


@dataclass(frozen=True)
class RunJudgment:
    """The judgment of one run: what was found, the verdict, and more sentences for the student."""

    verdict: AnswerVerdict
    found: FoundAnswer = FoundAnswer.ANSWER
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class MarkedQuestion:
    """A question's marks, the errors of the cells beside them, what was found, and how."""

    mark: QuestionMark
    errors: Sequence[Raised] = ()
    found: FoundAnswer = FoundAnswer.ANSWER
    reading: NotebookReading = AT_THE_END


def mark(ready: ReadySubmission, answer_key: AnswerKey, stop: Event, turns: Turns) -> Result:
    """The marks of a submission; Stopped if asked to stop before the last question."""
    patience = Patience(turns, answer_key.limits)
    own: list[MarkedQuestion] = []
    told: list[str] = []
    absent: list[str] = []
    for question in answer_key.questions:
        if stop.is_set():
            raise Stopped
        one = _question(ready, answer_key, question, patience)
        own.append(one)
        told = told or [_error_in_words(error, question) for error in one.errors[:MOST_ERRORS]]
        failed = [e for e in one.errors if e.type in _IMPORTS and e.cell]
        absent = absent or [_import_failed(e) for e in failed]
    marked = [
        _carried(ready, answer_key=answer_key, question=q, marked=own, patience=patience, stop=stop)
        for q in answer_key.questions
    ]
    exercise = answer_key.source.exercise
    unanswered = [
        q.name for q, one in zip(answer_key.questions, own, strict=True) if not one.found.is_answer
    ]
    return Result(
        path=ready.path,
        student=ready.student,
        exercise=exercise.number,
        title=exercise.title,
        status=GRADED if all(q.judged for q in marked) else PARTLY,
        inputs=ready.inputs,
        tier=answer_key.tier.name,
        holds=str(answer_key.tier),
        secure=answer_key.tier.secure,
        questions=tuple(marked),
        told=tuple(told),
        notes=(
            *ready.notes,
            *(ready.elsewhere[name] for name in unanswered if name in ready.elsewhere),
            *dict.fromkeys(absent),
            *cut(patience, [q.name for q in marked if q.limit == ALL_RUNS]),
            *_long(ready.cells),
        ),
        code=fingerprints(ready.cells, answer_key.handed_out),
        file=ready.file,
    )


def _question(
    ready: ReadySubmission,
    answer_key: AnswerKey,
    question: Question,
    patience: Patience,
) -> MarkedQuestion:
    """The marks for one question, and how they came about."""
    blank = QuestionMark(
        question.name,
        question.title or question.name,
        question.marks,
        bonus=question.bonus,
    )
    if ready.nobodys and question.kind == "value":
        return MarkedQuestion(_open(blank, WhyOpen.NOBODYS, NOBODYS))
    if question.name in ready.data.unknown:
        return MarkedQuestion(_open(blank, WhyOpen.OTHER_DATA, OTHER_DATA))
    try:
        own = ready.data.own.get(question.name)
        trial = answer_key.trial(question, ready.whose, general=ready.general, own=own)
        run = QuestionRuns(ready, answer_key, question, patience)
        earning = run.best(replace(trial, prefixes=(), examples=()))
        shown = earning
        if trial.hidden and earning.judged.verdict.where:
            shown = run.shown(trial, earning)
    except Exception as error:  # noqa: BLE001 -- whatever one submission does, the class is graded
        why = f"It could not be graded here, which is not your fault: {clean(error, 300)}."
        return MarkedQuestion(_open(blank, WhyOpen.FAILED, why), found=FoundAnswer.NOT_JUDGED)
    judged = shown.judged
    outcome = shown.outcome
    verdict = judged.verdict
    found = judged.found
    if found is FoundAnswer.BLANK and begun(answer_key.source, ready.cells, question.name):
        found = FoundAnswer.BEGUN
        verdict = AnswerVerdict(0.0, problem=f"{NONE} {UNFINISHED}")
    text = f"{verdict.text} {verdict.where}" if verdict.mistake else verdict.text
    answer = None
    if question.kind == "value" and outcome.answers[0].given:
        answer = pack(outcome.answers[0].value)
    said = (earning.reading.told, *earning.note, *judged.told, verdict.chance)
    mark_ = replace(
        _earning(blank, verdict),
        text=clean(text.rstrip()),
        told=tuple(text for text in said if text),
        answer=answer,
        limit=outcome.limit,
        tampered=outcome.tampered,
        seen=_seen(outcome, earning, found),
    )
    return MarkedQuestion(mark_, earning.errors, found, earning.reading)


def _open(blank: QuestionMark, why: WhyOpen, text: str) -> QuestionMark:
    """A question without marks, with the reason."""
    return replace(blank, judged=False, text=text, why_open=why.value)


@dataclass(frozen=True)
class TriedReading:
    """One run of a question under one reading, judged."""

    reading: NotebookReading
    outcome: RunOutcome
    judged: RunJudgment
    errors: Sequence[Raised]
    own: Sequence[Raised]
    note: Sequence[str] = ()


def _worth(tried: TriedReading) -> tuple[float, bool, bool]:
    """How much a run earns, and of equal ones, how much can be said of it."""
    verdict = tried.judged.verdict
    return verdict.share, verdict.mistake is not None, tried.judged.found.is_answer


@dataclass(frozen=True)
class QuestionRuns:
    """The runs of one question of one submission."""

    ready: ReadySubmission
    answer_key: AnswerKey
    question: Question
    patience: Patience

    def best(self, trial: Trial) -> TriedReading:
        """The run that earns most: at the end of the notebook, or else as `check` got it."""
        found = self.tried(trial, AT_THE_END)
        for reading in self.others(found):
            if found.judged.verdict.right or self.patience.spent:
                break
            other = self.tried(trial, reading)
            if _worth(other) > _worth(found):
                found = other
        return found

    def others(self, first: TriedReading) -> list[NotebookReading]:
        """Other ways to read the notebook: at the last and the first check, and as it was run."""
        if first.outcome.tampered or first.outcome.limit:
            return []
        checked = self.cells_with_check(first.outcome)
        every = range(1, len(self.ready.cells) + 1)
        found = []
        if checked:
            for cell in dict.fromkeys([max(checked), min(checked)]):
                order = tuple(every[:cell])
                found.append(NotebookReading(order, checked=True, told=as_checked(cell)))
        runs = self.ready.runs
        if list(runs) != sorted(runs):
            last = max((place for place, n in enumerate(runs) if n in checked), default=len(runs))
            found.append(NotebookReading(runs[: last + 1], checked=True, told=AS_RUN))
        return found

    def cells_with_check(self, outcome: RunOutcome) -> set[int]:
        """The cells that call `check` for the answer, as they ran, or as their text says."""
        called = re.compile(rf"\bcheck\(\s*['\"]{self.question.name}['\"]")
        found = {n for n, cell in enumerate(self.ready.cells, 1) if called.search(cell)}
        return found | {n for n in outcome.checked if 0 < n <= len(self.ready.cells)}

    def tried(self, trial: Trial, reading: NotebookReading) -> TriedReading:
        """A run on a trial, judged."""
        outcome, note = _run(
            self.ready.cells,
            self.question,
            trial,
            self.answer_key,
            self.patience,
            reading=reading,
        )
        errors = [
            e for e in outcome.cell_errors if not _for_another(e, self.question, self.answer_key)
        ]
        own = [e for e in errors if self.question.name in self._names(e)]
        return TriedReading(
            reading=reading,
            outcome=outcome,
            judged=_judged(self.question, trial, outcome, own),
            errors=errors,
            own=own,
            note=note,
        )

    def shown(self, trial: Trial, hidden: TriedReading) -> TriedReading:
        """The outcome of a trial that can be shown: no answer to hidden inputs tells of them."""
        n = len(trial.general)
        was = hidden.outcome
        first = [_withheld(answer, self.ready.cells) for answer in was.answers[:n]]
        open_ = replace(trial, general=())
        if first[-1].lack is NoValue.ENDED:
            outcome = replace(was, answers=(*first, *(first[-1:] * len(open_))))
        else:
            again, _ = _run(
                self.ready.cells,
                self.question,
                open_,
                self.answer_key,
                self.patience,
                reading=hidden.reading,
            )
            tampered = was.tampered or again.tampered
            outcome = replace(was, answers=(*first, *again.answers), tampered=tampered)
        judged = _judged(self.question, trial, outcome, hidden.own)
        return replace(hidden, outcome=outcome, judged=judged)

    def _names(self, error: Raised) -> set[str]:
        """The names in the cell that an error comes from."""
        cells = self.ready.names
        return cells[error.cell - 1] if 0 < error.cell <= len(cells) else set()


def _seen(outcome: RunOutcome, tried: TriedReading, found: FoundAnswer) -> tuple[str, ...]:
    """What a teacher may want to look at in how the code ran."""
    every = [*tried.own, *(answer.error for answer in outcome.answers if answer.error)]
    refused = {f"cell {e.cell}, line {e.line}" for e in every if e.type == "PermissionError"}
    said = [f"{where}: the sandbox refused what the code asked for" for where in sorted(refused)]
    said += [outcome.ended] if not (outcome.limit or outcome.tampered) else []
    said += ["the code started other processes or threads"] if outcome.started else []
    said += ["code above the line that was handed out"] if found is FoundAnswer.BEGUN else []
    said += [tried.reading.told] if tried.reading.told else []
    return tuple(filter(None, said))


def _cell(cells: Sequence[str], error: Raised) -> str:
    """The cell that an error comes from; "" if it comes from none."""
    return cells[error.cell - 1] if 0 < error.cell <= len(cells) else ""


def _withheld(answer: Answer, cells: Sequence[str]) -> Answer:
    """An answer without words of the code: an error is one of Python's, in a line that exists."""
    if error := answer.error:
        known = isinstance(getattr(builtins, error.type, None), type)
        line = error.line if 0 < error.line <= _cell(cells, error).count("\n") + 1 else 0
        kind = error.type if known else "an error of its own"
        return replace(answer, error=Raised(kind, "", error.cell, line))
    if answer.lack in {NoValue.NOT_PLAIN, NoValue.TOO_BIG}:
        return replace(answer, why="it gives no plain data", lack=NoValue.NOT_PLAIN)
    return answer


def _earning(mark: QuestionMark, verdict: AnswerVerdict) -> QuestionMark:
    """The marks for a verdict, with the mistake behind it."""
    marks = round(verdict.share * mark.out_of, 4)
    m = verdict.mistake
    if m is None:
        return replace(mark, marks=marks, label="", says="", read="")
    return replace(mark, marks=marks, label=m.label, says=clean(m.says), read=m.read)


def _carried(
    ready: ReadySubmission,
    answer_key: AnswerKey,
    question: Question,
    marked: Sequence[MarkedQuestion],
    patience: Patience,
    stop: Event,
) -> QuestionMark:
    """The marks for a question, judged again if an earlier answer made it fail."""
    marks = [one.mark for one in marked]
    place = [q.name for q in marks].index(question.name)
    mark = marks[place]
    reading = marked[place].reading
    own = ready.whose
    stand_in = carry_forward.replaced(
        ready.cells,
        answer_key,
        marks,
        question,
        own,
        general=ready.general,
        data=ready.data.own,
    )
    if not stand_in:
        return mark
    if stop.is_set():
        raise Stopped
    try:
        given = ready.data.own.get(question.name)
        trial = answer_key.trial(question, own, general=ready.general, own=given)
        trial = replace(trial, prefixes=(), examples=())
        outcome, _ = _run(
            ready.cells,
            question=question,
            trial=trial,
            answer_key=answer_key,
            patience=patience,
            replaced=stand_in,
            reading=reading,
        )
        verdict = _judged(question, trial, outcome, ()).verdict
    except Exception:  # noqa: BLE001 -- the marks for the student's own answer stand
        return mark
    again = _earning(mark, verdict)
    if again.marks <= mark.marks:
        return mark
    # Nothing else of this run is shown: its values and messages may hold what is right.
    mistake = verdict.mistake
    names = tuple(one.name for one in stand_in)
    said = carry_forward.told(names, again.marks, mark.out_of)
    text = clean(f"{said} {mistake.sentence} {mistake.why}" if mistake else said).rstrip()
    return replace(again, text=text, told=(), limit="", carried=names)


# How many parts an answer may have beyond twice those of the right one: what is bigger is wrong,
# and nothing walks through it.
ROOM = 200


def _run(
    cells: Sequence[str],
    question: Question,
    trial: Trial,
    answer_key: AnswerKey,
    patience: Patience,
    replaced: Sequence[Replaced] = (),
    *,
    reading: NotebookReading = AT_THE_END,
) -> tuple[RunOutcome, list[str]]:
    """Run the cells and ask; if a cell stops the notebook, run only what the answer needs."""
    value = question.kind == "value"
    call = Call(
        question.calls or question.name,
        read=value,
        harness=question.harness,
        answer=question.name,
        order=reading.order,
        checked=reading.checked,
    )
    cases = []
    for inputs in trial:
        most = 2 * parts_of(pack(question.right(inputs)), LARGEST_ANSWER) + ROOM
        given = () if value else tuple(inputs.values())
        cases.append(Case(*given, most=most))
    cases = cases[:1] if value else cases
    packages = tuple(question.packages)
    if "irmetrics_edu" in packages:
        packages = tuple(dict.fromkeys([*packages, *WITH_PACKAGE]))

    def run(some: Sequence[str]) -> RunOutcome:
        def once(limits: SandboxLimits) -> RunOutcome:
            return run_question(
                some,
                call,
                cases,
                limits,
                tier=answer_key.tier,
                packages=packages,
                stubs=STUBS,
                replaced=replaced,
            )

        beside = (packages, question.harness, reading, *replaced)
        return patience.run(some, beside, once, answer_key.tier, len(cases))

    outcome = run(cells)
    given_ = any(a.given for a in outcome.answers)
    if outcome.ended and not outcome.tampered and not given_ and not waits(outcome):
        some = needed(cells, question.name)
        if any(question.name in defined(cell) for cell in some) and some != list(cells):
            again = run(some)
            if any(a.given for a in again.answers):
                why = clean(outcome.ended).rstrip(".")
                said = f"A code cell beside the answer stops the notebook: {why}."
                return again, [f"{said} The cells that the answer needs were marked."]
            outcome = again if again.limit == ALL_RUNS else outcome
    return outcome, []


LARGEST_ANSWER = 100_000


def _judged(
    question: Question,
    trial: Trial,
    outcome: RunOutcome,
    errors: Sequence[Raised],
) -> RunJudgment:
    """The judgment, and further sentences for the student; `errors` are the student's own."""
    if outcome.tampered:
        why = "The code interfered with the grader: no answer counts."
        return RunJudgment(AnswerVerdict(0.0, problem=why), FoundAnswer.TAMPERED)
    first = outcome.answers[0]
    unwritten = first.error is not None and first.error.type == "NotImplementedError"
    if first.lack is NoValue.MISSING:
        what = f"There is nothing called {question.name} after the notebook has run."
        told = tuple(_error_in_words(e, question) for e in errors[:1])
        help_ = (
            "Check whether its cell was deleted, its name was changed, or its cell stops "
            "with an error."
        )
        return RunJudgment(AnswerVerdict(0.0, problem=f"{what} {help_}"), FoundAnswer.NOTHING, told)
    empty = first.given and first.value is None and question.kind == "value"
    if unwritten or empty or first.lack is NoValue.BLANK:
        return RunJudgment(AnswerVerdict(0.0, problem=NONE), FoundAnswer.BLANK)
    absent = " ".join(e.text for e in outcome.cell_errors if e.type in _IMPORTS)
    answers = [_received(answer, question, absent) for answer in outcome.answers]
    if question.kind == "value":
        answers = answers[:1]
    try:
        return RunJudgment(judge(question, trial, answers))
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise SandboxError(f"the answer can't be compared ({type(error).__name__})") from error


def _received(answer: Answer, question: Question, absent: str) -> Any:
    """An answer for the judgment: a value that can be compared, or why there is none.

    `absent` are the lines whose imports failed.
    """
    if answer.given:
        return answer.value
    if answer.error is not None:
        told = _error_in_words(answer.error, question, absent)
        return Failed(f"It raises {told}", clean(answer.error.type, 100))
    why = clean(answer.why, 300).rstrip(".")
    if answer.lack is NoValue.TOO_BIG:
        return Failed(f"It gives far more than it should: {why}.")
    return Failed(f"There is no value: {why}.")


def _long(cells: Sequence[str]) -> list[str]:
    """A note to the teacher if only a part of the code was compared."""
    if sum(map(len, cells)) <= LONGEST:
        return []
    return [f"similar code was looked for in the first {LONGEST:,} characters alone"]


def _import_failed(error: Raised) -> str:
    """A note to the teacher about an import that failed."""
    what = clean(error.message, 200).rstrip(".")
    return f"cell {error.cell}, line {error.line}: {what}; the rest of the cell was run"


def _for_another(error: Raised, question: Question, answer_key: AnswerKey) -> bool:
    """Whether an import failed that another question of the exercise allows: it is no error."""
    found = _PACKAGE.search(error.message) if error.type in _IMPORTS else None
    allowed = {package for other in answer_key.questions for package in other.packages}
    return found is not None and found[1] in allowed - {*question.packages}


def _error_in_words(error: Raised, question: Question, absent: str = "") -> str:
    """An error as the student sees it, with a remedy if there is one."""
    message = clean(error.message, 300).rstrip(".")
    text = f"{clean(error.type, 100)}: {message}." if message else f"{clean(error.type, 100)}."
    if error.line:
        text += f" It comes from cell {error.cell} (text cells count, too), line {error.line}"
        text += f": {clean(error.text, 120)}." if error.text else "."
    unknown = _NAME.search(error.message) if error.type == "NameError" else None
    if error.type in _IMPORTS or (unknown and re.search(rf"\b{unknown[1]}\b", absent)):
        *most, last = ["the standard library", *question.packages]
        given = f"{', '.join(most)} and {last}" if most else last
        text += f" The grader has only {given}: write this part yourself."
    return text
