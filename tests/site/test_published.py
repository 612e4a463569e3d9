"""What servers, search engines and previews of links read, and the site below a server's path."""

import contextlib
import functools
import re
import threading
import time
import zipfile
from collections.abc import Iterator
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from dev.tools.places import ROOT
from dev.tools.site import published
from dev.tools.site.searching import leads_on
from tests.site import chromium
from tests.site.conftest import ADDRESS
from tests.site.test_site import browser, pages

__all__ = ["browser"]
PATH = "/irmetrics-edu/"
OURS = {"search.html"}  # described by hand


class Below(SimpleHTTPRequestHandler):
    """A server that has a folder below a path, and answers with its 404.html, as GitHub Pages."""

    def translate_path(self, path: str) -> str:
        """The file of an address below the path."""
        return super().translate_path(path.removeprefix(PATH.rstrip("/")))

    def send_error(self, code: int, *_: object) -> None:
        """The page for what is not there."""
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write((Path(self.directory) / "404.html").read_bytes())

    def log_message(self, *_: object) -> None:
        """Be quiet."""


@pytest.fixture(scope="module")
def served(built: Path) -> Iterator[str]:
    """The address at which the site is served, below a path."""
    handler = functools.partial(Below, directory=str(built))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PATH}"
        server.shutdown()


LOADED = """[...performance.getEntriesByType("resource")]
    .map(({ name, responseStatus }) => [name, responseStatus])"""
LINKS = "[...document.querySelectorAll('a[href]')].map((link) => link.href)"


@pytest.mark.slow
@pytest.mark.suite("site")
@pytest.mark.parametrize("page", ["index.html", "zh/04_graded_relevance.html", "no/such/page"])
def test_a_page_works_below_a_path(
    browser: chromium.Chromium, built: Path, served: str, page: str
) -> None:
    """What it loads is there, and its links lead to pages of the site; so does 404.html's."""
    browser.open(served + page)
    assert (browser.evaluate("document.querySelector('h1').innerText") == "Page not found") == (
        page == "no/such/page"
    )
    loaded = browser.evaluate(LOADED)
    assert len(loaded) > 3
    assert [name for name, status in loaded if status != 200 or not name.startswith(served)] == []
    own = {link.partition("#")[0].removeprefix(served) for link in browser.evaluate(LINKS)}
    own = {link for link in own if "://" not in link}
    assert len(own) > 30
    assert [link for link in own if link != page and not (built / link).is_file()] == []


def meta(page: str) -> dict[str, str]:
    """What the head of a page says about it."""
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


@pytest.mark.slow
@pytest.mark.suite("site")
def test_each_page_says_what_it_is_about(built: Path) -> None:
    """A description of its own, the same for previews of links, and a picture that is there."""
    described = {}
    for page in [*pages(built), *built.glob("??/*.html")]:
        said = meta(page.read_text(encoding="utf-8"))
        assert 30 < len(said["description"]) <= 200, page.name
        if page.name in OURS:
            continue
        name = page.relative_to(built).as_posix()
        described[name] = said["description"]
        assert said["og:description"] == said["description"]
        assert said["og:title"]
        assert said["og:url"] == f"{ADDRESS}{name}"
        picture = built / said["og:image"].removeprefix(ADDRESS)
        assert picture.stem == (page.stem if page.name.startswith("metric-") else "index")
        head = picture.read_bytes()[:24]  # of a PNG: its signature, then width and height
        assert (head[1:4], int.from_bytes(head[16:20]), int.from_bytes(head[20:])) == (
            b"PNG", 1200, 630,
        )  # fmt: skip
    assert len(set(described.values())) == len(described)
    for deck in sorted((built / "slides").glob("*.html")):
        said = meta(deck.read_text(encoding="utf-8"))
        assert said["og:url"] == f"{ADDRESS}slides/{deck.name}"
        assert (built / said["og:image"].removeprefix(ADDRESS)).is_file()


@pytest.mark.slow
@pytest.mark.suite("site")
def test_a_server_finds_what_it_asks_for(built: Path) -> None:
    """The sitemap has each page once; no page asks for Jekyll; each page has its mark."""
    text = (built / "sitemap.xml").read_text(encoding="utf-8")
    listed = re.findall(f"<loc>{re.escape(ADDRESS)}([^<]+)</loc>", text)
    shown = [p for p in built.rglob("*.html") if not leads_on(p.read_text(encoding="utf-8"))]
    expected = {page.relative_to(built).as_posix() for page in shown}
    assert sorted(listed) == sorted(expected - {"404.html", "search.html"})
    assert (built / ".nojekyll").exists()
    for name in ("index", "404"):
        page = (built / f"{name}.html").read_text(encoding="utf-8")
        mark = re.search(r'<link rel="shortcut icon" href="([^"]+)">', page)
        assert mark
        assert (built / mark[1]).exists()


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", ""),
        (" ", ""),
        ("https://x.org/a", "https://x.org/a/"),
        ("https://x.org/", "https://x.org/"),
    ],
)
def test_an_address_ends_with_a_slash(
    monkeypatch: pytest.MonkeyPatch, given: str, address: str
) -> None:
    """GitHub gives an address without a slash, Read the Docs with one."""
    monkeypatch.setenv("SITE_ADDRESS", given)
    assert published.address() == address


def test_services_call_only_targets_of_make() -> None:
    """The workflow and the file of Read the Docs run what a person can run, and nothing else."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    read_the_docs = yaml.safe_load((ROOT / "dev" / "site" / ".readthedocs.yaml").read_text("utf-8"))
    commands = read_the_docs["build"]["commands"]
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
        for job in jobs:
            commands += [step["run"] for step in job.get("steps", ()) if "run" in step]
    assert len(commands) > 1
    for command in commands:
        made = re.match(r"make ([\w-]+)( [A-Z_]+=(\$\{\{[^}]+\}\}|\S+))*$", command)
        assert made, command
        assert made[1] in targets


@pytest.mark.slow
@pytest.mark.suite("site")
def test_the_first_page_is_one_screen(browser: chromium.Chromium, built: Path) -> None:
    """On a laptop: what it is, a command, the failure, a field for a number, three doors."""
    browser.open((built / "index.html").as_uri(), 1280)
    for part in (
        "h1",
        "h1 + p",
        ".highlight",
        ".shown img",
        ".ask input",
        ".ways li:nth-child(3)",
    ):
        box = browser.evaluate(
            f"document.querySelector('article {part}').getBoundingClientRect().toJSON()"
        )
        assert 0 < box["top"] < box["bottom"] < 800, part
    below = "document.querySelector('article table').getBoundingClientRect().top"
    assert browser.evaluate(below) > box["bottom"]
    assert browser.evaluate("document.querySelectorAll('article a.reference').length") < 10
    shown = (
        "(({ width, naturalWidth }) => width / naturalWidth)(document.querySelector('.shown img'))"
    )
    assert 13 * browser.evaluate(shown) > 12  # points of its letters


@pytest.mark.slow
@pytest.mark.suite("site")
def test_a_phone_has_the_failure_as_text(browser: chromium.Chromium, built: Path) -> None:
    """Whole in its width, in letters of at least 12 pixels; the picture is for wide screens."""
    browser.open((built / "index.html").as_uri(), 390)
    shown = "getComputedStyle(document.querySelector('article %s')).%s"
    assert browser.evaluate(shown % (".shown", "display")) == "none"
    assert float(browser.evaluate(shown % (".failed", "fontSize")).removesuffix("px")) >= 12
    fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
    assert browser.evaluate(f"{fits}(document.querySelector('article .failed'))")


@pytest.mark.slow
@pytest.mark.suite("site")
def test_a_number_typed_on_any_page_is_explained(browser: chromium.Chromium, built: Path) -> None:
    """The front page, the page of numbers that differ, and a library's page have the field."""
    for name in ("index", "my-number-differs", "library-scikit-learn"):
        browser.open((built / f"{name}.html").as_uri(), 1280)
        browser.loaded = False
        browser.evaluate("""(() => {
            const form = document.querySelector("form.ask");
            form.ask.value = "AP = 0.81 for 1 0 1 1";
            setTimeout(() => form.requestSubmit(), 50);
        })()""")
        said = ""
        for _ in range(200):
            with contextlib.suppress(RuntimeError):  # the page is left meanwhile
                said = browser.evaluate("document.getElementById('score')?.innerText ?? ''")
            if said:
                break
            time.sleep(0.05)
        assert said == "AP = 0.8056", name


@pytest.mark.suite("site")
@pytest.mark.slow
def test_the_site_carries_the_wheel_and_the_course(built: Path) -> None:
    """The first page's links to them lead to files, and the wheel holds the package."""
    page = (built / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a download href="([^"]+)"', page)
    assert len(links) == 2
    assert all((built / link).stat().st_size > 500_000 for link in links)
    with zipfile.ZipFile(built / links[0]) as wheel:
        assert "irmetrics_edu/cli.py" in wheel.namelist()
    asked = unescape(re.sub(r"<[^>]*>", "", page.partition('class="highlight"')[2]))
    assert f'pip install "irmetrics-edu[gate] @ {ADDRESS}{links[0]}"' in asked
