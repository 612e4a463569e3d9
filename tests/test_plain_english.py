"""What a person reads is in plain English: no archaic words, no run-on definitions."""

import ast
import re
from pathlib import Path

import pytest

import irmetrics_edu

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
LONGEST = 35
FORBIDDEN = re.compile(
    r"\b(shall|shan't|hence|thus|therein|thereof|whoever|whomever|lest|henceforth|whereby|anew"
    r"|the latter|the former|(?:is|are|be|was|were) had\b|(?:is|are) told|beyond all"
    r"|who (?:lacks|gave|gives|holds|compares) \w+ (?:gets|must|has))\b"
    r"|[\"'(.;:] ?(?:What|Who) (?:lacks|gave|gives)\b"
    r"|^(?:\w+: )?(?:Under|Over|Beside|Among) \S+ stands?\b",
    re.IGNORECASE,
)


def read_by_people(source: str) -> list[str]:
    """Docstrings of what is public, and every text of three words or more."""
    tree = ast.parse(source)
    docs, told = {}, []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docs[first.value] = not getattr(node, "name", "").startswith("_")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            told.append(node)
    kept = [n.value for n in told if docs.get(n, True)]
    return [text for text in kept if len(text.split()) >= 3]


def faults(text: str) -> list[str]:
    """Forbidden words, and sentences of the first paragraph that are too long."""
    found = [f"{m[0]!r}: {text[:80]}" for m in FORBIDDEN.finditer(text)]
    opening = text.split("\n\n", 1)[0]
    for sentence in re.split(r"[.;:](?:\s|$)", opening):
        words = re.findall(r"[A-Za-z][a-z']+", sentence)
        if len(words) > LONGEST and "(" not in sentence:
            found.append(f"{len(words)} words: {sentence.strip()[:80]}")
    return found


def test_docstrings_and_messages_are_plain():
    """Second-language readers read them while something of theirs fails."""
    found = {
        f"{module.relative_to(ROOT)}: {fault}"
        for module in MODULES
        for text in read_by_people(module.read_text(encoding="utf-8"))
        for fault in faults(text)
    }
    assert found == set()


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


def test_only_what_people_read_is_checked():
    """A private docstring may be terse; a message may not."""
    texts = read_by_people('def _f():\n    "Thus it is so."\n    raise E("thus it is so")')
    assert texts == ["thus it is so"]
