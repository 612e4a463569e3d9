"""What a person reads is in plain English: no archaic words, and no sentence without end.

A semicolon does not end a sentence of a docstring or a page, or the limit on words would only ask
for semicolons. In a message it does: what is wrong; what to write instead.
"""

import ast
import re
from pathlib import Path

import pytest

import irmetrics_edu
from tests.plugin.pages.sentences import sentences

ROOT = Path(irmetrics_edu.__file__).parent
PARTS = (
    "conventions", "distributed", "course/documents", "lab", "metrics", "reading", "rows", "runs",
    "views",
)  # fmt: skip
MODULES = sorted(
    {m for part in PARTS for m in (ROOT / part).rglob("*.py")}
    | {ROOT / f"{m}.py" for m in ("checks", "errors", "near_ties", "working")}
)
DATA = [*sorted((ROOT / "course" / "documents").glob("*.toml")), ROOT / "views" / "terms.toml"]
# The changelog is a record: its lines stay as they were written.
PAGES = [
    *(page for page in (ROOT.parent / "docs").glob("*.md") if page.name != "changelog.md"),
    *(ROOT.parent / "dev" / "site").glob("[!R]*.md"),
    ROOT.parent / "README.md",
]
LONGEST = 35
LONGEST_OF_A_PAGE = 40
# Code and what stands in brackets count as one word: a reader passes over them.
_ASIDE = re.compile(r"`[^`]*`|\$[^$]*\$|\[[^\]]*\]\([^)]*\)|\([^)]*\)|\"[^\"]*\"")
FORBIDDEN = re.compile(
    r"\b(shall|shan't|hence|thus|therein|thereof|whoever|whomever|lest|henceforth|whereby"
    r"|the latter|the former|(?:is|are|be|was|were) had\b|(?:is|are) told(?! apart)|\w+'s whose"
    r"|who (?:lacks|gave|gives|holds|compares) \w+ (?:gets|must|has))\b"
    r"|[\"'(.;:] ?(?:What|Who) (?:lacks|gave|gives)\b"
    r"|^(?:\w+: )?(?:Under|Over|Beside|Among) \S+ stands?\b",
    re.IGNORECASE,
)


def read_by_people(source: str) -> list[tuple[str, bool]]:
    """Docstrings of what is public and texts of three words or more; each with "is a docstring"."""
    tree = ast.parse(source)
    docs, told = {}, []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docs[first.value] = not getattr(node, "name", "").startswith("_")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            told.append(node)
    kept = [(n.value, n in docs) for n in told if docs.get(n, True)]
    return [(text, is_doc) for text, is_doc in kept if len(text.split()) >= 3]


def faults(text: str, *, is_doc: bool = False) -> list[str]:
    """Forbidden words, and sentences of the first paragraph that are too long."""
    found = [f"{m[0]!r}: {text[:80]}" for m in FORBIDDEN.finditer(text)]
    opening = text.split("\n\n", 1)[0]
    end = r"\.(?:\s|$)" if is_doc else r"[.;:](?:\s|$)"
    for sentence in re.split(end, opening):
        words = re.findall(r"[A-Za-z][a-z']+", sentence)
        if len(words) > LONGEST and "(" not in sentence:
            found.append(f"{len(words)} words: {sentence.strip()[:80]}")
    return found


def faults_of_page(text: str) -> list[str]:
    """Forbidden words, and sentences that are too long; a row of a table is none."""
    found = []
    for sentence in sentences(text):
        plain = _ASIDE.sub("x", sentence)
        found += [f"{m[0]!r}: {sentence[:80]}" for m in FORBIDDEN.finditer(plain)]
        words = len(re.findall(r"[A-Za-z][a-z']*", plain))
        if words > LONGEST_OF_A_PAGE and " | " not in sentence:
            found.append(f"{words} words: {sentence[:80]}")
    return found


def test_docstrings_and_messages_are_plain():
    """Second-language readers read them while something of theirs fails."""
    found = {
        f"{module.relative_to(ROOT)}: {fault}"
        for module in MODULES
        for text, is_doc in read_by_people(module.read_text(encoding="utf-8"))
        for fault in faults(text, is_doc=is_doc)
    }
    assert found == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_pages_are_plain(page):
    """A lecturer can say each sentence aloud without a new breath."""
    assert faults_of_page(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("data", DATA, ids=lambda d: d.name)
def test_notes_and_meanings_are_plain(data):
    """Those beside the quotations; the quotations are the documents' own."""
    lines = data.read_text(encoding="utf-8").splitlines()
    ours = [line for line in lines if re.match(r"\s*(why|note|meaning) = ", line)]
    assert ours
    assert [m[0] for line in ours for m in FORBIDDEN.finditer(line)] == []


@pytest.mark.parametrize(
    "text",
    [
        "Whoever reads it.",
        "It shall be given.",
        "the spread is had exactly",
        "Under nDCG stand the options.",
        "A first paragraph " + "that goes on and " * 12 + "ends.",
    ],
)
def test_the_check_can_fail(text):
    """Each kind of fault is found."""
    assert faults(text)


@pytest.mark.parametrize(
    "text",
    [
        "A file is a student's whose name is the name of the file.",
        "The teacher is told so.",
        f"It {'goes on; and ' * 20}ends.",
        f"It (as `code`) {'goes on, and ' * 20}ends.",
    ],
)
def test_a_fault_of_a_page_is_found(text):
    """Also where semicolons cut a sentence without end."""
    assert faults_of_page(f"# Page\n\nIt begins well. {text}\n")


def test_semicolons_end_a_part_of_a_message_alone():
    """A docstring with the same words is too long."""
    text = f"the file {'is not as it was and ' * 4}stays; {'write it again and ' * 4}look"
    assert not faults(text)
    assert faults(text, is_doc=True)


def test_what_a_reader_passes_over_is_no_word_of_a_page():
    """Code, quotations, brackets and addresses; and mistakes may be told apart."""
    assert not faults_of_page(f"They are told apart by `{'x ' * 50}` ({'and ' * 50}).")


def test_only_what_people_read_is_checked():
    """A private docstring may be terse; a message may not."""
    texts = read_by_people('def _f():\n    "Thus it is so."\n    raise E("thus it is so")')
    assert texts == [("thus it is so", False)]
