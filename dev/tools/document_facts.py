"""What is quoted of the five documents, and that it was found there: `tests/documents/facts.json`.

The documents belong to their authors, so their texts are not in the repository. This is: which
lines of each are blank, and a digest of each quotation that was found in its lines. So the tests
see in every clone that a quotation was changed and not looked up. Where the texts are, write the
file anew: `python -m dev.tools.document_facts ../shared`. A quotation that is not in its lines is
refused.
"""

import argparse
import ast
import hashlib
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from dev.tools.places import ROOT
from irmetrics_edu.course import documents
from irmetrics_edu.course.documents.example import Example, Line, Sides
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import ended, put
from irmetrics_edu.writing import write

FACTS = ROOT / "tests" / "documents" / "facts.json"
_NUMBERS = re.compile(r"[\d\s,./]+")


class Kind(Enum):
    """How a quotation stands in its lines."""

    WORDS = "words"  # letter for letter; " ... " leaves something out
    NUMBERS = "numbers"  # a list of whole numbers, in this order
    COLUMNS = "columns"  # a list of whole numbers, in columns and so in another order


@dataclass(frozen=True, slots=True)
class Quotation:
    """Something that a document is said to hold: where, what, and how; no lines: anywhere."""

    document: str
    lines: tuple[tuple[int, int], ...]
    said: str
    kind: Kind
    by: str  # who says so: an example, a notebook

    @property
    def digest(self) -> str:
        """Of all that has to be looked up again if it changes; not of who says so."""
        told = json.dumps([self.document, self.lines, self.said, self.kind.value])
        return hashlib.sha256(told.encode()).hexdigest()[:20]

    def stands_in(self, text: str) -> bool:
        """Whether the document's text has it in these lines."""
        if self.lines:
            given = text.split("\n")
            text = "\n".join("\n".join(given[a - 1 : b]) for a, b in self.lines)
        if self.kind is Kind.WORDS:
            return has_words(self.said, text)
        return has_numbers(self.said, text, in_columns=self.kind is Kind.COLUMNS)


def _without_marks(text: str) -> str:
    """Text without marks of emphasis and the styles of mathematical letters; fractions as 1/2."""
    text = re.sub(r"</?u>|\*\*|\$", "", unicodedata.normalize("NFKC", text))
    return re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r" \1/\2", text)


def _plain(text: str) -> str:
    return re.sub(r"\s", "", _without_marks(text))


def has_words(words: str, text: str) -> bool:
    """Whether the words are in the text, in this order where " ... " leaves something out.

    >>> has_words("a  b ... c", "x **ab** c"), has_words("c ... a", "x ab c")
    (True, False)
    """
    at = 0
    text = _plain(text)
    for part in words.split(" ... "):
        at = text.find(_plain(part), at)
        if at < 0:
            return False
    return True


def has_numbers(numbers: str, text: str, *, in_columns: bool = False) -> bool:
    """Whether a text has these numbers, each whole, in this order unless they are in columns.

    >>> has_numbers("2, 1/2", "G = 2, 1/2"), has_numbers("8.72%", "98.72%")
    (True, False)
    """
    at = 0
    text = _without_marks(text)
    for number in numbers.split(","):
        signs = r"\s*".join(map(re.escape, re.sub(r"\s", "", number)))
        found = re.compile(rf"(?<![\d./]){signs}(?![\d/]|\.\d)").search(text, at)
        if found is None:
            return False
        at = 0 if in_columns else found.end()
    return True


def kind_of(line: Line) -> Kind:
    """How the print of a line stands there: numbers that are computed are a list."""
    if not line.call or line.numbers or isinstance(line.result, Sides):
        return Kind.WORDS
    return Kind.COLUMNS if line.in_columns else Kind.NUMBERS


def of_example(example: Example) -> Iterator[Quotation]:
    """What an example and its lines quote: prints, errata, and the titles above them."""
    for title in example.where.split(": "):
        yield Quotation(example.document, (), title, Kind.WORDS, f"{example.id}, where")
    for line in (example, *example.lines):
        by = example.id if line is example else f"{example.id}: {line.what}"
        at = tuple((first, last) for first, last in line.at)
        if line.printed:
            yield Quotation(example.document, at, line.printed, kind_of(line), by)
        if line.erratum is not None:
            wrong = line.erratum.printed
            kind = Kind.NUMBERS if _NUMBERS.fullmatch(wrong) else Kind.WORDS
            yield Quotation(example.document, at, wrong, kind, f"{by}, erratum")


def of_notebooks() -> Iterator[Quotation]:
    """What the chapters quote; a variable has to be a print, which is looked up as such."""
    for path in sorted(ROOT.glob("notebooks/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "quote":
                continue
            document, words, *_ = node.args  # and the translation
            if isinstance(words, ast.Constant):
                said = str(words.value)
                yield Quotation(ast.literal_eval(document), (), said, Kind.WORDS, path.stem)
            elif not ast.unparse(words).endswith(".printed"):
                raise InputError(f"{path.name} quotes {ast.unparse(words)}, which is no print")


def quotations() -> list[Quotation]:
    """All that is quoted of the documents."""
    found = [each for example in documents.examples() for each in of_example(example)]
    return [*found, *of_notebooks()]


def text_of(shared: Path, document: str) -> str:
    """The text of a document, where it lies."""
    about, _ = documents.load(document)
    file = str(about["file"])
    return (shared / "seeds" / file).read_text(encoding="utf-8")


def facts(shared: Path) -> dict[str, Any]:
    """Lines of each document and digests of the quotations; one that is not there is refused."""
    texts = {document: text_of(shared, document) for document in documents.DOCUMENTS}
    wrong = [q for q in quotations() if not q.stands_in(texts[q.document])]
    if wrong:
        said = "\n".join(f"{q.document} {q.lines} {q.by}: {q.said}" for q in wrong)
        raise InputError(f"not in the lines that are named:\n{said}")
    shapes = {}
    for document, text in texts.items():
        lines = text.split("\n")
        blank = [i for i, line in enumerate(lines, 1) if not line.strip()]
        shapes[document] = {"lines": len(lines), "blank": blank}
    return {"documents": shapes, "quoted": sorted({q.digest for q in quotations()})}


def written(found: dict[str, Any]) -> str:
    """The facts as they are kept."""
    shapes = ",\n".join(
        f'  "{document}": {json.dumps(shape)}' for document, shape in found["documents"].items()
    )
    quoted = ",\n".join(f'  "{digest}"' for digest in found["quoted"])
    return f'{{\n "documents": {{\n{shapes}\n }},\n "quoted": [\n{quoted}\n ]\n}}\n'


def main(arguments: list[str] | None = None) -> int:
    """Look up each quotation, and write down that it was found."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.document_facts", description=__doc__)
    parser.add_argument("shared", type=Path, help="the folder that has the documents in seeds/")
    args = parser.parse_args(arguments)
    found = facts(args.shared)
    write(FACTS, written(found))
    put(f"{len(found['quoted'])} quotations were found, and written to {FACTS.name}")
    return 0


if __name__ == "__main__":
    sys.exit(ended("dev.tools.document_facts", main))
