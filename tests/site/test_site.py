"""The site, built and opened in a real browser."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from dev.tools.places import FOLDER, page_of_metric
from dev.tools.site import lookup
from dev.tools.site.build import EXERCISES
from dev.tools.site.searching import leads_on
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.views.terms import GLOSSARY
from tests.site import chromium

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
LIVE = (Path(__file__).parent / "live.js").read_text(encoding="utf-8")
NARROW, WIDE = 360, 1200
FOUND = """[...document.querySelectorAll("ul.search li")].map((one) => [
    one.querySelector("a").getAttribute("href"), one.querySelector(".context")?.innerText ?? ""])"""
# What look.js looks for, in words.
LOOKED_FOR = {
    "raw": "raw LaTeX",
    "unset": "equations not set",
    "mute": "images without alt text",
    "broken": "images not shown",
    "wide": "wider than the screen",
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Chromium]:
    """A headless Chromium; where there is none, skip, except where CI has to have one."""
    path = chromium.found()
    if path is None:
        reason = f"no browser to open the site with: none of {', '.join(chromium.NAMES)} is here"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with chromium.Chromium(path, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def pages(folder: Path) -> list[Path]:
    """All pages of a site that are read from a disk, without those that only lead to another."""
    found = [page for page in folder.glob("*.html") if page.name != "404.html"]
    return sorted(page for page in found if not leads_on(page.read_text(encoding="utf-8")))


def complaints(browser: chromium.Chromium, page: Path, *widths: int) -> dict[str, list[str]]:
    """What is wrong with a page at these widths, by kind; only kinds that have something."""
    seen = browser.open(page.as_uri(), widths[0])
    look = {kind: [] for kind in LOOKED_FOR}
    for width in widths:
        browser.resize(width)
        for kind, cases in browser.evaluate(LOOK).items():
            if kind in look:
                look[kind] += [f"{case} (at {width} px)" for case in cases]
    browser.evaluate("new Promise(done => setTimeout(done, 50))")  # late errors
    root = page.parent.as_uri()
    found = {
        "console": seen.logged,
        "asked for outside": [
            a for a in seen.asked_for if not a.startswith((root, "data:", "about:"))
        ],
        "failed requests": seen.failed,
        **{LOOKED_FOR[kind]: cases for kind, cases in look.items()},
    }
    return {kind: cases for kind, cases in found.items() if cases}


def equations(notebook: Path) -> int:
    """How many displayed equations a notebook holds, in its text and in its outputs."""
    count = 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        texts = ["".join(cell["source"])] if cell["cell_type"] == "markdown" else []
        texts += [
            "".join(output.get("data", {}).get("text/html", ""))
            for output in cell.get("outputs", ())
        ]
        count += sum(re.sub(r"(?s)<pre.*?</pre>", "", text).count("$$") // 2 for text in texts)
    return count


@pytest.mark.parametrize("half", [0, 1])  # for two processes
def test_every_page_is_clean_at_both_widths(
    browser: chromium.Chromium, built: Path, half: int
) -> None:
    """No error, nothing fetched, no raw LaTeX, no mute image, no page wider than its screen."""
    found: dict[str, Any] = {}
    for page in pages(built)[half::2]:
        # What is on a metric's page is on many, so the width that is hard to keep is enough there.
        widths = (NARROW,) if page.name.startswith("metric-") else (WIDE, NARROW)
        if wrong := complaints(browser, page, *widths):
            found[page.name] = wrong
    assert found == {}


def test_a_phone_shows_what_goes_on_to_the_right(browser: chromium.Chromium, built: Path) -> None:
    """It fades out there until it is scrolled to its end, and the button to copy covers no code."""
    faded = """new Promise((done) => setTimeout(() => done(
      [...document.querySelectorAll("article :is(pre, .table-wrapper, .equation, .wide, .shown)")]
      .filter((box) => box.checkVisibility())
      .map((box) => [box.scrollWidth > box.clientWidth + 1, box.matches(".more")])), 100))"""
    for name in ("index", "which-ndcg", "04_graded_relevance"):
        browser.open((built / f"{name}.html").as_uri(), 390)
        found = browser.evaluate(faded)
        assert [True, True] in found
        assert all(more == fades for more, fades in found), name
        browser.evaluate(
            "document.querySelectorAll('.more').forEach((box) => { box.scrollLeft = 9999; })"
        )
        assert not any(fades for _, fades in browser.evaluate(faded)), name
    covered = """[...document.querySelectorAll("article .highlight")].filter((box) =>
      box.checkVisibility()).map((box) => {
        const pre = box.querySelector("pre");
        const text = pre.getBoundingClientRect().top + parseFloat(getComputedStyle(pre).paddingTop);
        return box.querySelector(".copy").getBoundingClientRect().bottom - text;
      })"""
    over = browser.evaluate(covered)
    assert over
    assert max(over) < 3  # a line of code begins with some pixels of its own


def test_every_equation_of_a_notebook_is_set(browser: chromium.Chromium, built: Path) -> None:
    """A chapter has as many displayed equations in MathML as its notebook has in LaTeX."""
    expected = {path.stem: equations(path) for path in FOLDER.glob("[0-9][0-9]_*.ipynb")}
    shown = {}
    for name in expected:
        browser.open((built / f"{name}.html").as_uri())
        shown[name] = browser.evaluate(LOOK)["displayed"]
    assert shown == expected
    assert sum(expected.values()) > 50


def test_every_slider_moves_and_every_prediction_answers(
    browser: chromium.Chromium, built: Path
) -> None:
    """Without a kernel: one figure for each value, and a reply to each number that is foreseen."""
    counted = {"sliders": 0, "predictions": 0}
    for path in FOLDER.glob("[0-9][0-9]_*.py"):
        browser.open((built / f"{path.stem}.html").as_uri())
        found = browser.evaluate(LIVE)
        source = path.read_text(encoding="utf-8")
        sliders = re.findall(r"^ *(?:reveal\()?slider\(", source, re.MULTILINE)
        assert len(found["sliders"]) == len(sliders), path.stem
        for shown in found["sliders"]:
            assert len(shown) > 2
            assert len({value for value, _ in shown}) == len(shown), path.stem
            assert all(len(alts) == 1 and alts[0] for _, alts in shown), path.stem
        assert found["repeated"] == [], path.stem
        assert found["unanswered"] == [], path.stem
        counted["sliders"] += len(found["sliders"])
        counted["predictions"] += found["predictions"]
    assert counted["sliders"] > 20
    assert counted["predictions"] > 10


def test_every_notebook_is_a_chapter_to_read_and_to_take(built: Path) -> None:
    """The first page links to every chapter, and a chapter offers its notebook and exercises."""
    first = (built / "index.html").read_text(encoding="utf-8")
    for path in FOLDER.glob("[0-9][0-9]_*.ipynb"):
        assert f'href="{path.stem}.html"' in first
        offered = {file.read_bytes() for file in (built / "_downloads").rglob(path.name)}
        of = [path, EXERCISES / path.name]
        of += [*FOLDER.glob(f"*/{path.name}"), *EXERCISES.glob(f"*/{path.name}")]  # in languages
        assert offered == {file.read_bytes() for file in of}


def test_glossary_and_metrics_are_complete(built: Path) -> None:
    """Every term stands in the glossary in three languages, every metric among the metrics."""
    import_all()
    glossary = (built / "glossary.html").read_text(encoding="utf-8")
    for term in GLOSSARY.values():
        assert f'id="{lookup.anchor(term.name)}"' in glossary
        zh = f'<td lang="zh-Hans">{term.zh}</td>' if term.zh else f"<td>{term.name}</td>"
        ja = f'<td lang="ja">{term.ja}</td>' if term.ja else f"<td>{term.name}</td>"
        assert f"{zh} {ja}" in glossary
    metrics = (built / "metrics.html").read_text(encoding="utf-8")
    for metric in METRICS.values():
        assert f'href="{page_of_metric(metric)}.html"' in metrics
        page = (built / f"{page_of_metric(metric)}.html").read_text(encoding="utf-8")
        assert "An example, step by step" in page, metric.name


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("discount", "which-ndcg.html"),
        ("折损因子", "zh/04_graded_relevance.html"),
        ("which ndcg", "which-ndcg.html"),
        ("install", "installation.html"),
        ("nDCG", "metric-ndcg.html"),
        ("MAP", "metric-average-precision.html"),
        ("MRR", "metric-reciprocal-rank.html"),
        ("RBP", "metric-rbp.html"),
        ("short by 0.0298; 3 queries", "first-test.html"),
    ],
)
def test_search_finds_words_from_a_disk(
    browser: chromium.Chromium, built: Path, words: str, page: str
) -> None:
    """What is looked for is the first result, with a snippet, on a page opened from a disk."""
    seen = browser.open(f"{(built / 'search.html').as_uri()}?q={quote(words)}")
    results: list[tuple[str, str]] = []
    for _ in range(100):
        results = browser.evaluate(FOUND)
        if results and results[0][0].startswith(page):
            break
        browser.evaluate("new Promise(done => setTimeout(done, 100))")
    assert results
    assert results[0][0].startswith(page), results[:3]
    assert all(snippet for _, snippet in results)
    assert seen.logged == []


@pytest.mark.parametrize(
    ("words", "language", "first"),
    [
        ("nDCG", "zh", "zh/"),
        ("nDCG", "ja", "ja/"),
        ("nDCG", "", "metric-ndcg"),
        ("ランキング", "", "ja/"),
        ("discount", "", "which-ndcg"),
    ],
)
def test_search_has_the_language_of_the_page_first(
    browser: chromium.Chromium, built: Path, words: str, language: str, first: str
) -> None:
    """What is typed on a Chinese page finds Chinese pages first, and kana find Japanese ones."""
    start = built / language / "04_graded_relevance.html"
    browser.open(start.as_uri(), WIDE)
    asked = browser.evaluate(f"""(() => {{
        const form = document.querySelector(".sidebar-search-container");
        form.q.value = {words!r};
        return form.action + "?" + new URLSearchParams(new FormData(form));
    }})()""")
    browser.open(asked)
    hrefs = (
        "[...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))"
    )
    found: list[str] = []
    for _ in range(100):
        found = browser.evaluate(hrefs)
        if found and found[0].startswith(first):
            break
        browser.evaluate("new Promise(done => setTimeout(done, 100))")
    assert found
    assert found[0].startswith(first), found[:5]
    again = browser.evaluate(
        "new FormData(document.querySelector('.sidebar-search-container')).get('lang')"
    )
    assert (again or "") == (language or ("ja" if words == "ランキング" else ""))


FAULTS = {
    "console": "<script>console.error('planted')</script>",
    "asked for outside": "<link rel='stylesheet' href='http://example.org/style.css'>",
    "raw LaTeX": r"<p>\frac{1}{2} and $x_i$</p>",
    "equations not set": "<math><mi>x</mi></math>",
    "images without alt text": "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>",
    "images not shown": "<img alt='a picture' src='gone.png'>",
    "wider than the screen": "<main><div style='width: 500px'>wide</div></main>",
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_planted_fault_is_seen(browser: chromium.Chromium, tmp_path: Path, kind: str) -> None:
    """The look at the pages can fail: each kind of fault, planted, is reported as such."""
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><title>x</title>{FAULTS[kind]}")
    assert kind in complaints(browser, page, NARROW)


def test_a_clean_page_has_no_complaint(browser: chromium.Chromium, tmp_path: Path) -> None:
    """A page with nothing wrong passes, so what is reported comes from the fault."""
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><meta charset=utf-8><title>x</title><p>It costs $5.</p>")
    assert complaints(browser, page, NARROW) == {}
