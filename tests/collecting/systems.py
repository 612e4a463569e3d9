"""Real retrievers over three texts, each asked "cats": how `answers.json` was recorded.

`python -m tests.collecting.systems` asks every system that is installed and writes its answer.
An object is kept as {"object": its attributes}, an array as {"array": its values}.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from irmetrics_edu.writing import write

# Haystack reads it as it is imported: else it tells its makers of every pipeline that is run.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

FILE = Path(__file__).with_name("answers.json")
TEXTS = {"d1": "cats purr", "d2": "dogs bark", "d3": "cats and dogs and cats"}


def vector(text: str) -> list[float]:
    """A vector without a model: how often the text has these words."""
    words = text.split()
    return [float(words.count(word)) + 0.1 for word in ("cats", "dogs", "purr")]


def langchain(*, scores: bool = False) -> Any:
    """LangChain's vector store in memory, documents alone or with scores."""
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import InMemoryVectorStore

    class Words(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    store = InMemoryVectorStore(Words())
    store.add_documents(
        [
            Document(id=name, page_content=text, metadata={"source": f"{name}.md"})
            for name, text in TEXTS.items()
        ]
    )
    return (store.similarity_search_with_score if scores else store.similarity_search)("cats", k=2)


def llama_index() -> Any:
    """LlamaIndex's vector store in memory, and the nodes as its retrievers give them."""
    from llama_index.core.schema import (
        NodeRelationship,
        NodeWithScore,
        RelatedNodeInfo,
        TextNode,
    )
    from llama_index.core.vector_stores import SimpleVectorStore, VectorStoreQuery

    nodes = {
        name: TextNode(
            id_=name,
            text=text,
            metadata={"page": 1},
            embedding=vector(text),
            start_char_idx=0,
            end_char_idx=len(text),
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=f"{name}.md")},
        )
        for name, text in TEXTS.items()
    }
    store = SimpleVectorStore()
    store.add(list(nodes.values()))
    found = store.query(VectorStoreQuery(query_embedding=vector("cats"), similarity_top_k=2))
    return [
        NodeWithScore(node=nodes[name], score=score)
        for name, score in zip(found.ids, found.similarities, strict=True)
    ]


def haystack() -> Any:
    """What a pipeline of Haystack gives."""
    from haystack import Document, Pipeline
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(id=name, content=text, meta={"source": f"{name}.md"})
            for name, text in TEXTS.items()
        ]
    )
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=2))
    return pipeline.run({"retriever": {"query": "cats"}})


def qdrant(*, distance: str = "COSINE") -> Any:
    """Qdrant in local mode, with cosine similarity or Euclidean distance."""
    from qdrant_client import QdrantClient, models

    client = QdrantClient(":memory:")
    kind = models.VectorParams(size=3, distance=models.Distance[distance])
    client.create_collection("texts", vectors_config=kind)
    points = [
        models.PointStruct(id=i, vector=vector(text), payload={"text": text, "source": name})
        for i, (name, text) in enumerate(TEXTS.items(), 1)
    ]
    client.upsert("texts", points)
    try:
        return client.query_points("texts", query=vector("cats"), limit=2)
    finally:
        client.close()


def bm25s() -> Any:
    """bm25s, whose answer holds two arrays."""
    import bm25s as library

    corpus = [{"id": name, "text": text} for name, text in TEXTS.items()]
    index = library.BM25(corpus=corpus)
    tokens = library.tokenize(list(TEXTS.values()), show_progress=False)
    index.index(tokens, show_progress=False)
    asked = library.tokenize(["cats"], show_progress=False)
    return index.retrieve(asked, k=2, show_progress=False)


SYSTEMS = {
    "langchain": ("langchain_core", langchain),
    "langchain with scores": ("langchain_core", lambda: langchain(scores=True)),
    "llama_index": ("llama_index.core", llama_index),
    "haystack": ("haystack", haystack),
    "qdrant": ("qdrant_client", qdrant),
    "qdrant, distances": ("qdrant_client", lambda: qdrant(distance="EUCLID")),
    "bm25s": ("bm25s", bm25s),
}
_KEPT = (
    *("page_content", "metadata", "id", "score", "content", "meta", "payload", "points", "node"),
    *("text", "node_id", "ref_doc_id", "start_char_idx", "end_char_idx", "documents", "scores"),
)


def plain(value: Any) -> Any:
    """An answer as JSON can hold it."""
    if isinstance(value, np.ndarray):
        return {"array": value.tolist()}
    if isinstance(value, dict):
        return {"dict": {str(k): plain(v) for k, v in value.items()}}
    if type(value) is tuple:
        return {"tuple": [plain(v) for v in value]}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    has = {name: getattr(value, name) for name in _KEPT if hasattr(value, name)}
    return {"object": {name: plain(v) for name, v in has.items()}}


def replayed(value: Any) -> Any:
    """A recorded answer, with objects that have the attributes that were kept."""
    if isinstance(value, list):
        return [replayed(v) for v in value]
    if not isinstance(value, dict):
        return value
    ((kind, held),) = value.items()
    if kind == "array":
        return np.array(held)
    if kind == "tuple":
        return tuple(replayed(v) for v in held)
    inner = {name: replayed(v) for name, v in held.items()}
    return inner if kind == "dict" else SimpleNamespace(**inner)


if __name__ == "__main__":
    recorded = {name: plain(ask()) for name, (_, ask) in SYSTEMS.items()}
    write(FILE, json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
    sys.stdout.write(f"wrote {FILE.name}\n")
