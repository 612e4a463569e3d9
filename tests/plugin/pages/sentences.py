"""The sentences of six pages, and the tests that hold them.

A page's table, in the TOML file of its name, has each sentence word for word, under the test that
holds it: a test of this project by its file and name. Sentences that promise nothing stand in a
list, and so does what another project promises, such as pytest-xdist of its modes. So a sentence
that is changed or new has no test, and is named.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = (
    "first-test",
    "gates-in-ci",
    "pytest-plugin",
    "rag",
    "review-baselines",
    "xdist",
)
# The end of a sentence: behind its full stop and what closes it, before what begins the next one.
_END = re.compile(r"(?<=[.?!])([)*\"]*)\s+(?=[*`\"(\[]*[A-Z`*])")


@dataclass(frozen=True)
class Held:
    """The sentences of a page by what holds them."""

    by_test: dict[str, list[str]]
    promise_nothing: list[str]
    of_others: list[str]  # what another project promises, and its own pages say

    def all(self) -> list[str]:
        """Each sentence that the table has."""
        found = [*self.promise_nothing, *self.of_others]
        for sentences in self.by_test.values():
            found += sentences
        return found


def held(page: str) -> Held:
    """What the table of a page says."""
    text = (Path(__file__).parent / f"{page}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return Held(table["tests"], table["promise_nothing"], table.get("of_others", []))


def sentences(text: str) -> list[str]:
    """Each sentence of a page in order; a row of a table is one, and so is an item of a list."""
    found = []
    for paragraph in _paragraphs(text):
        start = 0
        for match in _END.finditer(paragraph):
            found.append(paragraph[start : match.end(1)].strip())
            start = match.end(1)
        found.append(paragraph[start:].strip())
    return found


def of_page(page: str) -> list[str]:
    """The sentences of a page of the guide."""
    return sentences((DOCS / f"{page}.md").read_text(encoding="utf-8"))


def _paragraphs(text: str) -> Iterator[str]:
    """Each paragraph and each row on one line; no headings, no heads of tables, no code."""
    row: list[str] = []
    in_row = False
    in_head = False
    for token in MarkdownIt().enable("table").parse(text):
        if token.type in {"heading_open", "thead_open"}:
            in_head = True
        elif token.type in {"heading_close", "thead_close"}:
            in_head = False
        elif token.type == "tr_open":
            in_row = True
            row = []
        elif token.type == "tr_close":
            in_row = False
            if row:
                yield " | ".join(row)
        elif token.type == "inline" and not in_head:
            words = " ".join(token.content.split())
            if in_row:
                row.append(words)
            else:
                yield words


@cache
def defined(path: Path) -> frozenset[str]:
    """The tests of a file, those of its classes included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return frozenset(named)


def is_there(test: str) -> bool:
    """Whether there is such a test: "file::name", the file from the folder of tests."""
    file, _, name = test.partition("::")
    path = ROOT / "tests" / file
    return name.startswith("test_") and path.is_file() and name in defined(path)
