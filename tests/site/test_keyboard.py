"""The site by the keyboard alone, and as a system with other wishes or a printer shows it.

A page of each kind is walked, the playground too: the frame is the same on all, and a walk of all
takes twenty minutes.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.site import chromium
from tests.site.test_site import browser, pages

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
__all__ = ["browser"]

STOPS = (Path(__file__).parent / "stops.js").read_text(encoding="utf-8")
WIDTHS = (390, 900, 1280)
MANY = 1000
KINDS = ("metric-", "lesson-", "library-", "files-", r"\d\d_")
WALKED = (
    "index", "installation", "course", "glossary", "metrics", "search", "play",
    "04_graded_relevance", "metric-err", "lesson-novelty", "library-ranx", "files-runs",
    "lines", "gates-in-ci",  # tables that scroll, with controls at their edge
    "zh/04_graded_relevance", "ja/04_graded_relevance",
)  # fmt: skip


def walk(browser: chromium.Chromium) -> dict[str, list[str]]:
    """Press Tab until the walk ends or begins anew: which stops are hidden, or show no focus."""
    browser.evaluate(f"{STOPS}; null")
    wrong: dict[str, list[str]] = {"hidden": [], "without a ring": []}
    for _ in range(MANY):
        browser.press("Tab")
        stop: Any = browser.evaluate("stop()")
        if stop is None:
            break
        wrong["hidden"] += [] if stop["seen"] else [stop["name"]]
        wrong["without a ring"] += [] if stop["ringed"] else [stop["name"]]
    wrong["not reached"] = browser.evaluate("unreached()")
    return {kind: names for kind, names in wrong.items() if names}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", WALKED)
def test_tab_reaches_every_control_and_shows_where_it_is(
    browser: chromium.Chromium, built: Path, name: str, width: int
) -> None:
    """Each stop is on the screen and has a ring, and there is no control without a stop."""
    browser.like(prefers_reduced_motion="reduce")  # a smooth scroll would still be on its way
    browser.open((built / f"{name}.html").as_uri(), width)
    assert walk(browser) == {}


def test_a_page_of_each_kind_is_walked(built: Path) -> None:
    """The kinds that have many pages of one template are among the walked."""
    names = [page.stem for page in pages(built)]
    for kind in KINDS:
        assert any(re.match(kind, name) for name in WALKED)
        assert sum(bool(re.match(kind, name)) for name in names) > 5
    assert all((built / f"{name}.html").exists() for name in WALKED)


def at(browser: chromium.Chromium, drawer: str) -> tuple[Any, ...]:
    """Whether a drawer is inert, what its button says, and whether the focus is in it, or there."""
    return tuple(
        browser.evaluate(f"""(() => {{
        const drawer = document.getElementById("{drawer}");
        const button = [...document.querySelectorAll("[aria-controls={drawer}]")]
            .find((one) => one.checkVisibility());
        const here = document.activeElement, box = here.getBoundingClientRect();
        return [drawer.inert, button.getAttribute("aria-expanded"),
            drawer.contains(here) && box.left >= 0 && box.right <= innerWidth, here === button];
    }})()""")
    )


@pytest.mark.parametrize(
    ("drawer", "width"),
    [("all-pages", 390), ("all-pages", 900), ("this-page", 390), ("this-page", 1100)],
)
def test_a_drawer_opens_and_closes_by_keys(
    browser: chromium.Chromium, built: Path, drawer: str, width: int
) -> None:
    """Enter opens it and goes in, Escape or Close goes back to its button, leaving it closes it."""
    browser.like(prefers_reduced_motion="reduce")
    browser.open((built / "metric-ndcg.html").as_uri(), width)
    closed, opened = (True, "false", False, True), (False, "true", True, False)
    browser.evaluate(f"""[...document.querySelectorAll("[aria-controls={drawer}]")]
        .find((one) => one.checkVisibility()).focus()""")
    assert at(browser, drawer) == closed
    for key in ("Escape", "Enter"):  # Enter: on the button that closes
        browser.press("Enter")
        assert at(browser, drawer) == opened
        browser.press(key)
        assert at(browser, drawer) == closed
    browser.press("Enter")
    browser.evaluate("document.querySelector('article a.reference').focus()")
    assert at(browser, drawer) == (True, "false", False, False)


@pytest.mark.parametrize(("width", "shown"), [(1279, True), (1100, False)])
def test_a_laptop_shows_the_contents(
    browser: chromium.Chromium, built: Path, width: int, shown: bool
) -> None:
    """At 1280 pixels, less what a bar to scroll takes, the page's contents stand beside it."""
    browser.open((built / "metric-ndcg.html").as_uri(), width)
    box = browser.evaluate("document.querySelector('.toc-tree').getBoundingClientRect().right")
    assert (box <= width) == shown


def style(browser: chromium.Chromium, selector: str, name: str) -> str:
    """A computed style of the first element that a selector finds."""
    return str(browser.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{name}"))


def test_the_wishes_of_a_system_are_kept(browser: chromium.Chromium, built: Path) -> None:
    """Without motion nothing scrolls smoothly; under forced colours the current page is marked."""
    page = (built / "my-number-differs.html").as_uri()
    current = ".sidebar-tree a.current"
    browser.like()
    browser.open(page)
    assert style(browser, "html", "scrollBehavior") == "smooth"
    assert style(browser, current, "outlineStyle") == "none"
    browser.like(prefers_reduced_motion="reduce", forced_colors="active")
    for scrolls in ("html", ".sidebar-scroll", ".toc-scroll"):
        assert style(browser, scrolls, "scrollBehavior") == "auto"
    assert style(browser, current, "outlineStyle") == "solid"
    pressed = "document.querySelector('article').innerHTML = '<button aria-pressed=true>x</button>'"
    browser.evaluate(pressed)
    assert style(browser, "[aria-pressed]", "outlineStyle") == "solid"
    browser.like()


def test_paper_shows_the_answers_and_all_of_the_code(
    browser: chromium.Chromium, built: Path
) -> None:
    """Print opens what is folded, wraps code, and leaves out what only a screen needs."""
    browser.like()
    browser.open((built / "04_graded_relevance.html").as_uri())
    closed = "document.querySelectorAll('article details:not([open], .slider > *)').length"
    before = browser.evaluate(closed)
    assert before > 3
    browser.call("Emulation.setEmulatedMedia", media="print")
    for hidden in (".skip-to-content", ".sidebar-drawer", ".toc-drawer"):
        assert style(browser, hidden, "display") == "none"
    assert style(browser, "article pre", "whiteSpace") == "pre-wrap"
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert browser.evaluate(closed) == 0
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate(closed) == before
    browser.call("Emulation.setEmulatedMedia", media="")
