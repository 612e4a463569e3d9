"""Builds the notebooks: `python -m dev.tools.notebooks [NAME ...]`.

`notebooks/NN_topic.py` is what is edited; `NN_topic.ipynb`, with its outputs, is what is opened.
`--language ja` builds `ja/NN_topic.ipynb`, with the texts of the catalogue in `locale`.
The build is deterministic: fixed cell ids, no time stamps, no state of widgets, so that a change
of the file is a change of the course. `--check` builds in memory and fails where a file differs.
"""

import argparse
import ast
import difflib
import re
import sys
from pathlib import Path
from typing import Any

import jupytext
from traitlets.config import Config

from dev.tools import translated
from dev.tools.places import FOLDER
from irmetrics_edu.classroom.exercises.build import LANGUAGE, as_text, fold
from irmetrics_edu.classroom.exercises.source import chosen
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

SECONDS = 120
# Without it each kernel warns that others on this machine can read what it is sent.
ENCRYPTED = Config({"KernelManager": {"transport_encryption": "auto"}})
_WIDGET = "application/vnd.jupyter.widget-view+json"
# A picture's bytes depend on the fonts of the machine; its alt text does not.
_PICTURE = re.compile(r"base64,[A-Za-z0-9+/=]+")
TEXT_ALONE = {"predict", "quiz", "quote", "reading", "terms"}
_FOLDED = {"reveal", "predict", "quiz", "figure", "slider"}


def ran(notebook: Any) -> Any:
    """The same notebook with its outputs, and nothing in them that differs from run to run."""
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        config=ENCRYPTED,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        record_timing=False,
    )
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.pop("execution_count", None) if output.output_type == "stream" else None
            output.get("data", {}).pop(_WIDGET, None)
        cell.metadata.pop("execution", None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = dict(LANGUAGE)
    return notebook


def without_pictures(text: str) -> str:
    """The file with every picture's bytes taken out, for comparison."""
    return _PICTURE.sub("base64,", text)


def sources(names: list[str] | None = None) -> list[Path]:
    """The notebooks' sources, all or those whose names begin so."""
    return chosen(sorted(FOLDER.glob("[0-9][0-9]_*.py")), names or ())


def paired(source: Path, language: str = "") -> Any:
    """The notebook of a source, without outputs, its cells named by their place."""
    notebook = jupytext.read(source, fmt="py:percent")
    if language:
        translate = translated.translator(language, source.stem)
        notebook = in_language(notebook, translate, language)
    for i, cell in enumerate(notebook.cells, 1):
        cell["id"] = f"{source.stem[:2]}-{i:03d}"
        cell.metadata = {k: v for k, v in cell.metadata.items() if k == "tags"}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if folds(cell.source):
                fold(cell)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": dict(LANGUAGE),
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def in_language(book: Any, translate: translated.Translate, code: str) -> Any:
    """A notebook in another language, not yet run; its first cell of code sets the language."""
    first = True
    for one in book.cells:
        one["source"] = translated.cell(
            one["source"], translate, markdown=one.cell_type == "markdown"
        )
        if one.cell_type == "code" and first:
            first = False
            one["source"] += f'\nfrom irmetrics_edu.views.language import speak\n\nspeak("{code}")'
    return book


def shows(source: str) -> tuple[str, bool]:
    """The name of the function whose result a cell shows, and whether that is all it does.

    >>> shows("reveal(1)"), shows("x = 2; quiz(x)"), shows("x = 2")
    (('reveal', True), ('quiz', False), ('', False))
    """
    lines = ast.parse(source).body
    last = lines[-1].value if lines and isinstance(lines[-1], ast.Expr) else None
    if isinstance(last, ast.Call) and isinstance(last.func, ast.Name):
        return last.func.id, len(lines) == 1
    return "", False


def repeats_a_text(source: str) -> bool:
    """Whether a cell only shows a text that stands in its code, word for word.

    >>> repeats_a_text("quiz('q')"), repeats_a_text("reveal('Two.')"), repeats_a_text("reveal(x)")
    (True, True, False)
    """
    last, alone = shows(source)
    if alone and last == "reveal":
        call = ast.parse(source, mode="eval").body
        shown = call.args[0] if isinstance(call, ast.Call) else call
        return isinstance(shown, ast.Constant) or shows(ast.unparse(shown))[0] == "quote"
    return alone and last in TEXT_ALONE


def folds(source: str) -> bool:
    """Whether a cell's code is folded: it gives an answer away, draws, imports, or repeats a text.

    >>> folds("reveal(1)"), folds("x = 2; quiz(x)"), folds("import re"), folds("x = 2")
    (True, True, True, False)
    """
    return shows(source)[0] in _FOLDED or repeats_a_text(source) or sets_up(source)


def sets_up(source: str) -> bool:
    """Whether a cell shows nothing and only imports, or only defines how to draw."""
    lines = ast.parse(source).body
    if shows(source)[0] == "speak":
        lines = lines[:-1]  # a translated chapter sets its language after its imports
    if any(isinstance(line, ast.FunctionDef) for line in lines):
        return "subplots" in source and not isinstance(lines[-1], ast.Expr)
    return bool(lines) and all(isinstance(line, ast.Import | ast.ImportFrom) for line in lines)


def built(source: Path, language: str = "") -> Path:
    """Where the notebook of a source is stored, in English or in another language."""
    return FOLDER / language / f"{source.stem}.ipynb"


def executed(source: Path, language: str = "") -> Any:
    """The notebook of a source, run from top to bottom."""
    return ran(paired(source, language))


def main(arguments: list[str] | None = None) -> int:
    """Build, or check, the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.notebooks", description=__doc__)
    parser.add_argument("names", nargs="*", help="such as 04; default all")
    parser.add_argument("--language", default="", help="such as ja; default English")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    args = parser.parse_args(arguments)
    failed = 0
    for source in sources(args.names):
        target = built(source, args.language)
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        new = as_text(executed(source, args.language))
        same = without_pictures(old) == without_pictures(new)
        if args.check and not same:
            failed = 1
            lines = difflib.unified_diff(
                without_pictures(old).splitlines(), without_pictures(new).splitlines(), n=1
            )
            print(
                f"{target.relative_to(FOLDER)} is not what {source.name} gives:",
                *list(lines)[:40],
                sep="\n",
            )
        elif not args.check and not same:
            write(target, new)
            print(f"wrote {target.relative_to(FOLDER)}")
    return failed


if __name__ == "__main__":
    sys.exit(ended("dev.tools.notebooks", main))
