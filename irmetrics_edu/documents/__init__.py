"""The worked examples of five documents, as printed, and as computed again.

Imports errors, numbers, near_ties, working, metrics, runs. Start with `example.py`.
"""

import ast
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from irmetrics_edu.documents.example import (
    AGREES,
    DIFFERS,
    EXTRA,
    MISPRINT,
    NOTE,
    ROUNDS,
    Erratum,
    Example,
    Line,
    Sides,
)
from irmetrics_edu.errors import InputError

__all__ = [
    "AGREES",
    "DIFFERS",
    "DOCUMENTS",
    "EXTRA",
    "MISPRINT",
    "NOTE",
    "ROUNDS",
    "Erratum",
    "Example",
    "Line",
    "Sides",
    "example",
    "examples",
    "load",
    "read_document",
]

DOCUMENTS = ("000", "001", "002", "003", "004")


@cache
def load(document: str) -> tuple[dict[str, Any], tuple[Example, ...]]:
    """A document's facts (title, language, source) and its examples in its order."""
    if document not in DOCUMENTS:
        raise InputError(f"document {document!r} is not one of {', '.join(DOCUMENTS)}")
    file = resources.files("irmetrics_edu.documents") / f"{document}.toml"
    return read_document(file.read_text(encoding="utf-8"), document)


def read_document(text: str, document: str) -> tuple[dict[str, Any], tuple[Example, ...]]:
    """A document's TOML as its facts and its examples; unknown or missing entries are refused."""
    data = tomllib.loads(text)
    _fields(data, {"document", "input", "example"}, {"document", "example"}, f"{document}.toml")
    shared = data.get("input", {})
    found = tuple(_example(entry, document, shared) for entry in data["example"])
    ids = [e.id for e in found]
    if twice := sorted({i for i in ids if ids.count(i) > 1}):
        raise InputError(f"{document}.toml: {', '.join(twice)} occurs twice")
    return data["document"], found


def examples(document: str | None = None) -> list[Example]:
    """All worked examples, or those of one document, in the order of the text."""
    chosen = DOCUMENTS if document is None else (document,)
    return [e for d in chosen for e in load(d)[1]]


def example(identifier: str) -> Example:
    """One worked example by its id; an unknown id is refused with the nearest ones."""
    import difflib

    known = {e.id: e for e in examples()}
    if identifier not in known:
        near = difflib.get_close_matches(identifier, known, n=3, cutoff=0.3) or list(known)[:3]
        raise InputError(f"no example {identifier!r}; the nearest are {', '.join(near)}")
    return known[identifier]


_LINE = {"what", "call", "printed", "input", "erratum"}
_EXAMPLE = _LINE | {"id", "where", "note", "lines"}
_ERRATUM = {"printed", "right", "why", "places"}


def _example(entry: Mapping[str, Any], document: str, shared: Mapping[str, Any]) -> Example:
    place = f"{document}.toml, {entry.get('id', 'an example without id')}"
    _fields(entry, _EXAMPLE, {"id", "where", "what"}, place)
    given = {**shared, **entry.get("input", {})}
    lines = []
    for line in entry.get("lines", ()):
        at = f"{place}, line {line.get('what')!r}"
        _fields(line, _LINE, {"what"}, at)
        lines.append(Line(**_line(line, given, at)))
    return Example(
        **_line(entry, given, place),
        document=document,
        id=entry["id"],
        where=entry["where"],
        note=entry.get("note", ""),
        lines=tuple(lines),
    )


def _line(entry: Mapping[str, Any], given: Mapping[str, Any], place: str) -> dict[str, Any]:
    call = entry.get("call", "")
    if not call and not entry.get("printed"):
        raise InputError(f"{place}: neither a call nor anything printed")
    # A document's inputs serve many examples; each holds those that its call names.
    own = {**given, **entry.get("input", {})}
    return {
        "what": entry["what"],
        "call": call,
        "printed": entry.get("printed", ""),
        "inputs": {name: value for name, value in own.items() if name in _names_in(call)},
        "erratum": _erratum(entry.get("erratum"), place),
    }


def _names_in(call: str) -> set[str]:
    tree = ast.parse(call or "None", mode="eval")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _erratum(given: Mapping[str, Any] | None, place: str) -> Erratum | None:
    if given is None:
        return None
    _fields(given, _ERRATUM, {"printed", "right", "why"}, f"{place}, erratum")
    return Erratum(given["printed"], given["right"], given["why"], tuple(given.get("places", ())))


def _fields(entry: Mapping[str, Any], known: set[str], needed: set[str], place: str) -> None:
    if unknown := entry.keys() - known:
        raise InputError(f"{place}: unknown {', '.join(sorted(unknown))}")
    if missing := needed - entry.keys():
        raise InputError(f"{place}: {', '.join(sorted(missing))} missing")
