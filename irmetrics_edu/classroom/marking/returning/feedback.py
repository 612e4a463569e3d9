"""Feedback for one student on one exercise, as Markdown and as a page of HTML.

It names the mistake and where to look, but never the right answer. All text from the student (the
name, error messages) is escaped.
"""

import re
from dataclasses import dataclass

from irmetrics_edu.classroom.marking.collecting.notebook import clean
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
    said = [question.text, *question.told]
    if question.label and question.read:
        said.append(f"Read on: {question.read}.")
    if question.limit and question.limit not in question.text:
        said.append(f"The limit of {question.limit} ended it.")
    if line.hand:
        said += _by_rubric(line, row)
    if line.said:
        said.append(f"Looked at again: {line.said.rstrip('.')}.")
    if line.manual:
        if line.manual.marks is not None:
            before = f"; the program gave {question.marks:g}" if question.judged else ""
            said.append(f"Marked by your teacher{before}.")
        if line.manual.comment:
            said.append(f"Your teacher writes: {line.manual.comment}")
    got = f"{line.marks:g}" if line.marks is not None else "not marked yet"
    if line.marks is None and row.by_hand is not None:
        got = IN_ALL
    heading = f"{question.name}: {question.title}"
    right = line.marks == question.out_of
    sentences = tuple(clean(s) for s in said if s)
    bonus = ", a bonus above the total" if question.bonus else ""
    return FeedbackPart(
        clean(heading, 300),
        f"{got} / {question.out_of:g}{bonus}",
        sentences,
        right,
    )


def _by_rubric(line: QuestionLine, row: Row) -> list[str]:
    """What a marker's points and comment say, or why there are none."""
    hand = line.hand
    if hand is None:
        return []
    said = []
    if line.marks is None and row.by_hand is None:
        said.append(WAITS)
    if hand.state == NONE and not line.overruled and row.by_hand is None:
        said.append(NO_ANSWER)
    for criterion, points in hand.each:
        what = f" Full points are for: {criterion.text.rstrip('.')}." if criterion.text else ""
        said.append(f"{criterion.name}: {points:g} of {criterion.points:g}.{what}")
    if hand.comment and hand.state in {MARKED, NONE}:
        said.append(f"Your teacher writes: {hand.comment}")
    return said


def notices(row: Row) -> list[str]:
    """The feedback on the whole submission."""
    said = []
    if row.result and row.result.why:
        said.append(f"This could not be read: {row.result.why}. {row.result.remedy}")
        if row.marks is None:
            said.append(
                "It has no marks, not even 0, until it can be read or your teacher decides."
            )
    if row.late:
        said.append(f"Handed in {row.late}.{_cost(row)}")
    if row.result and any(not line.question.right for line in row.lines):
        # What a question's own part says is not said twice.
        below = " ".join(sentence for part in parts(row) for sentence in part.sentences)
        told = [text for text in row.result.told if clean(text) not in below]
        some = "Some lines stopped with an error. What could run after them ran all the same."
        said += [some, *told] if told else []
    if row.manual:
        if row.manual.marks is not None:
            said.append("The marks in all were set by your teacher.")
        if row.manual.comment:
            said.append(f"Your teacher writes: {row.manual.comment}")
    if row.group:
        said.append(f"Handed in by the group {row.group}.")
    if row.others:
        said.append(f"You handed in {len(row.others) + 1} files; this is the one that counts.")
    return [clean(s) for s in said]


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
        known = [line.marks for line in row.lines if line.marks is not None]
        so_far = f"{sum(known):g} so far, " if known else "none yet, "
        return f"{so_far}of {row.out_of:g}" if row.out_of else "none yet"
    return f"{row.marks:g} of {row.out_of:g}"


def markdown(row: Row) -> str:
    """The feedback as Markdown."""
    lines = [
        f"# {escaped_markdown(heading(row))}",
        "",
        f"**{escaped_markdown(row.student)}**. Marks: {escaping.markdown(total(row))}.",
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
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html)


def as_html(row: Row) -> str:
    """The feedback as a page of HTML."""
    esc = escaping.html
    body = [
        f"<h1>{esc(heading(row))}</h1>",
        f'<p class="total"><b>{esc(clean(row.student, 200))}</b>: {esc(total(row))} marks</p>',
        *(f"<p>{esc(notice)}</p>" for notice in notices(row)),
    ]
    for part in parts(row):
        kind = "good" if part.right else "bad"
        body += [
            "<section>",
            f'<h2>{esc(part.heading)} <span class="marks {kind}">{esc(part.marks)}</span></h2>',
            *(f"<p>{_code(esc(sentence))}</p>" for sentence in part.sentences),
            "</section>",
        ]
    return page(f"{heading(row)}: {row.student}", body)
