"""Runs and judgments from files beside the test, as mappings."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def loader(folder: Path, what: str) -> Callable[..., Mapping[Any, Any]]:
    """A function that reads a run, or judgments, from a file in this folder."""

    def load(path: str, *, format: str | None = None) -> Mapping[Any, Any]:  # noqa: A002
        from irmetrics_edu.reading.sources import Source, source

        found = source(folder / path, run=what == "run", kind=format)
        return _mapping(found.all()) if isinstance(found, Source) else dict(found)

    load.__name__ = load.__qualname__ = f"irm_{what}"
    return load


def _mapping(columns: Any) -> dict[Any, Any]:
    """Query to document to value; query to the list of documents where there are no values."""
    documents = columns.document.tolist()
    values = None if columns.value is None else columns.value.tolist()
    found: dict[Any, Any] = {}
    for q, query in enumerate(columns.queries):
        here = slice(int(columns.starts[q]), int(columns.starts[q + 1]))
        found[query] = (
            documents[here]
            if values is None
            else dict(zip(documents[here], values[here], strict=True))
        )
    return found
