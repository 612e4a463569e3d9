"""An exam on paper, and its key: HTML that loads nothing, to be printed from a browser.

A question never stands on two pages, if it fits on one; each variant begins on a page of its own.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from irmetrics_edu.classroom.questions.question import LETTERS, NUMERIC, DrawnQuestion, Option
from irmetrics_edu.classroom.questions.xml import exact
from irmetrics_edu.views import formatting
from irmetrics_edu.views.escaping import html
from irmetrics_edu.views.page import page

STYLE = Path(__file__).with_name("exam.css").read_text("utf-8")
Variants = Mapping[str, Sequence[DrawnQuestion]]


def paper(variants: Variants, title: str) -> str:
    """The exam: room for answers, nothing that gives them away."""
    parts = []
    for name, questions in variants.items():
        parts.append(f'<div class="variant">\n<h1>{html(_heading(title, name))}</h1>')
        parts.append(
            '<p class="name">Name: <span class="line"></span> '
            f'Points: <span class="line"></span> of {len(questions)}</p>'
        )
        for place, asked in enumerate(questions, 1):
            parts += [
                _head(place, asked),
                asked.html,
                _room(asked),
                "</section>",
            ]
        parts.append("</div>")
    return page(
        title,
        parts,
        style=STYLE,
        kind="paper",
    )


def key(variants: Variants, title: str) -> str:
    """The key: the right answers, what each wrong one points to, and the worked solutions."""
    parts = []
    for name, questions in variants.items():
        heading = html(f"{_heading(title, name)}: key")
        parts.append(f'<div class="variant">\n<h1>{heading}</h1>')
        for place, asked in enumerate(questions, 1):
            lines = [(_letter(asked, o) + o.text, o.feedback) for o in asked.wrong]
            parts += [_head(place, asked), f"<p><strong>{html(_answer(asked))}</strong></p>"]
            parts += [formatting.html_table(("wrong answer", "mistake"), lines)] * bool(lines)
            parts += [f"<pre>{html(asked.solution)}</pre>", "</section>"]
        parts.append("</div>")
    return page(
        f"{title}: key",
        parts,
        style=STYLE,
        kind="key",
    )


def _heading(title: str, name: str) -> str:
    return f"{title}, variant {name}" if name else title


def _head(place: int, asked: DrawnQuestion) -> str:
    points = '<span class="points">1 point</span>'
    return f'<section id="{asked.ident}">\n<h2>{points}{place}. {html(asked.topic)}</h2>'


def _letter(asked: DrawnQuestion, option: Option) -> str:
    if asked.kind == NUMERIC:
        return ""
    return f"({LETTERS[asked.options.index(option)].lower()}) "


def _answer(asked: DrawnQuestion) -> str:
    right = asked.right
    if asked.kind == NUMERIC:
        return f"{right.text} (accept {exact(right.value)} ± {exact(asked.tolerance)})"
    return _letter(asked, right) + right.text


def _room(asked: DrawnQuestion) -> str:
    if asked.kind == NUMERIC:
        return '<p class="room">Answer: <span class="line"></span></p>'
    lines = [
        f'<li><span class="box"></span>{html(_letter(asked, option) + option.text)}</li>'
        for option in asked.options
    ]
    return "\n".join(['<ol class="options">', *lines, "</ol>"])
