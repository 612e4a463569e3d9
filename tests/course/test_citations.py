"""What the course cites: each work is in one list, with its address."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.tools.notebooks import sources
from irmetrics_edu.course import reading
from irmetrics_edu.course.prompts import WORKS
from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
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
        given = set(work) - {"check", "code"}
        assert given == {"authors", "title", "venue", "address", "read"}, name
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


# -- nothing rests on more of a work than was read

# What of a work was read, from nothing but its title to its text.
READ = ("title", "cited", "abstract", "part", "text")
_PLACE = re.compile(r"\b(sections?|equations?|tables?|figures?|algorithms?|chapters?) \d")
_OF_A_PAPER = re.compile(
    r"\b(the|that|this|its|original) paper\b|\bpapers' |\bpaper's\b|\babstract\b|\bauthors\b",
    re.IGNORECASE,
)
# What authors released, which is code and data, and was run.
_AS_CODE = re.compile(
    r"authors('? (code|implementation of DGRec|settings|released|publish)|: train\.txt|"
    r" of the (metrics|paper) released)"
)
# What is said of a work's own words, and the work that was read so far.
SAID_OF = {
    "the authors find the greedy one acceptable": "Clarke 2008",
    "the authors accept the greedy one": "Clarke 2008",
    "the authors of the paper find the greedy estimate acceptable": "Clarke 2008",
    "a partial translation of the paper": "Clarke 2008",
    "the name of the paper's first author": "Clarke 2008",
    "document 000 cites the paper as": "Clarke 2008",
    "defined in the part of the paper that the translation leaves out": "Clarke 2008",
    "a finding of the paper's reference [3]": "Clarke 2008",
    "abstract of the paper": "Li 2024",
    "in the abstract of the paper": "Li 2024",
    "abstract: gains even negative": "Li 2024",
    "the abstract of On evaluation metrics for": "Li 2024",
    "paper's abstract, and our own questions": "Li 2024",
    "title, speaker, date, and the paper": "Li 2024",
    "figures are the paper's": "Li 2024",
    'The talk is about the paper "On evaluation metrics': "Li 2024",
    "as in the original paper: the first b-1 ranks": "Järvelin 2002",
    "The text of the paper (Nallapati 2004) was not at hand": "Nallapati 2004",
}
# Papers that a chapter makes up, and the authors of something else.
_MADE_UP = (
    "the marks of the paper's questions",  # an exam on paper
    "not on the paper on which a prediction is worked out",
    "as a paper's table by its methods",
    "as a paper's table, as a file or as a plot",
    "A paper",
    "authors' program has depth",
    "the authors should do",
    "authors should",
    "about['authors']",
)


def _sources_of_sentences() -> Iterator[tuple[str, str]]:
    """The package's code and documents and the chapters, in one line each."""
    paths = [*sources(), *ROOT.glob("irmetrics_edu/**/*.py")]
    paths += ROOT.glob("irmetrics_edu/course/documents/*.toml")
    for path in sorted(paths):
        text = path.read_text(encoding="utf-8")
        yield path.name, re.sub(r'"\s*\n\s*f?"|\n#? *', lambda m: "" if '"' in m[0] else " ", text)


def test_each_work_says_what_of_it_was_read() -> None:
    """One of five words; what a person still has to look up is the title of a work, or less."""
    assert {work["read"] for work in WORKS.values()} <= set(READ)
    assert {n for n, w in WORKS.items() if "check" in w and w["read"] in ("part", "text")} == set()


def test_a_place_in_a_work_is_cited_only_if_it_was_seen() -> None:
    """A section, an equation or a table: its text was read, or others cite the same place."""
    found = []
    for file, text in _sources_of_sentences():
        for match in _CITED.finditer(text):
            rest = re.split(r'[;"]|\. [A-Z]', text[match.end() : match.end() + 160])[0]
            if match[1] in NO_WORKS or _CITED.search(rest) or not _PLACE.search(rest):
                continue
            name = f"{match[1]} {match[2]}"
            if WORKS.get(name, {"read": "title"})["read"] in ("title", "abstract"):
                found.append((file, name, rest))
    assert found == []


def test_what_is_said_of_a_papers_own_words_was_read() -> None:
    """Each sentence on what a paper or its authors say is listed, with the work that was read."""
    for name in SAID_OF.values():
        assert WORKS[name]["read"] != "title", name
    unknown = []
    for file, text in _sources_of_sentences():
        for match in _OF_A_PAPER.finditer(text):
            around = text[max(0, match.start() - 90) : match.end() + 90]
            known = any(part in around for part in (*SAID_OF, *_MADE_UP))
            if not known and not _AS_CODE.search(around):
                unknown.append((file, around))
    assert unknown == []


def test_code_that_was_run_is_named_with_its_commit() -> None:
    """An authors' implementation has an address, a commit, and what was done with it."""
    with_code = {name: work["code"] for name, work in WORKS.items() if "code" in work}
    assert set(with_code) == {"Li 2024"}
    for said in with_code.values():
        assert re.fullmatch(r"https://\S+, commit [0-9a-f]{7,40}: (read|read and run)", said)
