"""A vector index over passages: hashed letter n-grams in Qdrant, in memory."""

import zlib

import numpy as np
from qdrant_client import QdrantClient, models

SENTENCES = 2  # of a passage
TITLE = True  # whether a passage begins with the title of its page
FIRST_ID = 1
DIGITS = 6  # of a vector's numbers
SIZE = 1024


def embed(text: str) -> list[float]:
    """A vector without a model: how often the text has each group of three to five letters."""
    letters = " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
    counts = np.zeros(SIZE)
    for n in (3, 4, 5):
        for i in range(len(letters) - n + 1):
            counts[zlib.crc32(letters[i : i + n].encode()) % SIZE] += 1
    damped = np.log1p(counts)
    return np.round(damped / np.linalg.norm(damped), DIGITS).tolist()


class Index:
    """The passages of all pages."""

    def __init__(self, documents: dict[str, list[str]]) -> None:
        self.client = QdrantClient(":memory:")
        kind = models.VectorParams(size=SIZE, distance=models.Distance.COSINE)
        self.client.create_collection("passages", vectors_config=kind)
        points = []
        for title, sentences in documents.items():
            for i in range(0, len(sentences), SENTENCES):
                text = " ".join(sentences[i : i + SENTENCES])
                text = f"{title}: {text}" if TITLE else text
                points.append(
                    models.PointStruct(
                        id=FIRST_ID + len(points),
                        vector=embed(text),
                        payload={"text": text, "source": title},
                    )
                )
        self.client.upsert("passages", points)

    def search(self, text: str, limit: int = 10) -> models.QueryResponse:
        """The passages that are nearest to a question."""
        return self.client.query_points("passages", query=embed(text), limit=limit)
