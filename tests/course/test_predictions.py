"""What a reader may type into a prediction: every answer that an honest calculation gives."""

import ast
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from dev.tools import quick
from dev.tools.notebooks import sources
from dev.tools.places import ROOT
from irmetrics_edu.course import predict
from irmetrics_edu.course.prompts import SCRIPT_OF_WORDS, outcomes
from irmetrics_edu.errors import InputError

COUNT = "a count of what the question names"

# Answers that a chapter types as they stand: each is a count, or exactly this computation.
EXACT = {
    ("01", "7"): COUNT,
    ("01", "0.998"): "1 - 2 / 1000",
    ("01", "0.0"): "0 / 2",
    ("01", "0.4"): "2 / 5",
    ("02", "0.3"): "3 / 10",
    ("02", "1"): COUNT,
    ("03", "3"): COUNT,
    ("03", "5"): COUNT,
    ("05", "3"): "(1 + 5) / 2",
    ("06", "4"): "2 * 2",
    ("08", "0.5"): "1 / 2",
    ("09", "0"): COUNT,
    ("09", "3"): COUNT,
    ("11", "0.01"): "1 / 10 / 10",
    ("12", "3.4"): "17 / 5",
    ("12", "2"): COUNT,
    ("12", "5"): COUNT,
    ("12", "1"): COUNT,
    ("13", "0.005"): "1 / 100 / 2",
    ("13", "1"): COUNT,
    ("15", "1"): COUNT,
    ("18", "2"): COUNT,
    ("19", "6.5"): "(4 + 9) / 2",
    ("20", "6"): COUNT,
    ("21", "0.125"): "1 / 4 * 1 / 4 + 1 / 4 * 1 / 4",
    ("21", "1.1875"): "3 / 4 * 3 / 4 * 2 + 1 / 4 * 1 / 4",
    ("22", "3"): COUNT,
    ("22", "2"): "1 + 1",
    ("22", "0.5"): "1 / 2",
    ("07", "1"): "20 / 20",
    ("25", "9"): COUNT,
}


class Asked(NamedTuple):
    """A call of predict in a chapter: its file, its line, and the call."""

    chapter: str
    line: int
    call: ast.Call


def predictions() -> Iterator[Asked]:
    """Every prediction of the chapters."""
    for source in sources():
        for line, code in quick.cells(Path(source)):
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "predict":
                    yield Asked(Path(source).name[:2], line + node.lineno, node)


def exactly(written: str) -> Fraction:
    """A sum, difference, product or quotient of whole numbers, without rounding."""
    return _exact(ast.parse(written, mode="eval").body)


def _exact(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(node.value)
    assert isinstance(node, ast.BinOp), ast.dump(node)
    left, right = _exact(node.left), _exact(node.right)
    operations = {
        ast.Add: Fraction.__add__,
        ast.Sub: Fraction.__sub__,
        ast.Mult: Fraction.__mul__,
        ast.Div: Fraction.__truediv__,
    }
    return operations[type(node.op)](left, right)


def test_no_chapter_types_a_rounded_answer() -> None:
    """A reader who types one digit more than the chapter would be told: not yet."""
    rounded = []
    met = set()
    for asked in predictions():
        if len(asked.call.args) < 2:
            continue
        written = ast.unparse(asked.call.args[1])
        try:
            value = Fraction(str(ast.literal_eval(written)))
        except ValueError:
            continue  # computed in the chapter
        key = (asked.chapter, written)
        met.add(key)
        computation = EXACT.get(key)
        if computation is None or (computation != COUNT and exactly(computation) != value):
            rounded.append(f"{asked.chapter}:{asked.line}: {written}")
    assert not rounded, "write the computation in place of the number, or tell here why it is exact"
    assert met == set(EXACT)


def test_a_range_takes_every_answer_in_it_and_no_other() -> None:
    """A simulation that gives 15.5 on average: 16 is what the standard error gives."""
    [right] = outcomes(15.46, (), {}, (9, 22))
    assert {"9", "16", "22", "15.46", "15.5"} <= set(right.forms)
    assert not {"8", "23", "15.1"} & set(right.forms)
    [share] = outcomes(0.29, (), {}, (0.2, 0.35))
    assert {"0.20", "0.29", "0.35"} <= set(share.forms)


@pytest.mark.parametrize(
    "given",
    [
        {"answer": 8, "between": (9, 22)},
        {"answer": 15, "between": (9, 22), "mistaken": {12: "Why?"}},
        {"between": (9, 22)},
    ],
)
def test_a_range_that_contradicts_its_question_is_refused(given) -> None:
    """The answer lies in it, and no mistake does."""
    with pytest.raises(InputError, match="between"):
        predict("How many?", **given)


def test_every_prediction_in_words_has_an_answer_to_compare_with() -> None:
    """One of the next four cells of code reveals an answer, or lets the reader move a slider."""
    alone = []
    for source in sources():
        cells = quick.cells(Path(source))
        for place, (line, code) in enumerate(cells):
            for node in ast.walk(ast.parse(code)):
                if not isinstance(node, ast.Call) or ast.unparse(node.func) != "predict":
                    continue
                in_words = len(node.args) < 2 and not any(k.arg == "of" for k in node.keywords)
                after = " ".join(text for _, text in cells[place : place + 5])
                if in_words and "reveal(" not in after and "slider(" not in after:
                    alone.append(f"{Path(source).name}:{line + node.lineno}")
    assert alone == []


# Words of statistics, and where the chapters from 6 on use them first.
DEFINED = {
    "standard error": "07",
    "impression": "18",
    "partial derivative": "19",
    "curvature": "19",
    "Newton's method": "19",
    "degrees of freedom": "07",
    "quantile": "07",
    "bootstrap": "07",
    "McNemar": "07",
    "covariance": "26",
}


def test_a_word_of_statistics_is_explained_where_it_is_first_used() -> None:
    """In bold letters, in the text or in the sentence of a cell that shows it."""
    texts = {}
    for source in sources():
        chapter = Path(source).name[:2]
        prose = "\n".join(
            line
            for cell in Path(source).read_text(encoding="utf-8").split("# %%")
            if cell.startswith(" [markdown]")
            for line in cell.splitlines()
        )
        texts[chapter] = " ".join(prose.replace("\n#", " ").split())
    missing = []
    for word, chapter in DEFINED.items():
        first = next(c for c, text in texts.items() if c >= "06" and word in text)
        text = texts[first]
        if first != chapter or text[: text.index(word)][-2:] != "**":
            missing.append(f"{word}: first in chapter {first}")
    assert missing == []


def shown(chapter: Path) -> Iterator[str]:
    """What a chapter shows of predictions and answers, in order: HTML."""
    book = json.loads(chapter.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        for output in cell.get("outputs", ()):
            yield "".join(output.get("data", {}).get("text/html", ""))


@pytest.mark.parametrize(
    "chapter",
    sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("notebooks/??/*.ipynb")]),
    ids=lambda path: path.stem,
)
def test_a_prediction_in_words_is_followed_by_the_answer_that_it_opens(chapter: Path) -> None:
    """The next thing that is shown is an answer, which the field opens, or a figure to move."""
    pages = [page for page in shown(chapter) if page]
    for place, page in enumerate(pages):
        if 'class="sentence"' in page:
            assert SCRIPT_OF_WORDS in page
            assert "data-compared" in page
            assert pages[place + 1].startswith(("<details", '<div class="slider"')), page[:300]
