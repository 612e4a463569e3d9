"""Queries of a run in memory, some at a time, and the checks of their ids and scores."""

import struct
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, picked

# So many documents at a time that the arrays stay in the processor's cache.
_CHUNK = 1 << 17
_NOT_RETRIEVED = repeat(np.nan)
_TRUTH_VALUES = frozenset({bool, np.bool_})


@dataclass
class Chunk:
    """Queries that are joined together."""

    numbers: list[int] = field(default_factory=list)
    rankings: list[Mapping[Any, Any]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # how many documents there are after each query
    found: list[float] = field(default_factory=list)  # each judged document's score, or NaN
    buffer: Array = field(default_factory=lambda: np.empty(_CHUNK))
    documents: int = 0

    def add(
        self,
        q: int,
        query: Any,
        ranking: Mapping[Any, Any],
        judged: list[Hashable],
    ) -> None:
        """One more query, for which there is room."""
        size = len(ranking)
        begin = self.documents
        end = begin + size
        self.documents = end
        try:
            # Packing is the quickest way from numbers to an array, and refuses text, which numpy
            # reads. It goes first, because it brings the mapping into the processor's cache.
            struct.pack_into(f"{size}d", self.buffer.data, 8 * begin, *ranking.values())
        except (struct.error, TypeError, OverflowError):
            self.buffer[begin:end] = checked(ranking, query)
        self.found.extend(map(ranking.get, judged, _NOT_RETRIEVED))
        self.numbers.append(q)
        self.rankings.append(ranking)
        self.ends.append(end)

    def next(self, room: int) -> "Chunk":
        """An empty chunk with room for a query of so many documents."""
        if room <= len(self.buffer):
            return Chunk(buffer=self.buffer)
        return Chunk(buffer=np.empty(room))

    def judged_for(self, i: int, pool: JudgedPool) -> list[Hashable]:
        """The documents that are judged for one of the queries."""
        q = self.numbers[i]
        here = slice(int(pool.starts[q]), int(pool.starts[q + 1]))
        return pool.documents[here]


def as_scores(ranking: Any, query: Any) -> dict[Hashable, int]:
    """A list of documents as falling scores: the order given has no ties."""
    if ranking is None:
        raise InputError(f"{at(query)}the ranking is None; give scores, or leave the query out")
    checks.ordered(ranking, query)
    if not hasattr(ranking, "__iter__"):
        raise InputError(
            f"{at(query)}{ranking!r} is not a ranking; map documents to scores, or give a "
            "list of document ids"
        )
    ids = checks.ids(ranking, query)
    checks.one_kind(ids, "document", at(query))
    falling = range(0, -len(ids), -1)
    return dict(zip(ids, falling, strict=True))


def checked(ranking: Mapping[Any, Any], query: Any) -> Array:
    """The scores, one by one; what is no finite number is told by its place."""
    try:
        scores = [checks.score(score, at(query, d)) for d, score in ranking.items()]
        return np.array(scores)
    except OverflowError:
        raise InputError(f"{at(query)}a score is a whole number too large for a float") from None


def refuse_truth_values(
    chunk: Chunk,
    pool: JudgedPool,
    score: Array,
    starts: Array,
) -> None:
    """Refuse True and False as scores, which are numbers to Python: a look at what is 1 or 0."""
    zeros = score == 0
    ones = score == 1
    if not (zeros.any() or ones.any()):
        return
    suspects = np.flatnonzero(zeros | ones)
    of_query = np.searchsorted(starts, suspects, side="right") - 1
    place = suspects - starts[of_query]
    last_place = dict(zip(of_query.tolist(), place.tolist(), strict=True))
    for i, last in last_place.items():
        ranking = chunk.rankings[i]
        types = map(type, islice(ranking.values(), last + 1))
        if not _TRUTH_VALUES.isdisjoint(types):
            checked(ranking, pool.queries[chunk.numbers[i]])


def refuse_other_kinds(
    chunk: Chunk,
    pool: JudgedPool,
    gone: Array,
    of_gone: Array,
    hits: Array,
) -> None:
    """Refuse ids of another kind than the judged, or that match one only after trimming.

    Cheap where all is well: text is told from other kinds without a look at each id. Only a judged
    number, or an id with blanks, is looked up as text without blanks if it was not retrieved; and
    all ids only where no judged document was retrieved, which is how blanks show.
    """
    suspects = _trimmed_alike(chunk, pool, gone, of_gone)
    is_judged_kind = checks.all_text if pool.kind == "text" else checks.all_whole
    for i, ranking in enumerate(chunk.rankings):
        if not is_judged_kind(ranking):
            suspects.add(i)
    for i in np.flatnonzero(hits == 0).tolist():
        judged = chunk.judged_for(i, pool)
        ranking = chunk.rankings[i]
        kinds = set(map(type, chain(judged, ranking)))
        if kinds != {str} or _has_blanks(ranking) or _has_blanks(judged):
            suspects.add(i)
    for i in sorted(suspects):
        ranking = chunk.rankings[i]
        query = pool.queries[chunk.numbers[i]]
        place = at(query)
        checks.same_kind_of_ids(list(ranking), chunk.judged_for(i, pool), query)
        kind = checks.one_kind(ranking, "document", place)
        checks.as_judged(kind, pool.kind, place)


def _trimmed_alike(chunk: Chunk, pool: JudgedPool, gone: Array, of_gone: Array) -> set[int]:
    """The queries whose rankings hold a judged document that was not found, as text without blanks.

    `gone` are the numbers of the documents in the pool, and `of_gone` of their queries here.
    """
    missed: list[Any] = picked(pool.documents, gone)
    if pool.kind == "text" and not _blank_in("".join(missed)):
        return set()
    suspects = set()
    for document, i in zip(missed, of_gone.tolist(), strict=True):
        if str(document).strip() in chunk.rankings[i]:
            suspects.add(i)
    return suspects


def _blank_in(text: str) -> bool:
    if not text:
        return False
    return text.split(None, 1) != [text]


def _has_blanks(ids: Iterable[Any]) -> bool:
    if not _blank_in("".join(ids)):
        return False
    return any(document != document.strip() for document in ids)
