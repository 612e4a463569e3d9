"""Slides of the chapters: whole, in order, within the screen, and without a network."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import v4

from dev.tools.notebooks import sources
from dev.tools.site import slides
from tests.site import chromium

NOTEBOOKS = [source.with_suffix(".ipynb") for source in sources()]
# What stands below the slide's edge, beside it, or was made too small to read.
LOOK = """new Promise((done) => {
  const look = () =>
    document.body.dataset.laid ? done(JSON.stringify(seen())) : setTimeout(look, 20);
  const seen = () => {
    document.body.classList.add("laying");
    document.querySelectorAll("details:not(.slider *)").forEach((d) => (d.open = true));
    const found = slides.map((slide, i) => {
      const box = slide.getBoundingClientRect();
      const inner = [...slide.querySelectorAll(":not(svg *, .notes, .notes *, .equation *)")];
      const over = inner.filter((e) => {
        const one = e.getBoundingClientRect();
        return one.bottom > box.top + 721 || one.right > 1281;
      });
      const scrolls = inner.filter((e) => e.matches("pre, .table-wrapper, .math.block")
        && e.scrollWidth > e.clientWidth + 1);
      const small = inner.filter((e) => e.style.zoom && e.style.zoom < 0.6);
      return [i + 1, over.length, scrolls.length, small.length];
    });
    return [slides.length, found.filter(([, ...counts]) => counts.some((count) => count))];
  };
  look();
})"""


def markdown(text: str, **metadata: Any) -> Any:
    """A cell of text."""
    return v4.new_markdown_cell(text, metadata=metadata)


def code(source: str, *shown: str, **metadata: Any) -> Any:
    """A cell of code with what it shows."""
    outputs = [v4.new_output("execute_result", {"text/html": page}) for page in shown]
    return v4.new_code_cell(source, outputs=outputs, metadata=metadata)


def test_rules_say_what_a_cell_is() -> None:
    """Headings start slides, plumbing and prose go, a question has its text, a tag goes first."""
    cells = [
        markdown("# T\n\nGoals.\n\n## A\n\nText.\n\nSaid.\n\n### B"),
        code("import numpy"),
        markdown("Said, too.\n\nA **term**."),
        code("assert np.isclose(x, 1)\nx", "<p>1</p>"),
        code("terms('gain')", "<p>gain</p>"),
        markdown("Said.\n\nData."),
        code("predict('?', 1)", "<p>?</p>"),
        code("reveal(1)", "<p>1</p>"),
        code("predict('!', 1)", "<p>!</p>"),
        code("x = 1"),
        code("def f():\n    plt.subplots()"),
        code("def g():\n    return 1"),
        markdown("Aside.", tags=["notes"]),
        code("1 + 1", "<p>2</p>", tags=["skip"]),
    ]
    made = slides.typed(v4.new_notebook(cells=cells))
    kinds = [cell.metadata["slideshow"]["slide_type"] for cell in made.cells]
    assert kinds == ["slide", "slide", "notes", "subslide", "skip", "notes", "-", "skip", "skip",
                     "notes", "-", "-", "fragment", "subslide", "-", "skip", "skip", "notes",
                     "skip"]  # fmt: skip
    assert len({cell.id for cell in made.cells}) == len(kinds)
    assert "slideshow" not in cells[0].metadata


@pytest.mark.suite("site")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_deck_has_the_chapter(path: Path) -> None:
    """Each prediction, reveal and heading, less what is tagged "skip"; no address to fetch from."""
    notebook = nbformat.read(path, as_version=4)
    page = slides.deck(notebook, path.stem)
    shown = [cell for cell in notebook.cells if "skip" not in cell.metadata.get("tags", ())]
    outputs = [output for cell in shown for output in cell.get("outputs", ())]
    text = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    assert page.count('class="predict"') == text.count('class="predict"') > 0
    assert page.count("<details><summary>Reveal the answer") == text.count(
        "<details><summary>Reveal the answer"
    )
    headings = sum(
        line.startswith("## ")
        for cell in shown
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
    )
    assert page.count("<h2>") == headings
    assert "default-src 'none'" in page
    assert "mistaken={" not in page


@pytest.mark.suite("site")
@pytest.mark.slow
def test_types_are_those_of_nbconvert() -> None:
    """The typed notebook is a deck for `jupyter nbconvert --to slides`, and so for RISE."""
    from nbconvert import SlidesExporter

    made = slides.typed(nbformat.read(NOTEBOOKS[0], as_version=4))
    page, _ = SlidesExporter().from_notebook_node(made)
    kinds = [cell.metadata["slideshow"]["slide_type"] for cell in made.cells]
    assert page.count("<section") >= kinds.count("slide") + kinds.count("subslide") > 20
    assert page.count('class="fragment"') == kinds.count("fragment") > 0


@pytest.mark.suite("site")
@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_lesson_has_thirty_slides_at_most(notebook: Path, tmp_path: Path) -> None:
    """None overflows with all that is folded unfolded; keys open an answer before they go on."""
    path = chromium.found()
    if path is None:
        pytest.skip("no browser to open the slides with")
    slides.write_decks(tmp_path, [notebook])
    with chromium.Chromium(path, tmp_path / "profile") as browser:
        seen = browser.open((tmp_path / f"{notebook.stem}.html").as_uri(), 1280)
        found = browser.evaluate(LOOK)
        assert found.endswith(",[]]"), found
        assert json.loads(found)[0] <= 30
        assert seen.logged == []
        assert all(a.startswith(("file:", "data:", "about:")) for a in seen.asked_for)
        steps = browser.evaluate(
            """document.querySelectorAll("details").forEach((d) => (d.open = false));
            document.body.classList.remove("laying"); show(0);
            const at = slides.findIndex((s) => s.querySelector("details:not(.quiz *, .slider *)"));
            show(at);
            const key = () => document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
            key();
            const opened = now === at && slides[at].querySelector("details[open]") !== null;
            while (now === at) key();
            [opened, now - at]"""
        )
        assert steps == [True, 1]
