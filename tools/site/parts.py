"""The parts of the site, and how a page of `docs/` becomes a page of the site."""

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu.errors import InputError

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(```+)([\w+-]*)(?: (\S+(?<!:)$))?[^\n`]*$", re.MULTILINE)
_LEXERS = {"python", "pycon", "text", "toml", "ini", "yaml", "json", "bash", "console", "html", "c"}
_IMAGES = {".svg", ".png"}


@dataclass(frozen=True)
class Part:
    """A part of the site: its title, what it is for, and its pages in order."""

    title: str
    about: str
    pages: tuple[str, ...]


def read(path: Path) -> tuple[list[Part], str]:
    """The parts as the file lists them, and the address at which notebooks run, if there is one."""
    with path.open("rb") as file:
        found = tomllib.load(file)
    launch = found["launch"]
    if launch and "{path}" not in launch:
        raise InputError(
            f"{path}: launch = {launch!r} needs {{path}} where the notebook's path goes"
        )
    return [Part(p["title"], p["about"], tuple(p["pages"])) for p in found["part"]], launch


def checked(parts: Sequence[Part], made: Collection[str]) -> None:
    """Refuse a page that is in no part or in two, and a part that lists a page that is not made."""
    listed = [page for part in parts for page in part.pages]
    if twice := sorted({page for page in listed if listed.count(page) > 1}):
        raise InputError(f"site/pages.toml lists {', '.join(twice)} twice; a page has one place")
    if unknown := sorted(set(listed) - set(made)):
        raise InputError(
            f"site/pages.toml lists {', '.join(unknown)}, and there is no docs/{unknown[0]}.md"
        )
    if homeless := sorted(set(made) - set(listed)):
        raise InputError(f"site/pages.toml lists no part for {', '.join(homeless)}")


def page(text: str, known: Collection[str]) -> str:
    """A page of `docs/` for the site; links to files that the site does not have become plain text.

    >>> page("[a](a.md) and [the code](../x.py)", {"a"})
    '[a](a.md) and the code'
    >>> page("chapter [7](../notebooks/07_novelty.ipynb)", set())
    'chapter [7](07_novelty.md)'
    """

    def link(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        path = target.partition("#")[0]
        if path.startswith("../notebooks/"):
            return f"[{words}]({Path(path).stem}.md)"
        inside = path.removesuffix(".md") in known and path.endswith(".md")
        shown = image and Path(path).suffix in _IMAGES
        return match[0] if not path or "://" in target or inside or shown else words

    def fence(match: re.Match[str]) -> str:
        # A block may name its file after its language; a lexer is for what is known.
        kind = match[2] if match[2] in _LEXERS or not match[2] else "text"
        if match[3]:
            return f"{match[1]}{{code-block}} {kind}\n:caption: {match[3]}\n"
        return f"{match[1]}{kind}"

    return _FENCE.sub(fence, _LINK.sub(link, text))


def contents(parts: Sequence[Part]) -> str:
    """The lists of the side bar, for the first page, which does not show them."""
    return "\n\n".join(_contents(part.title, part.pages) for part in parts)


def _contents(caption: str, names: Collection[str]) -> str:
    listed = "\n".join(names)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```"


def course_contents(names: Collection[str]) -> str:
    """The list of the chapters for the side bar."""
    return _contents("Course", ["course", "instructors-guide", *names])


def title(text: str, name: str) -> str:
    """A page's own title."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if found is None:
        raise InputError(f"the page {name} has no title: a first line '# ...'")
    return found[1].replace("`", "")
