"""The items of five documents, as printed, and as computed again: numbers, formulas, words.

A document's file has its examples and, as ranges of its lines, all that it says. Start with
`example.py`.
"""

import ast
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from irmetrics_edu.course.documents.example import KINDS, MISPRINT, Erratum, Example, Line
from irmetrics_edu.errors import InputError

DOCUMENTS = ("000", "001", "002", "003", "004")


@cache
def load(document: str) -> tuple[dict[str, Any], tuple[Example, ...]]:
    """A document's facts (title, language, source) and its examples in its order."""
    document = document.zfill(3)
    if document not in DOCUMENTS:
        raise InputError(f"document {document!r} is not one of {', '.join(DOCUMENTS)}")
    return read_document(text_of(document), document)


def text_of(document: str) -> str:
    """The TOML of a document."""
    file = resources.files("irmetrics_edu.course.documents") / f"{document}.toml"
    return file.read_text(encoding="utf-8")


def read_document(text: str, document: str) -> tuple[dict[str, Any], tuple[Example, ...]]:
    """A document's TOML as its facts and its examples; unknown or missing entries are refused."""
    data = tomllib.loads(text)
    shared = data.get("input", {})
    found = tuple(_example(entry, document, shared) for entry in data["example"])
    ids = [e.id for e in found]
    if twice := sorted({i for i in ids if ids.count(i) > 1}):
        raise InputError(f"{document}.toml: {', '.join(twice)} occurs twice")
    return data["document"], found


def examples(document: str | None = None) -> list[Example]:
    """All items, or those of one document, in the order of the text."""
    chosen = DOCUMENTS if document is None else (document,)
    return [e for d in chosen for e in load(d)[1]]


def example(identifier: str) -> Example:
    """One item by its id, or by a part of it that no other id has: "gmap" is 004-GMAP.

    Capitals don't matter, nor does what stands in brackets after an id. An unknown id is refused
    with the nearest ones, and a part of several ids with all of these.
    """
    import difflib

    known = {e.id: e for e in examples()}
    if identifier in known:
        return known[identifier]
    asked = identifier.casefold().strip()
    plain = {i: i.partition(" (")[0].casefold() for i in known}
    found = [i for i, name in plain.items() if asked in (name, name[4:])]
    if not found and asked:
        found = [i for i, name in plain.items() if asked in name]
    if len(found) == 1:
        return known[found[0]]
    if found:
        raise InputError(f"{identifier!r} is a part of {', '.join(found)}; give one of them whole")
    spelt = {name: i for i, name in plain.items()} | {name[4:]: i for i, name in plain.items()}
    near = difflib.get_close_matches(asked, spelt, n=3, cutoff=0.3) or list(spelt)[:3]
    named = dict.fromkeys(spelt[name] for name in near)
    raise InputError(f"no example {identifier!r}; the nearest are {', '.join(named)}")


def places(given: Any, place: str) -> tuple[tuple[int, int], ...]:
    """Lines as they are cited, "60-64, 70", as pairs of the first and the last line."""
    pairs = [part.strip().partition("-")[::2] for part in str(given).split(",")]
    try:
        found = tuple((int(first), int(last or first)) for first, last in pairs)
    except ValueError:
        found = ((1, 0),)
    if any(not 1 <= first <= last for first, last in found):
        raise InputError(f"{place}: {given!r} are no lines; write them as 60-64, 70")
    return found


def _example(
    entry: Mapping[str, Any],
    document: str,
    shared: Mapping[str, Any],
) -> Example:
    place = f"{document}.toml, {entry.get('id', 'an example without id')}"
    given = {**shared, **entry.get("input", {})}
    try:
        lines = [
            Line(**_line({"at": entry["at"], **line}, given, place))
            for line in entry.get("lines", ())
        ]
        own = {name: value for name, value in entry.items() if name != "lines"}
        return Example(
            **_line(own, given, place),
            document=document,
            lines=tuple(lines),
        )
    except (KeyError, TypeError) as error:  # a field that is missing, or that there is not
        raise InputError(f"{place}: {error}") from None


def _line(
    entry: Mapping[str, Any],
    given: Mapping[str, Any],
    place: str,
) -> dict[str, Any]:
    call = entry.get("call", "")
    if not call and not entry.get("printed"):
        raise InputError(f"{place}: neither a call nor anything printed")
    # A document's inputs serve many examples; each holds those that its call names.
    own = {**given, **entry.get("input", {})}
    nodes = ast.walk(ast.parse(call or "None", mode="eval"))
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    return {
        **{name: value for name, value in entry.items() if name != "input"},
        "inputs": {name: value for name, value in own.items() if name in named},
        "erratum": _erratum(entry.get("erratum"), place),
        "at": places(entry["at"], place),
    }


def _erratum(given: Mapping[str, Any] | None, place: str) -> Erratum | None:
    if given is None:
        return None
    kind = given.get("kind", MISPRINT)
    if kind not in KINDS:
        raise InputError(f"{place}: kind {kind!r} is not one of {', '.join(KINDS)}")
    return Erratum(**{**given, "places": tuple(given.get("places", ()))})
