"""Words in Chinese or Japanese stand behind their translation, and after who says them."""

import ast
import re
from pathlib import Path

import jupytext
import pytest

from dev.tools.notebooks import sources

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")


def quotations(source: Path) -> list[tuple[int, str, str, str]]:
    """The line, the document, the words and the translation of each quotation of a chapter."""
    found = []
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "quote":
            given = [a.value if isinstance(a, ast.Constant) else "" for a in node.args]
            document, words, translation = [str(each) for each in (*given, "")][:3]
            found.append((node.lineno, document, words, translation))
    return found


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_quotations_have_a_translation_and_follow_their_document(source: Path) -> None:
    """A document is introduced with its number and its language before it is quoted."""
    lines = source.read_text(encoding="utf-8").splitlines()
    faults = []
    for line, document, words, translation in quotations(source):
        before = " ".join(each.removeprefix("#").strip() for each in lines[:line])
        if not re.search(rf"[Dd]ocument {document}\b", before):
            faults.append(f"line {line}: document {document} has not been introduced")
        if _CJK.search(words):
            if not re.search("Chinese|Japanese", before):
                faults.append(f"line {line}: in which language is {words!r}?")
            if not translation or _CJK.search(translation):
                faults.append(f"line {line}: {words!r} needs a translation")
    assert faults == []


@pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)
def test_in_prose_the_original_stands_in_brackets_behind_its_translation(source: Path) -> None:
    """Who can't read it can leave it out."""
    cells = jupytext.read(source, fmt="py:percent").cells
    prose = " ".join(c.source.replace("\n", " ") for c in cells if c.cell_type == "markdown")
    shown = re.findall(rf".{{0,30}}{_CJK.pattern}", prose)
    assert [words for words in shown if not re.search(rf"\w\*? \({_CJK.pattern}$", words)] == []


def test_the_quotations_are_read() -> None:
    """None would be no fault."""
    assert sum(len(quotations(source)) for source in sources()) > 25
