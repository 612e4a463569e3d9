"""What the search knows: titles, headings and words of the pages, and what people call them.

`dev/site/asked.toml`, `judged.toml` and `alike.toml` are kept by hand: what people type and the
page that they look for, whole questions of visitors, and words for words. Answers of predictions
and quizzes are left out: no result shows one.
"""

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from dev.tools import tiers
from dev.tools.places import ROOT, page_of_metric
from dev.tools.site import library_pages
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import ALIASES, METRICS, import_all

TABLE = ROOT / "dev" / "site" / "asked.toml"
ALIKE = ROOT / "dev" / "site" / "alike.toml"
JUDGED = ROOT / "dev" / "site" / "judged.toml"
_ARTICLE = re.compile(r"<article.*</article>", re.DOTALL)
_MUTE = re.compile(r"<(script|style|math|svg)\b.*?</\1>", re.DOTALL)  # most of a page's letters
_LEFT_OUT = {"button", "template"}
_HEADINGS = {"h1", "h2", "h3"}
_VOID = {"br", "hr", "img", "input", "link", "meta", "wbr", "source", "col"}
_LEFT_OUT_CLASSES = {"quiz", "predict", "headerlink"}


class Known(TypedDict):
    """What the search knows of a page."""

    title: str
    headings: list[tuple[str, str]]  # words and anchor
    text: str


class _Open(NamedTuple):
    """An element that the reader is in."""

    tag: str
    left_out: bool
    output: bool  # of a cell, or within one


@dataclass
class _Article(HTMLParser):
    """Reads the article of a page: its title, its headings, and its words."""

    title: str = ""
    headings: list[tuple[str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    _open: list[_Open] = field(default_factory=list)
    _inside: bool = False
    _heading: list[str] | None = None
    _anchor: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go into an element; one that holds an answer or no words is left out as a whole."""
        if tag in _VOID:
            return
        of = dict(attrs)
        classes = set((of.get("class") or "").split())
        within = self._open[-1] if self._open else _Open("", left_out=False, output=False)
        output = within.output or "output" in classes
        folded = tag == "details" and (output or "code" in classes)
        mute = tag in _LEFT_OUT or bool(classes & _LEFT_OUT_CLASSES)
        self._open.append(_Open(tag, within.left_out or folded or mute, output))
        self._inside = self._inside or tag == "article"
        if tag == "section":
            self._anchor = of.get("id") or ""
        if tag in _HEADINGS:
            self._heading = []

    def handle_endtag(self, tag: str) -> None:
        """Come out of an element, and note a heading that ends."""
        while self._open and self._open.pop().tag != tag:
            pass
        if tag == "article":
            self._inside = False
        if tag in _HEADINGS and self._heading is not None:
            self._note(tag, " ".join("".join(self._heading).split()))
            self._heading = None

    def _note(self, tag: str, words: str) -> None:
        if tag == "h1":
            self.title = self.title or words
        elif self._inside and words:
            self.headings.append((words, self._anchor))

    def handle_data(self, data: str) -> None:
        """Keep words that a reader sees at once."""
        if not self._inside or (self._open and self._open[-1].left_out):
            return
        if self._heading is not None:
            self._heading.append(data)
        else:
            self.words.append(data)


def known(page: str) -> Known:
    """What the search knows of a page, from its HTML.

    >>> known("<article><h1>A</h1><p>Words.</p><div class='quiz'>b) 3</div></article>")["text"]
    'Words.'
    >>> known(f"<article><p><em>{tiers.NOTES[tiers.Tier.STABLE]}</em></p> Words.</article>")["text"]
    'Words.'
    """
    article = _ARTICLE.search(page)
    reader = _Article()
    reader.feed(_MUTE.sub(" ", article[0]) if article else "")
    text = " ".join(" ".join(reader.words).split())
    for note in tiers.NOTES.values():  # it begins most pages, and tells nobody what they are about
        text = text.removeprefix(note).removeprefix(" The rules .").strip()
    return {"title": reader.title, "headings": reader.headings, "text": text}


def by_hand(table: Path = TABLE) -> dict[str, list[str]]:
    """What people type, by page, as the table says."""
    with table.open("rb") as file:
        return tomllib.load(file)


def asked(pages: Collection[str], table: Path = TABLE) -> dict[str, list[str]]:
    """What people type, by page: the table and all names of metrics; unknown pages are refused."""
    found = by_hand(table)
    if strange := sorted(set(found) - set(pages)):
        raise InputError(f"{table} names {', '.join(strange)}; the site has no such page")
    for page, words in of_measures().items():
        found.setdefault(page, []).extend(words)
    return {page: found[page] for page in sorted(found) if page in pages}


def of_measures() -> dict[str, list[str]]:
    """All names of each measure, by its page.

    >>> of_measures()["metric-success"]
    ['Success', 'success', 'hit', 'hit_rate', 'hit_ratio', 'hitrate', 'hr']
    """
    import_all()
    found: dict[str, list[str]] = {}
    for metric in METRICS.values():
        words = [metric.name, metric.kernel.__name__]
        words += [alias for alias, (name, _) in ALIASES.items() if name == metric.name]
        found[page_of_metric(metric)] = list(dict.fromkeys(words))
    return found


def of_libraries() -> dict[str, list[str]]:
    """The names of each library, as it calls itself and as our options do, by its page.

    >>> of_libraries()["library-keras-rs"]
    ['KerasRS', 'keras_rs']
    """
    chosen = [(key, b) for key, b in BUNDLES.items() if b.metrics and b.package]
    return {library_pages.page_of(b): [b.name, key] for key, b in chosen}


def judged(table: Path = JUDGED) -> dict[str, dict[str, list[str]]]:
    """Questions of visitors in sets, each question with the pages that may stand first."""
    with table.open("rb") as file:
        return tomllib.load(file)


def by_page(sets: Iterable[Mapping[str, list[str]]]) -> dict[str, list[str]]:
    """The questions of sets, by page.

    >>> by_page([{"why nan": ["a", "b"]}, {"nan": ["b"]}])
    {'a': ['why nan'], 'b': ['why nan', 'nan']}
    """
    found: dict[str, list[str]] = {}
    for questions in sets:
        for asked_for, best in questions.items():
            for page in best:
                found.setdefault(page, []).append(asked_for)
    return found


class Alike(TypedDict):
    """Words for words: those that count as one, and what the pages say for what is typed."""

    same: list[list[str]]
    instead: dict[str, str]


def alike(table: Path = ALIKE) -> Alike:
    """Words of other people for words of the pages; a word of two classes is refused."""
    with table.open("rb") as file:
        found = cast("Alike", tomllib.load(file))
    words = [word for one in found["same"] for word in one]
    if twice := sorted({word for word in words if words.count(word) > 1}):
        raise InputError(f"{table} has {', '.join(twice)} in two places of `same`; keep one")
    return found


def leads_on(page: str) -> bool:
    """Whether a page only leads to another, which has the words: nobody looks for its address."""
    return 'http-equiv="refresh"' in page


def script(out: Path) -> str:
    """The script that the page of the search loads: all pages of a built site, and the table."""
    pages: dict[str, Known] = {}
    for path in sorted(out.rglob("*.html")):
        page = path.relative_to(out).as_posix().removesuffix(".html")
        if page in {"404", "search"} or page.startswith("slides/"):
            continue
        text = path.read_text(encoding="utf-8")
        if not leads_on(text):
            pages[page] = known(text)
    pages["play"] = {
        "title": "Type your number: which convention, library or mistake gives it",
        "headings": [("Explain your run", "run")],
        "text": "Type your number and the grades of your ranking. The page names the convention, "
        "the library or the mistake that gives it. Or drop two files, a run and its judgments.",
    }
    questions = by_page(judged().values())
    if strange := sorted(set(questions) - set(pages)):
        raise InputError(f"{JUDGED} names {', '.join(strange)}; the site has no such page")
    held = {
        "PAGES": pages,
        "ASKED_FOR": asked(pages),
        "ALIKE": alike(),
        "NAMES": of_measures() | of_libraries(),
        "JUDGED": questions,
    }
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in held.items())
