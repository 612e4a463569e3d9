"""Pages at the addresses that chapters had before they were numbered anew: each leads on."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping
from irmetrics_edu.writing import write

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="description" content="The address of a chapter that has another number now.">
<meta http-equiv="refresh" content="0; url={address}">
<link rel="canonical" href="{address}">
<title>{title}</title>
</head>
<body>
<main>
<h1>{title}</h1>
<p>The chapters have new numbers. This one is <a href="{address}">chapter {number}</a>.</p>
</main>
</body>
</html>
"""


def read(path: Path, chapters: Iterable[str]) -> dict[str, str]:
    """The old pages and the chapters that they lead to, by name.

    InputError if a topic is no chapter's, or if a chapter has the old name.
    """
    stems = list(chapters)
    by_topic = {stem.partition("_")[2]: stem for stem in stems}
    found: dict[str, str] = {}
    for old, topic in tomllib.loads(path.read_text(encoding="utf-8"))["moved"].items():
        if topic not in by_topic:
            raise InputError(
                f"{path}: {old} leads to {topic!r}, which is no chapter; topics are "
                f"{', '.join(by_topic)}"
            )
        if old in stems:
            raise InputError(f"{path}: {old} is a chapter, so nothing can lead on from it")
        found[old] = by_topic[topic]
    return found


def pages(moved: Mapping[str, str]) -> dict[str, str]:
    """The files that lead on, by name.

    >>> "chapter 7<" in pages({"20_inference": "07_inference"})["20_inference.html"]
    True
    """
    found = {}
    for old, stem in moved.items():
        number, _, topic = stem.partition("_")
        title = topic.replace("_", " ").capitalize()
        found[f"{old}.html"] = _PAGE.format(
            address=escaping.html(f"{stem}.html"), title=escaping.html(title), number=int(number)
        )
    return found


def write_pages(out: Path, path: Path, chapters: Iterable[str]) -> None:
    """Write them into the built site, after its sitemap and its search, which need none of them."""
    for name, text in pages(read(path, chapters)).items():
        write(out / name, text)
