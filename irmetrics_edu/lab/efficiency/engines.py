"""What an engine is, the documents and words that it takes, and SQLite's FTS5 to measure."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError, OutputError

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its id (the qualified name of what it describes) and its text."""

    id: str
    text: str


def words(text: str) -> list[str]:
    """The words of a text, in lower case.

    >>> words("Return the_sum of X, 2 times.")
    ['return', 'the', 'sum', 'of', 'x', '2', 'times']
    """
    return _WORD.findall(text.lower())


def texts_by_id(name: str, texts: Any) -> Mapping[Any, str]:
    """The texts, if each id has one."""
    if not isinstance(texts, Mapping) or not texts:
        raise InputError(f"{name}={texts!r} are not texts by id; map at least one id to its text")
    for document, text in texts.items():
        if not isinstance(text, str):
            raise InputError(f"{at(None, document)}its text is {text!r}; give text")
    return texts


_BATCH = 500


class Engine(Protocol):
    """An engine indexes documents, then answers queries with the best of them."""

    name: str

    def index(self, documents: Sequence[Document], *, after: Callable[[int], None]) -> None:
        """Index the documents; `after` gets the number of documents of each finished step."""

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """The ids of the k best documents with their scores, best first."""

    def size(self) -> int:
        """The number of bytes that the index takes now."""


class Fts5:
    """SQLite's full-text index, which ranks by BM25 (k1 = 1.2, b = 0.75); a file on disk.

    Words are folded to lower case and cut to their stems (Porter). A document matches if it has any
    word of the query. Close the index, or use it in a `with` statement.
    """

    name = "SQLite FTS5, BM25"

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.exists():
            raise InputError(
                f"{self.path} exists already; give the name of a new file for the index"
            )
        with self._named():
            self.connection = sqlite3.connect(self.path)
            self.connection.execute(
                "CREATE VIRTUAL TABLE documents USING fts5("
                "id UNINDEXED, text, tokenize = 'porter unicode61')"
            )

    def index(self, documents: Sequence[Document], *, after: Callable[[int], None]) -> None:
        """Index the documents in steps of 500, then merge the index into one piece."""
        with self._named():
            for start in range(0, len(documents), _BATCH):
                batch = documents[start : start + _BATCH]
                self.connection.executemany(
                    "INSERT INTO documents (id, text) VALUES (?, ?)",
                    [(d.id, d.text) for d in batch],
                )
                self.connection.commit()
                after(len(batch))
            self.connection.execute("INSERT INTO documents (documents) VALUES ('optimize')")
            after(0)  # the journal still stands beside the file
            self.connection.commit()
            after(0)
            self.connection.execute("VACUUM")
            after(0)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Let an error of SQLite say which file it is about."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "no such module" in str(error):
                self.close()
                raise InputError(f"the SQLite of this Python has no FTS5: {error}") from None
            raise OutputError(None, f"can't write {self.path}: {error}") from error

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """The k best documents; the score is BM25, higher is better, ties in order of indexing."""
        asked = " OR ".join(f'"{word}"' for word in words(query))
        if not asked:
            raise InputError(f"query {query!r} has no word to search for")
        rows = self.connection.execute(
            "SELECT id, -bm25(documents) FROM documents WHERE documents MATCH ? "
            "ORDER BY bm25(documents), rowid LIMIT ?",
            (asked, k),
        )
        return [(str(name), float(score)) for name, score in rows]

    def size(self) -> int:
        """The bytes of the file and of its journal."""
        files = (self.path, *self.path.parent.glob(f"{self.path.name}-*"))
        return sum(f.stat().st_size for f in files if f.exists())

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
