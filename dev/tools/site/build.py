"""Builds the site: `python -m dev.tools.site.build OUT`.

Tutorials, guides, reference, explanation and the course as static pages, with search, figures and
equations in MathML. The site is built and read without a network. No notebook is run: a chapter
shows the outputs that `make notebooks` stored.
"""

import argparse
import html
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dev.tools import terminal
from dev.tools.places import FOLDER, ROOT
from dev.tools.playground.page import ABOUT, NAME, TITLE, write_page
from dev.tools.site import (
    chapters,
    downloads,
    file_formats,
    front,
    guide,
    lessons,
    library_pages,
    lookup,
    markup,
    metric_parts,
    moved,
    parts,
    published,
    reference,
    slides,
)
from dev.tools.site.wording import worded
from dev.tools.tiers import TIERS, tier_of, with_note
from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.views.language import LANGUAGES, speak
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

SITE = ROOT / "dev" / "site"
DOCS = ROOT / "docs"
EXERCISES = ROOT / "exercises"
_BELOW = ("metric-", "files-", "lesson-", "library-")  # pages that another page lists


def stage(folder: Path, notebooks: Path = FOLDER) -> None:
    """Write the pages in Markdown into a folder, with notebooks and pictures beside them."""
    import nbformat

    found = sorted(notebooks.glob("[0-9][0-9]_*.ipynb"))
    if not found:
        raise InputError(f"there are no notebooks in {notebooks}; build them first")
    others = {int(path.stem[:2]): path.stem for path in found}
    plan = parts.read(SITE / "pages.toml")
    facts, read, goals = {}, {}, {}
    translated: list[str] = []
    for path in found:
        notebook = read[path.stem] = worded(nbformat.read(path, as_version=4))
        facts[path.stem] = chapters.facts(notebook)
        goals[path.stem] = chapters.goal(notebook)
        translated += _written(folder, path, others, plan.launch)
    pages = _looked_up()
    listed = {name: text for name, text in pages.items() if not name.startswith(_BELOW)}
    listed |= {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    taught = lessons.pages(guide.read(SITE / "guide", read))
    about = parts.about(ROOT, __version__, (SITE / "cite.md").read_text(encoding="utf-8"))
    table = chapters.listed(facts, goals)
    listed["course"] = (
        (SITE / "course.md").read_text(encoding="utf-8").replace("<!-- chapters -->", table)
    )
    grouped = listed | {n: text for n, text in taught.items() if not n.startswith(_BELOW)}
    parts.checked(plan, grouped)
    known = {*listed, *taught, *about, *facts, *translated}
    described = {name for names in TIERS["pages"].values() for name in names}
    for name, text in (pages | listed | taught | about).items():
        made = name in pages or name in taught
        shown = text if made else parts.page(text, known)
        shown = shown.replace("<!-- ask -->", front.field())
        if name in described:
            shown = with_note(shown, tier_of("pages", name))
        write(folder / f"{name}.md", parts.LONE + shown if name in plan.linked else shown)
    for name, text in file_formats.schemas().items():
        write(folder / name, text)
    for path in (*DOCS.rglob("*.svg"), *DOCS.rglob("*.jpg")):
        write(folder / path.relative_to(DOCS), path.read_bytes())
    titles = {name: parts.title(text, name) for name, text in grouped.items()}
    titles |= {name: title for name, (title, *_) in facts.items()}
    first = (SITE / "index.md").read_text(encoding="utf-8")
    exercises = len(list(EXERCISES.glob("[0-9][0-9]_*.ipynb")))
    counts = {"chapters": str(len(found)), "exercises": str(exercises)}
    for place, piece in (_first_page() | counts).items():
        first = first.replace(f"<!-- {place} -->", piece)
    write(folder / "index.md", f"{first}\n\n{parts.contents(plan, titles, list(facts))}\n")


def _written(folder: Path, path: Path, others: Mapping[int, str], launch: str) -> list[str]:
    """Write a chapter in all its languages, and name the pages of the translations."""
    import nbformat

    notebooks = path.parent
    codes = {
        code: len(list((notebooks / code).glob("[0-9][0-9]_*.ipynb")))
        for code in LANGUAGES
        if (notebooks / code / path.name).exists()
    }
    for code in ["", *codes]:
        own, exercises = notebooks / code / path.name, EXERCISES / code / path.name
        speak(code)
        try:
            text = chapters.chapter(
                nbformat.read(own, as_version=4), path.stem, others,
                exercises=exercises.exists(), launch=launch, code=code, codes=codes,
            )  # fmt: skip
        finally:
            speak("")
        if exercises.exists():
            write(folder / code / "exercises" / path.name, exercises.read_bytes())
        write(folder / code / f"{path.stem}.md", text)
        write(folder / code / path.name, own.read_bytes())
    return [f"{code}/{path.stem}" for code in codes]


def _first_page() -> dict[str, str]:
    """What the first page shows, by its place there."""
    wheel = f"{downloads.FOLDER}/{downloads.WHEEL}"
    course = f"{downloads.FOLDER}/{downloads.COURSE}"
    command = markup.fenced(f"$ {downloads.install(published.address())}", "console")
    offers = markup.raw(
        '<p class="take">It needs Python 3.11 or later. '
        f'Take <a download href="{wheel}">the wheel</a>, '
        f'or <a download href="{course}">all notebooks and exercises</a>. '
        '<a href="installation.html">All ways to install it</a>.</p>'
    )
    return {
        "install": f"{command}\n\n{offers}",
        "failed": front.failed(_failure()),
        "ask": front.field(),
        "beside": front.beside(),
    }


def _failure() -> str:
    """The failure that the first test's page shows."""
    return terminal.shown_on((DOCS / "first-test.md").read_text("utf-8"))


def _looked_up() -> dict[str, str]:
    """The pages that are generated from the code."""
    return {
        "glossary": lookup.glossary(),
        "functions": reference.functions(),
        "commands": reference.commands(),
        "plugin": reference.plugin(),
        **dict(lookup.metrics()),
        **dict(library_pages.pages()),
        **dict(file_formats.pages()),
    }


def build(out: Path, notebooks: Path = FOLDER) -> int:
    """Build the site into a folder, which is made if it is missing; warnings are errors."""
    build_main = extra("sphinx.cmd.build", what="the site").build_main
    with tempfile.TemporaryDirectory() as temporary:
        pages = Path(temporary) / "pages"
        stage(pages, notebooks)
        doctrees = str(Path(temporary) / "doctrees")
        options = ["-q", "-W", "--keep-going", "-E", "-b", "html", "-c", str(SITE), "-d", doctrees]
        built = Path(temporary) / "built"
        failed = int(build_main([*options, str(pages), str(built)]))
        if not failed:
            for path in (p for p in built.rglob("*") if p.is_file()):
                write(out / path.relative_to(built), path.read_bytes())
            write(out / "_static" / "math.woff", markup.font(_signs(out)))
            write(out / "_static" / metric_parts.SCRIPT, metric_parts.script())
            told = published.preview(TITLE, ABOUT, NAME)
            write_page(out, home="index.html", preview=told)
            slides.write_decks(out / "slides", sorted(notebooks.glob("[0-9][0-9]_*.ipynb")))
            write(out / "version.txt", f"{__version__}\n")
            downloads.write_downloads(out)
            published.publish(out, _failure())
            found = sorted(notebooks.glob("[0-9][0-9]_*.ipynb"))
            moved.write_pages(out, SITE / "moved.toml", [path.stem for path in found])
    return failed


def _signs(out: Path) -> set[str]:
    """The signs of all formulas: of the built pages, and those that a form may show."""
    found = {chr(i) for i in range(0x20, 0x7F)} | markup.SLANTED
    found |= {sign for sign in metric_parts.script() if not sign.isascii()}
    for page in out.rglob("*.html"):
        for formula in re.findall(r"<math.*?</math>", page.read_text(encoding="utf-8"), re.DOTALL):
            found |= set(html.unescape(re.sub(r"<[^>]*>", "", formula)))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Build the site into the folder that is named."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.site.build", description=__doc__)
    parser.add_argument("out", type=Path, help="the folder of the site, such as build/site")
    out = parser.parse_args(arguments).out
    failed = build(out)
    if not failed:
        print(f"open {out / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(ended("dev.tools.site.build", main))
