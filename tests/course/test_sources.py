"""A source has the same authors and year in a docstring as in the course's list of works."""

import re
from pathlib import Path

import irmetrics_edu
from irmetrics_edu.course.prompts import WORKS

_CITED = re.compile(r"([A-Z][^.;:()\"]*?) \((\d{4})\), *$")
_BEGINNING = 40  # of a title: the rest may be broken over lines in another way


def _plain(text: str) -> str:
    """The text on one line, with the accents that docstrings leave out."""
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return re.sub(r"\s+", " ", joined).replace("ç", "c")


def _citations(title: str, text: str) -> list[tuple[str, str]]:
    """Authors and year before each place where a title stands."""
    cited = []
    wanted = _plain(title).lower()[:_BEGINNING]
    place = text.lower().find(wanted)
    while place >= 0:
        match = _CITED.search(text[max(0, place - 160) : place])
        if match:
            cited.append((match[1], match[2]))
        place = text.lower().find(wanted, place + 1)
    return cited


def test_works_and_docstrings_agree():
    """By title: one of the two would be a false ascription."""
    package = Path(irmetrics_edu.__file__).parent
    compared = 0
    for path in sorted(package.rglob("*.py")):
        text = _plain(path.read_text(encoding="utf-8"))
        for name, work in WORKS.items():
            authors = _plain(work["authors"])
            for cited, year in _citations(work["title"], text):
                compared += 1
                where = f"{path.name}: {cited} ({year}), {work['title']}"
                assert cited.endswith(authors) or authors.endswith(cited), where
                assert name.endswith(year), where
    assert compared > 20
