"""Tables of the site that sort, the parts of a metric's page, and the version on each page."""

import json
import re
from html import escape
from pathlib import Path

import pytest

from dev.tools.site.build import SITE
from irmetrics_edu import __version__, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.plugin import baseline_files
from irmetrics_edu.views.page import SORTING
from tests.site import chromium
from tests.site.test_site import browser, pages

__all__ = ["browser"]
SCRIPT = SORTING.read_text(encoding="utf-8")
LIVE = (SITE / "static" / "site.js").read_text(encoding="utf-8")
MIXED = ["10", "9.5", "", "−2", "1,200", "b10", "B9", "–", "a", "40 %", ".5", "1e-3", "7"]
UP = ["−2", "1e-3", ".5", "7", "9.5", "10", "40 %", "1,200", "a", "B9", "b10", "", "–"]
DOWN = [*reversed(UP[:-2]), *UP[-2:]]
SEEN = """
(() => {
  const table = document.querySelector("table");
  const column = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent.trim());
  const sorts = () => [...table.tHead.rows[0].cells].map((cell) => cell.getAttribute("aria-sort"));
  return { column: column(), sorts: sorts(), at: document.activeElement.textContent };
})()
"""


def page_of(rows: list[str], inside: str = "article") -> str:
    """A page with one table."""
    cells = "".join(f"<tr><td>{text}</td><td>{i}</td></tr>" for i, text in enumerate(rows))
    return (
        "<!doctype html><meta charset=utf-8><title>x</title><article>"
        f"<div class={inside}><table><thead><tr><th><p>name</p></th><th>place</th></tr></thead>"
        f"<tbody>{cells}</tbody></table></div></article><script>{SCRIPT}</script>"
    )


@pytest.mark.suite("site")
@pytest.mark.slow
def test_a_long_table_sorts_by_keys(browser: chromium.Chromium, tmp_path: Path) -> None:
    """Tab and Enter sort: up, down and as it was; numbers by size, empty cells last."""
    page = tmp_path / "page.html"
    page.write_text(page_of(MIXED), encoding="utf-8")
    seen = browser.open(page.as_uri())

    browser.press("Tab")
    assert browser.evaluate(SEEN)["at"] == "name"
    for order, column in (("ascending", UP), ("descending", DOWN), (None, MIXED)):
        browser.press("Enter")
        assert browser.evaluate(SEEN) == {"column": column, "sorts": [order, None], "at": "name"}
    browser.press("Enter")
    browser.press("Tab")
    browser.press("Enter")
    assert browser.evaluate(SEEN)["column"] == MIXED  # by place
    assert browser.evaluate(SEEN)["sorts"] == [None, "ascending"]
    assert seen.logged == []


@pytest.mark.suite("site")
@pytest.mark.slow
def test_a_short_table_and_an_output_stay_as_they_are(
    browser: chromium.Chromium,
    tmp_path: Path,
) -> None:
    """Twelve rows need no sorting, and an output is as its cell printed it."""
    for name, text in (("short", page_of(MIXED[:12])), ("output", page_of(MIXED, "output"))):
        page = tmp_path / f"{name}.html"
        page.write_text(text, encoding="utf-8")
        browser.open(page.as_uri())
        assert browser.evaluate("document.querySelectorAll('button').length") == 0


@pytest.mark.suite("site")
@pytest.mark.slow
def test_the_page_to_review_sorts_by_each_column(
    browser: chromium.Chromium, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its policy lets the script run. By hand: q1 loses 1/2, q2 2/3 and so on, q14 rises by 1/2."""
    qrels = {f"q{i}": {"a": 1} for i in range(1, 15)}
    best = {q: ["a"] for q in qrels}
    runs = {
        "old": {**best, "q14": ["x0", "a"]},
        "new": {q: [*(f"x{i}" for i in range(int(q[1:]) % 14)), "a"] for q in qrels},
    }
    for name, run in runs.items():
        entry = Baseline.of(evaluate(run, qrels, "RR"), qrels).entry()
        text = baseline_files.text({"test_it.py::test_x": entry})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{name}.json") for name in runs]
    assert main(["baseline", "diff", *files, "--format", "html"]) == 0
    page = tmp_path / "page.html"
    page.write_text(capsys.readouterr().out, encoding="utf-8")
    seen = browser.open(page.as_uri())
    by = """
    ((name) => {
      const table = document.querySelectorAll("table")[1];
      [...table.querySelectorAll("th button")].find((one) => one.textContent === name).click();
      return [...table.tBodies[0].rows].map((row) => row.cells[1].textContent);
    })"""
    falling = [f"q{i}" for i in range(13, 0, -1)]  # the more documents came above, the more it lost
    assert browser.evaluate(f"{by}('query')") == [f"q{i}" for i in range(1, 15)]
    assert browser.evaluate(f"{by}('change')") == [*falling, "q14"]
    assert browser.evaluate(f"{by}('change')") == ["q14", *reversed(falling)]
    assert seen.logged == []


@pytest.mark.suite("site")
@pytest.mark.slow
def test_every_long_table_of_the_reference_sorts(browser: chromium.Chromium, built: Path) -> None:
    """Metrics, glossary, files: each long table has a button in each of its headings."""
    for name in ("metrics", "glossary", "files", "commands", "library-defects"):
        browser.open((built / f"{name}.html").as_uri())
        found = browser.evaluate(
            "[...document.querySelectorAll('article table')]"
            ".filter((t) => t.tBodies[0].rows.length > 12)"
            ".map((t) => [t.tHead.rows[0].cells.length, t.querySelectorAll('th button').length])"
        )
        assert found or name == "library-defects", name
        assert all(cells == buttons for cells, buttons in found), name


PARTS = {
    "formula": r'<div class="equation"[^>]*><math',
    "working": r'id="an-example-step-by-step"',
    "conventions": r'id="arguments-and-conventions"',
    "libraries": r'id="in-other-libraries"',
    "plot": r'<svg class="figure"',
}


def lacking(page: str) -> list[str]:
    """Which parts the page of a metric lacks."""
    return [part for part, sign in PARTS.items() if not re.search(sign, page)]


@pytest.mark.suite("site")
@pytest.mark.slow
def test_every_metric_has_its_parts(built: Path) -> None:
    """Formula, working, conventions by library and a plot; a page without one of them is seen."""
    found = {page.name: page.read_text(encoding="utf-8") for page in built.glob("metric-*.html")}
    assert len(found) > 60
    assert {name: lacks for name, page in found.items() if (lacks := lacking(page))} == {}
    page = found["metric-ndcg.html"]
    for part, sign in PARTS.items():
        assert lacking(re.sub(sign, "", page)) == [part]


@pytest.mark.suite("site")
@pytest.mark.slow
def test_every_page_says_its_version(built: Path) -> None:
    """Each page names the version that it is of, and so does a file of the folder."""
    assert (built / "version.txt").read_text(encoding="utf-8") == f"{__version__}\n"
    without = [
        page.name
        for page in pages(built)
        if __version__ not in re.sub("(?s)<head>.*</head>", "", page.read_text(encoding="utf-8"))
    ]
    assert without == []


@pytest.mark.suite("site")
@pytest.mark.slow
def test_a_field_filters_all_tables_below(browser: chromium.Chromium, tmp_path: Path) -> None:
    """Rows with all words stay and are counted, an empty part goes, and a link's row comes back.

    Where no row is left, the nearest names are said.
    """
    parts = {"Fruit": ["red apple", "green apple"], "Fish": ["Red herring"]}
    body = "".join(
        f"<section><h2>{part}</h2><table><thead><tr><th>name</th></tr></thead><tbody>"
        + "".join(f'<tr id="{row.replace(" ", "-")}"><td>{row}</td></tr>' for row in rows)
        + "</tbody></table></section>"
        for part, rows in parts.items()
    )
    page = tmp_path / "page.html"
    page.write_text(
        "<!doctype html><meta charset=utf-8><title>x</title><article><section><h1>all</h1>"
        f"<div class=filter></div>{body}</section></article><script>{LIVE}</script>",
        encoding="utf-8",
    )
    browser.open(page.as_uri())
    left = (
        "[[...document.querySelectorAll('tbody tr, h2')].filter((one) => one.checkVisibility())"
        ".map((one) => one.textContent), document.querySelector('output').textContent]"
    )
    everything = [["Fruit", *parts["Fruit"], "Fish", *parts["Fish"]], "3 of 3"]
    assert browser.evaluate(left) == everything
    type_in = (
        "(() => {{ const field = document.querySelector('input'); field.value = '{}';"
        " field.dispatchEvent(new Event('input')); }})()"
    )
    browser.evaluate(type_in.format("RED a"))
    assert browser.evaluate(left) == [["Fruit", "red apple"], "1 of 3"]
    browser.evaluate(type_in.format("nothing"))
    assert browser.evaluate(left) == [[], "0 of 3"]
    browser.evaluate(type_in.format("gren aple"))
    assert browser.evaluate(left) == [[], "0 of 3. Near: green apple, red apple"]
    browser.evaluate("document.querySelector('input').focus()")
    browser.press("Escape")
    assert browser.evaluate(left) == everything


@pytest.mark.suite("site")
@pytest.mark.slow
def test_a_copied_session_is_what_was_typed(browser: chromium.Chromium, tmp_path: Path) -> None:
    """Prompts and output stay behind; other code is copied as it is."""
    blocks = {
        "$ make a \\\n    b\nmade\n$ ls": "make a \\\n    b\nls",
        ">>> for x in y:\n...     x\n...\n1\n>>> z": "for x in y:\n    x\n\nz",
        "x = 1\n# $ no": "x = 1\n# $ no",
    }
    page = tmp_path / "page.html"
    text = "".join(f"<div class=highlight><pre>{escape(block)}\n</pre></div>" for block in blocks)
    page.write_text(
        f"<!doctype html><meta charset=utf-8><title>x</title><article>{text}</article>"
        f"<script>{LIVE}</script>",
        encoding="utf-8",
    )
    browser.open(page.as_uri())
    assert browser.evaluate("document.querySelectorAll('.copy').length") == len(blocks)
    for block, typed in blocks.items():
        assert browser.evaluate(f"typedOf({json.dumps(block)})") == typed
