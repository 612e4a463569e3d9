"""Links, anchors, ids and what refers to them, on every page of the site."""

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

# What names other elements of its page by their ids, one or more.
REFERENCES = {"aria-controls", "aria-describedby", "aria-details", "aria-labelledby", "aria-owns",
              "for", "headers", "list"}  # fmt: skip
ADDRESSES = {"href", "poster", "src", "srcset", "xlink:href"}


class Links(HTMLParser):
    """The ids, links and references of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.references: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an id, what a tag refers to, and where it leads."""
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            elif name in REFERENCES:
                self.references += (value or "").split()
            elif name in ADDRESSES and tag != "base":
                self.links.append(value or "")


def dangling(folder: Path) -> list[str]:
    """What leads nowhere on a site's pages: links, references to ids; and ids that stand twice."""
    read = {page.resolve(): Links(page) for page in sorted(folder.rglob("*.html"))}
    wrong = []
    for page, found in read.items():
        wrong += [
            f"{page.name}: #{name} stands {n} times" for name, n in found.ids.items() if n > 1
        ]
        wrong += [
            f"{page.name}: no id {name}" for name in found.references if name not in found.ids
        ]
        for link in found.links:
            address, place = urldefrag(link)
            parts = urlsplit(link)
            target = (page.parent / unquote(urlsplit(address).path)).resolve() if address else page
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc or not link.strip():
                if parts.scheme not in {"http", "https"} or "." not in parts.netloc or " " in link:
                    wrong.append(f"{page.name}: {link!r} is no address")
            elif not target.exists():
                wrong.append(f"{page.name}: {link}")
            elif target.name == "play.html":
                continue  # what follows its # is a state of the page
            elif place and target in read and unquote(place) not in read[target].ids:
                wrong.append(f"{page.name}: {link} names no place")
    return wrong


@pytest.mark.suite("site")
@pytest.mark.slow
def test_every_link_leads_somewhere(built: Path) -> None:
    """Links within the site name files and places that are there; others are addresses."""
    assert len(list(built.glob("*.html"))) > 100
    assert dangling(built) == []


def test_a_link_to_nowhere_is_seen(tmp_path: Path) -> None:
    """A link, a picture, a label of something that is not there, and an id that stands twice."""
    (tmp_path / "a.html").write_text(
        '<a href="b.html#gone">x</a><a href="c.html">y</a><img src="data:image/gif;base64,R0">'
        '<img src="gone.png"><a href="https://example.org/a">z</a><a href="htps://example">w</a>'
        '<label for="name">v</label><svg><use href="#icon"></use></svg><a href="">u</a>'
    )
    (tmp_path / "b.html").write_text(
        '<p id="here"></p><p id="here"></p><a href="#here" aria-describedby="here">z</a>'
    )
    assert dangling(tmp_path) == [
        "a.html: no id name",
        "a.html: b.html#gone names no place",
        "a.html: c.html",
        "a.html: gone.png",
        "a.html: 'htps://example' is no address",
        "a.html: #icon names no place",
        "a.html: '' is no address",
        "b.html: #here stands 2 times",
    ]
