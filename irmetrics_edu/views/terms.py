"""The glossary: what the names of columns and quantities mean, in three languages.

Every column, quantity and part of a working is explained in `terms.toml`, once. Its names in 中文
and 日本語 may come later: until then the English name stands in.
"""

import tomllib
from dataclasses import dataclass
from importlib import resources

from irmetrics_edu.errors import InputError


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the field: its LaTeX, its meaning, and what it is called in 中文 and 日本語."""

    name: str
    latex: str
    meaning: str
    zh: str = ""
    ja: str = ""


def _read(entries: list[dict[str, str]]) -> dict[str, Term]:
    terms: dict[str, Term] = {}
    for entry in entries:
        if entry["name"] in terms:
            raise InputError(f"terms.toml explains {entry['name']!r} twice")
        terms[entry["name"]] = Term(**entry)
    return terms


_DATA = tomllib.loads(
    (resources.files("irmetrics_edu.views") / "terms.toml").read_text(encoding="utf-8")
)
GLOSSARY = _read(_DATA["term"])
# The letters of formulas in LaTeX, each with its one meaning.
LETTERS: dict[str, str] = _DATA["letters"]


def term(name: str) -> Term:
    """The entry of the glossary for a name."""
    if name not in GLOSSARY:
        raise InputError(f"{name!r} is not in the glossary")
    return GLOSSARY[name]
