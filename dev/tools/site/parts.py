"""The groups of the site's pages, and how a page of `docs/` becomes a page of the site."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irmetrics_edu.errors import InputError

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(```+)([\w+-]*)(?: (\S+(?<!:)$))?[^\n`]*$", re.MULTILINE)
LONE = "---\norphan: true\n---\n\n"  # before a page that stands in no group
_SHORT = re.compile(r": |(?<=\?) |, and ")
_LEXERS = {"python", "pycon", "text", "toml", "ini", "yaml", "json", "bash", "console", "html", "c"}
_IMAGES = {".svg", ".png", ".jpg"}


@dataclass(frozen=True)
class Plan:
    """What `dev/site/pages.toml` says: the groups of the side bar with their pages, in order."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    linked: tuple[str, ...] = ()
    launch: str = ""


def read(path: Path) -> Plan:
    """What the file says; an address that would open the same page for all is refused."""
    with path.open("rb") as file:
        found = tomllib.load(file)
    launch = found["launch"]
    if launch and "{path}" not in launch:
        raise InputError(
            f"{path}: launch = {launch!r} needs {{path}} where the notebook's path goes"
        )
    groups = tuple((group["title"], tuple(group["pages"])) for group in found["group"])
    return Plan(groups, tuple(found["linked"]), launch)


def checked(plan: Plan, made: Collection[str]) -> None:
    """Refuse a page that is in no group or in two, and a group with a page that is not made."""
    listed = [*plan.linked, *(page for _, pages in plan.groups for page in pages)]
    if twice := sorted({page for page in listed if listed.count(page) > 1}):
        raise InputError(
            f"dev/site/pages.toml lists {', '.join(twice)} twice; a page has one place"
        )
    if unknown := sorted(set(listed) - set(made)):
        raise InputError(
            f"dev/site/pages.toml lists {', '.join(unknown)}, and there is no docs/{unknown[0]}.md"
        )
    if homeless := sorted(set(made) - set(listed)):
        raise InputError(f"dev/site/pages.toml lists no group for {', '.join(homeless)}")


def page(text: str, known: Collection[str]) -> str:
    """A page of `docs/` for the site; links to files that the site does not have become plain text.

    >>> page("[a](a.md) and [the code](../x.py)", {"a"})
    '[a](a.md) and the code'
    >>> page("chapter [8](../notebooks/09_novelty.ipynb)", set())
    'chapter [8](09_novelty.md)'
    """

    def link(match: re.Match[str]) -> str:
        image, words, target = match.groups()
        path = target.partition("#")[0]
        if path.startswith("../notebooks/"):
            return f"[{words}]({Path(path).stem}.md)"
        inside = path.removesuffix(".md") in known and path.endswith(".md")
        shown = image and Path(path).suffix in _IMAGES
        if shown:  # the words of a picture are those of one line
            return f"![{' '.join(words.split())}]({target})"
        return match[0] if not path or "://" in target or inside else words

    def fence(match: re.Match[str]) -> str:
        # A block may name its file after its language; a lexer is for what is known.
        kind = match[2] if match[2] in _LEXERS or not match[2] else "text"
        if match[3]:
            return f"{match[1]}{{code-block}} {kind}\n:caption: {match[3]}\n"
        return f"{match[1]}{kind}"

    return _FENCE.sub(fence, _LINK.sub(link, text))


def contents(plan: Plan, titles: Mapping[str, str], chapters: Sequence[str]) -> str:
    """The lists of the side bar, for the first page, which does not show them.

    The chapters follow the first group. A title there ends at its colon, question mark or ", and".
    """
    groups = [plan.groups[0], ("Chapters", tuple(chapters)), *plan.groups[1:]]
    blocks = []
    for caption, pages in groups:
        listed = "\n".join(f"{_SHORT.split(titles[name])[0]} <{name}>" for name in pages)
        said = f":caption: {caption}\n" if caption else ""
        blocks.append(f"```{{toctree}}\n:hidden:\n{said}\n{listed}\n```")
    return "\n\n".join(blocks)


def about(root: Path, version: str, cite: str) -> dict[str, str]:
    """The pages that the foot of each page links to; they stand in no group."""
    own = {
        "contributing": (root / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        "licence": "# Licence\n\nirmetrics-edu is free software under the MIT licence.\n\n"
        f"```text\n{(root / 'LICENSE').read_text(encoding='utf-8')}```\n",
        "cite": cite.replace("<!-- version -->", version).replace(
            "<!-- cff -->", f"```yaml\n{(root / 'CITATION.cff').read_text(encoding='utf-8')}```"
        ),
    }
    return {name: LONE + text.replace("](docs/", "](") for name, text in own.items()}


def title(text: str, name: str) -> str:
    """A page's own title."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if found is None:
        raise InputError(f"the page {name} has no title: a first line '# ...'")
    return found[1].replace("`", "")
