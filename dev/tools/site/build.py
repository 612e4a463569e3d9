"""Builds the site: `python -m dev.tools.site.build OUT`.

Tutorials, guides, reference, explanation and the course as static pages, with search, figures and
equations in MathML. The site is built and read without a network. No notebook is run: a chapter
shows the outputs that `make notebooks` stored.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from dev.tools import terminal
from dev.tools.places import FOLDER, ROOT
from dev.tools.playground import write_page
from dev.tools.site import (
    chapters,
    file_formats,
    front,
    guide,
    lessons,
    library_pages,
    lookup,
    markup,
    metric_parts,
    parts,
    published,
    reference,
    slides,
)
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
    facts, read = {}, {}
    for path in found:
        notebook = read[path.stem] = nbformat.read(path, as_version=4)
        facts[path.stem] = chapters.facts(notebook)
        codes = [code for code in LANGUAGES if (notebooks / code / path.name).exists()]
        for code in ["", *codes]:
            own, exercises = notebooks / code / path.name, EXERCISES / code / path.name
            speak(code)
            try:
                text = chapters.chapter(
                    nbformat.read(own, as_version=4), path.stem, others,
                    exercises=exercises.exists(), launch=plan.launch, code=code, codes=codes,
                )  # fmt: skip
            finally:
                speak("")
            if exercises.exists():
                write(folder / code / "exercises" / path.name, exercises.read_bytes())
            write(folder / code / f"{path.stem}.md", text)
            write(folder / code / path.name, own.read_bytes())
    pages = _looked_up()
    listed = {name: text for name, text in pages.items() if not name.startswith(_BELOW)}
    listed |= {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    taught = lessons.pages(guide.read(SITE / "guide", read))
    about = parts.about(ROOT, __version__, (SITE / "cite.md").read_text(encoding="utf-8"))
    table = chapters.listed(facts)
    listed["course"] = (
        (SITE / "course.md").read_text(encoding="utf-8").replace("<!-- chapters -->", table)
    )
    grouped = listed | {n: text for n, text in taught.items() if not n.startswith(_BELOW)}
    parts.checked(plan, grouped)
    known = {*listed, *taught, *about}
    described = {name for names in TIERS["pages"].values() for name in names}
    for name, text in (pages | listed | taught | about).items():
        made = name in pages or name in taught
        shown = text if made else parts.page(text, known)
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
    first = first.replace("<!-- live -->", front.live()).replace("<!-- beside -->", front.beside())
    write(folder / "index.md", f"{first}\n\n{parts.contents(plan, titles, list(facts))}\n")


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
            write(out / "_static" / "math.ttf", markup.font().read_bytes())
            write(out / "_static" / metric_parts.SCRIPT, metric_parts.script())
            write_page(out, home="index.html")
            slides.write_decks(out / "slides", sorted(notebooks.glob("[0-9][0-9]_*.ipynb")))
            write(out / "version.txt", f"{__version__}\n")
            published.publish(out, terminal.shown_on((DOCS / "first-test.md").read_text("utf-8")))
    return failed


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
