"""The shapes that answers come in, each recognised by what it has: no client is imported.

A shape reads one answer as `Seen`: the item at each rank, the objects that hold ids, scores and
texts, and the paths to them in this kind of system.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError, RetrieverError
from irmetrics_edu.reading import column_names

__tracebackhide__ = True  # pytest shows the line that called

_IDS = ("id", "_id", "chunk_id", *column_names.DOCUMENT)
_TEXTS = ("text", "content", "page_content", "chunk", "body", "passage")
DISTANCES = ("distance", "dist", "_distance")


@dataclass
class Seen:
    """A recognised answer: the objects at each rank, and the places to look for values."""

    shape: str
    items: list[Any]
    id: tuple[str, ...]
    score: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()
    inner: str = ""  # the part of an item that holds the document, where there is one
    scores: list[Any] | None = None  # where they stand beside the items
    whole: bool = False  # an item is the id itself
    smaller_is_better: bool = False  # the shape says so, or it is likely: somebody has to say
    draws_ids: bool = False  # the library gives an item without an id a random one, or none
    beside: dict[str, str] = field(default_factory=dict)  # kept as metadata: name -> path


def fetched(answer: Any) -> Any:
    """An answer read to its end if it is a cursor or an iterator; other answers unchanged.

    This belongs to the call and to its thread, because the database may still be searching.
    """
    if hasattr(answer, "fetchall") and hasattr(answer, "description"):
        description = answer.description
        if not isinstance(description, (list, tuple)):
            raise InputError("the cursor has no columns; give one that has run a SELECT")
        columns = [column[0] for column in description]
        return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]
    return list(answer) if isinstance(answer, Iterator) else answer


def seen(answer: Any) -> Seen | None:
    """The answer in the first shape that fits; None if no shape fits."""
    body = getattr(answer, "body", None)
    if isinstance(body, (Mapping, list)):  # a response of the Elasticsearch or OpenSearch client
        answer = body
    answer = fetched(answer)
    if isinstance(answer, Mapping):
        return _of_mapping(answer)
    if isinstance(getattr(answer, "points", None), list):
        return _of_items(answer.points)
    arrays = _two_arrays(answer)
    if arrays is not None:
        return _of_arrays(*arrays)
    if isinstance(answer, np.ndarray) and answer.ndim == 1:
        answer = answer.tolist()
    if not isinstance(answer, Sequence) or isinstance(answer, (str, bytes)):
        return None
    return _of_items(list(answer))


def _of_mapping(answer: Mapping[Any, Any]) -> Seen | None:
    hits = answer.get("hits")
    if isinstance(hits, Mapping) and isinstance(hits.get("hits"), list):
        _refuse_partial(answer)
        return _hits(hits["hits"])
    if isinstance(answer.get("documents"), list):
        return _of_items(answer["documents"])
    holding = {
        name: value["documents"]
        for name, value in answer.items()
        if isinstance(value, Mapping) and isinstance(value.get("documents"), list)
    }
    if len(holding) > 1:
        raise InputError(
            f"{len(holding)} components of the pipeline give documents: "
            f"{', '.join(map(str, holding))}; give the answer of one, such as "
            f"answer[{next(iter(holding))!r}]"
        )
    if holding:
        return _of_items(next(iter(holding.values())))
    if all(isinstance(v, (int, float, np.number)) for v in answer.values()):
        ids = list(answer)
        return Seen(
            "scores by id",
            ids,
            (),
            scores=list(answer.values()),
            whole=True,
        )
    return None


def _refuse_partial(answer: Mapping[str, Any]) -> None:
    """Refuse an answer from only some shards: its score would vary from call to call."""
    shards = answer.get("_shards")
    failed = shards.get("failed", 0) if isinstance(shards, Mapping) else 0
    if answer.get("timed_out") or failed:
        why = "it timed out" if answer.get("timed_out") else f"{failed} of its shards failed"
        raise RetrieverError(f"the answer is partial: {why}; search again")


def _hits(hits: list[Any]) -> Seen:
    scores = [hit.get("_score") if isinstance(hit, Mapping) else None for hit in hits]
    scored = bool(hits) and None not in scores
    return Seen(
        shape="Elasticsearch/OpenSearch hits",
        items=hits,
        id=("_id",),
        score=("_score",) if scored else (),
        text=tuple(f"_source.{name}" for name in _TEXTS),
        metadata=("_source",),
        inner="_source",
    )


def _two_arrays(answer: Any) -> tuple[Any, Any] | None:
    """Documents and scores as two arrays; those of bm25s have names and their own length."""
    if hasattr(answer, "documents") and hasattr(answer, "scores"):
        pair = (answer.documents, answer.scores)
    elif type(answer) is tuple and len(answer) == 2:
        pair = answer
    else:
        return None
    return pair if all(isinstance(part, np.ndarray) for part in pair) else None


def _of_arrays(documents: Any, scores: Any) -> Seen:
    if documents.shape != scores.shape:
        raise InputError(
            f"documents have shape {documents.shape} and scores have shape {scores.shape}; give a "
            "score for each document"
        )
    if documents.ndim == 2 and len(documents) != 1:
        raise InputError(
            f"the arrays hold answers to {len(documents)} queries; give one at a time, "
            "(documents[i], scores[i])"
        )
    items = documents.ravel().tolist()
    beside = scores.ravel().tolist()
    if items and isinstance(items[0], Mapping):
        return Seen(
            shape="arrays (bm25s)",
            items=items,
            id=_IDS,
            score=(),
            text=_TEXTS,
            metadata=("",),
            scores=beside,
        )
    return Seen(
        "arrays (bm25s)",
        items,
        (),
        scores=beside,
        whole=True,
    )


# What an item has, by which its shape is known; the first that fits is taken.
_OBJECTS: tuple[tuple[tuple[str, ...], Seen], ...] = (
    (
        ("node", "score"),
        Seen(
            shape="LlamaIndex nodes",
            items=[],
            id=("node.node_id", "node.id_"),
            score=("score",),
            text=("node.text",),
            metadata=("node.metadata",),
            inner="node",
            draws_ids=True,
            beside={n: f"node.{n}" for n in ("ref_doc_id", "start_char_idx", "end_char_idx")},
        ),
    ),
    (
        ("page_content", "metadata"),
        Seen(
            shape="LangChain documents",
            items=[],
            id=("id",),
            score=(),
            text=("page_content",),
            metadata=("metadata",),
            draws_ids=True,
        ),
    ),
    (
        ("content", "meta", "id"),
        Seen(
            shape="Haystack documents",
            items=[],
            id=("id",),
            score=("score",),
            text=("content",),
            metadata=("meta",),
        ),
    ),
    (
        ("id", "score", "payload"),
        Seen(
            shape="Qdrant points",
            items=[],
            id=("id",),
            score=("score",),
            text=tuple(f"payload.{n}" for n in _TEXTS),
            metadata=("payload",),
            inner="payload",
        ),
    ),
)


def _of_items(items: list[Any]) -> Seen | None:
    """A list, recognised by its items, which must all be of one kind."""
    if not items:
        return Seen("nothing", [], ())
    kinds = [_kind(item) for item in items]
    for rank, kind in enumerate(kinds, 1):
        if kind != kinds[0]:
            odd, first = type(items[rank - 1]).__name__, type(items[0]).__name__
            raise InputError(f"rank {rank}: a {odd} is among a {first}s; give a list of one kind")
    if isinstance(kinds[0], int):
        return replace(_OBJECTS[kinds[0]][1], items=items)
    if kinds[0] == "pair":
        return _pairs(items)
    if kinds[0] == "hit":
        return _hits(items)
    if kinds[0] == "row":
        return _rows(
            [dict(item) if isinstance(item, Mapping) else item._asdict() for item in items]
        )
    return Seen("ids", items, (), whole=True) if kinds[0] == "id" else None


def _kind(item: Any) -> int | str:
    if isinstance(item, (str, int, np.integer)) and not isinstance(item, bool):
        return "id"
    if isinstance(item, Mapping):
        return "hit" if _is_hit(item) else "row"
    for number, (attributes, _) in enumerate(_OBJECTS):
        if all(hasattr(item, name) for name in attributes):
            return number
    if hasattr(item, "_fields"):
        return "row"
    if isinstance(item, (tuple, list)) and len(item) == 2:
        return "pair"
    return type(item).__name__


def _is_hit(item: Mapping[Any, Any]) -> bool:
    """Whether it is a hit of Elasticsearch or OpenSearch."""
    return "_id" in item and ("_score" in item or "_source" in item)


def _pairs(items: list[Any]) -> Seen | None:
    """(what, score): of ids, of documents."""
    firsts = [item[0] for item in items]
    scores = [item[1] for item in items]
    if not all(isinstance(score, (int, float, np.number)) for score in scores):
        return None
    shape_of_items = _of_items(firsts)
    if shape_of_items is None:
        return None
    shape_of_items.shape = f"pairs of {shape_of_items.shape} and scores"
    shape_of_items.scores = scores
    return shape_of_items


def _rows(rows: list[dict[Any, Any]]) -> Seen:
    """Rows of a database, with the names of their columns."""
    columns = list(rows[0])
    folded = [str(column).lower() for column in columns]
    scored = next((s for s in column_names.SCORE if s in folded), "")
    near = next((d for d in DISTANCES if d in folded), "")
    return Seen(
        shape="rows",
        items=rows,
        id=_IDS,
        score=tuple(columns[folded.index(name)] for name in (scored or near,) if name),
        text=_TEXTS,
        metadata=("",),
        smaller_is_better=bool(near) and not scored,
    )
