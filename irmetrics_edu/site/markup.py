"""Pieces of pages: HTML and code in Markdown, tables that scroll, pictures in a page's colours."""

import base64
import hashlib
import re
from collections.abc import Sequence

from irmetrics_edu.errors import InputError

_TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<(t[dh])([^>]*)>(.*?)</\1>", re.DOTALL)
_HEADING = re.compile(r"(</?h)([456])>")
_NUMBER = re.compile(r"[-−+]?[\d.,\s/]+%?|nan|inf|")
_PICTURE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">')
_SVG = re.compile(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>", re.DOTALL)
_NOT_SHOWN = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(\bid="|href="#|url\(#)')
# Ink and paper of a page may be light on dark.
_COLOURS = {"#000000": "currentColor", "#ffffff": "var(--color-background-primary)"}


def fenced(text: str, kind: str) -> str:
    """Text as a block of code, whatever fences stand in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


def raw(page: str) -> str:
    """HTML within Markdown, as it stands."""
    return fenced(page, "{raw} html")


def folded(summary: str, text: str) -> str:
    """Markdown that the reader opens."""
    begin = raw(f'<details class="code"><summary>{summary}</summary>')
    return "\n\n".join([begin, text, raw("</details>")])


def drawn(page: str) -> str:
    """HTML with inline pictures: they have the page's colours, and a search finds their words."""

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
    """HTML for below a heading of the second level, its wide tables and equations in frames.

    The frames scroll on a narrow screen.

    >>> framed("<h4>P</h4>")
    '<h3>P</h3>'
    """
    page = _HEADING.sub(lambda m: f"{m[1]}{int(m[2]) - 1}>", page)
    page = _TABLE.sub(
        lambda m: f'<div class="table-wrapper" tabindex="0">{_aligned(m[0])}</div>', page
    )
    return re.sub(r"<p>(<math.*?</math>)</p>", r'<div class="equation" tabindex="0">\1</div>', page)


def _aligned(table: str) -> str:
    """The table with its number columns marked, so that they are right-aligned."""
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    columns = zip(*(r for r in rows if any(tag == "td" for tag, _, _ in r)), strict=False)
    numeric = [all(_NUMBER.fullmatch(text) for _, _, text in column) for column in columns]

    def row(match: re.Match[str]) -> str:
        place = iter([*numeric, *[False] * 99])
        return _CELL.sub(lambda m: _marked(m) if next(place) else m[0], match[0])

    return _ROW.sub(row, table)


def _marked(cell: re.Match[str]) -> str:
    return f'<{cell[1]}{cell[2]} class="number">{cell[3]}</{cell[1]}>'


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table in Markdown of cells that are Markdown themselves."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
