"""Course pages: what the browser keeps, answers to compare with, languages; and pages on paper."""

import contextlib
import re
import time
from pathlib import Path

import pytest

from dev.tools.notebooks import sources
from dev.tools.places import FOLDER
from dev.tools.site import moved
from dev.tools.site.build import SITE
from tests.site import chromium
from tests.site.test_site import browser, pages

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
__all__ = ["browser"]
KEPT = "irmetrics-edu course"
A4 = 680  # pixels between margins of 15 mm


def opened(browser: chromium.Chromium, page: Path) -> None:
    """Open a page anew."""
    browser.open(page.as_uri(), 1200)


@pytest.fixture
def chapter(browser: chromium.Chromium, built: Path) -> Path:
    """A chapter with predictions of both kinds, in a browser that keeps nothing yet."""
    page = built / "02_ranking_is_not_a_set.html"
    opened(browser, page)
    browser.evaluate("localStorage.clear()")
    opened(browser, page)
    return page


def test_predictions_and_opened_answers_are_kept(browser: chromium.Chromium, chapter: Path) -> None:
    """What was typed and what was opened is there again after the page was left."""
    browser.evaluate("""(() => {
        const input = document.querySelector(".predict input");
        input.value = "I think 0.5";
        input.dispatchEvent(new Event("input", { bubbles: true }));
        document.querySelector(".quiz details").open = true;
        document.querySelector(".output > details").open = true;
    })()""")
    browser.evaluate("new Promise(done => setTimeout(done, 100))")
    opened(browser, chapter)
    assert browser.evaluate("document.querySelector('.predict input').value") == "I think 0.5"
    assert browser.evaluate("document.querySelector('.quiz details').open")
    assert browser.evaluate("document.querySelector('.output > details').open")


@pytest.mark.usefixtures("chapter")
def test_the_course_says_where_to_go_on_and_clears_what_is_kept(
    browser: chromium.Chromium, built: Path
) -> None:
    """A chapter read to its end is marked; the next one is named; one button forgets it all."""
    browser.evaluate("scrollTo(0, document.body.scrollHeight)")
    browser.evaluate("new Promise(done => setTimeout(done, 200))")
    opened(browser, built / "course.html")
    said = browser.evaluate("document.querySelector('.progress').innerText")
    assert f"1 of {len(sources())} chapters" in said
    assert "Go on at chapter 3." in said
    assert browser.evaluate("document.querySelectorAll('.read').length") == 1
    browser.evaluate("document.querySelector('.progress button').click()")
    assert browser.evaluate(f"localStorage.getItem({KEPT!r})") is None
    assert browser.evaluate("document.querySelectorAll('.read').length") == 0
    assert "Nothing is kept" in browser.evaluate("document.querySelector('.progress').innerText")


@pytest.mark.usefixtures("chapter")
def test_a_chapter_that_was_read_in_another_language_is_read(
    browser: chromium.Chromium, built: Path
) -> None:
    """The page of the course goes on behind it."""
    opened(browser, built / "zh" / "04_graded_relevance.html")
    browser.evaluate("scrollTo(0, document.body.scrollHeight)")
    browser.evaluate("new Promise(done => setTimeout(done, 200))")
    opened(browser, built / "course.html")
    said = browser.evaluate("document.querySelector('.progress').innerText")
    assert said.startswith("You have read 1 of ")
    assert "Go on at chapter 5." in said
    browser.evaluate("document.querySelector('.progress button').click()")


def test_pages_work_where_the_browser_keeps_nothing(
    browser: chromium.Chromium, built: Path
) -> None:
    """Each use of the store is refused, and no script stops."""
    denied = "{ configurable: true, get() { throw new DOMException('denied', 'SecurityError'); } }"
    added = browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source=f"Object.defineProperty(window, 'localStorage', {denied})",
    )
    try:
        for name in ("index", "course", "02_ranking_is_not_a_set", "conventions", "play"):
            seen = browser.open((built / f"{name}.html").as_uri(), 1200)
            assert seen.logged == [], name
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def test_what_was_kept_under_an_old_number_is_found(
    browser: chromium.Chromium, built: Path, chapter: Path
) -> None:
    """By the chapter's topic, so a reader loses nothing where chapters are numbered anew."""
    kept = '{"41_ranking_is_not_a_set": {"typed": {"0": "I think 0.4"}, "read": true}}'
    browser.evaluate(f"localStorage.setItem({KEPT!r}, {kept!r})")
    opened(browser, chapter)
    assert browser.evaluate("document.querySelector('.predict input').value") == "I think 0.4"
    opened(browser, built / "course.html")
    assert f"1 of {len(sources())} chapters" in browser.evaluate(
        "document.querySelector('.progress').innerText"
    )


def test_the_address_of_an_old_number_leads_on(browser: chromium.Chromium, built: Path) -> None:
    """Each old page opens the chapter."""
    for old, new in moved.read(SITE / "moved.toml", [path.stem for path in sources()]).items():
        text = (built / f"{old}.html").read_text(encoding="utf-8")
        assert f'content="0; url={new}.html"' in text
        assert (built / f"{new}.html").is_file()
    with contextlib.suppress(RuntimeError):  # the page leaves while it is looked at
        opened(browser, built / "20_inference.html")
    time.sleep(1)
    assert "Inference" in browser.evaluate("document.querySelector('h1').innerText")


STATE = """[...document.querySelectorAll("article .highlight-python")]
    .filter((one) => one.checkVisibility()).length"""


def test_one_switch_folds_all_code_and_is_remembered(
    browser: chromium.Chromium, built: Path, chapter: Path
) -> None:
    """It is a control of the keyboard; each block can still be opened by itself."""
    shown = browser.evaluate(STATE)
    assert shown > 3
    browser.evaluate("document.querySelector('.folds-code input').focus()")
    browser.evaluate("document.activeElement.click()")
    assert browser.evaluate(STATE) == 0
    browser.evaluate("document.querySelector('details.of-code').open = true")
    assert browser.evaluate(STATE) == 1
    opened(browser, built / "03_thresholds.html")
    assert browser.evaluate(STATE) == 0
    assert browser.evaluate("document.querySelector('.folds-code input').checked")
    opened(browser, built / "course.html")
    browser.evaluate("document.querySelector('.folds-code input').click()")
    opened(browser, chapter)
    assert browser.evaluate(STATE) == shown


def test_chapters_of_the_web_are_no_notebooks(built: Path) -> None:
    """Menu, titles, links and texts say chapter; a notebook is the file, and in code."""
    found = {}
    for page in [
        *built.glob("[0-9][0-9]_*.html"),
        *built.glob("??/[0-9][0-9]_*.html"),
        built / "course.html",
    ]:
        text = re.sub(r"<(pre|script|style).*?</\1>", "", page.read_text("utf-8"), flags=re.DOTALL)
        plain = re.sub(r"<[^>]*>", "", text)
        said = re.findall(
            r".*[Nn]otebooks? \d.*|.*this notebook you.*|.*(?:ノートブック|笔记本) ?\d.*", plain
        )
        if said:
            found[page.name] = said
    assert found == {}


def test_each_prediction_in_words_is_answered(browser: chromium.Chromium, built: Path) -> None:
    """By the answer that follows it, or by where it is; most have one to compare with."""
    answered = all_asked = 0
    for page in [page for page in pages(built) if page.name[:2].isdigit()][:8]:
        opened(browser, page)
        replies = browser.evaluate("""[...document.querySelectorAll(".predict")]
            .filter((box) => box.querySelector(".sentence")).map((box) => {
                box.querySelector("input").value = "I think so.";
                box.querySelector("button").click();
                return box.querySelector("[role=status]").innerText;
            })""")
        all_asked += len(replies)
        answered += sum("answer to compare with" in reply for reply in replies)
        assert all(replies), page.name
    assert all_asked > 20
    assert answered / all_asked > 0.5


def test_what_a_stranger_left_in_the_browser_does_no_harm(
    browser: chromium.Chromium, built: Path, chapter: Path
) -> None:
    """A text that is no record of ours, and one with other kinds of values."""
    for text in ("nonsense", '{"02_ranking_is_not_a_set": {"typed": {"0": 5}, "opened": [99]}}'):
        browser.evaluate(f"localStorage.setItem({KEPT!r}, {text!r})")
        seen = browser.open(chapter.as_uri())
        assert seen.logged == []
        seen = browser.open((built / "course.html").as_uri())
        assert seen.logged == []


def test_translations_are_found_and_say_how_much_there_is(built: Path) -> None:
    """From the menu of each page and from the course; a page says its language and its share."""
    share = f"{len(sources())} 章"
    for code, tag in (("zh", "zh-Hans"), ("ja", "ja")):
        own = (built / code / "04_graded_relevance.html").read_text(encoding="utf-8")
        there = len(list((FOLDER / code).glob("[0-9][0-9]_*.ipynb")))
        assert f'<html class="no-js" lang="{tag}"' in own
        assert share in own
        assert f" {there} 章" in own
        assert {"zh": "尚未经过母语读者审阅", "ja": "母語話者の確認を受けていません"}[code] in own
        for page in (built / "index.html", built / "grading.html"):
            assert f'hreflang="{tag}"' in page.read_text(encoding="utf-8"), page.name
        course = (built / "course.html").read_text(encoding="utf-8")
        assert f"{code}/04_graded_relevance.html" in course.partition("<article")[2]
    for page in ("04_graded_relevance", "zh/04_graded_relevance"):
        text = (built / f"{page}.html").read_text(encoding="utf-8")
        tags = re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"', text)
        assert [tag for tag, _ in tags] == ["en", "zh-Hans", "ja"]
    no_other = (built / "05_many_queries.html").read_text(encoding="utf-8")
    assert '<link rel="alternate"' not in no_other


ACROSS = 1009  # the same of a page that lies across, for the widest tables
CLIPPED = f"""[...document.querySelectorAll("article :is(table, pre, svg, img, math)")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right
        > (getComputedStyle(document.body).page === "across" ? {ACROSS} : innerWidth) + 1)
    .map((one) => one.tagName + " " + Math.round(one.getBoundingClientRect().right))"""
# A word that stands alone in its cell, and on two lines.
PIECES = """[...document.querySelectorAll("article td, article th")].filter((cell) => {
    if (!/^\\s*[A-Za-z]+\\s*$/.test(cell.textContent)) return false;
    const said = (text) => (text.data.trim() ? 1 : 2);
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, said);
    const range = document.createRange();
    range.selectNodeContents(texts.nextNode());
    return range.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""


def test_paper_cuts_nothing(browser: chromium.Chromium, built: Path) -> None:
    """On A4, nothing is wider than the page, and no column cuts its words into letters."""
    clipped = {}
    browser.like()
    for page in pages(built):
        if page.name == "play.html":
            continue
        browser.open(page.as_uri(), A4)
        browser.call("Emulation.setEmulatedMedia", media="print")
        if found := browser.evaluate(CLIPPED) + browser.evaluate(PIECES):
            clipped[page.name] = found[:3]
        browser.call("Emulation.setEmulatedMedia", media="")
    assert clipped == {}
