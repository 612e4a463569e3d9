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
from threading import Event
from typing import Any

from irmetrics_edu.classroom.exercises import NAMES
from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict, judge
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial
from irmetrics_edu.classroom.exercises.differing import Failed
from irmetrics_edu.classroom.grading.limits import SandboxLimits
from irmetrics_edu.classroom.grading.outcome import Answer, Call, Case, Raised, Replaced, RunOutcome
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.classroom.grading.sandbox import SandboxError, run_question
from irmetrics_edu.classroom.grading.tiers import WITH_PACKAGE
from irmetrics_edu.classroom.marking import carry_forward
from irmetrics_edu.classroom.marking.added_cells import begun
from irmetrics_edu.classroom.marking.answer_key import Paper
from irmetrics_edu.classroom.marking.carry_forward import defined
from irmetrics_edu.classroom.marking.child_runs import ALL_RUNS, Patience, Turns, cut, waits
from irmetrics_edu.classroom.marking.notebook import clean
from irmetrics_edu.classroom.marking.results import GRADED, PARTLY, QuestionMark, Result
from irmetrics_edu.classroom.marking.similarity import LONGEST, fingerprints, names_in

STUBS = {"irmetrics_edu.classroom.exercises": NAMES}
MOST_ERRORS = 5
NONE = "There is no answer yet."
NOBODYS = "Your copy is of nobody in the class, so your teacher looks at your values."
UNFINISHED = "Your code still has the line `...` or `raise NotImplementedError`: delete that line."
_IMPORTS = {"ModuleNotFoundError", "ImportError"}
_NAME = re.compile(r"name '(\w+)' is not defined")
_PACKAGE = re.compile(r"(?:named|from) '(\w+)")


class Stopped(Exception):  # noqa: N818 -- the message reads "Stopped"
    """Marking was interrupted; unfinished results are not kept."""


@dataclass(frozen=True)
class Script:
    """A submission ready to be marked: its code cells, and `whose` copy it is, or `nobodys`."""

    path: str
    student: str
    inputs: str
    cells: Sequence[str]
    general: bool = False
    nobodys: bool = False
    notes: tuple[str, ...] = ()
    file: str = ""
    whose: str = ""


def mark(script: Script, paper: Paper, stop: Event, turns: Turns) -> Result:
    """The marks of a submission; Stopped if asked to stop before the last question."""
    patience = Patience(turns, paper.limits)
    marked: list[QuestionMark] = []
    told: list[str] = []
    absent: list[str] = []
    for question in paper.questions:
        if stop.is_set():
            raise Stopped
        found, errors = _question(script, paper, question, patience)
        marked.append(found)
        told = told or [_error_in_words(error, question) for error in errors[:MOST_ERRORS]]
        absent = absent or [_import_failed(e) for e in errors if e.type in _IMPORTS and e.cell]
    own = marked
    given = tuple(f"{q.name} has no" for q in own if not q.text.startswith("There is no"))
    marked = [_carried(script, paper, q, own, patience, stop) for q in paper.questions]
    exercise = paper.source.exercise
    return Result(
        script.path,
        script.student,
        exercise.number,
        exercise.title,
        GRADED if all(q.judged for q in marked) else PARTLY,
        script.inputs,
        tier=paper.tier.name,
        holds=str(paper.tier),
        secure=paper.tier.secure,
        questions=tuple(marked),
        told=tuple(told),
        notes=(
            *(note for note in script.notes if not note.startswith(given)),
            *dict.fromkeys(absent),
            *cut(patience, [q.name for q in marked if q.limit == ALL_RUNS]),
            *_long(script.cells),
        ),
        code=fingerprints(script.cells, paper.handed_out),
        file=script.file,
    )


def _question(
    script: Script, paper: Paper, question: Question, patience: Patience
) -> tuple[QuestionMark, Sequence[Raised]]:
    """The marks for one question, and the errors of the cells that ran before it."""
    blank = QuestionMark(
        question.name, question.title or question.name, question.marks, bonus=question.bonus
    )
    if script.nobodys and question.kind == "value":
        return replace(blank, judged=False, text=NOBODYS), []
    try:
        trial = paper.trial(question, script.whose, general=script.general)
        earning = replace(trial, prefixes=(), examples=())
        outcome, note = _run(script.cells, question, earning, paper, patience)
        errors = [e for e in outcome.cell_errors if not _for_another(e, question, paper)]
        own = [e for e in errors if question.name in names_in(_cell(script.cells, e))]
        verdict, extra = _verdict(question, earning, outcome, own)
        if trial.hidden and verdict.where:
            outcome = _shown(script.cells, question, trial, outcome, paper, patience)
            verdict, extra = _verdict(question, trial, outcome, own)
        if verdict.problem == NONE and begun(paper.source, script.cells, question.name):
            verdict = AnswerVerdict(0.0, problem=f"{NONE} {UNFINISHED}")
    except Exception as error:  # noqa: BLE001 -- whatever one submission does, the class is graded
        why = f"It could not be graded here, which is not your fault: {clean(error, 300)}."
        return replace(blank, judged=False, text=why), []
    text = f"{verdict.text} {verdict.where}" if verdict.mistake else verdict.text
    answer = None
    if question.kind == "value" and outcome.answers[0].given:
        answer = pack(outcome.answers[0].value)
    found = replace(
        _earning(blank, verdict),
        text=clean(text.rstrip()),
        told=tuple(t for t in (*note, *extra, verdict.chance) if t),
        answer=answer,
        limit=outcome.limit,
        tampered=outcome.tampered,
        seen=_seen(outcome, own, verdict),
    )
    return found, errors


def _seen(outcome: RunOutcome, errors: Sequence[Raised], verdict: AnswerVerdict) -> tuple[str, ...]:
    """What a teacher may want to look at in how the code ran."""
    every = [*errors, *(answer.error for answer in outcome.answers if answer.error)]
    refused = {f"cell {e.cell}, line {e.line}" for e in every if e.type == "PermissionError"}
    said = [f"{where}: the sandbox refused what the code asked for" for where in sorted(refused)]
    said += [outcome.ended] if not (outcome.limit or outcome.tampered) else []
    said += ["the code started other processes or threads"] if outcome.started else []
    said += ["code above the line that was handed out"] if UNFINISHED in verdict.problem else []
    return tuple(filter(None, said))


def _cell(cells: Sequence[str], error: Raised) -> str:
    """The cell that an error comes from; "" if it comes from none."""
    return cells[error.cell - 1] if 0 < error.cell <= len(cells) else ""


def _shown(
    cells: Sequence[str], question: Question, trial: Trial, hidden: RunOutcome, paper: Paper,
    patience: Patience,
) -> RunOutcome:  # fmt: skip
    """The outcome of a trial that can be shown: no answer to hidden inputs tells of them."""
    n = len(trial.general)
    first = [_withheld(answer, cells, hidden.ended) for answer in hidden.answers[:n]]
    open_ = replace(trial, general=())
    if hidden.ended and first[-1].why == hidden.ended:
        return replace(hidden, answers=(*first, *(first[-1:] * len(open_))))
    again, _ = _run(cells, question, open_, paper, patience)
    tampered = hidden.tampered or again.tampered
    return replace(hidden, answers=(*first, *again.answers), tampered=tampered)


def _withheld(answer: Answer, cells: Sequence[str], ended: str) -> Answer:
    """An answer without words of the code: an error is one of Python's, in a line that exists."""
    if error := answer.error:
        known = isinstance(getattr(builtins, error.type, None), type)
        line = error.line if 0 < error.line <= _cell(cells, error).count("\n") + 1 else 0
        kind = error.type if known else "an error of its own"
        return replace(answer, error=Raised(kind, "", error.cell, line))
    if answer.why in {"", ended}:
        return answer
    return replace(answer, why="it gives no plain data")


def _earning(mark: QuestionMark, verdict: AnswerVerdict) -> QuestionMark:
    """The marks for a verdict, with the mistake behind it."""
    marks = round(verdict.share * mark.out_of, 4)
    m = verdict.mistake
    if m is None:
        return replace(mark, marks=marks, label="", says="", read="")
    return replace(mark, marks=marks, label=m.label, says=clean(m.says), read=m.read)


def _carried(
    script: Script, paper: Paper, question: Question, marked: Sequence[QuestionMark],
    patience: Patience, stop: Event,
) -> QuestionMark:  # fmt: skip
    """The marks for a question, judged again if an earlier answer made it fail."""
    mark = marked[[q.name for q in marked].index(question.name)]
    own = script.whose
    stand_in = carry_forward.replaced(
        script.cells, paper, marked, question, own, general=script.general
    )
    if not stand_in:
        return mark
    if stop.is_set():
        raise Stopped
    try:
        trial = paper.trial(question, own, general=script.general)
        trial = replace(trial, prefixes=(), examples=())
        outcome, _ = _run(script.cells, question, trial, paper, patience, stand_in)
        verdict, _ = _verdict(question, trial, outcome, ())
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


def _run(
    cells: Sequence[str], question: Question, trial: Trial, paper: Paper, patience: Patience,
    replaced: Sequence[Replaced] = (),
) -> tuple[RunOutcome, list[str]]:  # fmt: skip
    """Run the cells and ask; if a cell stops the notebook, run only what the answer needs."""
    value = question.kind == "value"
    call = Call(question.calls or question.name, read=value, harness=question.harness)
    cases = [Case()] if value else [Case(*inputs.values()) for inputs in trial]
    packages = tuple(question.packages)
    if "irmetrics_edu" in packages:
        packages = tuple(dict.fromkeys([*packages, *WITH_PACKAGE]))

    def run(some: Sequence[str]) -> RunOutcome:
        def once(limits: SandboxLimits) -> RunOutcome:
            return run_question(
                some, call, cases, limits, tier=paper.tier, packages=packages, stubs=STUBS,
                replaced=replaced,
            )  # fmt: skip

        beside = (packages, question.harness, *replaced)
        return patience.run(some, beside, once, paper.tier, len(cases))

    outcome = run(cells)
    given = any(a.given for a in outcome.answers)
    if outcome.ended and not outcome.tampered and not given and not waits(outcome):
        some = carry_forward.needed(cells, question.name)
        if any(question.name in defined(cell) for cell in some) and some != list(cells):
            again = run(some)
            if any(a.given for a in again.answers):
                why = clean(outcome.ended).rstrip(".")
                said = f"A code cell beside the answer stops the notebook: {why}."
                return again, [f"{said} The cells that the answer needs were marked."]
            outcome = again if again.limit == ALL_RUNS else outcome
    return outcome, []


def _verdict(
    question: Question, trial: Trial, outcome: RunOutcome, errors: Sequence[Raised]
) -> tuple[AnswerVerdict, list[str]]:
    """The judgment, and further sentences for the student; `errors` are the student's own."""
    if outcome.tampered:
        return AnswerVerdict(
            0.0, problem="The code interfered with the grader: no answer counts."
        ), []
    first = outcome.answers[0]
    missing = first.why.startswith("no '")
    unwritten = first.error is not None and first.error.type == "NotImplementedError"
    if missing:
        what = f"There is nothing called {question.name} after the notebook has run."
        told = [_error_in_words(e, question) for e in errors[:1]]
        help_ = (
            "Check whether its cell was deleted, its name was changed, or its cell stops "
            "with an error."
        )
        return AnswerVerdict(0.0, problem=f"{what} {help_}"), told
    empty = first.given and first.value is None and question.kind == "value"
    if unwritten or empty or "type ellipsis" in first.why:
        return AnswerVerdict(0.0, problem=NONE), []
    absent = " ".join(e.text for e in outcome.cell_errors if e.type in _IMPORTS)
    answers = [_received(answer, question, absent) for answer in outcome.answers]
    if question.kind == "value":
        answers = answers[:1]
    try:
        verdict = judge(question, trial, answers)
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise SandboxError(f"the answer can't be compared ({type(error).__name__})") from error
    return verdict, []


def _received(answer: Answer, question: Question, absent: str) -> Any:
    """An answer for the judgment: a value that can be compared, or why there is none.

    `absent` are the lines whose imports failed.
    """
    if answer.given:
        return answer.value
    if answer.error is not None:
        told = _error_in_words(answer.error, question, absent)
        return Failed(f"It raises {told}", clean(answer.error.type, 100))
    why = clean(answer.why, 300)
    return Failed(f"There is no value: {why.rstrip('.')}.")


def _long(cells: Sequence[str]) -> list[str]:
    """A note to the teacher if only a part of the code was compared."""
    if sum(map(len, cells)) <= LONGEST:
        return []
    return [f"similar code was looked for in the first {LONGEST:,} characters alone"]


def _import_failed(error: Raised) -> str:
    """A note to the teacher about an import that failed."""
    what = clean(error.message, 200).rstrip(".")
    return f"cell {error.cell}, line {error.line}: {what}; the rest of the cell was run"


def _for_another(error: Raised, question: Question, paper: Paper) -> bool:
    """Whether an import failed that another question of the exercise allows: it is no error."""
    found = _PACKAGE.search(error.message) if error.type in _IMPORTS else None
    allowed = {package for other in paper.questions for package in other.packages}
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
