"""Queries for a retriever: a mapping from id to text, or a file."""

from collections.abc import Hashable, Iterator, Mapping
from os import PathLike
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, tabular
from irmetrics_edu.reading.column_names import QUERY
from irmetrics_edu.reading.files import File, bare_name
from irmetrics_edu.reading.records import named, objects, rows, text_of

__tracebackhide__ = True  # pytest shows the line that called

# "query" is a query's id in a table of judgments; beside another id it is the text.
IDS = ("id", "_id", *(name for name in QUERY if name != "query"))
TEXTS = ("text", "query", "question", "title", "user_input")


def read_queries(queries: Any) -> dict[Hashable, Any]:
    """The queries by id, in the order given: of a mapping, or of a CSV, TSV, JSON or JSONL file.

    A CSV or TSV file has a header that names an id and a text; a line of a JSONL file is an object
    with both, as in BEIR; a JSON file maps ids to texts. Raises InputError with file and line for
    a missing or empty value and for an id that stands twice.

    >>> read_queries({"q1": "cheap flights"})
    {'q1': 'cheap flights'}
    """
    if isinstance(queries, Mapping):
        found = dict(queries)
    elif isinstance(queries, (str, PathLike)):
        found = _of_file(files.as_file(queries))
    else:
        raise InputError(
            f"queries={queries!r:.80}: give a mapping from id to text, or a CSV, TSV, JSON or "
            "JSONL file"
        )
    if not found:
        raise InputError("queries: there is none; give at least one")
    checks.one_kind(found, "query")
    for query, text in found.items():
        if text is None or (isinstance(text, str) and not text.strip()):
            raise InputError(f"query {query!r}: its text is empty; give text, or leave it out")
    return found


def _of_file(file: File) -> dict[Hashable, Any]:
    name = bare_name(file)
    if name.endswith(".json"):
        texts: dict[Hashable, Any] = dict(tabular.of_json(file).items())
        for query, text in texts.items():
            if not isinstance(text, str):
                raise InputError(f"{file}: query {query!r} has {text!r:.80}; give its text")
        return texts
    if name.endswith((".jsonl", ".ndjson")):
        return _once(file, objects(file))
    if name.endswith((".csv", ".tsv")):
        return _once(file, _rows(file, "," if name.endswith(".csv") else "\t"))
    raise InputError(f"{file}: a file of queries ends in .csv, .tsv, .json or .jsonl")


def _rows(file: File, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = rows(text_of(file), str(file), separator)
    _, header = next(lines, (1, []))
    return named(lines, header, str(file))


def _once(file: File, rows: Iterator[tuple[int, dict[str, Any]]]) -> dict[Hashable, Any]:
    found: dict[Hashable, Any] = {}
    for line, row in rows:
        named = {key.strip().lower(): value for key, value in row.items()}
        query = next((named[name] for name in IDS if name in named), None)
        text = next((named[name] for name in TEXTS if name in named), None)
        if query is None and "text" in named:
            query = named.get("query")
        if query is None or text is None:
            what = "id" if query is None else "text"
            known = IDS if query is None else TEXTS
            raise InputError(
                f"{file}, line {line}: no {what} of the query: call it one of {', '.join(known)}; "
                f"there are {', '.join(map(repr, row)) or 'none'}"
            )
        blank = isinstance(query, str) and (not query or query != query.strip())
        if isinstance(query, (bool, float, list, dict)) or blank:
            raise InputError(f"{file}, line {line}: {query!r:.60} is not the id of a query")
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{file}, line {line}: query {query!r} has no text")
        if query in found:
            raise InputError(f"{file}, line {line}: query {query!r} stands twice; give it once")
        found[query] = text
    return found
