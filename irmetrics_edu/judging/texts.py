"""The texts of queries and documents, by their ids: a mapping, or a file of CSV, TSV, JSON(L)."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files
from irmetrics_edu.reading.column_names import DOCUMENT, QUERY
from irmetrics_edu.reading.files import ENDINGS, File
from irmetrics_edu.reading.records import objects, records, text_of

_ID = ("id", "_id")
_IDS = {"query": (*QUERY, *_ID), "document": (*DOCUMENT, *_ID)}
_TEXT = ("text", "contents", "content", "body", "description")
_LINES = (".jsonl", ".ndjson")


def read_texts(given: Any, what: str, *, bare: bool = False) -> dict[str, str]:
    """The texts of queries or documents (`what`) by id, each with its title in front if it has one.

    `given` is a mapping from id to text, or a file. CSV, TSV and lines of JSON (.jsonl) name an id
    (id, _id, doc_id ...), a text (text, contents, body, description ...) and perhaps a title; a
    .tsv without such a header has an id, a tab and the text on each line, and a .json file holds a
    mapping. With `bare`, a list or a plain file of ids, one a line, will do as well.

    >>> read_texts({"q1": "cheap flights"}, "query")
    {'q1': 'cheap flights'}
    """
    if isinstance(given, Mapping):
        return _once(((str(i), _text(t, f"{what} {i!r}: ")) for i, t in given.items()), what, "")
    if not isinstance(given, (str, PathLike)):
        if bare and isinstance(given, Iterable):
            return {str(i): "" for i in given}
        raise InputError(f"the texts of the {what}s are a mapping or a file; got {given!r:.100}")
    file: File = files.as_file(given)
    suffixes = [s.lower() for s in file.path.suffixes if s.lower() not in ENDINGS]
    kind = suffixes[-1] if suffixes else ""
    if kind in (".csv", ".tsv"):
        return _once(_of_table(file, what, tabs=kind == ".tsv", bare=bare), what, f"{file}, ")
    if kind == ".json":
        return read_texts(_object(text_of(file), f"{file}: "), what)
    if kind in _LINES:
        return _once(_of_lines(file, what, bare=bare), what, f"{file}, ")
    if bare:
        return {line.strip(): "" for line in text_of(file).splitlines() if line.strip()}
    raise InputError(f"{file}: the name ends in none of .csv, .tsv, .json, .jsonl; rename it")


def _once(pairs: Iterator[tuple[str, str]], what: str, place: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for identifier, text in pairs:
        if found.setdefault(identifier, text) != text:
            raise InputError(f"{place}{what} {identifier!r} has two texts; keep one")
    return found


def _of_table(file: File, what: str, *, tabs: bool, bare: bool) -> Iterator[tuple[str, str]]:
    head = {name.strip().strip('"').lower() for name in _first(file).split("\t")}
    if tabs and not head & set(_IDS[what]):
        for number, line in enumerate(text_of(file).splitlines(), 1):
            identifier, tab, text = line.partition("\t")
            if line and not (tab and identifier.strip()):
                raise InputError(f"{file}, line {number}: expected an id, a tab and a text")
            if line:
                yield identifier.strip(), "" if bare else text
        return
    needed: dict[str, Sequence[str]] = {"id": _IDS[what]}
    others: dict[str, Sequence[str]] = {"title": ("title",)}
    for row in records(file, needed if bare else {**needed, "text": _TEXT}, others):
        yield row.id("id"), "" if bare else f"{row['title']} {row['text']}".strip()


def _first(file: File) -> str:
    return file.head.split(b"\n", 1)[0].decode("utf-8", errors="replace")


def _of_lines(file: File, what: str, *, bare: bool) -> Iterator[tuple[str, str]]:
    for number, found in objects(file):
        place = f"{file}, line {number}: "
        identifier = next((found[name] for name in _IDS[what] if name in found), None)
        text = next((found[name] for name in _TEXT if name in found), None)
        if isinstance(identifier, bool) or not isinstance(identifier, (str, int)):
            raise InputError(f"{place}no id; expected one of {', '.join(_IDS[what])}")
        if bare:
            yield str(identifier), ""
            continue
        if text is None:
            raise InputError(f"{place}no text; expected one of {', '.join(_TEXT)}")
        title = _text(found.get("title") or "", place)
        yield str(identifier), f"{title} {_text(text, place)}".strip()


def _object(text: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}{getattr(error, 'msg', 'nested too deeply')}") from None
    if not isinstance(found, dict):
        raise InputError(f"{place}a {type(found).__name__}; expected an object {{...}}")
    return found


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{place}the text is {value!r:.100}; give text")
    return value
