"""Runs in columns: files and frames, joined with the pool by the bytes of their ids."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu.conventions import NO_DUPLICATES, Duplicates, Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining import mappings, ranks
from irmetrics_edu.joining.aligned import Found
from irmetrics_edu.joining.arrays import Recommended
from irmetrics_edu.joining.mappings import in_order
from irmetrics_edu.joining.pool import Pool, repeated, tell_repeated
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.sources import Source, source

INTERLEAVED = -1  # the origin of a query whose items are strewn over the file


class CameBack(InputError):  # noqa: N818 -- what happened, as a reader says it
    """A query that was thought whole goes on later: the run is interleaved."""


@dataclass
class Join:
    """Piece after piece of a run, joined with the pool."""

    pool: Pool
    ties: Ties
    scores: Scores
    problems: Problems
    repeats: Duplicates = NO_DUPLICATES
    found: list[Found] = field(default_factory=list)
    not_judged: dict[Any, None] = field(default_factory=dict)
    origin: dict[int, int | None] = field(default_factory=dict)  # where a query's piece begins
    duplicates: int = 0

    def all(self, read: Any, *, skip_bad: bool) -> None:
        """Join a whole run, whatever it comes as; malformed lines are an error now."""
        if isinstance(read, Mapping):
            self.mapping(read)
        elif isinstance(read, Recommended):
            self.found.extend(read.join(self))
        elif isinstance(read, Source):
            self.source(read)
        else:
            self.iterable(read, skip_bad=skip_bad)
        self.problems.check()

    def mapping(self, run: Mapping[Any, Any]) -> None:
        """Join queries that are held in a mapping."""
        found = mappings.join(
            run, self.pool, ties=self.ties, scores=self.scores, not_judged=self.not_judged
        )
        self.origin.update(dict.fromkeys(found.query.tolist()))
        self.found.append(found)

    def source(self, read: Source) -> None:
        """Join all that a source holds; if it is interleaved, it is gathered first."""
        self.problems = read.problems = read.fresh()
        try:
            for items in read.pieces(self.problems, 0):
                self.add(items)
        except CameBack:
            self.found, self.not_judged, self.origin = [], {}, {}
            self.duplicates = 0
            self.problems = read.fresh()
            whole = Columns.joined(list(read.pieces(self.problems, 0)))
            self.add(whole)
            self.origin = dict.fromkeys(self.origin, INTERLEAVED)
        self.problems.check()
        if not self.found and not self.not_judged:
            raise InputError(f"{read.name}: there is nothing in it; expected at least one line")

    def iterable(self, pieces: Iterable[Any], *, skip_bad: bool) -> None:
        """Join piece after piece, each of whole queries."""
        for number, piece in enumerate(pieces, 1):
            read = source(piece, run=True, skip_bad=skip_bad)
            if isinstance(read, Mapping):
                back = [q for q in read if self._known(q)]
                if back:
                    raise CameBack(
                        f"piece {number}: query {back[0]!r} came in an earlier piece; "
                        "give the documents of each query together"
                    )
                self.mapping(read)
            elif isinstance(read, Source):
                self.problems.file = f"piece {number} of the run"
                for items in read.pieces(self.problems, 0):
                    self.add(items)
            else:
                raise InputError(
                    f"piece {number} of the run is {piece!r:.100}; give mappings, frames or files"
                )

    def _known(self, query: Any) -> bool:
        return self.pool.number.get(query, -1) in self.origin or query in self.not_judged

    def add(self, items: Columns) -> None:
        """Join one more piece; queries that were there before raise CameBack."""
        number = self.pool.number
        of = np.array([number.get(q, -1) for q in items.queries], dtype=np.intp)
        judged = of >= 0
        for q, n in zip(items.queries, of.tolist(), strict=True):
            if n in self.origin or q in self.not_judged:
                raise CameBack(
                    f"{self.problems.file}: query {q!r} comes in two pieces; "
                    "give the documents of each query together"
                )
            if n < 0:
                self.not_judged[q] = None
            else:
                self.origin[n] = items.origin
        if len(set(items.queries)) < len(items.queries):
            raise CameBack(f"{self.problems.file}: a query comes in two pieces")
        if not judged.all():
            items = _of_queries(items, judged)
            of = of[judged]
        if len(of):
            self.found.append(self.joined(items, of))

    def joined(self, items: Columns, of: Array) -> Found:
        """The judged documents of a piece; its queries have the numbers `of`."""
        if items.document.kind != self.pool.texts.kind:
            raise InputError(
                f"{self.problems.file}: ids are {items.document.kind}s, and those of the judged "
                f"documents are {self.pool.texts.kind}s; write ids the same way on both sides"
            )
        sizes = np.diff(items.starts)
        keys = items.document.keys(np.repeat(self.pool.salts[of], sizes))
        again = repeated(items, keys)
        if len(again):
            self.duplicates += len(again)
            if self.repeats is NO_DUPLICATES:
                tell_repeated(items, again, self.problems, "ranked")
            keep = np.ones(len(keys), dtype=bool)
            keep[again] = False
            items, keys = items.take(keep), keys[keep]
        here, item = self.pool.find(keys, of)
        query = items.query[here]
        same = items.document.take(here).equal(self.pool.texts.take(item))
        same &= self.pool.query[item] == of[query]
        here, item, query = here[same], item[same], query[same]
        return self._ranked(items, of, here, item, query)

    def _ranked(self, items: Columns, of: Array, here: Array, item: Array, query: Array) -> Found:
        starts = items.starts
        if items.value is None:  # ids alone, in order: no ties
            rank = here - starts[query] + 1
            one = np.ones(len(here), dtype=np.intp)
            nothing = np.zeros(len(of), dtype=np.intp)
            return Found(item, rank, rank, one, of, np.diff(starts), nothing)
        score = self.scores(items.value)
        target = score[here]
        rank, first, alike, tied = ranks.ranked(
            score,
            target,
            query,
            starts,
            self.ties,
            lambda q, members: list(items.document.tolist(starts[q] + members)),
            lambda rows: list(items.document.tolist(here[rows])),
        )
        return Found(item, rank, first, alike, of, np.diff(starts), tied)


def _of_queries(items: Columns, keep: Array) -> Columns:
    """Some of the queries with their items."""
    kept = items.take(np.repeat(keep, np.diff(items.starts)))
    sizes = np.diff(kept.starts)[keep]
    kept.queries = [q for q, k in zip(items.queries, keep.tolist(), strict=True) if k]
    kept.starts = np.concatenate([[0], np.cumsum(sizes)])
    return kept


def ranking_of(
    read: Source, origin: int | None, query: Any, ties: Ties, scores: Scores
) -> list[Hashable]:
    """One query's documents in the order in which they are ranked, read again."""
    if origin == INTERLEAVED:
        items = Columns.joined(list(read.pieces(read.fresh(), 0)))
    else:
        items = next(p for p in read.pieces(read.fresh(), origin or 0) if query in p.queries)
    q = items.queries.index(query)
    here = np.arange(items.starts[q], items.starts[q + 1])
    documents: list[Hashable] = list(items.document.tolist(here))
    values = None if items.value is None else items.value[here]
    kept = list(dict(zip(documents, range(len(documents)), strict=True)).values())
    if len(kept) < len(documents):  # repetitions were counted and left out: the first stays
        seen: dict[Hashable, int] = {}
        kept = [i for i, d in enumerate(documents) if seen.setdefault(d, i) == i]
        documents = [documents[i] for i in kept]
        values = None if values is None else values[kept]
    return documents if values is None else in_order(documents, scores(values), ties)
