"""The pages of the site before Sphinx sets them: equations, cells, tables."""

import io
import re
import zipfile
from html import unescape
from pathlib import Path

import nbformat.v4 as nbf
import pytest

from dev.tools import terminal
from dev.tools.site import build, chapters, downloads, front, markup, parts, reference
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.mathml import mathml, with_equations
from tests.site import steps


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1}{2",
        r"\frac{1}",
        r"x_",
        r"\left( x",
        r"\unheard{x}",
        r"\begin{aligned}a&=b\end{aligned}",
        r"\text{$x$}",
        "",
    ],
)
def test_a_formula_that_cannot_be_set_stops_the_build(latex: str) -> None:
    """What is not translated in full is refused with the formula, and no reader meets LaTeX."""
    with pytest.raises(InputError, match="formula"):
        mathml(latex)


def test_words_and_letters_are_what_browsers_know() -> None:
    """A word is one word, a double-struck letter a letter, a limit stands below where displayed."""
    assert "<mi>nDCG</mi>" in mathml(r"\mathrm{nDCG}@k")
    assert "<mn>𝟙</mn>" in mathml(r"\mathbb{1}[x]")
    assert "<munder><mo>max</mo>" in mathml(r"\max_{i} x", display=True)
    assert "<msub><mo>max</mo>" in mathml(r"\max_{i} x")
    assert '<mo stretchy="false" lspace="0" rspace="0">|</mo>' in mathml("|R|")
    assert "mathvariant" not in mathml(r"\mathbf{A}\mathit{max\_grade}\mathsf{S}\mathbb{R}")


def test_equations_of_outputs_are_set_and_code_is_left() -> None:
    """Dollars between paragraphs are an equation, entities and all; in code they are dollars."""
    page = with_equations("<p>$$a &lt; b$$</p><pre>$$x$$</pre>")
    assert page.startswith('<p><math display="block" alttext="a &lt; b">')
    assert page.endswith("<pre>$$x$$</pre>")


def test_columns_of_numbers_are_marked() -> None:
    """A column all of numbers stands to the right with its heading; one with a word does not."""
    page = markup.framed(
        "<table><tr><th>rank</th><th>note</th></tr><tr><td>1</td><td>a</td></tr>"
        "<tr><td>−2.50</td><td>3</td></tr></table>"
    )
    assert '<th class="number">rank</th><th>note</th>' in page
    assert '<td class="number">−2.50</td><td>3</td>' in page
    assert page.startswith('<div class="table-wrapper" tabindex="0"><table>')


def _notebook(*sources: str) -> nbf.nbbase.NotebookNode:
    cells = [nbf.new_markdown_cell("# 3. Title\n\n**Time.** 45 minutes. **Needs.** Notebook 2.")]
    for source in sources:
        output = nbf.new_output("execute_result", data={"text/html": "<p>shown</p>"})
        cells.append(nbf.new_code_cell(source, outputs=[output]))
    return nbf.new_notebook(cells=cells)


def test_a_quiz_and_an_answer_do_not_show_their_source_first() -> None:
    """A quiz shows no source, an answer folds its own away below, other cells show theirs.

    An answer that is a text has no source: it would be the same text again.
    """
    texts = ("quiz('q')", "reveal('Two ' 'hits.')", "reveal(quote('003', 'x'), summary='So')")
    page = chapters.chapter(
        _notebook(*texts, "x = 1\nreveal(x)", "table(x)"), "03_title", {2: "02_other"}
    )
    assert "quiz(" not in page
    assert page.count("reveal(") == 1
    assert page.index("shown") < page.index("reveal(x)") < page.index("table(x)")
    assert "[Chapter 2](02_other.md)" in page


def test_the_web_speaks_of_chapters_and_the_file_of_itself() -> None:
    """A reader reads chapters; a notebook is what is run or downloaded. Code stays as it is."""
    texts = [
        "# 3. Title\n\n**Time.** 45 minutes. **Needs.** Notebooks 1 and 2.",
        "After this notebook: notebook 2. See `notebook 2`, and the last run of this notebook.",
        "Without a notebook. notebooks/02_other.ipynb, ノートブック 2, 笔记本 2。",
    ]
    shown = nbf.new_output(
        "execute_result", data={"text/html": "<p id='notebook 2'>Notebook 2</p>"}
    )
    cells = [nbf.new_markdown_cell(text) for text in texts]
    cells.append(nbf.new_code_cell("x = 'notebook 2'", outputs=[shown]))
    page = chapters.chapter(
        nbf.new_notebook(cells=cells), "03_title", {1: "01_one", 2: "02_other", 3: "03_title"}
    )
    assert "Chapters [1](01_one.md) and [2](02_other.md)." in page
    assert "this chapter: [chapter 2](02_other.md). See `notebook 2`" in page
    assert "the last run of this notebook." in page
    assert "Without a notebook. notebooks/02_other.ipynb, [" in page
    assert page.count("第") == 2
    assert "<p id='notebook 2'>Chapter 2</p>" in page
    assert "x = 'notebook 2'" in page


def test_facts_are_read_from_the_first_cell() -> None:
    """Title, time and needs of a chapter come from its first cell; no title is refused."""
    assert chapters.facts(_notebook()) == ("3. Title", "45 minutes", "Notebook 2")
    untitled = nbf.new_notebook(cells=[nbf.new_markdown_cell("Hello")])
    with pytest.raises(InputError, match="starts with its title"):
        chapters.facts(untitled)


def test_a_failed_cell_stops_the_build() -> None:
    """A notebook stored with an error is no chapter."""
    notebook = _notebook("1 / 0")
    notebook.cells[1].outputs = [nbf.new_output("error", ename="ZeroDivisionError")]
    with pytest.raises(InputError, match="ZeroDivisionError"):
        chapters.chapter(notebook, "03_title", {})


def test_without_notebooks_there_is_no_site(tmp_path: object) -> None:
    """An empty folder of notebooks is refused."""
    with pytest.raises(InputError, match="no notebooks"):
        build.stage(tmp_path, notebooks=tmp_path)


@pytest.mark.parametrize(
    ("listed", "made", "message"),
    [
        (("a", "a"), {"a"}, "lists a twice"),
        (("a", "b"), {"a"}, "lists b, and there is no docs/b.md"),
        (("a",), {"a", "c"}, "no group for c"),
    ],
)
def test_every_page_has_one_place(listed: tuple[str, ...], made: set[str], message: str) -> None:
    """A page in no part or in two is refused, and so is one that nobody wrote."""
    with pytest.raises(InputError, match=message):
        parts.checked(parts.Plan((("Guides", listed),)), made)


def test_what_the_site_has_not_is_no_link() -> None:
    """A link out of the site becomes text; a fence that names a file shows it."""
    text = "[a](a.md#x) [code](../b.py) ![plot](p.svg) [w](https://w.org) [here](#y)"
    assert parts.page(text, {"a"}) == text.replace("[code](../b.py)", "code")
    assert parts.page("```python x.py\n1\n```\n```csv not-run: so\n2\n```", ()) == (
        "```{code-block} python\n:caption: x.py\n\n1\n```\n```text\n2\n```"
    )


def test_a_chapter_ends_with_its_exercises_and_its_neighbours() -> None:
    """The exercises are a download, or opened online where an address is set."""
    others = {2: "02_other", 3: "03_title", 4: "04_next"}
    page = chapters.chapter(_notebook(), "03_title", others, exercises=True)
    assert "{download}`exercises/03_title.ipynb`" in page
    assert "online" not in page
    assert "Go on with [chapter 4](04_next.md)." in page.rpartition("## ")[2]
    launch = "https://x.org/{path}"
    page = chapters.chapter(_notebook(), "03_title", others, exercises=True, launch=launch)
    for folder in ("notebooks", "exercises"):
        assert f"[open it online](https://x.org/{folder}/03_title.ipynb)" in page
        assert (steps.ROOT / folder).is_dir()


def test_a_launch_address_without_a_place_for_the_path_is_refused(tmp_path: Path) -> None:
    """Every chapter would open the same page."""
    (tmp_path / "pages.toml").write_text('launch = "https://x.org"\ngroup = []\n')
    with pytest.raises(InputError, match=r"needs \{path\}"):
        parts.read(tmp_path / "pages.toml")


def words(page: str) -> str:
    """The words of a page in Markdown, without links, marks of emphasis and breaks of lines."""
    plain = re.sub(r"\]\([^)]*\)|[*\[\]#]", "", page)
    return " ".join(plain.split())


FOLDERS = {"chapters": "notebooks", "exercises": "exercises"}


def test_the_readme_says_what_the_first_page_says() -> None:
    """The promise, the three doors and the tools beside it are in both, in the same words."""
    first = (build.SITE / "index.md").read_text(encoding="utf-8")
    readme = (build.ROOT / "README.md").read_text(encoding="utf-8")
    assert front.beside() in readme
    marks = re.MULTILINE | re.DOTALL
    promise = re.findall(r"^# ([^\n]+)$|^(irmetrics-edu is a .+?a course\.)", first, marks)
    ways = re.findall(r"^- (\*\*.+?)\n\n", first, marks)
    below = first.partition("<!-- beside -->")[2]
    assert len(promise) == 2
    assert len(ways) == 3
    for kind in ("chapters", "exercises"):
        counted = len(list((build.ROOT / FOLDERS[kind]).glob("[0-9][0-9]_*.ipynb")))
        ways = [way.replace(f"<!-- {kind} -->", str(counted)) for way in ways]
    for said in [*map("".join, promise), *ways, below]:
        assert words(said) in words(readme)


def test_the_first_page_shows_a_failure_that_fits_a_phone() -> None:
    """The number, the query with the lowest score and its rows, in lines of at most 52 letters."""
    shown = terminal.shown_on((build.DOCS / "first-test.md").read_text(encoding="utf-8"))
    text = front.failed(shown)
    assert "0.9202 &lt; 0.9500" in text
    assert "wok-steel" in text
    assert "nDCG@3 of q1 = 0.7967" in text
    lines = unescape(text).split("\n")[1:-1]
    assert max(len(line) for line in lines[1:]) <= 52
    with pytest.raises(InputError, match="shows no failure"):
        front.failed("1 passed")


def test_a_field_goes_to_the_page_that_answers() -> None:
    """Its example is the ranking of the first page as scikit-learn scores it."""
    field = front.field()
    assert 'action="play.html"' in field
    assert f'value="{front.score("sklearn"):.4f} for 3 2 3 0 1 2 | 3 2"' in field


def test_the_archive_of_the_course_holds_all_notebooks_and_is_the_same_each_time() -> None:
    """Chapters and exercises, with their translations."""
    made = downloads.course(build.ROOT)
    assert made == downloads.course(build.ROOT)
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
    for kind in ("notebooks", "exercises"):
        there = {p.relative_to(build.ROOT).as_posix() for p in (build.ROOT / kind).rglob("*.ipynb")}
        assert there
        assert there <= names


def test_a_font_has_the_signs_of_formulas_and_a_tenth_of_its_size() -> None:
    """A phone need not fetch 1.5 MB."""
    assert len(markup.font({*"abc∑log", *markup.SLANTED})) < 150_000


def test_a_benchmark_without_its_section_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first page has no row that nobody measured."""
    monkeypatch.setitem(front._SECTIONS, "large", "## (z)")
    with pytest.raises(InputError, match="run make benchmark"):
        front.beside()


def test_a_sentence_that_goes_on_with_a_number_is_no_list() -> None:
    """A line of a docstring may begin with "1. " or "- "; a list begins its block with it."""

    def of() -> None:
        """First.

        The bound is
        1. The rest is (2^g
        - 1).

        - an item
        - another
        """

    assert reference.docstring(of, without_first=True) == (
        "The bound is\n1\\. The rest is (2^g\n\\- 1).\n\n- an item\n- another"
    )
