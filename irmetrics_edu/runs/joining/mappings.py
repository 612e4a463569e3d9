"""Runs held in memory: query to document to score, or query to a list of documents."""

import struct
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_GIVEN, Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.id_list import chosen as ids_at
from irmetrics_edu.reading.id_list import examples
from irmetrics_edu.runs.joining import ranks
from irmetrics_edu.runs.joining.aligned import Found
from irmetrics_edu.runs.joining.judgment_pool import Pool, has_blanks

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
                raise InputError(
                    f"{at(query)}the ranking is None; give scores, or leave the query out"
                )
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
            f"{at(query)}the ranking is a set, which has no order; give a list of document "
            "ids, best first, or scores"
        )
    if not hasattr(ranking, "__iter__"):
        raise InputError(
            f"{at(query)}{ranking!r} is not a ranking; map documents to scores, or give a "
            "list of document ids"
        )
    ids = checks.ids(ranking, query)
    checks.one_kind(ids, "document", at(query))
    return dict(zip(ids, range(0, -len(ids), -1), strict=True))


def _joined(chunk: _Chunk, pool: Pool, ties: Ties, scores: Scores) -> Found:
    score = chunk.buffer[: chunk.documents]
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.add.reduce(score)  # neither infinities nor NaN leave it finite
    if not np.isfinite(total):
        for q, ranking in zip(chunk.numbers, chunk.rankings, strict=True):
            _checked(ranking, pool.queries[q])
    starts = np.array([0, *chunk.ends])
    _refuse_truth_values(chunk, pool, score, starts)
    score = scores(score)
    numbers = np.array(chunk.numbers, dtype=np.intp)
    sizes = pool.starts[numbers + 1] - pool.starts[numbers]
    local = np.repeat(np.arange(len(numbers)), sizes)
    first_item = np.repeat(pool.starts[numbers] - (np.cumsum(sizes) - sizes), sizes)
    target = np.fromiter(chunk.found, np.float64, len(chunk.found))
    gone = np.isnan(target)  # no score is NaN
    here = np.flatnonzero(~gone)
    item = here + first_item[here]
    gone = np.flatnonzero(gone)
    hits = np.bincount(local[here], minlength=len(numbers))
    _same_kind(chunk, pool, gone + first_item[gone], local[gone], hits)
    local = local[here]
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
        return np.array([checks.score(v, at(query, d)) for d, v in ranking.items()])
    except OverflowError:
        raise InputError(f"{at(query)}a score is a whole number too large for a float") from None


def picked(labels: Sequence[Hashable], where: Array) -> list[Hashable]:
    """Some of the labels."""
    return [labels[i] for i in where.tolist()]


def _floats(ranking: Mapping[Any, Any]) -> Array:
    return np.fromiter(ranking.values(), np.float64, len(ranking))


def in_order(documents: Sequence[Hashable], score: Array, ties: Ties) -> list[Hashable]:
    """The documents by falling score, ties as the convention says."""
    order = ties.order(score)
    ranked = [documents[i] for i in order]
    if ties is AS_GIVEN or ties.whole:
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


def _refuse_truth_values(chunk: _Chunk, pool: Pool, score: Array, starts: Array) -> None:
    """Refuse True and False as scores, which are numbers to Python: a look at what is 1 or 0."""
    zeros, ones = score == 0, score == 1
    if not (zeros.any() or ones.any()):
        return
    suspects = np.flatnonzero(zeros | ones)
    of = np.searchsorted(starts, suspects, side="right") - 1
    last = dict(zip(of.tolist(), (suspects - starts[of]).tolist(), strict=True))
    for i, end in last.items():
        ranking = chunk.rankings[i]
        if not {bool, np.bool_}.isdisjoint(map(type, islice(ranking.values(), end + 1))):
            _checked(ranking, pool.queries[chunk.numbers[i]])


def _same_kind(chunk: _Chunk, pool: Pool, gone: Array, of_gone: Array, hits: Array) -> None:
    """Refuse ids of another kind than the judged, or that match one only after trimming.

    Cheap where all is well: a judged id that was not retrieved is looked up as it would be in
    another kind or without blanks, and all ids only where no judged document was retrieved, which
    is how blanks show. Text is told from other kinds without a look at each id.
    """
    missed: list[Any] = picked(pool.documents, gone)
    rankings = chunk.rankings
    odd = list(range(len(missed)))
    if _without_blanks(missed):
        some = any(map(str.isdecimal, missed))  # quicker than to number them, and mostly false
        odd = [n for n, document in enumerate(missed) if document.isdecimal()] if some else []
    wrong = {i for n in odd if _otherwise(missed[n]) in rankings[i := int(of_gone[n])]}
    as_judged = checks.all_text if pool.kind == "text" else checks.all_whole
    wrong.update(i for i, ranking in enumerate(rankings) if not as_judged(ranking))
    for i in np.flatnonzero(hits == 0).tolist():
        q = chunk.numbers[i]
        judged = pool.documents[int(pool.starts[q]) : int(pool.starts[q + 1])]
        text = set(map(type, chain(judged, rankings[i]))) == {str}
        if not text or _has_blanks(rankings[i]) or _has_blanks(judged):
            wrong.add(i)
    for i in sorted(wrong):
        q = chunk.numbers[i]
        judged = pool.documents[int(pool.starts[q]) : int(pool.starts[q + 1])]
        place = at(pool.queries[q])
        checks.same_kind_of_ids(list(rankings[i]), judged, pool.queries[q])
        checks.as_judged(checks.one_kind(rankings[i], "document", place), pool.kind, place)


def _otherwise(document: Any) -> Any:
    """An id as it would be in another kind: text as a whole number, or without blanks around it."""
    if not isinstance(document, str):
        return str(document)
    return int(document) if document.isdecimal() and len(document) < 20 else document.strip()


def _without_blanks(ids: list[Any]) -> bool:
    """Whether all ids are text without blanks."""
    return checks.all_text(ids) and not has_blanks("".join(ids))


def _has_blanks(ids: Iterable[Any]) -> bool:
    return has_blanks("".join(ids)) and any(d != d.strip() for d in ids)


def same_kind_of_queries(pool: Pool, missing: Array, not_judged: Sequence[Any]) -> None:
    """Refuse query ids of several kinds, or that match a judged one only after trimming."""
    _nearly_equal(pool, missing, not_judged)
    checks.one_kind([*examples(pool.queries), *examples(not_judged)], "query")
    _ = pool.kind  # the same of the judged documents


def _nearly_equal(pool: Pool, missing: Array, not_judged: Sequence[Any]) -> None:
    if not len(not_judged) or not missing.any():
        return
    folded = {checks.folded(query): query for query in ids_at(pool.queries, missing)}
    for other in not_judged:
        query = folded.get(checks.folded(other))
        if query is not None:
            how = "white space" if isinstance(query, str) and isinstance(other, str) else "type"
            raise InputError(
                f"{at(other)}differs from the judged query {query!r} only in {how}; "
                "write ids the same way on both sides"
            )
