"""Notebooks that are converted to a script, a page or a book: nothing that is folded shows."""

import ast
import json

import pytest

from irmetrics_edu.classroom.exercises.build import HIDDEN, LANGUAGE
from tests.course.test_notebooks import ROOT

FOLDERS = ("notebooks", "notebooks/ja", "notebooks/zh", "exercises", "exercises/ja", "exercises/zh",
           "solutions")  # fmt: skip
BOOKS = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.ipynb"))
# A chapter, one with quotations in Chinese and Japanese, a translated one, and an exercise.
SOME = ("notebooks/01_relevant_or_not", "notebooks/11_diversity_that_counts",
        "notebooks/ja/04_graded_relevance", "exercises/04_graded_relevance")  # fmt: skip


def source(cell):
    """The text of a cell."""
    return "".join(cell["source"])


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_tool_knows_the_language_and_what_is_folded(path):
    """Each cell that JupyterLab folds is folded for the others, and no other cell."""
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["metadata"]["language_info"] == LANGUAGE
    for cell in book["cells"]:
        metadata = cell["metadata"]
        folded = metadata.get("jupyter") == {"source_hidden": True}
        assert folded == (HIDDEN in metadata.get("tags", ())), cell["id"]
        assert folded == (metadata.get("cellView") == "form"), cell["id"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_a_script_has_the_code_and_the_text(name):
    """A .py that Python reads, with the text as comments."""
    nbconvert = pytest.importorskip("nbconvert")
    path = ROOT / f"{name}.ipynb"
    text, resources = nbconvert.ScriptExporter().from_filename(str(path))
    assert resources["output_extension"] == ".py"
    ast.parse(text)
    book = json.loads(path.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        for line in source(cell).splitlines():
            shown = f"# {line}" if cell["cell_type"] == "markdown" else line
            assert shown.rstrip() in text, (cell["id"], line)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_a_page_shows_no_answer_above_its_question(name):
    """By the options of the guide; all other code and all letters are there."""
    nbconvert = pytest.importorskip("nbconvert")
    config = pytest.importorskip("traitlets.config").Config()
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_input_tags = {HIDDEN}
    path = ROOT / f"{name}.ipynb"
    book = json.loads(path.read_text(encoding="utf-8"))
    page, _ = nbconvert.HTMLExporter(config=config).from_filename(str(path))
    inputs = page.count('class="jp-InputArea jp-Cell-inputArea"')
    folded = [cell for cell in book["cells"] if HIDDEN in cell["metadata"].get("tags", ())]
    assert folded
    assert inputs == len(book["cells"]) - len(folded)
    for asks in ("quiz", "predict"):
        assert f'<span class="n">{asks}</span>' not in page
    letters = {letter for cell in book["cells"] for letter in source(cell) if ord(letter) > 0x370
               and cell["cell_type"] == "markdown"}  # fmt: skip
    assert [letter for letter in letters if letter not in page] == []


def test_the_guide_has_these_options():
    """The command of the page is what was tried above."""
    page = (ROOT / "docs" / "teach-from-it.md").read_text(encoding="utf-8")
    assert "--TagRemovePreprocessor.enabled=True" in page
    assert f"--TagRemovePreprocessor.remove_input_tags={HIDDEN} " in page
