"""Builds slides of the chapters: `python -m dev.tools.site.slides OUT [NAME ...]`.

Each chapter becomes one file of HTML that needs nothing else: no network, no folder beside it.
Rules say which cell is a slide, a fragment, or left out; a tag on a cell (`slide`, `subslide`,
`fragment`, `notes`, `skip`) goes before the rules. Of a text the slide keeps its terms, lists and
formulas, and what the next question asks about; the lecturer has the rest in the notes.
`--notebooks` writes the notebooks with these types, for RISE and for `jupyter nbconvert --to
slides`.
"""

import argparse
import ast
import base64
import re
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import groupby
from pathlib import Path
from typing import Any

from dev.tools.notebooks import TEXT_ALONE, folds, sets_up, shows, sources
from dev.tools.places import ROOT
from dev.tools.site.chapters import output
from dev.tools.site.markup import font, spoken
from dev.tools.site.published import preview
from dev.tools.site.wording import worded
from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.course.prompts import SCRIPT
from irmetrics_edu.views import escaping
from irmetrics_edu.views.mathml import mathml
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

SITE = ROOT / "dev" / "site"
TYPES = ("slide", "subslide", "fragment", "notes", "skip")
_HEADING = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
_OF_CALLS = {"predict": "subslide", "quiz": "subslide", "reveal": "fragment"}
_NOTES = "<!--notes-->"
_READ_AT_HOME = {"terms", "reading"}
_LONG = 8  # lines
_ASKS = {"predict", "quiz"}
# What a text is shown for: a formula, a list, a table, a term, code. Its words are spoken.
_SHOWN = re.compile(r"^(#|[-*>|] |\d+\. |\||```)|\$\$|\*\*", re.MULTILINE)
# What only points at the next cell: without it the sentence goes.
_POINTS = re.compile(r"(?:^|(?<=[.!?]) |(?<=\n))(?:Here|These|This|In (?:numpy|Python))\b[^.!?]*:$")
_DATA = 12  # lines
_BLOCKS = re.compile(r"\n\n(?=(?:[^`]|`(?!``)|```(?:[^`]|`(?!``))*```)*$)")


def typed(notebook: Any) -> Any:
    """The notebook with a type of slide in each cell's metadata, its text cut into its parts."""
    made = deepcopy(notebook)
    after = [*made.cells[1:], None]
    made.cells = [
        part
        for cell, following in zip(made.cells, after, strict=True)
        for part in _parts(cell, asked=following is not None and _asks(following))
    ]
    before, last, announced = None, "", None
    for cell in made.cells:
        kind = cell.metadata.pop("spoken", None) or slide_type(cell)
        if announced is not None and cell.cell_type == "code":
            kind = _follows(cell, kind, announced)
        if cell.cell_type == "code" or kind != "notes":
            announced = cell if _ends_open(cell) else None
        if kind == "fragment" and last == "reveal" and "figure(" not in cell.source:
            kind = "notes"  # more on an answer
        last = shows(cell.source)[0] if cell.cell_type == "code" else ""
        if kind == "subslide" and before is not None and _asks(cell):
            # The text before a question has what it asks about, and goes with it.
            kind = "-"
            if before.metadata["slideshow"]["slide_type"] == "-":
                before.metadata["slideshow"]["slide_type"] = "subslide"
        cell.metadata["slideshow"] = {"slide_type": kind}
        if cell.cell_type != "markdown":
            before = before if kind == "skip" else None
        elif kind != "notes":
            before = cell if before is None or cell.source.startswith("#") else before
    return made


def _ends_open(cell: Any) -> bool:
    return bool(cell.cell_type == "markdown" and cell.source.endswith(":"))


def _follows(cell: Any, kind: str, text: Any) -> str:
    """The type of a cell that a text announces: its data is shown, or the text ends without it."""
    if kind == "skip" or folds(cell.source):
        cell.metadata["data"] = data(cell.source)
    if kind == "skip" and not cell.metadata["data"]:
        text.source = _alone(text.source)
        return kind
    return "-" if kind == "skip" else kind


def data(source: str) -> str:
    r"""The plain values with which a cell begins, to a dozen lines, as a text announces them.

    >>> data("WON = {'a': 6, 'b': 4}\npredict('Who won?', 'a')"), data("a = f(1)")
    ("WON = {'a': 6, 'b': 4}", '')
    """
    end = 0
    for statement in ast.parse(source).body:
        plain = isinstance(statement, ast.Assign) and _is_plain(statement.value)
        if not plain or (statement.end_lineno or 0) > _DATA:
            break
        end = statement.end_lineno or 0
    return "\n".join(source.splitlines()[:end])


def _is_plain(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def _alone(text: str) -> str:
    r"""A text that announces what the slide leaves out, without that.

    >>> _alone("Cut it.\nIn numpy:"), _alone("A town has bicycles. Its help has five pages:")
    ('Cut it.', 'A town has bicycles. Its help has five pages.')
    """
    return re.sub(r":$", ".", _POINTS.sub("", text).rstrip())


def _asks(cell: Any) -> bool:
    return bool(cell.cell_type == "code") and shows(cell.source)[0] in _ASKS


def _parts(cell: Any, *, asked: bool) -> Iterator[Any]:
    if cell.cell_type != "markdown" or set(cell.metadata.get("tags", ())) & set(TYPES):
        yield cell
        return
    texts = [text.strip() for text in _HEADING.split(cell.source) if text.strip()]
    number = 0
    for text in texts:
        for shown, block in _blocks(text, asked=asked and text is texts[-1]):
            part = deepcopy(cell)
            part["id"] = f"{cell.id}-{number}" if number else cell.id
            part.source = block
            part.metadata |= {} if shown else {"spoken": "notes"}
            yield part
            number += 1


def _blocks(text: str, *, asked: bool) -> Iterator[tuple[bool, str]]:
    r"""A text in parts, and whether each is shown or else spoken.

    Its heading and the paragraph below are shown, and what stands before a question.

    >>> text = "# A\n\nFirst.\n\nSaid.\n\nA **term**.\n\nIn words: **so**."
    >>> [block for shown, block in _blocks(text, asked=False) if shown]
    ['# A\n\nFirst.', 'A **term**.']
    """
    blocks = _BLOCKS.split(text.removesuffix("**Read on.**").strip())
    lead = 2 if text.startswith("#") else 0
    kept = []
    for place, block in enumerate(blocks):
        names = _SHOWN.search(block) is not None and not block.startswith("In words:")
        opens = "".join(blocks[place + 1 : place + 2]).startswith(("- ", "1. ", "$$"))
        kept.append(place < lead or names or opens or (asked and place == len(blocks) - 1))
    for shown, group in groupby(zip(kept, blocks, strict=True), key=lambda pair: pair[0]):
        yield shown, "\n\n".join(block for _, block in group)


def slide_type(cell: Any) -> str:
    """Which kind of slide a cell starts: by its tag, else by rule; "-" goes on with the slide."""
    for tag in cell.metadata.get("tags", ()):
        if tag in TYPES:
            return str(tag)
    if cell.cell_type == "markdown":
        level = re.match(r"(#{0,3})", cell.source)
        return {1: "slide", 2: "slide", 3: "subslide"}.get(len(level[1]) if level else 0, "-")
    last = shows(cell.source)[0]
    if last in _READ_AT_HOME or (_by_hand(cell.source) and (not last or not cell.outputs)):
        return "skip"
    return _OF_CALLS.get(last, "-")


def _by_hand(source: str) -> bool:
    """Whether code only imports, or works out by hand what the slides say in a formula."""
    return sets_up(source) or source.count("\n") >= _LONG or "def " in source or "isclose" in source


def visible(source: str) -> str:
    r"""The code of a cell that a slide shows: not what only asks, draws or makes a table.

    >>> visible("a = 1\npredict('Is it 1?', a)"), visible("a + 1"), visible("a = 1\ntable(a)")
    ('', 'a + 1', 'a = 1')
    """
    if folds(source) or _by_hand(source):
        return ""
    if shows(source)[0] not in TEXT_ALONE | {"table"}:
        return source
    at = ast.parse(source).body[-1].lineno
    return "\n".join(source.splitlines()[: at - 1]).rstrip()


def deck(notebook: Any, name: str) -> str:
    """A chapter's slides as one page of HTML."""
    sections: list[list[str]] = []
    for cell in typed(notebook).cells:
        kind = cell.metadata["slideshow"]["slide_type"]
        if kind == "skip":
            continue
        if kind in ("slide", "subslide") or not sections:
            sections.append([] if _headed(cell) or not sections else [_again(sections[-1])])
        sections[-1] += _shown(cell, kind, f"{name}, cell {cell.id}")
    title = re.sub(r"^# ", "", str(notebook.cells[0].source).partition("\n")[0])
    body = "\n".join(map(_section, sections))
    about = f"Slides of the chapter “{title}” of the course of irmetrics-edu."
    parts = {
        "title": escaping.html(title),
        "preview": preview(title, about, f"slides/{name}.html"),
        "body": body,
    }
    of_site = re.sub(r"@font-face \{[^}]*\}", "", _source("static/site.css"))
    parts["style"] = "\n".join([of_site, _source("slides/deck.css"), _colours(), _font(body)])
    parts["script"] = _source("static/site.js") + SCRIPT + _source("slides/deck.js")
    return re.sub(r"<!--(\w+)-->", lambda m: parts[m[1]], _source("slides/deck.html"))


def _section(blocks: list[str]) -> str:
    """A slide, with all its notes in one place."""
    notes = "".join(block for block in blocks if block.startswith(_NOTES))
    shown = "".join(block for block in blocks if not block.startswith(_NOTES))
    held = f'<aside class="notes">{notes.replace(_NOTES, "")}</aside>' if notes else ""
    return f"<section>{shown}{held}</section>"


def _headed(cell: Any) -> bool:
    return bool(cell.cell_type == "markdown" and cell.source.startswith("#"))


def _again(blocks: list[str]) -> str:
    """The heading of the slide before, which this one goes on with."""
    found = re.search(r"<h[123][^>]*>(.*?)</h[123]>", "".join(blocks), re.DOTALL)
    return f'<h2 class="again">{found[1]}</h2>' if found else ""


def _shown(cell: Any, kind: str, where: str) -> Iterator[str]:
    if cell.cell_type == "markdown":
        page = _markdown(spoken(cell.source))
        yield f"{_NOTES}{page}" if kind == "notes" else page
        return
    code = cell.metadata.get("data") or visible(cell.source)
    shown = [_code(code)] if code else []
    for one in cell.outputs:
        page = re.sub(r"^```+\{raw\} html\n|\n```+$", "", output(one, where))
        shown.append(page if page.startswith("<") else _code(page.partition("\n")[2], "text"))
    if kind == "notes":
        yield _NOTES + "".join(shown).replace("<details>", "<details open>")
    else:
        yield f'<div class="cell">{"".join(shown)}</div>'


def _markdown(text: str) -> str:
    """Markdown with equations in MathML."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    reader = MarkdownIt("commonmark", {"html": True, "highlight": _highlighted}).enable("table")
    reader.use(
        dollarmath_plugin,
        renderer=lambda latex, options: mathml(latex, display=options["display_mode"]),
    )
    return str(reader.render(text))


def _highlighted(code: str, kind: str, _: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    return str(highlight(code, get_lexer_by_name(kind or "text"), HtmlFormatter(nowrap=True)))


def _code(code: str, kind: str = "python") -> str:
    return f"<pre>{_highlighted(code, kind, '')}</pre>"


def _colours() -> str:
    from pygments.formatters import HtmlFormatter

    return str(HtmlFormatter(style="default").get_style_defs("pre"))


def _source(name: str) -> str:
    return (SITE / name).read_text(encoding="utf-8")


def _font(body: str) -> str:
    """The letters of the deck's equations in STIX Two Math, within the page."""
    letters = set(re.sub(r"<[^>]*>", "", "".join(re.findall(r"<math.*?</math>", body, re.DOTALL))))
    data = base64.b64encode(font(letters)).decode()
    return f'@font-face {{ font-family: "STIX Two Math"; src: url(data:font/woff;base64,{data}); }}'


def write_decks(folder: Path, paths: Iterable[Path], *, notebooks: bool = False) -> None:
    """Write the decks of built notebooks, or the notebooks with types of slides."""
    import nbformat

    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        if notebooks:
            write(folder / path.name, as_text(typed(notebook)))
        else:
            write(folder / f"{path.stem}.html", deck(worded(notebook), path.stem))


def main(arguments: list[str] | None = None) -> int:
    """Write the slides into the folder that is named."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.site.slides", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the slides, such as build/slides")
    parser.add_argument("names", nargs="*", help="such as 04; default all")
    parser.add_argument("--notebooks", action="store_true", help="notebooks with types of slides")
    args = parser.parse_args(arguments)
    paths = [source.with_suffix(".ipynb") for source in sources(args.names)]
    write_decks(args.out, paths, notebooks=args.notebooks)
    print(f"{len(paths)} chapters in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.site.slides", main))
