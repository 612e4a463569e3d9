"""The items of five documents, as printed, and as computed again: numbers, formulas, words.

A document's file has its examples and, as ranges of its lines, all that it says. Start with
`example.py`.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from irmetrics_edu.course.documents.example import KINDS, MISPRINT, Erratum, Example, Line
from irmetrics_edu.errors import InputError

# A document's title, language and source, and an entry of its file.
Facts = dict[str, Any]
Entry = Mapping[str, Any]

DOCUMENTS = ("000", "001", "002", "003", "004")


@cache
def load(document: str) -> tuple[Facts, tuple[Example, ...]]:
    """A document's facts (title, language, source) and its examples in its order."""
    document = document.zfill(3)
    if document not in DOCUMENTS:
        raise InputError(f"document {document!r} is not one of {', '.join(DOCUMENTS)}")
    return read_document(text_of(document), document)


def text_of(document: str) -> str:
    """The TOML of a document."""
    file = resources.files("irmetrics_edu.course.documents") / f"{document}.toml"
    return file.read_text(encoding="utf-8")


def read_document(text: str, document: str) -> tuple[Facts, tuple[Example, ...]]:
    """A document's TOML as its facts and its examples; unknown or missing entries are refused."""
    data = tomllib.loads(text)
    shared = data.get("input", {})
    items = [_example(entry, document, shared) for entry in data["example"]]
    _require_once([item.id for item in items], document)
    return data["document"], tuple(items)


def _require_once(ids: list[str], document: str) -> None:
    """InputError if an id occurs twice in a document."""
    twice = set()
    for identifier, occurrences in Counter(ids).items():
        if occurrences > 1:
            twice.add(identifier)
    if twice:
        raise InputError(f"{document}.toml: {', '.join(sorted(twice))} occurs twice")


def examples(document: str | None = None) -> list[Example]:
    """All items, or those of one document, in the order of the text."""
    items: list[Example] = []
    for name in DOCUMENTS if document is None else (document,):
        _, items_of_document = load(name)
        items.extend(items_of_document)
    return items


def example(identifier: str) -> Example:
    """One item by its id, or by a part of it that no other id has: "gmap" is 004-GMAP.

    Capitals don't matter, nor does what stands in brackets after an id. An unknown id is refused
    with the nearest ones, and a part of several ids with all of these.
    """
    by_id = {item.id: item for item in examples()}
    if identifier in by_id:
        return by_id[identifier]
    part = identifier.casefold().strip()
    plain = {}
    for one_id in by_id:
        name, _, _ = one_id.partition(" (")
        plain[one_id] = name.casefold()
    matches = _with_part(part, plain)
    if len(matches) == 1:
        return by_id[matches[0]]
    if matches:
        raise InputError(
            f"{identifier!r} is a part of {', '.join(matches)}; give one of them whole"
        )
    nearest = _nearest(part, plain)
    raise InputError(f"no example {identifier!r}; the nearest are {', '.join(nearest)}")


def _without_document(name: str) -> str:
    """The part of an id that follows its document: "gmap" of "004-gmap"."""
    return name[4:]


def _with_part(part: str, plain: Mapping[str, str]) -> list[str]:
    """The ids that are this part, with or without their document, or else those that hold it."""
    whole = []
    for identifier, name in plain.items():
        if part in (name, _without_document(name)):
            whole.append(identifier)
    if whole or not part:
        return whole
    return [identifier for identifier, name in plain.items() if part in name]


def _nearest(part: str, plain: Mapping[str, str]) -> list[str]:
    """The three ids that are spelt most like this."""
    import difflib

    id_of = {name: identifier for identifier, name in plain.items()}
    for identifier, name in plain.items():
        id_of[_without_document(name)] = identifier
    spellings = difflib.get_close_matches(
        part,
        id_of,
        n=3,
        cutoff=0.3,
    )
    if not spellings:
        spellings = list(id_of)[:3]
    ids = [id_of[spelling] for spelling in spellings]
    return list(dict.fromkeys(ids))


def places(cited: Any, place: str) -> tuple[tuple[int, int], ...]:
    """Lines as they are cited, "60-64, 70", as pairs of the first and the last line."""
    ranges = []
    for part in str(cited).split(","):
        first, _, last = part.strip().partition("-")
        try:
            lines = (int(first), int(last or first))
        except ValueError:
            lines = (1, 0)
        if not 1 <= lines[0] <= lines[1]:
            raise InputError(f"{place}: {cited!r} are no lines; write them as 60-64, 70")
        ranges.append(lines)
    return tuple(ranges)


def _example(
    entry: Entry,
    document: str,
    shared: Entry,
) -> Example:
    place = f"{document}.toml, {entry.get('id', 'an example without id')}"
    inputs = {**shared, **entry.get("input", {})}
    try:
        lines = []
        for line in entry.get("lines", ()):
            fields = _line({"at": entry["at"], **line}, inputs, place)
            lines.append(Line(**fields))
        first = dict(entry)
        first.pop("lines", None)
        return Example(
            **_line(first, inputs, place),
            document=document,
            lines=tuple(lines),
        )
    except (KeyError, TypeError) as error:  # a field that is missing, or that there is not
        raise InputError(f"{place}: {error}") from None


def _line(
    entry: Entry,
    shared: Entry,
    place: str,
) -> Facts:
    """The fields of a line, from its entry and the inputs that stand above it."""
    call = entry.get("call", "")
    if not call and not entry.get("printed"):
        raise InputError(f"{place}: neither a call nor anything printed")
    # A document's inputs serve many examples; each holds those that its call names.
    inputs = {**shared, **entry.get("input", {})}
    nodes = ast.walk(ast.parse(call or "None", mode="eval"))
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    fields = dict(entry)
    fields.pop("input", None)
    fields["inputs"] = {name: inputs[name] for name in inputs if name in named}
    fields["erratum"] = _erratum(entry.get("erratum"), place)
    fields["at"] = places(entry["at"], place)
    return fields


def _erratum(entry: Entry | None, place: str) -> Erratum | None:
    if entry is None:
        return None
    kind = entry.get("kind", MISPRINT)
    if kind not in KINDS:
        raise InputError(f"{place}: kind {kind!r} is not one of {', '.join(KINDS)}")
    numbers = tuple(entry.get("places", ()))
    return Erratum(**{**entry, "places": numbers})
