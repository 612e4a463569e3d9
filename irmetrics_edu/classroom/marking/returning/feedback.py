"""Feedback for one student on one exercise, as Markdown and as a page of HTML.

It names the mistake and where to look, but never the right answer. All text from the student (the
name, error messages) is escaped.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from irmetrics_edu.classroom.exercises.spec import Criterion
from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.results import ELSEWHERE, QuestionMark
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import MARKED, NONE
from irmetrics_edu.views import escaping
from irmetrics_edu.views.language import noted, said, spoken_in
from irmetrics_edu.views.page import page


@dataclass(frozen=True)
class FeedbackPart:
    """A part of the feedback: a heading, the marks, sentences, and whether all is right."""

    heading: str
    marks: str
    sentences: tuple[str, ...]
    right: bool


WAITS = noted("Your teacher has not marked this yet.")
NO_ANSWER = noted("There is no answer yet.")
IN_ALL = noted("no marks of its own")
Made = TypeVar("Made")


def in_language_of_copy(make: Callable[[Row], Made]) -> Callable[[Row], Made]:
    """A function of a row that speaks the language of the copy that was handed in."""

    @functools.wraps(make)
    def made(row: Row) -> Made:
        with spoken_in(row.result.language if row.result else ""):
            return make(row)

    return made


@in_language_of_copy
def parts(row: Row) -> list[FeedbackPart]:
    """The feedback on each question."""
    return [_part(line, row) for line in row.lines]


def _part(line: QuestionLine, row: Row) -> FeedbackPart:
    question = line.question
    sentences = [question.text, *question.told]
    if question.label and question.read:
        sentences.append(said("Read on: {source}.", source=question.read))
    if question.limit and not question.right:
        sentences += _limited(question)
    sentences += _by_rubric(line, row)
    if line.said:
        sentences.append(said("Looked at again: {comment}.", comment=line.said.rstrip(".")))
    sentences += _by_teacher(line)
    of_marks = f"{_marks(line, row)} / {question.out_of:g}"
    if question.bonus:
        of_marks = said("{marks}, a bonus above the total", marks=of_marks)
    return FeedbackPart(
        clean(f"{question.name}: {said(question.title)}", 300),
        of_marks,
        tuple(clean(sentence) for sentence in sentences if sentence),
        line.marks == question.out_of,
    )


def _marks(line: QuestionLine, row: Row) -> str:
    """The marks of a question, in words."""
    if line.marks is not None:
        return f"{line.marks:g}"
    return said("not marked yet") if row.by_hand is None else said(IN_ALL)


def _limited(question: QuestionMark) -> list[str]:
    """What a limit ended, where the text does not say it: the code, and not a right answer."""
    limit = said(question.limit)
    if limit in question.text:
        return []
    sentence = said(
        "While this was marked, code of the notebook used up the limit of {limit}.", limit=limit
    )
    return [sentence]


def _by_teacher(line: QuestionLine) -> list[str]:
    """What the teacher's table of marks says of a question."""
    if not line.manual:
        return []
    question = line.question
    sentences = []
    if line.manual.marks is not None:
        if question.judged:
            program = f"{question.marks:g}"
            by_both = said("Marked by your teacher; the program gave {marks}.", marks=program)
            sentences.append(by_both)
        else:
            sentences.append(said("Marked by your teacher."))
    if line.manual.comment:
        sentences.append(said("Your teacher writes: {comment}", comment=line.manual.comment))
    return sentences


def _by_rubric(line: QuestionLine, row: Row) -> list[str]:
    """What a marker's points and comment say, or why there are none."""
    hand = line.hand
    if hand is None:
        return []
    sentences = []
    if line.marks is None and row.by_hand is None:
        sentences.append(said(WAITS))
    if hand.state == NONE and not line.overruled and row.by_hand is None:
        sentences.append(said(NO_ANSWER))
    for criterion, points in hand.each:
        sentences.append(_of_criterion(criterion, points))
    if hand.comment and hand.state in {MARKED, NONE}:
        sentences.append(said("Your teacher writes: {comment}", comment=hand.comment))
    return sentences


def _of_criterion(criterion: Criterion, points: float) -> str:
    """The points for a criterion, and what they are for."""
    sentence = said(
        "{name}: {points} of {most}.",
        name=said(criterion.name),
        points=f"{points:g}",
        most=f"{criterion.points:g}",
    )
    if not criterion.text:
        return sentence
    what = said("Full points are for: {what}.", what=said(criterion.text).rstrip(".。"))
    return f"{sentence} {what}"


@in_language_of_copy
def notices(row: Row) -> list[str]:
    """The feedback on the whole submission."""
    sentences = _unmarked(row)
    if row.late:
        sentences.append(said("Handed in {late}.", late=said(row.late)) + _cost(row))
    sentences += _errors(row)
    if row.manual:
        if row.manual.marks is not None:
            sentences.append(said("The marks in all were set by your teacher."))
        if row.manual.comment:
            sentences.append(said("Your teacher writes: {comment}", comment=row.manual.comment))
    if row.group:
        sentences.append(said("Handed in by the group {group}.", group=row.group))
    if row.others:
        files = len(row.others) + 1
        sentences.append(
            said("You handed in {count} files; this is the one that counts.", count=files)
        )
    return [clean(sentence) for sentence in sentences]


def _unmarked(row: Row) -> list[str]:
    """Why a submission could not be marked, and what to do."""
    result = row.result
    if result is None or not result.why:
        return []
    what = said(result.why)
    why = said("This could not be read: {why}.", why=what)
    if result.status == ELSEWHERE:
        why = said("{what}.", what=f"{what[0].upper()}{what[1:]}")
    sentences = [f"{why} {said(result.remedy)}"]
    if row.marks is None:
        sentences.append(
            said(
                "It has no marks, not even 0, until you hand in a notebook that can be marked, or "
                "your teacher decides."
            )
        )
    return sentences


def _errors(row: Row) -> list[str]:
    """The errors of the cells, if an answer is not right, and no part says them already."""
    if row.result is None or all(line.question.right for line in row.lines):
        return []
    below = " ".join(sentence for part in parts(row) for sentence in part.sentences)
    errors = [error for error in row.result.told if clean(error) not in below]
    if not errors:
        return []
    head = said("Some lines stopped with an error. What could run after them ran all the same.")
    return [head, *errors]


def _cost(row: Row) -> str:
    """The cost of lateness, with the marks before and after it."""
    if row.by_hand is not None:
        return ""
    if row.lateness.share is None:
        return f" {said('Your teacher decides what that costs.')}"
    if row.raw is None or not row.penalty:
        return ""
    sentence = said(
        "Marks before that: {raw}; taken off: {penalty}; left: {marks}.",
        raw=f"{row.raw:g}",
        penalty=f"{row.penalty:g}",
        marks=f"{row.marks:g}",
    )
    return f" {sentence}"


def heading(row: Row) -> str:
    """The title of the feedback."""
    if row.exercise:
        return said("Exercise {number}. {title}", number=row.exercise, title=said(row.title))
    return said("A submission")


@in_language_of_copy
def total(row: Row) -> str:
    """The total marks, in words."""
    out_of = f"{row.out_of:g}"
    if row.marks is not None:
        return said("{marks} of {most}", marks=f"{row.marks:g}", most=out_of)
    if not row.out_of:
        return said("none yet")
    marks = [line.marks for line in row.lines if line.marks is not None]
    if marks:
        return said("{marks} so far, of {most}", marks=f"{sum(marks):g}", most=out_of)
    return said("none yet, of {most}", most=out_of)


@in_language_of_copy
def markdown(row: Row) -> str:
    """The feedback as Markdown."""
    marks = escaping.markdown(said("Marks: {marks}.", marks=total(row)))
    lines = [
        f"# {escaped_markdown(heading(row))}",
        "",
        f"**{escaped_markdown(row.person.called)}**. {marks}",
        "",
    ]
    for notice in notices(row):
        lines += [escaped_markdown(notice), ""]
    for part in parts(row):
        lines += [f"## {escaped_markdown(part.heading)} ({escaped_markdown(part.marks)})", ""]
        for sentence in part.sentences:
            lines += [escaped_markdown(sentence), ""]
    return "\n".join(lines)


def escaped_markdown(text: str) -> str:
    """Any text as one line of Markdown that shows it unchanged."""
    return escaping.markdown(" ".join(text.split()), begins_line=True)


def _code(html: str) -> str:
    """Escaped text with what stands between backticks as code."""
    return re.sub(
        r"`([^`]+)`",
        r"<code>\1</code>",
        html,
    )


@in_language_of_copy
def as_html(row: Row) -> str:
    """The feedback as a page of HTML."""
    title = escaping.html(heading(row))
    student = escaping.html(clean(row.person.called, 200))
    marks = escaping.html(said("{marks} marks", marks=total(row)))
    body = [
        f"<h1>{title}</h1>",
        f'<p class="total"><b>{student}</b>: {marks}</p>',
    ]
    body += [f"<p>{escaping.html(notice)}</p>" for notice in notices(row)]
    for part in parts(row):
        kind = "good" if part.right else "bad"
        of_part = f'<span class="marks {kind}">{escaping.html(part.marks)}</span>'
        body.append("<section>")
        body.append(f"<h2>{escaping.html(part.heading)} {of_part}</h2>")
        body += [f"<p>{_code(escaping.html(sentence))}</p>" for sentence in part.sentences]
        body.append("</section>")
    return page(f"{heading(row)}: {row.person.called}", body)
