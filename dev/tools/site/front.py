"""The first page: how four other tools compare, and one ranking under three conventions, live."""

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
_SECTIONS = {"large": "## (a) Search: 7,000 queries", "small": "## (d) One call"}
# Who follows one convention in the live example, by the bundle that stands for them.
_SIDES = {
    "trec_eval": "trec_eval, ir_measures, ranx",
    "sklearn": "scikit-learn",
    "lightgbm": "LightGBM, XGBoost",
}
_MISSED_ONE = {"x": 2}


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


def live() -> str:
    """A ranking of three documents with a slider for a grade: what three conventions make of it."""
    stills = []
    for grade in range(4):
        grades = {"d1": 1, "d2": grade, "d3": 3}
        run = {"q": {name: float(9 - i) for i, name in enumerate(grades)}}
        lines = "".join(
            f'<tr><th scope="row">{escaping.html(tools)}</th><td class="number">'
            f"{evaluate(run, {'q': {**grades, **_MISSED_ONE}}, 'nDCG', bundle).mean['nDCG']:.4f}"
            "</td></tr>"
            for bundle, tools in _SIDES.items()
        )
        ranked = ", ".join(f"<b>{g}</b>" if name == "d2" else f"{g}" for name, g in grades.items())
        stills.append(
            f"<details{' open' if grade == 2 else ''}><summary>{grade}</summary>"
            f"<p>Grades by rank: {ranked}. Not retrieved: a document of grade 2.</p>"
            f"<table><tbody>{lines}</tbody></table></details>"
        )
    return raw(f'<div class="slider" data-name="Grade at rank 2">{"".join(stills)}</div>')
