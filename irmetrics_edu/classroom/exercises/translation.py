"""A copy of an exercise in another language, as far as the package has its texts.

What a student fills in stays English, as the grader compares it: code, and the text of an answer. A
message is a paragraph or an item of a list, as one line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.classroom.exercises.build import as_text
from irmetrics_edu.classroom.exercises.source import ExerciseSource, identified
from irmetrics_edu.errors import extra
from irmetrics_edu.views.language import has_words, said, spoken_in
from irmetrics_edu.writing import write

_FENCE = re.compile(r"(^```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)
# As in Markdown, a line within a paragraph begins an item if it begins with a dash, a star or "1.".
_BLOCK = re.compile(
    r"^(?P<mark>\s*(?:#+|[-*]|(?P<number>\d+\.))\s+)?(?P<text>\S.*?)"
    r"(?=\n\s*\n|\n\s*(?:[-*]|1\.)\s|(?(number)\n\s*\d+\.\s|(?!))|\Z)",
    re.MULTILINE | re.DOTALL,
)
_VERBATIM = re.compile(r"\$\$.*?\$\$|\$[^$]+\$|`[^`]+`", re.DOTALL)


@dataclass(frozen=True)
class PlacedMessage:
    """A message in a source: where it stands, what it says, and whether it is an f-string."""

    start: int
    end: int
    message: str
    formatted: bool = False


def paragraphs(markdown: str) -> Iterator[PlacedMessage]:
    r"""The messages of a text in Markdown; formulas and blocks of code have none.

    >>> [t.message for t in paragraphs("# Title\n\n- one\n  item\n- two\n\n$$x$$")]
    ['Title', 'one item', 'two']
    """
    at = 0
    for part in _FENCE.split(markdown):
        if not part.startswith("```"):
            for block in _BLOCK.finditer(part):
                whole = block["text"]
                text = whole.rstrip() if whole.startswith("|") else " ".join(whole.split())
                if has_words(_VERBATIM.sub("", text)):
                    start = at + block.start("text")
                    yield PlacedMessage(start, start + len(whole.rstrip()), text)
        at += len(part)


def in_language(source: ExerciseSource, book: Any, code: str) -> Any:
    """A copy with its texts in another language; `check` in it speaks this language."""
    with spoken_in(code):
        for (_, cell), made in zip(identified(source), book.cells, strict=True):
            if cell.markdown and not source.question_of(cell):
                made.source = _in_words(made.source)
            elif "setup" in cell.tags:
                made.source = _opened_in(made.source, code)
    return book


def translate(source: ExerciseSource, path: Path, code: str) -> None:
    """Write a student's copy anew, in another language."""
    nbformat = extra("nbformat", what="a copy of an exercise")
    book = nbformat.read(path, as_version=4)
    write(path, as_text(in_language(source, book, code)))


def texts_left(source: ExerciseSource, code: str) -> tuple[int, int]:
    """How many texts of an exercise have no translation, and how many texts there are."""
    texts: list[str] = []
    for cell in source.cells:
        if cell.markdown and not source.question_of(cell):
            texts += [text.message for text in paragraphs(cell.text)]
    with spoken_in(code):
        left = [text for text in texts if said(text) == text]
    return len(left), len(texts)


def _in_words(markdown: str) -> str:
    """A text in the language that is set."""
    for text in sorted(paragraphs(markdown), key=lambda text: -text.start):
        translated = said(text.message)
        if translated != text.message:
            markdown = markdown[: text.start] + translated + markdown[text.end :]
    return markdown


def _opened_in(setup: str, code: str) -> str:
    """The first cell of a copy, whose `check` and `hint` speak a language.

    They translate the questions when the cell is run.
    """
    return f'{setup.removesuffix(")")}, language="{code}")'
