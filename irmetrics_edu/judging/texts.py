"""The texts of queries and documents, by their ids: a mapping, or a file of CSV, TSV, JSON(L)."""

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, tabular
from irmetrics_edu.reading.column_names import DOCUMENT, QUERY
from irmetrics_edu.reading.files import File, bare_name
from irmetrics_edu.reading.records import SEPARATORS, named, objects, rows, text_of

# "query" is an id in a table of judgments; beside another id it is the text, so it goes last.
_IDS = {
    what: ("id", "_id", *sorted(known, key=what.__eq__))
    for what, known in (("query", QUERY), ("document", DOCUMENT))
}
_TEXTS = ("text", "contents", "content", "body", "description", "query", "question", "user_input")
_LINES = (".jsonl", ".ndjson")


def read_texts(given: Any, what: str, *, bare: bool = False) -> dict[str, str]:
    """The texts of queries or documents (`what`) by id, each with its title in front if it has one.

    `given` is a mapping from id to text, or a file. CSV, TSV and lines of JSON (.jsonl) name an id
    (id, _id, doc_id ...), a text (text, contents, body, description ...), a title, or both; a .tsv
    without such a header has an id, a tab and the text on each line, and a .json file holds a
    mapping. With `bare`, a list or a plain file of ids, one a line, will do as well.

    >>> read_texts({"q1": "cheap flights"}, "query")
    {'q1': 'cheap flights'}
    """
    if isinstance(given, Mapping):
        return {str(i): _text(text, f"{what} {i!r}: ") for i, text in given.items()}
    if not isinstance(given, (str, PathLike)):
        if bare and isinstance(given, Iterable):
            return {str(i): "" for i in given}
        raise InputError(f"the texts of the {what}s are a mapping or a file; got {given!r:.100}")
    file: File = files.as_file(given)
    name = bare_name(file)
    if name.endswith(".json"):
        return read_texts(tabular.of_json(file, 'expected {"id": "text"}'), what)
    if not name.endswith((".csv", ".tsv", *_LINES)):
        if bare:
            return {line.strip(): "" for line in text_of(file).splitlines() if line.strip()}
        raise InputError(f"{file}: the name ends in none of .csv, .tsv, .json, .jsonl; rename it")
    found: dict[str, str] = {}
    given_rows = objects(file) if name.endswith(_LINES) else _table(file, what)
    for line, row in given_rows:
        place = f"{file}, line {line}: "
        identifier, text = _pair(row, what, place, bare=bare)
        if found.setdefault(identifier, text) != text:
            raise InputError(f"{place}{what} {identifier!r} has two texts; keep one")
    return found


def _table(file: File, what: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a table with a header, or of lines that are each an id, a tab and a text."""
    text = text_of(file)
    head = text.partition("\n")[0]
    names = {name.strip().strip('"').lower() for name in head.split("\t")}
    if bare_name(file).endswith(".csv") or names & set(_IDS[what]):
        lines = rows(text, str(file), max(SEPARATORS, key=head.count))
        _, header = next(lines, (1, []))
        yield from named(lines, header, str(file))
        return
    for number, line in enumerate(text.splitlines(), 1):
        identifier, tab, rest = line.partition("\t")
        if line and not (tab and identifier.strip()):
            raise InputError(f"{file}, line {number}: expected an id, a tab and a text")
        if line:
            yield number, {"id": identifier.strip(), "text": rest}


def _pair(row: Mapping[str, Any], what: str, place: str, *, bare: bool) -> tuple[str, str]:
    """The id and the text of a row."""
    of = {name.strip().lower(): value for name, value in row.items()}
    there = f"there are {', '.join(map(repr, row)) or 'none'}"
    name = next((name for name in _IDS[what] if name in of), None)
    if name is None:
        known = ", ".join(_IDS[what])
        raise InputError(f"{place}no id of the {what}: call it one of {known}; {there}")
    identifier = of[name]
    is_text = isinstance(identifier, str) and bool(identifier) and identifier == identifier.strip()
    if not is_text and (isinstance(identifier, bool) or not isinstance(identifier, int)):
        raise InputError(
            f"{place}{identifier!r:.60} is not an id; give text without blanks around it"
        )
    text = next((of[n] for n in _TEXTS if n in of and n != name), None)
    if text is None and not bare and "title" not in of:
        known = ", ".join((*_TEXTS, "title"))
        raise InputError(f"{place}no text of the {what}: call it one of {known}; {there}")
    parts = [_text(part or "", place) for part in (of.get("title"), text)]
    return str(identifier), "" if bare else " ".join(parts).strip()


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{place}the text is {value!r:.100}; give text")
    return value
