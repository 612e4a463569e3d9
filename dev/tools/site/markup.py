"""Pieces of pages: HTML and code in Markdown, tables that scroll, pictures in a page's colours."""

import base64
import hashlib
import importlib.resources
import io
import re
from collections.abc import Collection, Sequence
from itertools import zip_longest

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping

_TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<(t[dh])([^>]*)>(.*?)</\1>", re.DOTALL)
_WIDE = 600  # points; a wider picture scrolls on a phone, so that its words can be read
_HEADING = re.compile(r"(</?h)([456])>")
_NUMBER = re.compile(r"[-−+]?[\d.,\s/]+%?|nan|inf|")
_PICTURE = re.compile(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)">')
_SVG = re.compile(r"<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>(.*)</svg>", re.DOTALL)
_NOT_SHOWN = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_NAMED = re.compile(r'(\bid="|href="#|url\(#)')
_LANGUAGES = {"中文": "zh-Hans", "日本語": "ja"}
_CODE = re.compile(r"(`+.*?`+|<[^>]*>)", re.DOTALL)
_SPOKEN_CODE = re.compile(r"(`[^`]+`|(?<![\w-])--[a-z][\w-]*)")
_FOREIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
# Ink and paper of a page may be light on dark.
_COLOURS = {"#000000": "currentColor", "#ffffff": "var(--color-background-primary)"}


def prose(text: str) -> str:
    r"""Plain text as Markdown, in which `code` stays code, and an option keeps both its dashes.

    >>> print(prose("a*b, as `c*d` with --k"))
    a\*b, as `c*d` with `--k`
    """
    parts = _SPOKEN_CODE.split(text)
    code = [f"`{part.strip('`')}`" for part in parts[1::2]]
    plain = [escaping.markdown(part) for part in parts[::2]]
    return "".join(a + b for a, b in zip_longest(plain, code, fillvalue=""))


def fenced(text: str, kind: str) -> str:
    """Text as a block of code, whatever fences stand in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


def raw(page: str) -> str:
    """HTML within Markdown, as it stands."""
    return fenced(page, "{raw} html")


# Where site.js puts a field that filters the rows of all tables below.
FILTER = '<div class="filter"></div>'


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
        shown = f'<svg class="figure" role="img" aria-label="{match[1]}" {svg[1]}>{inside}</svg>'
        wide = float(svg[1].split()[2]) > _WIDE
        return f'<div class="wide" tabindex="0">{shown}</div>' if wide else shown

    return _PICTURE.sub(inline, page)


def framed(page: str) -> str:
    """HTML for below a heading of the second level, its wide tables and equations in frames.

    The frames scroll on a narrow screen.

    >>> framed("<h4>P</h4>")
    '<h3>P</h3>'
    """
    page = page.replace('lang="zh"', 'lang="zh-Hans"')
    page = _HEADING.sub(lambda m: f"{m[1]}{int(m[2]) - 1}>", page)
    page = _TABLE.sub(
        lambda m: f'<div class="table-wrapper" tabindex="0">{_aligned(m[0])}</div>', page
    )
    return re.sub(r"<p>(<math.*?</math>)</p>", r'<div class="equation" tabindex="0">\1</div>', page)


def _aligned(table: str) -> str:
    """The table with its columns marked: right-aligned numbers, and languages."""
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    languages = [_LANGUAGES.get(text) for _, _, text in rows[0]] if rows else []
    columns = zip(*(r for r in rows if any(tag == "td" for tag, _, _ in r)), strict=False)
    numeric = [all(_NUMBER.fullmatch(text) for _, _, text in column) for column in columns]

    def row(match: re.Match[str]) -> str:
        numbers = (' class="number"' if column else "" for column in numeric)
        codes = (f' lang="{code}"' if code else "" for code in languages)
        marks = map("".join, zip_longest(numbers, codes, fillvalue=""))
        return _CELL.sub(lambda m: f"<{m[1]}{m[2]}{next(marks, '')}>{m[3]}</{m[1]}>", match[0])

    return _ROW.sub(row, table)


def spoken(text: str) -> str:
    r"""Markdown whose Chinese and Japanese words are marked as such; code stays as it is.

    >>> spoken("It is 准确率 in `f('准确率')`.")
    'It is <span lang="zh-Hans">准确率</span> in `f(\'准确率\')`.'
    """

    def word(match: re.Match[str]) -> str:
        kana = any("\u3040" <= letter <= "\u30ff" for letter in match[0])
        code = "ja" if kana or match[0] == "日本語" else "zh-Hans"
        return f'<span lang="{code}">{match[0]}</span>'

    parts = _CODE.split(text)
    parts[::2] = [_FOREIGN.sub(word, part) for part in parts[::2]]
    return "".join(parts)


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table in Markdown of cells that are Markdown themselves."""
    rows = [header, ["---"] * len(header), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


# Letters as browsers set them in formulas: slanted ones stand in blocks of their own.
SLANTED = {chr(i) for i in (*range(0x1D434, 0x1D468), 0x210E, *range(0x1D6E2, 0x1D71C))}


def font(signs: Collection[str]) -> bytes:
    """STIX Two Math (SIL Open Font License) with these signs alone, packed for browsers.

    Without it many a browser sets small sums; whole it has 1.5 MB, which no phone need fetch.
    """
    from fontTools import subset

    subset.log.setLevel("WARNING")  # Sphinx lets every library say what it does
    found = importlib.resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    cutter = subset.Subsetter(subset.Options(layout_features=["*"], notdef_outline=True))
    cutter.populate(text="".join(sorted(signs)))
    held = io.BytesIO()
    with subset.load_font(str(found), cutter.options) as loaded:
        loaded.recalcTimestamp = False
        cutter.subset(loaded)
        loaded.flavor = "woff"
        loaded.save(held)
    return held.getvalue()
