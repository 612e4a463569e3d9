"""The list of pages in the side bar, and the foot of each page."""

import re
from pathlib import Path

import pytest

from dev.tools.site import parts
from dev.tools.site.build import SITE
from tests.conftest import ROOT
from tests.site.test_site import pages

pytestmark = [pytest.mark.slow, pytest.mark.suite("site")]
FOOT = ("changelog", "licence", "cite", "contributing", "installation")


def within(page: Path, begin: str, end: str) -> str:
    """The part of a page between two marks."""
    text = page.read_text(encoding="utf-8")
    return text.partition(begin)[2].partition(end)[0]


def test_the_list_of_pages_is_short_and_in_groups(built: Path) -> None:
    """Two doors for a number, the chapters, 42 other links; the group of the page alone is open."""
    chapters = len(list((ROOT / "notebooks").glob("[0-9][0-9]_*.py")))
    for page in pages(built):
        if page.name == "play.html":
            continue
        listed = within(page, '<div class="sidebar-tree">', "</aside>")
        links = re.findall(r'href="([^"]*)">([^<]*)<', listed)
        assert len(links) - chapters <= 42, page.name
        first = ["Explain your number", "Explain your run", "The course"]
        assert [name for _, name in links[:3]] == first
        assert [path.rpartition("/")[2] for path, _ in links[:2]] == ["play.html", "play.html#run"]
        explained = listed.partition("Explain a number</summary>")[2].partition("</details>")[0]
        assert explained.count("<a ") == 2
        assert max(len(name) for _, name in links) <= 42
        groups = listed.split("<details")[1:]
        current = ["toctree-l1 current" in group for group in groups]
        assert [group.startswith(" open>") for group in groups] == current


def test_a_page_that_is_in_no_group_is_linked(built: Path) -> None:
    """Each page that the side bar leaves out is linked from another page."""
    linked = {
        link
        for page in pages(built)
        for link in re.findall(r'href="([\w-]+\.html)', within(page, "<article", "</article>"))
    }
    for name in parts.read(SITE / "pages.toml").linked:
        assert f"{name}.html" in linked


def test_each_page_ends_with_what_is_asked_of_a_project(built: Path) -> None:
    """Changelog, licence, how to cite, contribute, source; the version is in another test."""
    for page in pages(built):
        if page.name == "play.html":
            continue
        foot = within(page, '<nav class="foot"', "</nav>")
        links = re.findall(r'href="([\w-]*)', foot)
        assert [link or page.stem for link in links] == list(FOOT), page.name
    assert "@software{irmetrics-edu" in (built / "cite.html").read_text(encoding="utf-8")
    assert "MIT License" in (built / "licence.html").read_text(encoding="utf-8")
