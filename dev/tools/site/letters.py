"""The letters of a metric's formula, and its left side, for the metric's page."""

import re
import tomllib
from functools import cache
from typing import NamedTuple

from dev.tools.places import ROOT
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric

TABLE = ROOT / "dev" / "site" / "letters.toml"
_WORDS = re.compile(r"\\(?:text|mathit|textstyle)\{[^{}]*\}|\\begin\{cases\}|\\end\{cases\}")
_NAMED = {r"\mathrm{Rec}": " Rec ", r"\mathcal{C}": " calC ", r"\mathbb{1}": " "}
_GREEK = re.compile(r"\\(alpha|beta|gamma|epsilon|phi)(?![A-Za-z])")
_LETTER = re.compile(r"Rec|calC|TP|TN|FP|[A-Za-z]")


class Letter(NamedTuple):
    """How a letter is written, and what it means."""

    latex: str
    means: str


def equation(metric: Metric) -> str:
    r"""The formula with its left side.

    >>> from irmetrics_edu import cg
    >>> equation(cg)
    '\\mathrm{CG}@k = \\sum_{i=1}^{k} g_i'
    """
    formula = metric.formula
    symbol = metric.symbol
    if symbol == rf"\mathrm{{{metric.name}}}":  # a line below in a name is no index
        symbol = symbol.replace("_", r"\_")
    cut = "@k" if metric.has_cutoff and "_k" not in symbol else ""
    return f"{symbol}{cut} = {formula}"


def letters_in(formula: str) -> list[str]:
    r"""The letters that stand in a formula, in their order; options and words are none.

    >>> letters_in(r"\frac{h}{R}\quad(R=0\colon 0)")
    ['h', 'R']
    """
    bare = _WORDS.sub(" ", formula)
    for latex, name in _NAMED.items():
        bare = bare.replace(latex, name)
    bare = re.sub(r"\\mathrm\{[^{}]*\}", " ", bare)
    bare = _GREEK.sub(lambda m: f" <{m[1]}> ", bare)
    bare = re.sub(r"\\[A-Za-z]+", " ", bare)
    found = re.findall(rf"<(\w+)>|({_LETTER.pattern})", bare)
    return list(dict.fromkeys(greek or letter for greek, letter in found))


def meanings(metric: Metric) -> list[Letter]:
    """What each letter of a metric's formula means; a letter without a meaning is refused."""
    found = [_meaning(letter, metric.name) for letter in letters_in(metric.formula)]
    return list(dict.fromkeys(found))


def _meaning(letter: str, name: str) -> Letter:
    for entry in _table():
        if entry["letter"] == letter and name in entry.get("only", [name]):
            return Letter(entry["latex"], entry["means"])
    raise InputError(f"dev/site/letters.toml says nothing of the letter {letter} of {name}")


@cache
def _table() -> list[dict[str, str]]:
    with TABLE.open("rb") as file:
        entries: list[dict[str, str]] = tomllib.load(file)["letter"]
    return entries


def listed(metric: Metric) -> str:
    """The letters as a list in Markdown, for below the formula."""
    return "\n".join(f"- ${letter.latex}$: {letter.means}" for letter in meanings(metric))
