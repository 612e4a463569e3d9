"""Builds the book of the course: `python -m irmetrics_edu.course.book OUT`.

A static page for each notebook as it stands, with its outputs: search, figures and equations in
MathML. The book is built and read without a network. Nothing is run; `make notebooks` does that.
"""

import argparse
import importlib.resources
import sys
import tempfile
from pathlib import Path

from irmetrics_edu.course import book_pages
from irmetrics_edu.course.build import FOLDER, ROOT
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

BOOK = ROOT / "book"
DOCS = ROOT / "docs"


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
        write(folder / f"{path.stem}.md", book_pages.chapter(notebook, path.stem, others))
        write(folder / path.name, path.read_bytes())
    pages = {"glossary": book_pages.glossary(), "metrics": book_pages.metrics()}
    for name in book_pages.DOCS:
        if (DOCS / f"{name}.md").exists():
            pages[name] = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    for name, text in pages.items():
        write(folder / f"{name}.md", text)
    first = (BOOK / "index.md").read_text(encoding="utf-8")
    write(folder / "index.md", book_pages.index(first, chapters, list(pages)))


def build(out: Path, notebooks: Path = FOLDER) -> int:
    """Build the book into a folder, which is made if need be; warnings are errors."""
    build_main = extra("sphinx.cmd.build", what="the book").build_main
    with tempfile.TemporaryDirectory() as temporary:
        pages = Path(temporary) / "pages"
        stage(pages, notebooks)
        doctrees = str(Path(temporary) / "doctrees")
        options = ["-q", "-W", "--keep-going", "-E", "-b", "html", "-c", str(BOOK), "-d", doctrees]
        built = Path(temporary) / "built"
        failed = int(build_main([*options, str(pages), str(built)]))
        if not failed:
            for path in (p for p in built.rglob("*") if p.is_file()):
                write(out / path.relative_to(built), path.read_bytes())
            write(out / "_static" / "math.ttf", _font().read_bytes())
    return failed


def _font() -> Path:
    """STIX Two Math (SIL Open Font License), without which many a browser sets small sums."""
    font = importlib.resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    return Path(str(font))


def main(arguments: list[str] | None = None) -> int:
    """Build the book into the folder that is named."""
    parser = argparse.ArgumentParser(
        prog="python -m irmetrics_edu.course.book", description=__doc__
    )
    parser.add_argument("out", type=Path, help="the folder of the book, such as build/book")
    out = parser.parse_args(arguments).out
    failed = build(out)
    if not failed:
        print(f"open {out / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(ended("irmetrics_edu.course.book", main))
