"""check() and hint() in a student's notebook: no network, no server, nothing written.

The text that `begin` gets names the questions and holds the inputs of values. Questions are inputs,
names of metrics and mistakes, and hints. The right answers are computed here, from the inputs.
"""

import copy
import signal
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from irmetrics_edu.classroom.exercises.answer_checks import AnswerVerdict, judge
from irmetrics_edu.classroom.exercises.computed_question import Question, Trial, plain
from irmetrics_edu.classroom.exercises.copy_text import (
    CopyText,
    asked_of,
    packed_text,
    parsed,
    written,
)
from irmetrics_edu.classroom.exercises.differing import Failed, same
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.spec_fields import in_order_of
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant, prefixes
from irmetrics_edu.classroom.exercises.words import exercise_in
from irmetrics_edu.classroom.grading.plain_values import NotPlain, pack, unpack
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import said, speak

SECONDS = 5.0
FIRST = "run the notebook's first cell first: it says which exercise this is"


class Feedback:
    """The feedback of a check: text, or a paragraph in a notebook."""

    def __init__(
        self,
        text: str,
        *,
        right: bool = False,
        label: str = "",
    ) -> None:
        self.text = text
        self.right = right
        self.label = label

    def __repr__(self) -> str:
        return textwrap.fill(
            self.text,
            96,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _repr_html_(self) -> str:
        mark = "✔" if self.right else "✎"
        return f"<p>{mark} {escaping.html(self.text)}</p>"


@dataclass
class _Open:
    """The exercise that the notebook has opened."""

    exercise: Exercise
    trials: Mapping[str, Trial]
    hinted: dict[str, int] = field(default_factory=dict)


_open: list[_Open] = []


def packed(exercise: Exercise, trials: Mapping[str, Trial]) -> str:
    """Questions and their inputs as one long word, for the hidden tests of other graders."""
    return packed_text(
        {
            "number": exercise.number,
            "title": exercise.title,
            "questions": [q.as_data() for q in exercise.questions],
            "inputs": {name: pack([dict(i) for i in t.general]) for name, t in trials.items()},
        }
    )


def text_of(
    exercise: Exercise,
    trials: Mapping[str, Trial],
    name: str,
    owner: Variant = GENERAL,
) -> str:
    """What the first cell of a copy says; `name` is that of its questions in the package.

    The data of values that are drawn for the `owner` have a seal, by which the grader knows them.
    """
    data = {}
    for question in exercise.questions:
        if question.kind == "value" and question.name in trials:
            data[question.name] = pack(dict(trials[question.name].general[0]))
    seals = {}
    if owner.student:
        for question_name, one in data.items():
            seals[question_name] = owner.seal(exercise.number, question_name, one)
    tried = {question_name: trial.general for question_name, trial in trials.items()}
    return written(CopyText(asked_of(exercise, tried), data, seals), name)


def unpacked(text: str) -> tuple[Exercise, dict[str, Trial]]:
    """The exercise and the inputs that `text_of` or `packed` gave."""
    return _opened(parsed(text))


def _opened(copy: CopyText) -> tuple[Exercise, dict[str, Trial]]:
    """The exercise of a first cell, and the inputs of its questions."""
    asked = copy.asked
    try:
        exercise = Exercise(
            asked["number"], asked["title"], [Question.from_data(q) for q in asked["questions"]]
        )
        values = {name: [one] for name, one in copy.data.items()}
        trials = {}
        for name, inputs in {**asked["inputs"], **values}.items():
            question = exercise[name]
            general = unpack(inputs)
            edges = [in_order_of(edge, general[0]) for edge in question.edges]
            trials[name] = Trial(general, edges, prefixes(question, general))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"the first cell was changed and can't be read ({error}); copy it again from "
            "the original notebook"
        ) from None
    return exercise, trials


def begin(text: str, *, language: str = "") -> Feedback:
    """Open an exercise, as the first cell of its notebook does; `language` is that of feedback."""
    speak(language)
    copied = parsed(text)
    exercise, trials = _opened(copied)
    if language:
        exercise = exercise_in(exercise, lambda text, _: said(text))
    _open[:] = [_Open(exercise, trials)]
    names = ", ".join(q.name for q in exercise.questions)
    opened = said(
        "Exercise {number}, {title}: {names}.",
        number=exercise.number,
        title=exercise.title,
        names=names,
    )
    if copied.changed:
        opened += " " + said(
            "The questions have changed since this copy was made. If its text and check differ, "
            "write the exercise anew with: irmetrics-edu course DIR"
        )
    return Feedback(opened, right=True)


@contextmanager
def closed() -> Iterator[None]:
    """No exercise is open, as where a notebook begins; what was open before is open after it."""
    before = list(_open)
    _open.clear()
    try:
        yield
    finally:
        _open[:] = before


def _current() -> _Open:
    if not _open:
        raise InputError(FIRST)
    return _open[0]


def check(name: str, answer: Any) -> Feedback:
    """Whether an answer is right; if not, the mistake, or the first line that differs.

    A mistake is named if it gives all of the values. Of a function, one small input is shown with
    the right value; of values, no right one ever is.
    """
    current = _current()
    question = current.exercise[name]
    trial = current.trials[name]
    blank, answers, remark = _answers(question, trial, answer)
    if blank:
        return Feedback(f"{name}: {blank}")
    verdict = judge(question, trial, answers)
    text = f"{name}: {verdict.text}" + (f" {remark}" if remark else "")
    if not verdict.right and current.hinted.get(name, 0) < len(question.hints):
        text += " " + said("{call} has a hint.", call=f'hint("{name}")')
    label = verdict.mistake.label if verdict.mistake else ""
    return Feedback(text, right=verdict.right, label=label)


def judged(name: str, answer: Any, text: str) -> tuple[Question, AnswerVerdict]:
    """The verdict on an answer, for the inputs packed in a text."""
    exercise, trials = unpacked(text)
    question = exercise[name]
    trial = replace(trials[name], hidden=True)
    blank, answers, _ = _answers(question, trial, answer)
    return question, AnswerVerdict(0.0, problem=blank) if blank else judge(question, trial, answers)


def hint(name: str) -> Feedback:
    """The next hint for a question; each call goes one step further."""
    current = _current()
    question = current.exercise[name]
    if not question.hints:
        return Feedback(f"{name}: {said('there is no hint.')}")
    place = min(current.hinted.get(name, 0), len(question.hints) - 1)
    current.hinted[name] = place + 1
    left = len(question.hints) - place - 1
    more = said("({count} more)", count=left) if left else said("(the last)")
    which = said("{name}, hint {number}:", name=name, number=place + 1)
    return Feedback(f"{which} {question.hints[place]} {more}")


def _answers(question: Question, trial: Trial, answer: Any) -> tuple[str, Sequence[Any], str]:
    """Why there is nothing to check yet, or the answers to a trial and a remark on them."""
    if question.kind == "value":
        if answer is ... or answer is None:
            return said("no answer yet."), [], ""
        return "", [_called(lambda: answer, [])], ""
    if not callable(answer):
        wanted = f"check({question.name!r}, {question.name})"
        return said("check needs the function itself: {call}.", call=wanted), [], ""
    call = _through_harness(question, answer)
    answers: list[Any] = []
    remark = ""
    for inputs in trial:
        arguments = copy.deepcopy(list(inputs.values()))
        answers.append(_called(call, arguments))
        failed = answers[-1]
        if getattr(failed, "error", "") == "NotImplementedError" and len(answers) == 1:
            return said("not written yet."), [], ""
        if getattr(failed, "error", "") == "timeout":
            answers += [failed] * (len(trial) - len(answers))
            break
        if not remark and not same(arguments, list(inputs.values()), 0.0):
            remark = said("It changes its input, so the caller's list changes too: work on a copy.")
    return "", answers, remark


def _through_harness(question: Question, answer: Callable[..., Any]) -> Callable[..., Any]:
    if not question.harness:
        return answer
    space: dict[str, Any] = {question.name: answer}
    exec(compile(question.harness, "<harness>", "exec"), space)  # noqa: S102 -- the exercise's own
    call: Callable[..., Any] = space[question.calls]
    return call


class _TooLong(BaseException):
    """Not an Exception, so that a broad `except` in the student's code does not swallow it."""


def _called(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result of a call as plain data, or why there is none."""
    late = Failed(
        said(
            "It has not ended after {seconds} seconds: check that each loop ends. The import of a "
            "large library takes its time, too.",
            seconds=f"{SECONDS:g}",
        ),
        "timeout",
    )
    try:
        # Within the time too: the elements of a generator are computed when they are read.
        return _within(lambda *inputs: _plain(function(*inputs)), arguments)
    except _TooLong:
        return late
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is the student's
        kind = type(error).__name__
        what = f"{kind}: {error}"[:290].rstrip(" :.")
        return Failed(said("It raises {what}.", what=what), kind)


def _within(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The result of a call with a time limit in seconds."""
    alarm = getattr(signal, "SIGALRM", None)
    if alarm is None or threading.current_thread() is not threading.main_thread():
        return _in_thread(function, arguments)

    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(alarm, stop)
    # Again and again: the first may end in a bare `except` of the student's loop.
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.2)
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, before)


def _in_thread(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """The same on systems without alarms: a thread, which is abandoned if it does not end."""
    result: list[Any] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            result.append(function(*arguments))
        except BaseException as error:  # noqa: BLE001 -- handed on below
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(SECONDS)
    if thread.is_alive():
        raise _TooLong
    if raised:
        raise raised[0]
    return result[0]


def _plain(value: Any) -> Any:
    if value is ...:
        return Failed(said("It gives ..., which marks code that is still to be written."))
    try:
        return plain(value)
    except NotPlain as error:
        return Failed(said("It can't be compared: {error}.", error=error))
