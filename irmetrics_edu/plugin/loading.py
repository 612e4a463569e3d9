"""Runs and judgments from files beside the test, as mappings."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_TWICE = {
    "run": "ranked twice; a document has one place",
    "qrels": "judged twice; if the second field is the subtopic, write subtopics=True",
}


def loader(folder: Path, what: str) -> Callable[..., Mapping[Any, Any]]:
    """A function that reads a run, or judgments, from a file in this folder."""

    def load(
        path: str,
        *,
        format: str | None = None,  # noqa: A002 -- what a file's format is called
    ) -> Mapping[Any, Any]:
        from irmetrics_edu.reading.sources import Source, source

        found = source(_in(folder, path), run=what == "run", kind=format)
        return _mapping(found, what) if isinstance(found, Source) else dict(found)

    def load_judgments(
        path: str,
        *,
        format: str | None = None,  # noqa: A002 -- the same
        subtopics: bool = False,
    ) -> Mapping[Any, Any]:
        if not subtopics:
            return load(path, format=format)
        from irmetrics_edu.conventions import REFUSED
        from irmetrics_edu.joining.subtopics import SubtopicQrels, read_subtopic_qrels

        found = read_subtopic_qrels(_in(folder, path), REFUSED)
        return found.held if isinstance(found, SubtopicQrels) else found

    chosen = load if what == "run" else load_judgments
    chosen.__name__ = chosen.__qualname__ = f"irm_{what}"
    return chosen


def _in(folder: Path, path: str) -> Any:
    """A file of the folder; `-` is standard input, as everywhere."""
    return path if path == "-" else folder / path


def _mapping(read: Any, what: str) -> dict[Any, Any]:
    """Query to document to value; query to the list of documents where there are no values."""
    columns = read.all()
    documents = columns.document.tolist()
    values = None if columns.value is None else columns.value.tolist()
    found: dict[Any, Any] = {}
    for q, query in enumerate(columns.queries):
        here = slice(int(columns.starts[q]), int(columns.starts[q + 1]))
        own = documents[here]
        if len(set(own)) < len(own):
            _refuse_twice(read, query, own, columns.line[here].tolist(), _TWICE[what])
        found[query] = own if values is None else dict(zip(own, values[here], strict=True))
    return found


def _refuse_twice(
    read: Any, query: Any, documents: list[Any], lines: list[int], twice: str
) -> None:
    from irmetrics_edu.errors import InputError

    seen = set()
    for document, line in sorted(zip(documents, lines, strict=True), key=lambda pair: pair[1]):
        if document in seen:
            raise InputError(
                f"{read.name}, {read.unit} {line}: query {query!r}, document {document!r}: {twice}"
            )
        seen.add(document)
