"""A whole run joined with the pool of its judgments: the judged documents and their ranks.

A metric needs only the ranks of the judged documents. So go through the few judged documents and
count how many beat each, instead of going through the many retrieved ones. A run in memory is
joined by its ids, any other by their bytes. What is found becomes the rows of all queries at once.
"""

import struct
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, repeat
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    NO_DUPLICATES,
    Duplicates,
    Scores,
    Ties,
    Unjudged,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, concatenated, picked, smallest
from irmetrics_edu.reading.columns import Ids, RunColumns, chosen, joined, may_repeat
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.tables import Source
from irmetrics_edu.rows.aligned_ranking import Rows
from irmetrics_edu.runs.joining import ranks
from irmetrics_edu.runs.joining.inputs import (
    INTERLEAVED,
    Noted,
    PiecedRun,
    ReadRun,
    Run,
    repeated,
    tell_repeated,
)
from irmetrics_edu.runs.joining.judgments import JudgedPool, negative_grade

# So many documents at a time that the arrays stay in the processor's cache.
_CHUNK = 1 << 17
_NOT_RETRIEVED = repeat(np.nan)
# glibc hands the pages of a large array back as it is freed, and fetches others for the next one,
# until a larger array was freed. So free one of 16 MB, which never takes a page.
_large = np.empty(1 << 21)
del _large


@dataclass(eq=False)
class RanksOfPiece:
    """What one piece of a run gave: the judged documents in it with their ranks, and its queries.

    `item` numbers the judged document in the pool. `first` is the best rank that its score allows.
    `alike` is how many documents share that score, itself included. `query` numbers the queries of
    the piece.
    """

    item: Array
    rank: Array
    first: Array
    alike: Array
    query: Array
    retrieved: Array
    tied: Array

    @staticmethod
    def joined(parts: list["RanksOfPiece"]) -> "RanksOfPiece":
        """Several pieces as one; the list is emptied, so as not to hold both."""
        if len(parts) == 1:
            return parts[0]
        columns = [[getattr(p, name) for p in parts] for name in RanksOfPiece.__dataclass_fields__]
        parts.clear()
        return RanksOfPiece(*(concatenated(c or [np.zeros(0, dtype=np.intp)]) for c in columns))

    def small(self) -> "RanksOfPiece":
        """The same in the smallest kind of whole number, to be held."""
        columns = (getattr(self, name) for name in RanksOfPiece.__dataclass_fields__)
        return RanksOfPiece(*(c.astype(smallest(int(c.max(initial=0)))) for c in columns))


class CameBack(InputError):  # noqa: N818 -- what happened, as a reader says it
    """A query goes on later in the file although it seemed whole: the run is interleaved."""


@dataclass
class Join:
    """Piece after piece of a run, joined with the pool: the documents found, the queries seen."""

    pool: JudgedPool
    ties: Ties
    scores: Scores
    problems: Problems
    repeats: Duplicates = NO_DUPLICATES
    found: list[RanksOfPiece] = field(default_factory=list)
    not_judged: dict[Any, None] = field(default_factory=dict)
    noted: Noted = field(default_factory=Noted)

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.found = []
        self.not_judged = {}
        self.noted = Noted()
        self.strange: list[Ids] = []  # queries that are not judged, as columns had them
        self.pieces: list[tuple[Array, int | None]] = []  # their queries, and where they begin
        self.seen = np.zeros(len(self.pool.queries), dtype=bool)
        self._next = 0  # the query that comes next where the run is in the order of the judgments

    def run(self, run: Run) -> None:
        """Join all queries of a run, whatever it came as."""
        if isinstance(run, ReadRun):
            self.source(run.source)
            run.origin = self.origin
        elif isinstance(run, PiecedRun):
            for name, piece in run.parts():
                part = self.piece(name)
                part.run(piece)
                self.take(part)
        else:
            self.mapping(run.kept())

    def mapping(self, run: Mapping[Any, Any]) -> None:
        """Join queries that are held in a mapping."""
        pool = self.pool
        parts = list[RanksOfPiece]()
        chunk = _Chunk()
        documents = pool.documents
        bounds = pool.starts.tolist()
        for query, ranking in run.items():
            q = pool.number.get(query, -1)
            if q < 0:
                self.not_judged[query] = None
                continue
            if type(ranking) is not dict and not isinstance(ranking, Mapping):
                ranking = _as_scores(ranking, query)  # noqa: PLW2901 -- one thing in two notations
            if chunk.documents + len(ranking) > len(chunk.buffer):
                if chunk.numbers:
                    parts.append(self._found_in(chunk))
                chunk = chunk.next(len(ranking))
            chunk.add(q, query, ranking, documents[bounds[q] : bounds[q + 1]])
        if chunk.numbers:
            parts.append(self._found_in(chunk))
        found = RanksOfPiece.joined(parts)
        self._met(found.query, None)
        self.found.append(found)

    def _found_in(self, chunk: "_Chunk") -> RanksOfPiece:
        """The judged documents of some queries of a mapping, with their ranks."""
        pool = self.pool
        score = chunk.buffer[: chunk.documents]
        with np.errstate(over="ignore", invalid="ignore"):
            total = np.add.reduce(score)  # neither infinities nor NaN leave it finite
        if not np.isfinite(total):
            for q, ranking in zip(chunk.numbers, chunk.rankings, strict=True):
                _checked(ranking, pool.queries[q])
        starts = np.array([0, *chunk.ends])
        _refuse_truth_values(chunk, pool, score, starts)
        score = self.scores(score)
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
            target=self.scores(target[here]),
            query=local,
            starts=starts,
            ties=self.ties,
            labels=lambda q, members: picked(list(chunk.rankings[q]), members),
            own=lambda rows: picked(pool.documents, item[rows]),
        )
        return RanksOfPiece(
            item=item,
            rank=rank,
            first=first,
            alike=alike,
            query=numbers,
            retrieved=np.diff(starts),
            tied=tied,
        )

    def source(self, read: Source) -> None:
        """Join all that a source holds; if it is interleaved, it is gathered first."""
        self.problems = read.problems = read.fresh()
        try:
            for items in read.pieces(self.problems, 0):
                self.add(items)
        except CameBack:
            self._begin()
            self.problems = read.fresh()
            parts = [part.compact() for part in read.pieces(self.problems, 0)]
            self.noted.interleaved = len(parts) > 1
            self.add(RunColumns.joined(parts))
            self.pieces = [(of, INTERLEAVED) for of, _ in self.pieces]
        self.problems.check(any_good=bool(self.found or self.not_judged or self.strange))
        self.check()

    def check(self) -> None:
        """Raise an error for malformed lines, or count them if they may be left out."""
        self.problems.check()
        self.noted.add(Noted.of(self.problems))
        self.problems = Problems(self.problems.file, self.problems.unit, self.problems.skip)

    def piece(self, name: str) -> "Join":
        """An empty join with the same pool, for a piece that is taken when it is whole."""
        problems = Problems(name, self.problems.unit, self.problems.skip)
        return Join(self.pool, self.ties, self.scores, problems, self.repeats)

    def take(self, part: "Join") -> None:
        """What was found in a piece; its queries were in no piece before."""
        back = np.flatnonzero(self.seen & part.seen)
        strange = [q for q in part.not_judged if q in self.not_judged]
        for query in (*chosen(self.pool.queries, back), *strange):
            raise InputError(
                f"{part.problems.file}: query {query!r} was in an earlier piece too; give the "
                "documents of each query together"
            )
        part.check()
        self.found += part.found
        self.not_judged |= part.not_judged
        self.strange += part.strange
        self.pieces += part.pieces
        self.seen |= part.seen
        self.noted.add(part.noted)

    def add(self, items: RunColumns) -> None:
        """Join some more queries; queries that came before raise CameBack."""
        of = self.pool.numbers_of(items.queries, self._next)
        judged = of >= 0
        if not judged.all():
            strange = chosen(items.queries, ~judged)
            if isinstance(strange, Ids):
                self.strange.append(strange.compact())
            else:
                self.not_judged.update(dict.fromkeys(strange))
            items, of = _of_queries(items, judged), of[judged]
        if not len(of):
            return
        in_order = np.sort(of)
        back = of[self.seen[of]]
        back = in_order[1:][in_order[1:] == in_order[:-1]] if not len(back) else back
        if len(back):
            query = self.pool.queries[int(back[0])]
            raise CameBack(f"{self.problems.file}: query {query!r} comes in two pieces")
        self._met(of, items.origin)
        self._next = int(of[-1]) + 1
        self.numbered(items, of)

    def _met(self, of: Array, origin: int | None) -> None:
        """Note queries that came in one piece, and where that begins."""
        self.seen[of] = True
        self.pieces.append((of.astype(smallest(len(self.seen))), origin))

    def origin(self, query: Any) -> int | None:
        """The byte at which the piece of a query begins."""
        number = self.pool.number.get(query, -1)
        return next((origin for of, origin in self.pieces if (of == number).any()), INTERLEAVED)

    def strangers(self) -> Sequence[Any]:
        """The queries that are not judged, each once."""
        if not self.strange:
            return list(self.not_judged)
        strange = joined([*self.strange, *([list(self.not_judged)] if self.not_judged else [])])
        return list(dict.fromkeys(strange)) if may_repeat(strange) else strange

    def numbered(self, items: RunColumns, of: Array) -> None:
        """Join queries that have the numbers `of` in the pool."""
        of_judged = self.pool.texts.kind
        if items.document.kind != of_judged:
            self.problems.check()  # a row that is no id comes before what the others are
            checks.as_judged(items.document.kind, of_judged, f"{self.problems.file}: ")
        sizes = np.diff(items.starts)
        salts = self.pool.salts[of]
        keys = items.document.keys(salts[0] if len(of) == 1 else np.repeat(salts, sizes))
        again = repeated(items, keys)
        if len(again):
            if self.repeats is NO_DUPLICATES:
                tell_repeated(items, again, self.problems, "ranked")
            else:
                self.noted.duplicates += len(again)
            keep = np.ones(len(keys), dtype=bool)
            keep[again] = False
            items, keys = items.take(keep), keys[keep]
        here, item = self.pool.find(keys, of)
        del keys
        query = np.searchsorted(items.starts, here, side="right") - 1
        same = items.document.take(here).equal(self.pool.texts.take(item))
        begin = self.pool.starts[of[query]]
        same &= (begin <= item) & (item < self.pool.starts[of[query] + 1])
        found = self._ranked(items, of, here[same], item[same], query[same])
        self.found.append(found.small())

    def _ranked(
        self,
        items: RunColumns,
        of: Array,
        here: Array,
        item: Array,
        query: Array,
    ) -> RanksOfPiece:
        starts = items.starts
        if items.value is None:  # ids alone, in order: no ties
            rank = here - starts[query] + 1
            one = np.ones(len(here), dtype=np.intp)
            nothing = np.zeros(len(of), dtype=np.intp)
            return RanksOfPiece(
                item=item,
                rank=rank,
                first=rank,
                alike=one,
                query=of,
                retrieved=np.diff(starts),
                tied=nothing,
            )
        score = self.scores(items.value)
        target = score[here]
        rank, first, alike, tied = ranks.ranked(
            score,
            target=target,
            query=query,
            starts=starts,
            ties=self.ties,
            labels=lambda q, members: list(items.document.tolist(starts[q] + members)),
            own=lambda rows: list(items.document.tolist(here[rows])),
        )
        return RanksOfPiece(
            item=item,
            rank=rank,
            first=first,
            alike=alike,
            query=of,
            retrieved=np.diff(starts),
            tied=tied,
        )

    def aligned(self, unjudged: Unjudged) -> "Aligned":
        """What was found in order of query and rank, with its counts."""
        pool = self.pool
        found = RanksOfPiece.joined(self.found)
        n = len(pool.queries)
        longest = int(found.rank.max(initial=0))
        place = pool.query[found.item] * (longest + 1) + found.rank  # no two share a rank
        order: Array | slice = slice(None)
        if (place[1:] < place[:-1]).any():
            order = np.argsort(place)
        del place
        if unjudged.name == "removed":
            kept = np.arange(len(found.item))[order]
            order = kept[pool.judged[found.item[kept]]]

        def of_queries(values: Array) -> Array:
            out = np.zeros(n, dtype=values.dtype)
            out[found.query] = values
            return out

        return Aligned(
            item=found.item[order],
            place=found.rank[order],
            first=found.first[order],
            alike=found.alike[order],
            missing=~of_queries(np.ones(len(found.query), dtype=bool)),
            retrieved=of_queries(found.retrieved),
            tied=of_queries(found.tied),
            not_judged=self.strangers(),
            pool=pool,
            removed=unjudged,
            noted=self.noted,
        )


def _of_queries(items: RunColumns, keep: Array) -> RunColumns:
    kept = items.take(np.repeat(keep, np.diff(items.starts)))
    sizes = np.diff(kept.starts)[keep]
    kept.queries = chosen(items.queries, keep)
    kept.starts = np.concatenate([[0], np.cumsum(sizes)])
    return kept


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
        size = len(ranking)
        begin = self.documents
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


def _as_scores(ranking: Any, query: Any) -> dict[Hashable, int]:
    """A list of documents as falling scores: the order given has no ties."""
    if ranking is None:
        raise InputError(f"{at(query)}the ranking is None; give scores, or leave the query out")
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


def _checked(ranking: Mapping[Any, Any], query: Any) -> Array:
    """The scores, one by one; what is no finite number is told by its place."""
    try:
        return np.array([checks.score(v, at(query, d)) for d, v in ranking.items()])
    except OverflowError:
        raise InputError(f"{at(query)}a score is a whole number too large for a float") from None


def _refuse_truth_values(chunk: _Chunk, pool: JudgedPool, score: Array, starts: Array) -> None:
    """Refuse True and False as scores, which are numbers to Python: a look at what is 1 or 0."""
    zeros = score == 0
    ones = score == 1
    if not (zeros.any() or ones.any()):
        return
    suspects = np.flatnonzero(zeros | ones)
    of = np.searchsorted(starts, suspects, side="right") - 1
    last = dict(zip(of.tolist(), (suspects - starts[of]).tolist(), strict=True))
    for i, end in last.items():
        ranking = chunk.rankings[i]
        if not {bool, np.bool_}.isdisjoint(map(type, islice(ranking.values(), end + 1))):
            _checked(ranking, pool.queries[chunk.numbers[i]])


def _same_kind(chunk: _Chunk, pool: JudgedPool, gone: Array, of_gone: Array, hits: Array) -> None:
    """Refuse ids of another kind than the judged, or that match one only after trimming.

    Cheap where all is well: text is told from other kinds without a look at each id. Only a judged
    number, or an id with blanks, is looked up as text without blanks if it was not retrieved; and
    all ids only where no judged document was retrieved, which is how blanks show.
    """
    rankings = chunk.rankings
    wrong = set[int]()

    def judged_for(i: int) -> list[Hashable]:
        q = chunk.numbers[i]
        return pool.documents[int(pool.starts[q]) : int(pool.starts[q + 1])]

    missed: list[Any] = picked(pool.documents, gone)
    if pool.kind != "text" or _blank_in("".join(missed)):
        of_query = zip(missed, of_gone.tolist(), strict=True)
        wrong = {i for document, i in of_query if str(document).strip() in rankings[i]}
    as_judged = checks.all_text if pool.kind == "text" else checks.all_whole
    wrong.update(i for i, ranking in enumerate(rankings) if not as_judged(ranking))
    for i in np.flatnonzero(hits == 0).tolist():
        judged = judged_for(i)
        text = set(map(type, chain(judged, rankings[i]))) == {str}
        if not text or _has_blanks(rankings[i]) or _has_blanks(judged):
            wrong.add(i)
    for i in sorted(wrong):
        query = pool.queries[chunk.numbers[i]]
        place = at(query)
        checks.same_kind_of_ids(list(rankings[i]), judged_for(i), query)
        checks.as_judged(checks.one_kind(rankings[i], "document", place), pool.kind, place)


def _blank_in(text: str) -> bool:
    return text.split(None, 1) != [text] and bool(text)


def _has_blanks(ids: Iterable[Any]) -> bool:
    return _blank_in("".join(ids)) and any(d != d.strip() for d in ids)


@dataclass(eq=False)
class Aligned:
    """A run aligned with its judgments: rows of judged documents, a query for each judged query.

    `rows` holds every judged query in the order of the judgments. A query that the run does not
    have has no row and 0 retrieved, and is marked in `missing`. `place`, `first` and `alike` go
    with the rows: the rank in the run (before any unjudged were removed), the best rank that the
    score allows, and how many documents share the score. `item` is the number of the document in
    the pool. The data held are small. Rows are made of them when they are looked at, or `part` by
    part.
    """

    item: Array
    place: Array
    first: Array
    alike: Array
    missing: Array
    retrieved: Array
    tied: Array
    not_judged: Sequence[Any]
    pool: JudgedPool = field(repr=False)
    removed: Unjudged
    noted: Noted

    @property
    def queries(self) -> Sequence[Any]:
        """The judged queries, in the order of the judgments."""
        return self.pool.queries

    @cached_property
    def rows(self) -> Rows:
        """The rows in order of query and rank."""
        pool, item = self.pool, self.item
        query = pool.query
        of = query[item]
        n = len(pool.queries)
        rank = self.place.astype(np.float64)
        shown = self.retrieved.astype(np.intp)
        if self.removed.name == "removed":
            shown = np.bincount(of, minlength=n)
            rank = np.arange(1.0, len(of) + 1) - (np.cumsum(shown) - shown)[of]
        everything = bool(pool.judged.all())
        return Rows(
            query=of,
            rank=rank,
            grade=pool.grade[item],
            judged=pool.judged[item],
            retrieved=shown,
            pool_query=query if everything else query[pool.judged],
            pool_grade=pool.grade if everything else pool.grade[pool.judged],
            pooled=np.ones(len(item), dtype=bool),
            queries=pool.queries,
        )

    def part(self, begin: int, end: int) -> "Aligned":
        """The same of the queries with these numbers alone."""
        pool = self.pool
        # Items of one query stand together, so this finds where those of a query begin.
        edges = pool.starts[[begin, end]].astype(self.item.dtype)
        low, high = np.searchsorted(self.item, edges).tolist()
        rows = slice(low, high)
        queries = slice(begin, end)
        return replace(
            self,
            item=self.item[rows] - int(pool.starts[begin]),
            place=self.place[rows],
            first=self.first[rows].astype(np.intp),
            alike=self.alike[rows].astype(np.intp),
            missing=self.missing[queries],
            retrieved=self.retrieved[queries],
            tied=self.tied[queries],
            pool=pool.part(begin, end),
        )

    def settled(self, ties: Ties) -> Rows:
        """The rows, with the ties in an order that depends on grades, or with shared ranks."""
        return ranks.by_grade(self.rows, self.place, self.first, self.alike, ties)

    def refuse_negative(self) -> None:
        """Raise an error for the first retrieved document whose grade is negative."""
        below = np.flatnonzero(self.pool.grade[self.item] < 0)
        if not len(below):
            return
        item = int(self.item[below[0]])
        rank = int(self.place[below[0]])
        place = at(self.queries[int(self.pool.query[item])], self.pool.documents[item], rank)
        raise negative_grade(place, self.pool.grade[item])


def aligned(
    run: Run,
    pool: JudgedPool,
    *,
    ties: Ties,
    unjudged: Unjudged,
    scores: Scores,
    duplicates: Duplicates,
    skip_bad: bool = False,
) -> Aligned:
    """A run aligned with the pool of its judgments, under conventions that go in bulk."""
    join = Join(pool, ties, scores, Problems("the run", "row", skip=skip_bad), duplicates)
    join.run(run)
    join.check()
    _ = pool.kind  # an error if the judged documents are of several kinds
    return join.aligned(unjudged)
