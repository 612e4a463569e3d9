"""The texts of a notebook one by one, and the notebook with them in another language.

A message is a paragraph or an item of a list, as one line, or a string that a function of the
course is called with. A message of an f-string has its {expressions} as they are written.

The translations are in a catalogue for each chapter and language, which Babel reads:
`notebooks/locale/04_graded_relevance.pot` holds the English messages, and
`notebooks/locale/ja/04_graded_relevance.po` their translations.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dev.tools.places import FOLDER
from irmetrics_edu.classroom.exercises.translation import PlacedMessage, paragraphs
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.views.language import LANGUAGES, has_words, language_of

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = FOLDER / "locale"
# Functions whose strings a reader sees; of a call within, the strings are code.
SHOWING = {"predict", "quiz", "reveal", "table", "figure", "slider"}
WIDTH = 44  # of strings in code; a letter of Chinese or Japanese is two columns wide
_VALUE = re.compile(r"\{[^{}]*\}")
_PIECE = re.compile(r"\s*(?:\{[^{}]*\}|[!-z|~]+|\S)")

Translate = Callable[[str], str]


def strings(code: str) -> Iterator[PlacedMessage]:
    """The strings in code that a reader sees.

    >>> [t.message for t in strings('reveal(f"It is {f(1):g} here.")')]
    ['It is {f(1):g} here.']
    """
    tree = ast.parse(code)
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    raw = code.encode()
    found: dict[int, PlacedMessage] = {}

    def place(line: int, column: int) -> int:
        return len(raw[: starts[line - 1] + column].decode())

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Constant | ast.JoinedStr):
            formatted = isinstance(node, ast.JoinedStr)
            text = _formatted(node) if isinstance(node, ast.JoinedStr) else node.value
            if isinstance(text, str) and has_words(_VALUE.sub("", text)):
                start = place(node.lineno, node.col_offset)
                end = place(node.end_lineno or 0, node.end_col_offset or 0)
                found[start] = PlacedMessage(start, end, text, formatted)
        for child in _shown_within(node):
            visit(child)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            visit(node)
    yield from (found[start] for start in sorted(found))


def _shown_within(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that a reader sees, if the expression is shown."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SHOWING:
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "quote":
        yield from node.args[2:]  # the translation; the words are the document's own
    elif isinstance(node, ast.Dict | ast.List | ast.Tuple):
        yield from ast.iter_child_nodes(node)
    elif isinstance(node, ast.Lambda):
        yield node.body


def _formatted(node: ast.JoinedStr) -> str:
    return "".join(
        str(v.value) if isinstance(v, ast.Constant) else ast.unparse(ast.JoinedStr([v]))[2:-1]
        for v in node.values
    )


def _literal(text: PlacedMessage, message: str, indent: str) -> str:
    """A string in code, cut into lines of a readable length within its call."""
    lines = [""]
    for piece in _PIECE.findall(message):
        if len(lines[-1]) + len(piece) > WIDTH and lines[-1]:
            lines.append("")
        lines[-1] += piece
    return f"\n{indent}".join(map(_f_string if text.formatted else _quoted, lines))


def _quoted(text: str) -> str:
    shown = repr(text)
    return shown if '"' in text or "\\" in shown else f'"{shown[1:-1]}"'


def _f_string(text: str) -> str:
    parts = re.split(r"(\{[^{}]*\})", text)
    parts[::2] = [part.replace("\\", "\\\\").replace('"', '\\"') for part in parts[::2]]
    return f'{"f" if len(parts) > 1 else ""}"{"".join(parts)}"'


def cell(source: str, translate: Translate, *, markdown: bool) -> str:
    """A cell of a notebook with its messages translated."""
    texts = paragraphs(source) if markdown else strings(source)
    for text in sorted(texts, key=lambda t: -t.start):
        message = translate(text.message)
        if message == text.message:
            continue
        if not markdown:
            line = source[: text.start].rpartition("\n")[2]
            message = _literal(text, message, " " * len(line))
        source = source[: text.start] + message + source[text.end :]
    return source


def translated_in(code: str, name: str) -> Path:
    """The file of a chapter's messages in a language."""
    return LOCALE / language_of(code).locale / f"{name}.po"


def languages(name: str) -> list[str]:
    """The languages into which a chapter is being translated, by code."""
    return [code for code in LANGUAGES if translated_in(code, name).exists()]


def read(path: Path, locale: str | None = None) -> "Catalog":
    """A catalogue; InputError if the file isn't there or can't be read."""
    if not path.exists():
        raise InputError(
            f"{path}: there is no such catalogue; write it with "
            f"python -m dev.tools.messages extract {path.stem}"
        )
    pofile = extra("babel.messages.pofile", what="a translation")
    with path.open("rb") as file:
        found: Catalog = pofile.read_po(file, locale=locale, abort_invalid=True)
    return found


def translations(catalog: "Catalog") -> dict[str, str]:
    """The messages that are translated, without those that are fuzzy."""
    return {str(m.id): str(m.string) for m in catalog if m.id and m.string and not m.fuzzy}


def translator(code: str, name: str) -> Translate:
    """A function from a chapter's messages to a language; what is not translated stays English."""
    found = translations(read(translated_in(code, name)))
    return lambda text: found.get(text, text)
