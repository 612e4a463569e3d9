"""The pages of the book in Markdown: a chapter from its notebook, and what is looked up."""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu.course.book_math import mathml, with_equations
from irmetrics_edu.course.build import folds, shows
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.views import escaping
from irmetrics_edu.views.terms import GLOSSARY

_CHAPTER = re.compile(r"\b([Nn]otebook) (\d+)\b")
_TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<(t[dh])([^>]*)>(.*?)</\1>", re.DOTALL)
_NUMBER = re.compile(r"[-−+]?[\d.,\s/]+%?|nan|inf|")
_PICTURE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">')
_SVG = re.compile(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>", re.DOTALL)
_NOT_SHOWN = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(\bid="|href="#|url\(#)')
# Ink and paper of a page may be light on dark.
_COLOURS = {"#000000": "currentColor", "#ffffff": "var(--color-background-primary)"}


def chapter(notebook: Any, name: str, others: Mapping[int, str]) -> str:
    """A chapter from its notebook with outputs; `others` are the chapters by number, to link to."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(_linked(cell.source, name, others))
            continue
        code = _fenced(cell.source, "python")
        shown = [_output(output, f"{name}, cell {cell.id}") for output in cell.outputs]
        if shows(cell.source)[0] == "reveal":
            parts += [*shown, _folded("Code of this answer", code)]
        elif folds(cell.source):
            parts += shown
        else:
            parts += [code, *shown]
    first, rest = parts[0], parts[1:]
    offer = f"*Run and change it:* {{download}}`{name}.ipynb`"
    return "\n\n".join([first, offer, *rest]) + "\n"


def _folded(summary: str, text: str) -> str:
    begin = _raw(f'<details class="code"><summary>{summary}</summary>')
    return "\n\n".join([begin, text, _raw("</details>")])


def _linked(text: str, name: str, others: Mapping[int, str]) -> str:
    def link(match: re.Match[str]) -> str:
        other = others.get(int(match[2]), name)
        return match[0] if other == name else f"[{match[0]}]({other}.md)"

    return _CHAPTER.sub(link, text)


def _output(output: Any, where: str) -> str:
    if output.output_type == "error":
        raise InputError(f"{where} ends in {output.ename}; build the notebook anew")
    if output.output_type == "stream":
        return _fenced(output.text, "text")
    data = output.data
    if "text/html" in data:
        page = drawn(framed(with_equations(data["text/html"])))
        return _raw(f'<div class="output">{page}</div>')
    if "text/plain" in data:
        return _fenced(data["text/plain"], "text")
    raise InputError(f"{where} shows {', '.join(data)}, and the book can show HTML and text")


def drawn(page: str) -> str:
    """HTML whose pictures are part of the page: in its colours, their words found by a search."""

    def inline(match: re.Match[str]) -> str:
        text = base64.b64decode(match[2]).decode()
        name = hashlib.sha256(text.encode()).hexdigest()[:8]
        svg = _SVG.search(text)
        if svg is None:
            raise InputError(f"the picture {match[1][:40]!r} is no SVG; build the notebook anew")
        inside = _NAMED.sub(rf"\g<1>{name}-", _NOT_SHOWN.sub("", svg[2]))
        for colour, of_page in _COLOURS.items():
            inside = inside.replace(colour, of_page)
        inside = re.sub(r"\s*\n\s*", " ", inside)
        return f'<svg class="figure" role="img" aria-label="{match[1]}" {svg[1]}>{inside}</svg>'

    return _PICTURE.sub(inline, page)


def framed(page: str) -> str:
    """HTML whose tables and equations scroll in a frame of their own on a narrow screen."""
    page = _TABLE.sub(
        lambda m: f'<div class="table-wrapper" tabindex="0">{_aligned(m[0])}</div>', page
    )
    return re.sub(r"<p>(<math.*?</math>)</p>", r'<div class="equation" tabindex="0">\1</div>', page)


def _aligned(table: str) -> str:
    """The table with its columns of numbers marked, so that they stand to the right."""
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    columns = zip(*(r for r in rows if any(tag == "td" for tag, _, _ in r)), strict=False)
    numeric = [all(_NUMBER.fullmatch(text) for _, _, text in column) for column in columns]

    def row(match: re.Match[str]) -> str:
        place = iter([*numeric, *[False] * 99])
        return _CELL.sub(lambda m: _marked(m) if next(place) else m[0], match[0])

    return _ROW.sub(row, table)


def _marked(cell: re.Match[str]) -> str:
    return f'<{cell[1]}{cell[2]} class="number">{cell[3]}</{cell[1]}>'


def _fenced(text: str, kind: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


def _raw(page: str) -> str:
    return _fenced(page, "{raw} html")


# The generated pages of the project that go into the book, and what each is.
DOCS = {
    "conventions": "the named choices, and who makes which.",
    "lines": "what trec_eval, other libraries and this package make of an odd line in a TREC file.",
}


def facts(notebook: Any) -> tuple[str, str, str]:
    """A chapter's title, minutes and needs, as its first cell says."""
    first = notebook.cells[0].source
    title = re.match(r"# (.+)", first)
    time = re.search(r"\*\*Time\.?\*\*\s*(.+?)\.?\s*(?=\*\*|$)", first, re.DOTALL)
    needs = re.search(r"\*\*Needs\.?\*\*\s*(.+?)\.?\s*$", first, re.DOTALL)
    if not title:
        raise InputError(f"a notebook starts with its title, not with {first[:40]!r}")
    texts = [title[1], time[1] if time else "", needs[1] if needs else ""]
    return texts[0], " ".join(texts[1].split()), " ".join(texts[2].split())


def index(text: str, chapters: Mapping[str, tuple[str, str, str]], further: Sequence[str]) -> str:
    """The first page: its text with the table of the chapters and the lists of the side bar."""
    lines = ["| chapter | time | needs |", "|---|---|---|"]
    others = {int(name[:2]): name for name in chapters}
    for name, (title, time, needs) in chapters.items():
        lines.append(f"| [{title}]({name}.md) | {time} | {_linked(needs, name, others)} |")
    text = text.replace("<!-- chapters -->", "\n".join(lines))
    docs = [f"- [{name.capitalize()}]({name}.md): {DOCS[name]}" for name in DOCS if name in further]
    text = text.replace("<!-- docs -->", "\n".join(docs))
    return f"{text}\n{_contents('Course', chapters)}\n\n{_contents('To look up', further)}\n"


def _contents(caption: str, names: Iterable[str]) -> str:
    listed = "\n".join(names)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```"


def glossary() -> str:
    """The glossary: a line for each term, with its symbol, in three languages."""
    head = "".join(
        f'<th scope="col">{h}</th>' for h in ("term", "meaning", "中文", "日本語", "symbol")
    )
    lines = [
        f'<tr id="{anchor(t.name)}"><th scope="row">{escaping.html(t.name)}</th>'
        f'<td>{escaping.html(t.meaning)}</td><td lang="zh">{escaping.html(t.zh)}</td>'
        f'<td lang="ja">{escaping.html(t.ja)}</td><td>{_symbol(t.latex)}</td></tr>'
        for t in sorted(GLOSSARY.values(), key=lambda t: t.name.lower())
    ]
    table = f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(lines)
    return (
        "# Glossary\n\n"
        f"The {len(lines)} terms of workings, tables and plots in English, 中文 and 日本語.\n\n"
        + _raw(framed(f"{table}\n</tbody></table>"))
        + "\n"
    )


def _symbol(latex: str) -> str:
    return f'<div class="symbol" tabindex="0">{mathml(latex)}</div>' if latex else ""


def anchor(term: str) -> str:
    """Where a term stands on the page.

    >>> anchor("rank of the first relevant")
    'term-rank-of-the-first-relevant'
    """
    return "term-" + re.sub(r"[^\w]+", "-", term).strip("-")


def metrics() -> str:
    """All metrics: a table, then each with its call, formula and source in full."""
    import_all()
    chosen = sorted(METRICS.values(), key=lambda m: m.kernel.__module__)
    lines = ["| metric | definition | function |", "|---|---|---|"]
    parts = []
    for m in chosen:
        function = m.kernel.__name__
        lines.append(f"| [{m.name}](#metric-{function}) | {m.definition} | `{function}` |")
        parts += [
            f"(metric-{function})=\n### {m.name}",
            f"`{function}({', '.join(m.inputs.arguments)})`",
            m.definition,
            f"$$\n{m.formula}\n$$",
            f"Source: {m.source}.",
        ]
    first = (
        f"The {len(chosen)} metrics of the package. Means over queries such as MAP and MRR are "
        "made from these."
    )
    rule = "Each as computed by default; a convention that is chosen otherwise changes its formula."
    return "\n\n".join(["# Metrics", first, "\n".join(lines), "## Formulas", rule, *parts, ""])
