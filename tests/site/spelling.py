"""The words of the texts that people read, and those that no dictionary of British English has.

hunspell and its dictionary come from the system (`apt-get install hunspell hunspell-en-gb`).
`dev/site/words.txt` has the field's terms and names; a line of several words is part of a title
that is spelt otherwise, and counts as a whole. `python -m tests.site.spelling SITE` prints the
words that are in neither, with the pages on which they stand.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
WORDS = ROOT / "dev" / "site" / "words.txt"
CODE = {"code", "kbd", "math", "pre", "script", "style", "svg"}
SPOKEN = {"alt", "aria-label", "placeholder", "title"}
INLINE = {"a", "b", "em", "i", "small", "span", "strong", "sub", "sup"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta"}
# Code, addresses, files, options, formulas and tags that stand in a text without being marked.
_NO_WORDS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$|\S*[\d_/\\@=<>{}|#~]\S*|\S+\.\w+\S*|\S*--?-\w\S*",
                       re.DOTALL)  # fmt: skip
_OWN = WORDS.read_text(encoding="utf-8").splitlines()
_TITLES = re.compile("|".join(re.escape(line) for line in _OWN if " " in line))
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_AMERICAN = re.compile(r"(?<=\w{3})iz(?=(?:e[drs]?|ing|ations?|able)$)")


def found() -> str | None:
    """The path of hunspell, or nothing where it or its British dictionary is not installed."""
    path = shutil.which("hunspell")
    if path is None:
        return None
    listed = subprocess.run([path, "-D"], input="", capture_output=True, text=True, check=False)
    return path if "en_GB" in listed.stderr + listed.stdout else None


class Prose(HTMLParser):
    """The text of a page in English that is no code; of a page of helps, that in blocks too."""

    def __init__(self, page: str, *, blocks: bool = False) -> None:
        super().__init__()
        self.inside: list[tuple[str, bool]] = []
        self.parts: list[str] = []
        self.code = CODE - {"pre"} if blocks else CODE
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note whether English text begins or ends here, and what is said instead of shown."""
        given = dict(attrs)
        hidden = bool(self.inside and self.inside[-1][1])
        if not hidden:
            self.parts += [f" {given[name]} " for name in sorted(SPOKEN & given.keys())]
        foreign = not (given.get("lang") or "en").startswith("en")
        if tag not in INLINE:
            self.parts.append(" ")
        if tag not in VOID:
            self.inside.append((tag, hidden or foreign or tag in self.code))

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and what was left open in it."""
        tags = [name for name, _ in self.inside]
        if tag not in INLINE:
            self.parts.append(" ")
        if tag in tags:
            del self.inside[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        """Keep text that is read."""
        if not (self.inside and self.inside[-1][1]):
            self.parts.append(data)


def words(page: str, *, blocks: bool = False) -> set[str]:
    """The words of a page in HTML: no code, no acronyms, no names with capitals within.

    >>> sorted(words("<p>Recall of nDCG@10, <code>colour</code> it's <em>per</em>sonal.</p>"))
    ['Recall', 'personal']
    """
    text = " ".join("".join(Prose(page, blocks=blocks).parts).split())
    text = _NO_WORDS.sub(" ", _TITLES.sub(" ", text))
    found = {word.replace("’", "'").removesuffix("'s") for word in _WORD.findall(text)}
    return {word for word in found if len(word) > 2 and word[1:].islower() and word < "\u3000"}


def texts(site: Path) -> Iterator[tuple[str, set[str]]]:
    """The words of each page of a built site, and of what people read beside it."""
    for path in sorted(site.glob("*.html")):
        page = path.read_text(encoding="utf-8")
        yield path.name, words(page, blocks=path.name == "commands.html")
    render = MarkdownIt("commonmark").enable("table").render
    for path in sorted(ROOT.glob("*.md")):
        yield path.name, words(render(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "exercises").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        said = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
        yield f"exercises/{path.name}", words(render("\n\n".join(said)))


def unknown(hunspell: str, asked: Collection[str], own: Collection[str]) -> set[str]:
    """The words that neither the dictionary nor the project's list has, and -ize for -ise."""

    def lacking(these: Collection[str]) -> set[str]:
        lines = "\n".join(sorted(these))
        run = subprocess.run(
            [hunspell, "-i", "utf-8", "-d", "en_GB", "-l"], input=lines, capture_output=True,
            text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        return set(run.stdout.split())

    mine = {form for word in own for form in (word, word.capitalize())}
    rest = {word for word in asked if word not in mine}
    british = {_AMERICAN.sub("is", word): word for word in rest if _AMERICAN.search(word)}
    return lacking(rest) & rest | {british[word] for word in british.keys() - lacking(british)}


def misspelt(hunspell: str, pages: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """The unknown words with the pages on which they stand."""
    asked = {word for found in pages.values() for word in found}
    return {
        word: [name for name, found in pages.items() if word in found]
        for word in sorted(unknown(hunspell, asked, _OWN))
    }


if __name__ == "__main__":
    program = found() or sys.exit("apt-get install hunspell hunspell-en-gb")
    for lines in misspelt(program, dict(texts(Path(sys.argv[1])))).items():
        sys.stdout.write(f"{lines[0]}: {', '.join(lines[1])}\n")
