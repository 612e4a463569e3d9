"""Feedback for one student on one exercise, as Markdown and as a page of HTML.

It names the mistake and where to look, but never the right answer. All text from the student (the
name, error messages) is escaped.
"""

import re
from dataclasses import dataclass

from irmetrics_edu.classroom.marking.collecting.notebook import clean
from irmetrics_edu.classroom.marking.results import ELSEWHERE
from irmetrics_edu.classroom.marking.reviewing.gradebook import QuestionLine, Row
from irmetrics_edu.classroom.marking.reviewing.hand_marks import MARKED, NONE
from irmetrics_edu.views import escaping
from irmetrics_edu.views.page import page


@dataclass(frozen=True)
class FeedbackPart:
    """A part of the feedback: a heading, the marks, sentences, and whether all is right."""

    heading: str
    marks: str
    sentences: tuple[str, ...]
    right: bool


WAITS = "Your teacher has not marked this yet."
NO_ANSWER = "There is no answer yet."
IN_ALL = "no marks of its own"


def parts(row: Row) -> list[FeedbackPart]:
    """The feedback on each question."""
    return [_part(line, row) for line in row.lines]


def _part(line: QuestionLine, row: Row) -> FeedbackPart:
    question = line.question
    sentences = [question.text, *question.told]
    if question.label and question.read:
        sentences.append(f"Read on: {question.read}.")
    if question.limit and question.limit not in question.text:
        sentences.append(f"The limit of {question.limit} ended it.")
    sentences += _by_rubric(line, row)
    if line.said:
        sentences.append(f"Looked at again: {line.said.rstrip('.')}.")
    sentences += _by_teacher(line)
    bonus = ", a bonus above the total" if question.bonus else ""
    return FeedbackPart(
        clean(f"{question.name}: {question.title}", 300),
        f"{_marks(line, row)} / {question.out_of:g}{bonus}",
        tuple(clean(sentence) for sentence in sentences if sentence),
        line.marks == question.out_of,
    )


def _marks(line: QuestionLine, row: Row) -> str:
    """The marks of a question, in words."""
    if line.marks is not None:
        return f"{line.marks:g}"
    return "not marked yet" if row.by_hand is None else IN_ALL


def _by_teacher(line: QuestionLine) -> list[str]:
    """What the teacher's table of marks says of a question."""
    if not line.manual:
        return []
    question = line.question
    sentences = []
    if line.manual.marks is not None:
        before = f"; the program gave {question.marks:g}" if question.judged else ""
        sentences.append(f"Marked by your teacher{before}.")
    if line.manual.comment:
        sentences.append(f"Your teacher writes: {line.manual.comment}")
    return sentences


def _by_rubric(line: QuestionLine, row: Row) -> list[str]:
    """What a marker's points and comment say, or why there are none."""
    hand = line.hand
    if hand is None:
        return []
    sentences = []
    if line.marks is None and row.by_hand is None:
        sentences.append(WAITS)
    if hand.state == NONE and not line.overruled and row.by_hand is None:
        sentences.append(NO_ANSWER)
    for criterion, points in hand.each:
        what = f" Full points are for: {criterion.text.rstrip('.')}." if criterion.text else ""
        sentences.append(f"{criterion.name}: {points:g} of {criterion.points:g}.{what}")
    if hand.comment and hand.state in {MARKED, NONE}:
        sentences.append(f"Your teacher writes: {hand.comment}")
    return sentences


def notices(row: Row) -> list[str]:
    """The feedback on the whole submission."""
    sentences = _unmarked(row)
    if row.late:
        sentences.append(f"Handed in {row.late}.{_cost(row)}")
    sentences += _errors(row)
    if row.manual:
        if row.manual.marks is not None:
            sentences.append("The marks in all were set by your teacher.")
        if row.manual.comment:
            sentences.append(f"Your teacher writes: {row.manual.comment}")
    if row.group:
        sentences.append(f"Handed in by the group {row.group}.")
    if row.others:
        files = len(row.others) + 1
        sentences.append(f"You handed in {files} files; this is the one that counts.")
    return [clean(sentence) for sentence in sentences]


def _unmarked(row: Row) -> list[str]:
    """Why a submission could not be marked, and what to do."""
    result = row.result
    if result is None or not result.why:
        return []
    why = f"This could not be read: {result.why}."
    if result.status == ELSEWHERE:
        why = f"{result.why[0].upper()}{result.why[1:]}."
    sentences = [f"{why} {result.remedy}"]
    if row.marks is None:
        sentences.append(
            "It has no marks, not even 0, until you hand in a notebook that can be marked, or your "
            "teacher decides."
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
    return [
        "Some lines stopped with an error. What could run after them ran all the same.",
        *errors,
    ]


def _cost(row: Row) -> str:
    """The cost of lateness, with the marks before and after it."""
    if row.by_hand is not None:
        return ""
    if row.lateness.share is None:
        return " Your teacher decides what that costs."
    if row.raw is None or not row.penalty:
        return ""
    return f" Marks before that: {row.raw:g}; taken off: {row.penalty:g}; left: {row.marks:g}."


def heading(row: Row) -> str:
    """The title of the feedback."""
    if row.exercise:
        return f"Exercise {row.exercise}. {row.title}"
    return "A submission"


def total(row: Row) -> str:
    """The total marks, in words."""
    if row.marks is None:
        marks = [line.marks for line in row.lines if line.marks is not None]
        so_far = f"{sum(marks):g} so far, " if marks else "none yet, "
        return f"{so_far}of {row.out_of:g}" if row.out_of else "none yet"
    return f"{row.marks:g} of {row.out_of:g}"


def markdown(row: Row) -> str:
    """The feedback as Markdown."""
    lines = [
        f"# {escaped_markdown(heading(row))}",
        "",
        f"**{escaped_markdown(row.person.called)}**. Marks: {escaping.markdown(total(row))}.",
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


def as_html(row: Row) -> str:
    """The feedback as a page of HTML."""
    title = escaping.html(heading(row))
    student = escaping.html(clean(row.person.called, 200))
    body = [
        f"<h1>{title}</h1>",
        f'<p class="total"><b>{student}</b>: {escaping.html(total(row))} marks</p>',
    ]
    body += [f"<p>{escaping.html(notice)}</p>" for notice in notices(row)]
    for part in parts(row):
        kind = "good" if part.right else "bad"
        marks = f'<span class="marks {kind}">{escaping.html(part.marks)}</span>'
        body.append("<section>")
        body.append(f"<h2>{escaping.html(part.heading)} {marks}</h2>")
        body += [f"<p>{_code(escaping.html(sentence))}</p>" for sentence in part.sentences]
        body.append("</section>")
    return page(f"{heading(row)}: {row.person.called}", body)
