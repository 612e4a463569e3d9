"""Full-text search over the library, by SQLite's FTS5."""

import sqlite3

TITLE_WEIGHT = 6.0
BODY_WEIGHT = 1.0


class Engine:
    """An index in memory; BM25, with titles weighing more than bodies."""

    def __init__(self, documents: dict[str, tuple[str, str]]) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.execute("CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, title, body)")
        self.connection.executemany(
            "INSERT INTO texts VALUES (?, ?, ?)", [(i, *text) for i, text in documents.items()]
        )

    def search(self, text: str, limit: int = 20) -> dict[str, float]:
        """The best documents with their scores: any of the words may match."""
        words = " OR ".join(f'"{word}"' for word in text.split())
        rows = self.connection.execute(
            "SELECT id, -bm25(texts, 0, ?, ?) AS score FROM texts WHERE texts MATCH ? "
            "ORDER BY score DESC, id LIMIT ?",
            (TITLE_WEIGHT, BODY_WEIGHT, words, limit),
        )
        return dict(rows.fetchall())
