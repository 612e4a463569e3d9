"""Builds the book of the course: `python -m irmetrics_edu.course.book OUT`.

A static page for each notebook as it stands, with its outputs: search, figures and equations in
MathML. The book is built and read without a network. Nothing is run; `make notebooks` does that.
"""

import argparse
import importlib.resources
import shutil
import sys
import tempfile
from pathlib import Path

from irmetrics_edu.course import book_pages
from irmetrics_edu.course.build import FOLDER, ROOT
from irmetrics_edu.errors import InputError

BOOK = ROOT / "book"
CONVENTIONS = ROOT / "docs" / "conventions.md"


def stage(folder: Path, notebooks: Path = FOLDER) -> None:
    """Write the pages in Markdown into a folder, the notebooks beside them."""
    import nbformat

    found = sorted(notebooks.glob("[0-9][0-9]_*.ipynb"))
    if not found:
        raise InputError(f"there are no notebooks in {notebooks}; build them first")
    others = {int(path.stem[:2]): path.stem for path in found}
    chapters = {}
    for path in found:
        notebook = nbformat.read(path, as_version=4)
        chapters[path.stem] = book_pages.facts(notebook)
        _write(folder / f"{path.stem}.md", book_pages.chapter(notebook, path.stem, others))
        shutil.copy(path, folder)
    pages = {"glossary": book_pages.glossary(), "metrics": book_pages.metrics()}
    if CONVENTIONS.exists():
        pages["conventions"] = CONVENTIONS.read_text(encoding="utf-8")
    for name, text in pages.items():
        _write(folder / f"{name}.md", text)
    first = (BOOK / "index.md").read_text(encoding="utf-8")
    _write(folder / "index.md", book_pages.index(first, chapters, list(pages)))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def build(out: Path, notebooks: Path = FOLDER) -> int:
    """Build the book into a folder, which is made if need be; warnings are errors."""
    try:
        from sphinx.cmd.build import build_main
    except ModuleNotFoundError:
        raise InputError("the book needs Sphinx: pip install 'irmetrics-edu[book]'") from None
    with tempfile.TemporaryDirectory() as temporary:
        pages = Path(temporary) / "pages"
        pages.mkdir()
        stage(pages, notebooks)
        doctrees = str(Path(temporary) / "doctrees")
        options = ["-q", "-W", "--keep-going", "-E", "-b", "html", "-c", str(BOOK), "-d", doctrees]
        failed = build_main([*options, str(pages), str(out)])
    if not failed:
        shutil.copy(_font(), out / "_static" / "math.ttf")
    return failed


def _font() -> Path:
    """STIX Two Math (SIL Open Font License), without which many a browser sets small sums."""
    font = importlib.resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    return Path(str(font))


def main(arguments: list[str] | None = None) -> int:
    """Build the book into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the book, such as build/book")
    out = parser.parse_args(arguments).out
    failed = build(out)
    if not failed:
        print(f"open {out / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
