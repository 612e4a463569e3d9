"""The texts of queries and documents, by their ids: a mapping, or a file of CSV, TSV, JSON(L)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, NoReturn

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, tabular
from irmetrics_edu.reading.column_names import DOCUMENT, QUERY
from irmetrics_edu.reading.files import File, bare_name
from irmetrics_edu.reading.records import (
    SEPARATORS,
    first_line,
    header_of,
    named,
    objects,
    rows,
    text_of,
)

# "query" is an id in a table of judgments; beside another id it is the text, so it goes last.
_IDS = {
    "query": ("id", "_id", *sorted(QUERY, key="query".__eq__)),
    "document": ("id", "_id", *sorted(DOCUMENT, key="document".__eq__)),
}
_TEXTS = ("text", "contents", "content", "body", "description", "query", "question", "user_input")
_LINES = (".jsonl", ".ndjson")

Texts = Mapping[Any, Any] | str | PathLike[str]
_Row = Mapping[str, Any]


def read_texts(
    source: Texts | Iterable[Any],
    what: str,
    *,
    bare: bool = False,
) -> dict[str, str]:
    """The texts of queries or documents (`what`) by id, each with its title in front if it has one.

    `source` is a mapping from id to text, or a file. CSV, TSV and lines of JSON (.jsonl) name an id
    (id, _id, doc_id ...), a text (text, contents, body, description ...), a title, or both; a .tsv
    without such a header has an id, a tab and the text on each line, and a .json file holds a
    mapping. With `bare`, a list or a plain file of ids, one a line, will do as well.

    >>> read_texts({"q1": "cheap flights"}, "query")
    {'q1': 'cheap flights'}
    """
    if isinstance(source, Mapping):
        texts: dict[str, str] = {}
        for identifier, text in source.items():
            texts[str(identifier)] = _checked(text, f"{what} {identifier!r}: ")
        return texts
    if isinstance(source, (str, PathLike)):
        return _of_file(files.as_file(source), what, bare=bare)
    if bare and isinstance(source, Iterable):
        return {str(identifier): "" for identifier in source}
    raise InputError(f"the texts of the {what}s are a mapping or a file; got {source!r:.100}")


def _of_file(
    file: File,
    what: str,
    *,
    bare: bool,
) -> dict[str, str]:
    name = bare_name(file)
    if name.endswith(".json"):
        return read_texts(tabular.of_json(file, 'expected {"id": "text"}'), what)
    if name.endswith(_LINES):
        return _of_rows(file, objects(file), what, bare=bare)
    if name.endswith((".csv", ".tsv")):
        return _of_rows(file, _table(file, what), what, bare=bare)
    if bare:
        lines = (line.strip() for line in text_of(file).splitlines())
        return {line: "" for line in lines if line}
    raise InputError(f"{file}: the name ends in none of .csv, .tsv, .json, .jsonl; rename it")


def _of_rows(
    file: File,
    given_rows: Iterable[tuple[int, _Row]],
    what: str,
    *,
    bare: bool,
) -> dict[str, str]:
    """The texts of rows with names; InputError where an id has two."""
    texts: dict[str, str] = {}
    for line, row in given_rows:
        named_row = _NamedRow.of(row, what, f"{file}, line {line}: ")
        identifier = named_row.identifier()
        text = "" if bare else named_row.text()
        if texts.setdefault(identifier, text) != text:
            raise InputError(f"{named_row.place}{what} {identifier!r} has two texts; keep one")
    return texts


def _table(file: File, what: str) -> Iterator[tuple[int, _Row]]:
    """The rows of a table with a header, or of lines that are each an id, a tab and a text."""
    text = text_of(file)
    head = first_line(text)
    names = {name.strip().strip('"').lower() for name in head.split("\t")}
    if bare_name(file).endswith(".csv") or names & set(_IDS[what]):
        lines = rows(text, str(file), max(SEPARATORS, key=head.count))
        _, header = header_of(lines)
        yield from named(lines, header, str(file))
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        identifier, tab, rest = line.partition("\t")
        if not (tab and identifier.strip()):
            raise InputError(f"{file}, line {number}: expected an id, a tab and a text")
        yield number, {"id": identifier.strip(), "text": rest}


@dataclass(frozen=True)
class _NamedRow:
    """A row of a query or of a document (`what`), by the lower-case names of its columns."""

    values: _Row
    names: tuple[str, ...]  # as they are written
    what: str
    place: str

    @classmethod
    def of(
        cls,
        row: _Row,
        what: str,
        place: str,
    ) -> "_NamedRow":
        values = {name.strip().lower(): value for name, value in row.items()}
        return cls(values, tuple(row), what, place)

    def identifier(self) -> str:
        """The id; InputError if there is none, or one that is no id."""
        value = self.values[self._column_of_the_id()]
        is_number = isinstance(value, int) and not isinstance(value, bool)
        is_text = isinstance(value, str) and bool(value) and value == value.strip()
        if not (is_number or is_text):
            raise InputError(
                f"{self.place}{value!r:.60} is not an id; give text without blanks around it"
            )
        return str(value)

    def text(self) -> str:
        """The title and the text, with a blank between them."""
        taken = self._column_of_the_id()
        columns = [name for name in _TEXTS if name in self.values and name != taken]
        text = self.values[columns[0]] if columns else None
        if text is None and "title" not in self.values:
            self._refuse_without("text", (*_TEXTS, "title"))
        parts = (self.values.get("title"), text)
        return " ".join(_checked(part or "", self.place) for part in parts).strip()

    def _column_of_the_id(self) -> str:
        for name in _IDS[self.what]:
            if name in self.values:
                return name
        return self._refuse_without("id", _IDS[self.what])

    def _refuse_without(self, part: str, usual_names: Iterable[str]) -> NoReturn:
        there = ", ".join(map(repr, self.names)) or "none"
        raise InputError(
            f"{self.place}no {part} of the {self.what}: call it one of {', '.join(usual_names)}; "
            f"there are {there}"
        )


def _checked(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{place}the text is {value!r:.100}; give text")
    return value
