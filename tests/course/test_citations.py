"""What the course cites: each work is in one list, with its address."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.tools.notebooks import sources
from irmetrics_edu.course import reading
from irmetrics_edu.course.prompts import WORKS
from irmetrics_edu.errors import InputError

_NAME = r"[A-ZÄÖÜ][\w-]*[a-zäöüß]"
# Voorhees (2000); Voorhees 2000; Burges, Ragno & Le 2006; Es et al. (2024); Landis and Koch (1977)
_CITED = re.compile(
    rf"({_NAME})(?:,? (?:et al\.|(?:and |& )?{_NAME}|&))*,? \(?((?:19|20)\d\d)\b", re.UNICODE
)
NO_WORKS = {"TREC", "CIKM", "NeurIPS", "Since", "In", "At"}
ADDRESS = re.compile(r"10\.\d{4,}/\S+|https?://[^\s/]+\.[^\s/]+(/\S*)?")


def cited(text: str) -> Iterator[str]:
    """The works that a text cites, by first author and year."""
    for name, year in _CITED.findall(text.replace("\n#", "")):
        if name not in NO_WORKS:
            yield f"{name} {year}"


def test_each_work_has_an_address() -> None:
    """A DOI or an address, no two alike; what a person has to look up is said."""
    for name, work in WORKS.items():
        assert set(work) - {"check"} == {"authors", "title", "venue", "address"}, name
        assert ADDRESS.fullmatch(work["address"]), name
        assert name.rpartition(" ")[0].split()[-1] in work["authors"].split(" & ")[0], name
        assert work.get("check", "?").strip(), name
    addresses = [work["address"] for work in WORKS.values()]
    assert len(set(addresses)) == len(addresses)


@pytest.mark.parametrize("source", sources(), ids=lambda p: p.stem)
def test_what_a_chapter_cites_is_in_the_list(source: Path) -> None:
    """In its text and in its list of what to read on."""
    assert [name for name in cited(source.read_text(encoding="utf-8")) if name not in WORKS] == []


def test_each_work_of_the_list_is_read_on_somewhere() -> None:
    """A work that no chapter names is not the course's."""
    text = "".join(source.read_text(encoding="utf-8") for source in sources())
    assert [name for name in WORKS if f'"{name}"' not in text] == []


def test_citations_are_found() -> None:
    """In the forms in which chapters write them; a year alone is none."""
    text = "Voorhees (2000), LambdaRank (Burges, Ragno & Le 2006), Es et al. (2024), Landis\n# and "
    text += "Koch (1977) in 1999, at TREC 2024"
    assert list(cited(text)) == ["Voorhees 2000", "Burges 2006", "Es 2024", "Landis 1977"]


def test_a_work_that_is_not_listed_is_refused() -> None:
    """With its name; a listed one links to its DOI."""
    with pytest.raises(InputError, match="'Nobody 1900' is not among the works"):
        reading("Nobody 1900")
    assert 'href="https://doi.org/10.1093/biomet/6.1.1"' in reading("Student 1908")._repr_html_()
