"""Marking one submission: a child runs each question, and this process judges the answers.

Right answers are computed here, from inputs that derive from the course key, and are not sent. The
child gets the student's code cells and then the inputs of each call in turn. If a later answer is
judged again, the child also gets the right earlier answers (`carried.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from threading import Event
from typing import Any

from irmetrics_edu.exercises import NAMES
from irmetrics_edu.exercises.judging import Failed, Verdict, judge
from irmetrics_edu.exercises.spec import Question
from irmetrics_edu.exercises.variants import Trial
from irmetrics_edu.grading.limits import Limits
from irmetrics_edu.grading.outcome import Answer, Call, Case, Outcome, Raised, Replaced
from irmetrics_edu.grading.sandbox import SandboxError, run_question
from irmetrics_edu.grading.tiers import WITH_PACKAGE
from irmetrics_edu.grading.values import pack
from irmetrics_edu.marking import carried
from irmetrics_edu.marking.carried import defined
from irmetrics_edu.marking.jupyter import as_python
from irmetrics_edu.marking.notebook import clean
from irmetrics_edu.marking.paper import Known, Paper
from irmetrics_edu.marking.result import GRADED, PARTLY, UNREADABLE, QuestionMark, Result
from irmetrics_edu.marking.similarity import LONGEST, fingerprints
from irmetrics_edu.marking.turns import Turns

STUBS = {"irmetrics_edu.exercises": NAMES}
MOST_ERRORS = 5
IMPORTS = {"ModuleNotFoundError", "ImportError"}
# Beyond this a number is no answer, and a float can't hold it.
BIGGEST = 10**300


class Stopped(Exception):  # noqa: N818 -- the message reads "Stopped"
    """Marking was interrupted; unfinished results are not kept."""


@dataclass(frozen=True)
class Script:
    """A submission ready to be marked: its code cells, and `whose` copy it is marked as."""

    path: str
    student: str
    inputs: str
    cells: Sequence[str]
    general: bool = False
    notes: tuple[str, ...] = ()
    copy_of: str = ""
    file: str = ""
    whose: str = ""


def unreadable(path: str, student: str, inputs: str, why: str, remedy: str) -> Result:
    """The result of an unreadable submission: no marks, and what to do."""
    return Result(path, student, "", "", UNREADABLE, inputs, why=why, remedy=remedy)


def mark(
    script: Script, paper: Paper, stop: Event | None = None, turns: Turns | None = None
) -> Result:
    """The marks of a submission; Stopped if asked to stop before the last question.

    A question that runs out of wall time runs again while no other of `turns` is running.
    """
    turns = turns or Turns()
    script = replace(script, cells=as_python(script.cells, paper.limits, paper.tier, turns))
    marked: list[QuestionMark] = []
    told: list[str] = []
    absent: list[str] = []
    for question in paper.questions:
        if stop is not None and stop.is_set():
            raise Stopped
        found, errors = _question(script, paper, question, turns)
        marked.append(found)
        told = told or [_told(error, question) for error in errors[:MOST_ERRORS]]
        absent = absent or [_absent(e) for e in errors if e.type in IMPORTS and e.cell]
    own = marked
    marked = [_carried(script, paper, question, own, turns, stop) for question in paper.questions]
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
            *script.notes,
            *dict.fromkeys(absent),
            *(carried.note(q, first) for q, first in zip(marked, own, strict=True) if q.carried),
            *_long(script.cells),
            *carried.repeated(script.cells, paper.questions),
        ),
        copy_of=script.copy_of,
        code=fingerprints(script.cells, paper.handed_out),
        file=script.file,
    )


def _absent(error: Raised) -> str:
    """A note to the teacher about an import that failed."""
    what = clean(error.message, 200).rstrip(".")
    return f"code cell {error.cell}, line {error.line}: {what}; the rest of the cell was run"


def _question(
    script: Script, paper: Paper, question: Known, turns: Turns
) -> tuple[QuestionMark, Sequence[Raised]]:
    """The marks for one question, and the errors of the cells that ran before it."""
    blank = QuestionMark(
        question.name, question.title or question.name, question.marks, bonus=question.bonus
    )
    try:
        trial = paper.trial(question, script.whose, general=script.general)
        outcome, note = _run(script.cells, question, trial, paper, turns)
        verdict, extra = _verdict(question, trial, outcome)
    except Exception as error:  # noqa: BLE001 -- whatever one submission does, the class is graded
        why = f"It could not be graded here, which is not your fault: {clean(error, 300)}."
        return _changed(blank, judged=False, text=why), []
    read = verdict.mistake.read if verdict.mistake else ""
    text = verdict.text
    if verdict.mistake and verdict.where:
        text = f"{text} {verdict.where}"
    answer = None
    if question.kind == "value" and outcome.answers[0].given:
        answer = pack(outcome.answers[0].value)
    found = _changed(
        blank,
        marks=round(verdict.share * question.marks, 4),
        label=verdict.mistake.label if verdict.mistake else "",
        says=clean(verdict.mistake.says) if verdict.mistake else "",
        text=clean(text),
        told=tuple(t for t in (*note, *extra, verdict.chance) if t),
        read=read,
        answer=answer,
        limit=outcome.limit,
        tampered=outcome.tampered,
    )
    return found, outcome.cell_errors


def _carried(
    script: Script, paper: Paper, question: Known, marked: Sequence[QuestionMark], turns: Turns,
    stop: Event | None,
) -> QuestionMark:  # fmt: skip
    """The marks for a question, judged again if an earlier answer made it fail."""
    mark = marked[[q.name for q in marked].index(question.name)]
    own = script.whose
    stand_in = carried.replaced(script.cells, paper, marked, question, own, general=script.general)
    if not stand_in:
        return mark
    if stop is not None and stop.is_set():
        raise Stopped
    try:
        trial = paper.trial(question, own, general=script.general)
        outcome, _ = _run(script.cells, question, trial, paper, turns, stand_in)
        verdict, _ = _verdict(question, trial, outcome)
    except Exception:  # noqa: BLE001 -- the marks for the student's own answer stand
        return mark
    marks = round(verdict.share * question.marks, 4)
    if marks <= mark.marks:
        return mark
    # Nothing else of this run is shown: its values and messages may hold what is right.
    mistake = verdict.mistake
    names = tuple(one.name for one in stand_in)
    said = carried.told(names, marks, mark.out_of)
    return _changed(
        mark,
        marks=marks,
        label=mistake.label if mistake else "",
        says=clean(mistake.says) if mistake else "",
        text=clean(f"{said} {mistake.sentence} {mistake.why}" if mistake else said).rstrip(),
        told=(),
        read=mistake.read if mistake else "",
        limit="",
        carried=names,
    )


def _changed(question: QuestionMark, **changes: Any) -> QuestionMark:
    return QuestionMark(**{**vars(question), **changes})


def _run(
    cells: Sequence[str], question: Question, trial: Trial, paper: Paper, turns: Turns,
    replaced: Sequence[Replaced] = (),
) -> tuple[Outcome, list[str]]:  # fmt: skip
    """Run the cells and ask; if a cell stops the notebook, run only the cells up to the answer."""
    value = question.kind == "value"
    call = Call(question.calls or question.name, read=value, harness=question.harness)
    cases = [Case()] if value else [Case(*inputs.values()) for inputs in trial]
    packages = tuple(question.packages)
    if "irmetrics_edu" in packages:
        packages = tuple(dict.fromkeys([*packages, *WITH_PACKAGE]))

    def once(some: Sequence[str], limits: Limits) -> Outcome:
        return run_question(
            some, call, cases, limits, tier=paper.tier, packages=packages, stubs=STUBS,
            replaced=replaced,
        )  # fmt: skip

    def run(some: Sequence[str]) -> Outcome:
        return turns.patiently(lambda limits: once(some, limits), paper.limits)

    outcome = run(cells)
    if outcome.ended and not outcome.tampered and not any(a.given for a in outcome.answers):
        last = max((i for i, c in enumerate(cells) if question.name in defined(c)), default=-1)
        said = f"stops the notebook: {clean(outcome.ended).rstrip('.')}."
        for some, where, which in (
            (cells[: last + 1], "after the answer", f"up to code cell {last + 1}"),
            (carried.needed(cells, question.name), "beside the answer", "that the answer needs"),
        ):
            if last >= 0 and list(some) != list(cells):
                again = run(some)
                if any(a.given for a in again.answers):
                    return again, [f"A code cell {where} {said} The cells {which} were marked."]
    return outcome, []


def _verdict(question: Question, trial: Trial, outcome: Outcome) -> tuple[Verdict, list[str]]:
    """The judgment, and further sentences for the student."""
    if outcome.tampered:
        return Verdict(0.0, problem="The code interfered with the grader: no answer counts."), []
    first = outcome.answers[0]
    missing = first.why.startswith("no '")
    unwritten = first.error is not None and first.error.type == "NotImplementedError"
    if missing:
        what = f"There is nothing called {question.name} after the notebook has run."
        errors = [_told(e, question) for e in outcome.cell_errors[:1]]
        help_ = (
            "Check whether its cell was deleted, its name was changed, or its cell stops "
            "with an error."
        )
        return Verdict(0.0, problem=f"{what} {help_}"), errors
    empty = first.given and first.value is None and question.kind == "value"
    if unwritten or empty or "type ellipsis" in first.why:
        return Verdict(0.0, problem="There is no answer yet."), []
    answers = [_received(answer, question) for answer in outcome.answers]
    if question.kind == "value":
        answers = answers[:1]
    try:
        verdict = judge(question, trial, answers)
    except (ArithmeticError, RecursionError, TypeError, ValueError) as error:
        raise SandboxError(f"the answer can't be compared ({type(error).__name__})") from error
    return verdict, []


def _received(answer: Answer, question: Question) -> Any:
    """An answer for the judgment: a value that can be compared, or why there is none."""
    if answer.given:
        return (
            answer.value if _bounded(answer.value) else Failed("It gives a number beyond bounds.")
        )
    if answer.error is not None:
        return Failed(f"It raises {_told(answer.error, question)}", clean(answer.error.type, 100))
    why = clean(answer.why, 300)
    return Failed(f"There is no value: {why.rstrip('.')}.")


def _bounded(value: Any) -> bool:
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return -BIGGEST < value < BIGGEST
    if isinstance(value, Mapping):
        return all(_bounded(k) and _bounded(v) for k, v in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(_bounded(v) for v in value)
    return True


def _told(error: Raised, question: Question) -> str:
    """An error as the student sees it, with a remedy if there is one."""
    message = clean(error.message, 300).rstrip(".")
    text = f"{clean(error.type, 100)}: {message}." if message else f"{clean(error.type, 100)}."
    if error.line:
        text += f" It comes from code cell {error.cell}, line {error.line}"
        text += f": {clean(error.text, 120)}." if error.text else "."
    if error.type in IMPORTS:
        given = ", ".join(["the standard library", *question.packages])
        text += f" The grader has only {given}: write this part yourself."
    return text


def _long(cells: Sequence[str]) -> list[str]:
    """A note to the teacher if only a part of the code was compared."""
    if sum(map(len, cells)) <= LONGEST:
        return []
    return [f"similar code was looked for in the first {LONGEST:,} characters alone"]
