"""A working in words and tables, for the terminal, a notebook, a paper.

This file knows no metric: it reads everything from the `Working`.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.language import heading, said
from irmetrics_edu.views.mathml import with_equations
from irmetrics_edu.views.page import page
from irmetrics_edu.working import Working

_NAMED = re.compile(r"\{([^{}]+)\}")  # what an equation names
_DIVISOR = re.compile(r"/ \{([^{}]*)\}$")
_SUM_AT_LENGTH = 8  # longer sums are given by their result alone


Line = tuple[str, ...]  # the cells of a line


@dataclass(frozen=True, slots=True)
class Section:
    """One score of an explanation: its name, how it follows, and its table."""

    level: int
    title: str
    definition: str
    formula: str
    equation: str
    header: Line
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    also: str  # quantities that the equation does not name


class Explanation:
    """How a score came about, readable as text, HTML, LaTeX and Markdown.

    >>> from irmetrics_edu import explain, precision
    >>> print(explain(precision, [1, 0, 1], k=2))
    P@2 = relevant retrieved / divisor = 1 / 2 = 0.5000
    ...
    """

    def __init__(self, working: Working, *, digits: int = 4) -> None:
        if len(working.score) != 1:
            raise InputError(
                "this working has several queries, and an explanation shows one; "
                "choose it with working.of(q)"
            )
        self.working = working
        self.sections = tuple(_sections(working, digits, 0))

    @property
    def text(self) -> str:
        """Plain text."""
        blocks = []
        for section in self.sections:
            pad = "  " * section.level
            lines = [pad + escaping.visible(section.equation)]
            if section.also:
                lines.append(f"{pad}  {escaping.visible(section.also)}")
            if section.lines:
                lines.append(
                    formatting.aligned(
                        section.header,
                        section.lines,
                        indent=pad + "  ",
                    )
                )
            notes = [escaping.visible(note) for note in section.notes]
            lines += [f"{pad}  note: {note}" for note in notes]
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def markdown(self) -> str:
        """Markdown, with the formula in dollars."""
        blocks = []
        for section in self.sections:
            marks = "#" * (section.level + 3)
            title = escaping.markdown(section.title)
            lines = [f"{marks} {title}", ""]
            if section.level == 0 and section.definition:
                lines += [section.definition, ""]
            if section.formula:
                lines += [f"$${section.formula}$$", ""]
            lines += [escaping.markdown(section.equation, begins_line=True), ""]
            if section.also:
                lines += [escaping.markdown(section.also, begins_line=True), ""]
            if section.lines:
                lines += [formatting.markdown_table(section.header, section.lines), ""]
            for note in section.notes:
                lines.append(f"*{escaping.markdown(note)}*\n")
            blocks.append("\n".join(lines))
        return "\n".join(blocks)

    def html(self) -> str:
        """HTML as a notebook shows it, where MathJax reads the formula."""
        parts = ['<div class="irmetrics">']
        for section in self.sections:
            tag = f"h{min(section.level + 3, 6)}"
            title = escaping.html(section.title)
            parts.append(f"<{tag}>{title}</{tag}>")
            if section.level == 0 and section.definition:
                parts.append(f"<p>{escaping.html(section.definition)}</p>")
            if section.formula:
                parts.append(f"<p>$${escaping.html(section.formula)}$$</p>")
            parts.append(f"<p>{escaping.html(section.equation)}</p>")
            if section.also:
                parts.append(f"<p>{escaping.html(section.also)}</p>")
            if section.lines:
                parts.append(formatting.html_table(section.header, section.lines))
            notes = [escaping.html(note) for note in section.notes]
            parts += [f"<p><em>{note}</em></p>" for note in notes]
        return "\n".join([*parts, "</div>"])

    _repr_html_ = html

    def latex(self) -> str:
        """LaTeX: a paragraph and a tabular for each score."""
        blocks = []
        for section in self.sections:
            lines = [rf"\paragraph{{{escaping.latex(section.title)}}}"]
            if section.level == 0 and section.definition:
                lines.append(escaping.latex(section.definition))
            if section.formula:
                lines.append(rf"\[{section.formula}\]")
            lines.append(escaping.latex(section.equation))
            if section.also:
                lines += ["", escaping.latex(section.also)]
            if section.lines:
                lines += ["", formatting.latex_table(section.header, section.lines)]
            for note in section.notes:
                lines.append(rf"\emph{{{escaping.latex(note)}}}")
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)


def shortened(
    explanation: Explanation,
    most: int,
    way: str,
) -> Explanation:
    """An explanation with at most `most` lines in each table, those of relevant documents first.

    A note counts the lines that are left out, and says by which `way` they are seen.
    """
    short = copy.copy(explanation)
    sections = [_shortened(section, most, way) for section in explanation.sections]
    short.sections = tuple(sections)
    return short


def _shortened(
    section: Section,
    most: int,
    way: str,
) -> Section:
    lines = section.lines
    if len(lines) <= most:
        return section
    relevant = _relevant_lines(section)
    others = [place for place in range(len(lines)) if place not in relevant]
    shown = [*relevant, *others][:most]
    shown.sort()
    unseen = max(0, len(relevant) - most)
    count = f"{len(lines) - most:,} more lines, {unseen:,} of them of relevant documents"
    return replace(
        section,
        lines=tuple(lines[place] for place in shown),
        notes=(*section.notes, f"{count}: {way}"),
    )


def _relevant_lines(section: Section) -> dict[int, None]:
    """The lines whose grade is above 0, in their order; none in a table without grades."""
    name = heading("grade")
    relevant: dict[int, None] = {}
    if name not in section.header:
        return relevant
    of_grade = section.header.index(name)
    for number, line in enumerate(section.lines):
        if _is_above_zero(line[of_grade]):
            relevant[number] = None
    return relevant


def _is_above_zero(cell: str) -> bool:
    """Whether a cell holds a number above 0; it has another sign where nobody judged."""
    try:
        return float(cell) > 0
    except ValueError:
        return False


def explained(
    explanations: Mapping[str, Explanation],
    form: str,
) -> str:
    """Explanations in a format by its name, each below what it is of; "" is no heading.

    HTML is a page that can be opened. Its formulas are MathML, if latex2mathml is installed (the
    extra `gate`); else they are left out, and the equation in words stands alone.
    """
    heads: dict[str, Callable[[str], str]] = {
        "text": escaping.visible,
        "markdown": lambda head: f"## {escaping.markdown(head)}\n",
        "html": lambda head: f"<h2>{escaping.html(head)}</h2>",
        "latex": lambda head: rf"\subsection*{{{escaping.latex(head)}}}",
    }
    blocks = []
    for head, explanation in explanations.items():
        shown = explanation.text if form == "text" else getattr(explanation, form)()
        blocks.append(f"{heads[form](head)}\n{shown}" if head else shown)
    if form != "html":
        return "\n\n".join(blocks)
    first = next(iter(explanations.values()))
    title = escaping.html(f"How {first.sections[0].title} comes about")
    body = with_formulas("\n".join(blocks))
    main = f'<h1>{title}</h1>\n<div class="wide">{body}</div>'
    return page(title, [main]).rstrip("\n")


def with_formulas(body: str) -> str:
    """HTML with its formulas in MathML, or without them where latex2mathml is not installed."""
    try:
        return with_equations(body)
    except ImportError:
        return re.sub(
            r"<p>\$\$.*?\$\$</p>\n",
            "",
            body,
            flags=re.DOTALL,
        )


def _sections(working: Working, digits: int, level: int) -> Iterator[Section]:
    header, lines = _table(working, digits)
    yield Section(
        level=level,
        title=working.title,
        definition="" if working.metric is None else said(working.metric.definition),
        formula=working.formula,
        equation=_equation(working, digits),
        header=header,
        lines=lines,
        notes=(*_of_no_relevant(working), *working.notes),
        also=_also(working, digits),
    )
    for part in working.parts.values():
        yield from _sections(part, digits, level + 1)


def _of_no_relevant(working: Working) -> Iterator[str]:
    """That a convention gave the score of a query without relevant documents, where one did."""
    if "no_relevant" not in working.params or working.name != working.metric.name:
        return
    if working.metric.is_decided_by_no_relevant(working):
        yield said(
            "nothing counts as relevant here, so no_relevant={convention} gives the score",
            convention=working.params["no_relevant"].name,
        )


def _table(working: Working, digits: int) -> tuple[Line, tuple[Line, ...]]:
    shown = {**working.table.labels, **working.columns}
    if "judged" in shown and "grade" in shown:  # a grade that nobody gave is a dash, not a 0
        judged = shown.pop("judged")
        pairs = zip(shown["grade"], judged, strict=True)
        shown["grade"] = [grade if is_judged else None for grade, is_judged in pairs]
    columns = []
    for values in shown.values():
        cells = formatting.column(values, digits)
        columns.append(cells)
    header = tuple(heading(name) for name in shown)
    return header, tuple(zip(*columns, strict=True))


def _equation(working: Working, digits: int) -> str:
    """The last step: "nDCG@3 = DCG@3 / IDCG@3 = 7.7619 / 7.8928 = 0.9834"."""
    result = formatting.number(working.value, digits)
    if not working.how:
        return f"{working.title} = {result}"

    if _divides_by_zero(working):  # a convention gave the score, and no quotient
        return f"{working.title} = {result}"
    in_words = _NAMED.sub(lambda match: _in_words(working, match[1]), working.how)
    numbers = _NAMED.sub(lambda match: _factor(working, match, digits), working.how)
    steps = [working.title]
    if in_words != working.title:
        steps.append(in_words)
    if numbers not in (in_words, result):
        steps.append(numbers)
    return " = ".join([*steps, result])


def _divides_by_zero(working: Working) -> bool:
    """Whether the last step would be a quotient over one thing that is 0 for this query."""
    divisor = _DIVISOR.search(working.how)
    if divisor is None:
        return False
    name = divisor[1]
    if name in working.parts:
        return bool(working.parts[name].value == 0)
    if name in working.quantities:
        value = working.quantities[name]
        first = value[0] if hasattr(value, "__len__") else value
        return bool(first == 0)
    return bool(sum(working.columns[name]) == 0)


def _in_words(working: Working, name: str) -> str:
    """What the equation calls a part, a column that is summed, or a quantity."""
    if name in working.parts:
        return working.parts[name].title or name
    shown = heading(name)
    if name in working.columns:
        return said("the sum of {name}", name=shown)
    return shown


def _factor(working: Working, match: re.Match[str], digits: int) -> str:
    """A value as the equation has it: in brackets where it would be read otherwise."""
    value = _value_of(working, match[1], digits)
    left = working.how[: match.start()].rstrip()
    right = working.how[match.end() :].lstrip()
    after_sign = left.endswith(("/", "*", "-"))
    is_factor = after_sign or right.startswith(("/", "*"))
    if value.startswith("-") or (is_factor and " + " in value):
        return f"({value})"
    return value


def _also(working: Working, digits: int) -> str:
    """The quantities that the equation leaves out, such as the residual of RBP."""
    named = set(_NAMED.findall(working.how))
    rest = [name for name in working.quantities if name not in named]
    shown = []
    for name in rest:
        value = _value_of(working, name, digits)
        shown.append(f"{heading(name)} {value}")
    return "; ".join(shown)


def _value_of(working: Working, name: str, digits: int) -> str:
    if name in working.parts:
        return formatting.number(working.parts[name].value, digits)
    if name in working.columns:
        cells = formatting.column(working.columns[name], digits)
        if 0 < len(cells) <= _SUM_AT_LENGTH:
            terms = cells[:1]
            for cell in cells[1:]:
                terms.append(f"({cell})" if cell.startswith("-") else cell)
            return " + ".join(terms)
        total = sum(working.columns[name].tolist())
        return formatting.number(total, digits)
    value = working.quantities[name]
    values = list(value) if hasattr(value, "__len__") else [value]
    cells = formatting.column(values, digits)
    return cells[0]
