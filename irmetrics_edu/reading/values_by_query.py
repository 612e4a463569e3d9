"""A value of each query, such as its group or its weight: of a table, or of JSON."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import tabular
from irmetrics_edu.reading.column_names import QUERY, column
from irmetrics_edu.reading.column_of_file import ColumnOfFile
from irmetrics_edu.reading.files import File, bare_name
from irmetrics_edu.reading.heads import LOOKED_AT, names_columns
from irmetrics_edu.reading.records import (
    SEPARATORS,
    Record,
    first_line,
    named,
    objects,
    rows,
    text_of,
)

# An id goes before "query", which is a text beside it.
_QUERY = (*QUERY[: QUERY.index("query")], "id", "_id", *QUERY[QUERY.index("query") :])
_TEXTS = frozenset({"query", "text", "title", "description", "narrative", "question"})
_LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True)
class Wanted:
    """What is wanted of each query: what it is called in messages, and how its column may be."""

    what: str  # "group"
    usual_names: Sequence[str]
    said: str  # "queries are grouped by"


@dataclass(frozen=True)
class QueryValues:
    """The values of queries, each with its place in the file; `about` says which column it was."""

    records: list[Record]
    about: str


@dataclass(frozen=True)
class _ReadTable:
    """A table with names of its columns, which are their places if no line names them."""

    header: list[str]
    is_named: bool
    lines: list[tuple[int, list[str]]]


def read_query_values(
    path: str | PathLike[str],
    wanted: Wanted,
) -> QueryValues:
    """The value of each query in a file: a table with any one column beside the query, or JSON.

    Of several columns, the one that has a usual name is taken. If none has, or several have,
    InputError lists them, and `topics.csv:device` names one.
    """
    file = path if isinstance(path, File) else ColumnOfFile(path)
    asked = file.column if isinstance(file, ColumnOfFile) else ""
    if isinstance(file, ColumnOfFile) and file.value and wanted.what != "value":
        raise InputError(
            f"{file}: all values of {asked!r} are taken as {wanted.what}; leave out ={file.value}"
        )
    name = bare_name(file)
    if name.endswith(_LINES):
        return _of_objects(file, wanted, asked)
    if name.endswith(".json") or file.head.lstrip()[:1] == b"{":
        return _of_mapping(file, wanted)
    return _of_table(file, wanted, asked)


def _of_mapping(file: File, wanted: Wanted) -> QueryValues:
    expected = f'expected {{"query": {wanted.what}, ...}}'
    read = []
    for query, value in tabular.of_json(file, expected).items():
        if isinstance(value, (dict, list)) or value is None:
            raise InputError(f"{file}: query {query!r} has {value!r:.60}; {expected}")
        read.append(Record(str(file), 1, {"query": query, wanted.what: _written(value)}))
    return QueryValues(read, "")


def _of_objects(
    file: File,
    wanted: Wanted,
    asked: str,
) -> QueryValues:
    """The values of lines of JSON, each with a query; the first line tells the names."""
    lines = list(objects(file))
    if not lines:
        raise InputError(f"{file}: the file is empty; expected a query and its {wanted.what}")
    header = list(lines[0][1])
    of_query, of_value = _columns(header, file, wanted, asked)
    read = []
    for number, row in lines:
        query = _written(row.get(of_query, ""))
        value = _written(row.get(of_value, ""))
        read.append(Record(str(file), number, {"query": query, wanted.what: value}))
    about = _about(file, wanted, of_value, is_named=True)
    return QueryValues(read, about)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _of_table(
    file: File,
    wanted: Wanted,
    asked: str,
) -> QueryValues:
    table = _table(file, wanted)
    of_query, of_value = _columns(
        table.header,
        file,
        wanted,
        asked,
        is_named=table.is_named,
    )
    read = []
    for line, row in named(table.lines, table.header, str(file)):
        values = {"query": row[of_query], wanted.what: row[of_value]}
        read.append(Record(str(file), line, values))
    about = _about(
        file,
        wanted,
        of_value,
        is_named=table.is_named,
    )
    return QueryValues(read, about)


def _table(file: File, wanted: Wanted) -> _ReadTable:
    text = text_of(file)
    head = first_line(text)
    separator = max(SEPARATORS, key=head.count)
    filled = []
    for line, row in rows(text, str(file), separator):
        if any(cell.strip() for cell in row):
            filled.append((line, row))
    if not filled:
        raise InputError(f"{file}: the file is empty; expected a header: query, {wanted.what}")
    first = filled[0][1]
    if len(first) < 2:
        raise InputError(
            f"{file}, line {filled[0][0]}: {head.strip()!r:.60} is one column; write a query and "
            f"its {wanted.what} on each line, with a comma or a tab between them"
        )
    below = [row for _, row in filled[1 : LOOKED_AT + 1]]
    if _known_query(first) or names_columns(first, below):
        return _ReadTable(
            first,
            is_named=True,
            lines=filled[1:],
        )
    places = [str(place) for place in range(1, len(first) + 1)]
    return _ReadTable(
        places,
        is_named=False,
        lines=filled,
    )


def _known_query(header: Sequence[str]) -> bool:
    return any(name.strip().lower() in _QUERY for name in header)


def _columns(
    header: Sequence[str],
    file: File,
    wanted: Wanted,
    asked: str,
    *,
    is_named: bool = True,
) -> tuple[str, str]:
    """The columns of the query and of the value."""
    where = f"{file}, line 1"
    is_index = not header[0].strip() and not _known_query(header)  # as pandas writes an index
    of_query = header[0]
    if is_named and not is_index:
        of_query = column(header, _QUERY, "query", where)
    there = ", ".join(map(repr, header))
    if asked:
        if asked not in header:
            raise InputError(f"{where}: there is no column {asked!r}; the columns are {there}")
        return of_query, asked
    return of_query, _value_column(header, of_query, file, wanted)


def _called(header: Iterable[str], names: Container[str]) -> list[str]:
    """The columns that are called so."""
    return [name for name in header if name.strip().lower() in names]


def _value_column(
    header: Sequence[str],
    of_query: str,
    file: File,
    wanted: Wanted,
) -> str:
    """The column of the value: called so, the only one called alike, or the only one there is."""
    others = [name for name in header if name != of_query and name.strip()]
    meant = _called(others, (wanted.what,)) or _called(others, wanted.usual_names)
    if not meant:
        texts = _called(others, _TEXTS)
        meant = [name for name in others if name not in texts] or others
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise InputError(
            f"{file}, line 1: any of the columns {', '.join(map(repr, meant))} may be the "
            f"{wanted.what}; name the one to take: {file.path.name}:{meant[0]}"
        )
    raise InputError(
        f"{file}, line 1: there is no column of the {wanted.what} beside {of_query!r}; the columns "
        f"are {', '.join(map(repr, header))}"
    )


def _about(
    file: File,
    wanted: Wanted,
    of_value: str,
    *,
    is_named: bool,
) -> str:
    """What is told of the column that was taken; nothing if it is called what it is."""
    if not is_named:
        return (
            f"the first line of {file.path.name} names no columns: column 1 is read as query, "
            f"{of_value} as {wanted.what}"
        )
    if of_value.strip().lower() == wanted.what:
        return ""
    return f"{wanted.said} column {of_value!r} of {file.path.name}"
