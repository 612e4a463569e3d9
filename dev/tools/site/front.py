"""The first page: how four other tools compare, and a failure as a phone has room for it.

The field for one's own number stands on other pages, too.
"""

import re

from dev.tools.places import ROOT
from dev.tools.site.markup import raw, table
from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.views import escaping

# A tool, under which conventions it is asked, and by which name the benchmark knows it.
_TOOLS = (
    ("irmetrics-edu", "irmetrics_edu", "irmetrics-edu"),
    ("ir_measures", "ir-measures", "ir-measures"),
    ("ranx", "ranx", "ranx"),
    ("scikit-learn", "sklearn", "scikit-learn"),
    ("trec_eval", "trec_eval", "pytrec-eval-terrier"),
)
_RELEVANCE, _MISSED = (3, 2, 3, 0, 1, 2), (3, 2)  # of docs/which-ndcg.md
_EXAMPLE = "0.9608 for 3 2 3 0 1 2 | 3 2"  # the same ranking, as scikit-learn scores it
_ROW = re.compile(r"^E +(\d+) +(\S+) +(\d+) +\S+ +\S+ +(\S+) +\S+$", re.MULTILINE)
_SECTIONS = {"large": "## (a) Search: 7,000 queries", "small": "## (d) One call"}


def beside() -> str:
    """Four rows beside four tools: each number is measured, and a page says by which command."""
    large, small = (measured(begin) for begin in _SECTIONS.values())
    rows = [
        ("nDCG of one ranking", *(f"{score(bundle):.4f}" for _, bundle, _ in _TOOLS)),
        ("five means over 7 million documents", *(_of(large, name, 0) for *_, name in _TOOLS)),
        ("memory for it", *(_of(large, name, 3) for *_, name in _TOOLS)),
        ("one nDCG of three grades", *(_of(small, name, 0) for *_, name in _TOOLS)),
    ]
    return table(("measured", *(name for name, *_ in _TOOLS)), rows)


def score(bundle: str) -> float:
    """NDCG of the ranking on the front page by a bundle."""
    run = {"q": {f"d{i}": float(9 - i) for i in range(len(_RELEVANCE))}}
    grades = {f"d{i}": grade for i, grade in enumerate(_RELEVANCE)}
    missed = {f"x{i}": grade for i, grade in enumerate(_MISSED)}
    return float(evaluate(run, {"q": {**grades, **missed}}, "nDCG", bundle).mean["nDCG"])


def of_search() -> dict[str, list[str]]:
    """The measured cells of search in dictionaries: time, fastest, ratio, memory, by tool."""
    return measured(_SECTIONS["large"])


def of_one_call() -> dict[str, list[str]]:
    """The measured cells of one call on three grades, by tool."""
    return measured(_SECTIONS["small"])


def measured(begin: str) -> dict[str, list[str]]:
    """The cells of a table of dev/benchmarks/README.md, by the tool of their row."""
    text = (ROOT / "dev" / "benchmarks" / "README.md").read_text(encoding="utf-8")
    _, found, rest = text.partition(begin)
    if not found:
        raise InputError(
            f"dev/benchmarks/README.md has no section '{begin}...'; run make benchmark"
        )
    section = rest.partition("\n## ")[0]
    rows = re.findall(r"^\| \**([\w-]+)\** \| (.*) \|$", section, re.MULTILINE)
    return {name: cells.split(" | ") for name, cells in rows}


def _of(measured: dict[str, list[str]], name: str, column: int) -> str:
    return measured[name][column] if name in measured else "–"


def field(where: str = "play.html") -> str:
    """The field for a number and its grades: what is typed there, the playground answers."""
    return raw(
        f'<form class="ask" action="{where}"><label>Your number, and the grades by rank '
        f'<input name="ask" value="{escaping.html(_EXAMPLE)}" autocomplete="off" '
        'autocapitalize="off" spellcheck="false"></label> '
        '<button type="submit">Explain it</button></form>'
    )


def failed(shown: str) -> str:
    """A failure as lines that a narrow screen has room for: the number, the query, its table."""
    number = re.search(r"^E +(nDCG@3 .*)$", shown, re.MULTILINE)
    query = re.search(r"^E +(q1 .*), step by step:$", shown, re.MULTILINE)
    value = re.search(r"^E +nDCG@3 = .* = (\S+)$", shown, re.MULTILINE)
    rows = _ROW.findall(shown)
    if number is None or query is None or value is None or not rows:
        raise InputError("docs/first-test.md shows no failure that the first page could show")
    lines = ["FAILED a ranking test", number[1], "", f"Lowest: {query[1]}"]
    for rank, name, grade, gain in [("rank", "document", "grade", "gain"), *rows]:
        lines.append(f"{rank:>4}  {name:<10} {grade:>5}  {gain:>6}")
    lines.append(f"nDCG@3 of {query[1].split()[0]} = {value[1]}")
    text = escaping.html("\n".join(lines))
    return raw(f'<pre class="failed" tabindex="0">{text}</pre>')
