"""Runs held in memory: query to document to score, or query to a list of documents."""

import struct
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_GIVEN, Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining import ranks
from irmetrics_edu.joining.aligned import Found
from irmetrics_edu.joining.pool import Pool, has_blanks
from irmetrics_edu.numbers import Array

# So many documents at a time that the arrays stay in the processor's cache.
_CHUNK = 1 << 17
_NOT_RETRIEVED = repeat(np.nan)


@dataclass
class _Chunk:
    """Queries that are joined together."""

    numbers: list[int] = field(default_factory=list)
    rankings: list[Mapping[Any, Any]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # how many documents there are after each query
    found: list[float] = field(default_factory=list)  # each judged document's score, or NaN
    buffer: Array = field(default_factory=lambda: np.empty(_CHUNK))
    documents: int = 0

    def add(self, q: int, query: Any, ranking: Mapping[Any, Any], judged: list[Hashable]) -> None:
        """One more query, for which there is room."""
        size, begin = len(ranking), self.documents
        self.documents = end = begin + size
        try:
            # Packing is the quickest way from numbers to an array, and refuses text, which numpy
            # reads. It goes first, because it brings the mapping into the processor's cache.
            struct.pack_into(f"{size}d", self.buffer.data, 8 * begin, *ranking.values())
        except (struct.error, TypeError, OverflowError):
            self.buffer[begin:end] = _checked(ranking, query)
        self.found.extend(map(ranking.get, judged, _NOT_RETRIEVED))
        self.numbers.append(q)
        self.rankings.append(ranking)
        self.ends.append(end)

    def next(self, room: int) -> "_Chunk":
        """An empty chunk with room for a query of so many documents."""
        fits = room <= len(self.buffer)
        return _Chunk(buffer=self.buffer if fits else np.empty(room))


def join(
    run: Mapping[Any, Any],
    pool: Pool,
    *,
    ties: Ties,
    scores: Scores,
    not_judged: dict[Any, None],
) -> Found:
    """The judged documents of a run with their ranks; `not_judged` takes the other queries."""
    parts: list[Found] = []
    chunk = _Chunk()
    documents = pool.documents
    bounds = pool.starts.tolist()
    for query, ranking in run.items():
        q = pool.number.get(query, -1)
        if q < 0:
            not_judged[query] = None
            continue
        if type(ranking) is not dict and not isinstance(ranking, Mapping):
            if ranking is None:
                raise InputError(f"{at(query)}the ranking is None; give scores, or leave it out")
            ranking = _in_order(ranking, query)  # noqa: PLW2901 -- one thing in two notations
        if chunk.documents + len(ranking) > len(chunk.buffer):
            if chunk.numbers:
                parts.append(_joined(chunk, pool, ties, scores))
            chunk = chunk.next(len(ranking))
        chunk.add(q, query, ranking, documents[bounds[q] : bounds[q + 1]])
    if chunk.numbers:
        parts.append(_joined(chunk, pool, ties, scores))
    return Found.joined(parts)


def _in_order(ranking: Any, query: Any) -> dict[Hashable, int]:
    """A list of documents as falling scores: the order given has no ties."""
    if isinstance(ranking, (set, frozenset)):
        raise InputError(
            f"{at(query)}a set has no order; give a list of document ids, best first, or scores"
        )
    if not hasattr(ranking, "__iter__"):
        raise InputError(
            f"{at(query)}a ranking maps documents to scores, or is a list of document ids; "
            f"got {ranking!r}"
        )
    ids = checks.ids(ranking, query)
    return dict(zip(ids, range(0, -len(ids), -1), strict=True))


def _joined(chunk: _Chunk, pool: Pool, ties: Ties, scores: Scores) -> Found:
    score = chunk.buffer[: chunk.documents]
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.add.reduce(score)  # neither infinities nor NaN leave it finite
    if not np.isfinite(total):
        for q, ranking in zip(chunk.numbers, chunk.rankings, strict=True):
            _checked(ranking, pool.queries[q])
    score = scores(score)
    starts = np.array([0, *chunk.ends])
    numbers = np.array(chunk.numbers, dtype=np.intp)
    sizes = pool.starts[numbers + 1] - pool.starts[numbers]
    local = np.repeat(np.arange(len(numbers)), sizes)
    first_item = np.repeat(pool.starts[numbers] - (np.cumsum(sizes) - sizes), sizes)
    target = np.fromiter(chunk.found, np.float64, len(chunk.found))
    gone = np.isnan(target)  # no score is NaN
    here = np.flatnonzero(~gone)
    item = here + first_item[here]
    local = local[here]
    gone = np.flatnonzero(gone)
    hits = np.bincount(local, minlength=len(numbers))
    _same_kind(chunk, pool, gone + first_item[gone], hits, sizes)
    rank, first, alike, tied = ranks.ranked(
        score,
        scores(target[here]),
        local,
        starts,
        ties,
        lambda q, members: picked(list(chunk.rankings[q]), members),
        lambda rows: picked(pool.documents, item[rows]),
    )
    return Found(item, rank, first, alike, numbers, np.diff(starts), tied)


def _checked(ranking: Mapping[Any, Any], query: Any) -> Array:
    """The scores, one by one; what is no finite number is told by its place."""
    try:
        return np.array([checks.number(v, "score", at(query, d)) for d, v in ranking.items()])
    except OverflowError:
        raise InputError(f"{at(query)}a score is a whole number beyond all floats") from None


def picked(labels: Sequence[Hashable], where: Array) -> list[Hashable]:
    """Some of the labels."""
    return [labels[i] for i in where.tolist()]


def _floats(ranking: Mapping[Any, Any]) -> Array:
    return np.fromiter(ranking.values(), np.float64, len(ranking))


def in_order(documents: Sequence[Hashable], score: Array, ties: Ties) -> list[Hashable]:
    """The documents by falling score, ties as the convention says."""
    order = np.argsort(-score, kind="stable").tolist()
    ranked = [documents[i] for i in order]
    if ties is AS_GIVEN:
        return ranked
    worth = score[order]
    edges = np.concatenate([[0], np.flatnonzero(worth[1:] != worth[:-1]) + 1, [len(worth)]])
    for size, begin in zip(np.diff(edges).tolist(), edges[:-1].tolist(), strict=True):
        if size > 1:
            tied = ranked[begin : begin + size]
            ranked[begin : begin + size] = [tied[i] for i in ties.arranged(tied)]
    return ranked


def ranking_of(run: Mapping[Any, Any], query: Any, ties: Ties, scores: Scores) -> list[Hashable]:
    """One query's documents in the order in which they are ranked."""
    ranking = run[query]
    if not isinstance(ranking, Mapping):
        return checks.ids(ranking, query)
    return in_order(list(ranking), scores(_floats(ranking)), ties)


def _same_kind(chunk: _Chunk, pool: Pool, gone: Array, hits: Array, sizes: Array) -> None:
    """Refuse ids that match a judged one only after a change of type or trimming.

    Cheap where all is well: where no judged document was retrieved, which is how such a mistake
    shows, all ids are gone through; else only if a judged id that was not retrieved looks odd.
    """
    plain = _without_blanks(picked(pool.documents, gone))
    doubtful = np.flatnonzero(hits == 0 if plain else hits < sizes)
    for i in doubtful.tolist():
        q, ranking = chunk.numbers[i], chunk.rankings[i]
        judged = pool.documents[int(pool.starts[q]) : int(pool.starts[q + 1])]
        if hits[i] == 0:
            kinds = set(map(type, chain(judged, ranking)))
            suspicious = kinds != {str} or _has_blanks(ranking) or _has_blanks(judged)
        else:
            suspicious = any(
                d.strip() in ranking if isinstance(d, str) else str(d) in ranking
                for d in judged
                if d not in ranking
            )
        if suspicious:
            checks.same_kind_of_ids(list(ranking), judged, pool.queries[q])


def _without_blanks(ids: list[Any]) -> bool:
    """Whether all ids are text without blanks."""
    try:
        return not has_blanks("".join(ids))
    except TypeError:
        return False


def _has_blanks(ids: Iterable[Any]) -> bool:
    return has_blanks("".join(ids)) and any(d != d.strip() for d in ids)


def same_kind_of_queries(pool: Pool, missing: Array, not_judged: Iterable[Any]) -> None:
    """Refuse a run's query id that matches a judged one only after a change of type or trimming."""
    folded = {str(q).strip(): q for q in not_judged}
    if not folded:
        return
    for q in np.flatnonzero(missing).tolist():
        query = pool.queries[q]
        other = folded.get(str(query).strip())
        if other is not None:
            how = "white space" if isinstance(query, str) and isinstance(other, str) else "type"
            raise InputError(
                f"{at(other)}differs from the judged query {query!r} only in {how}; "
                "write ids the same way on both sides"
            )
