"""A run joined with the pool of judgments: by its ids if it is in memory, else by their bytes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import NO_DUPLICATES, Duplicates, Scores, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, smallest
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.id_list import Ids, chosen, joined, may_repeat
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.tables import Source
from irmetrics_edu.runs.joining import mappings, ranks
from irmetrics_edu.runs.joining.aligned import Found
from irmetrics_edu.runs.joining.judgment_pool import Pool
from irmetrics_edu.runs.joining.read_run import INTERLEAVED
from irmetrics_edu.runs.joining.repetitions import repeated, tell_repeated


class CameBack(InputError):  # noqa: N818 -- what happened, as a reader says it
    """A query goes on later in the file although it seemed whole: the run is interleaved."""


@dataclass
class Join:
    """Piece after piece of a run, joined with the pool: the documents found, the queries seen."""

    pool: Pool
    ties: Ties
    scores: Scores
    problems: Problems
    repeats: Duplicates = NO_DUPLICATES
    found: list[Found] = field(default_factory=list)
    not_judged: dict[Any, None] = field(default_factory=dict)
    duplicates: int = 0
    interleaved: bool = False  # a query's documents came in several pieces, so all was held
    skipped: int = 0  # malformed lines that were left out
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what
    told: Counter[str] = field(default_factory=Counter)  # lines taken as trec_eval does, by kind

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.found, self.not_judged, self.duplicates = [], {}, 0
        self.strange: list[Ids] = []  # queries that are not judged, as columns had them
        self.pieces: list[tuple[Array, int | None]] = []  # their queries, and where they begin
        self.seen = np.zeros(len(self.pool.queries), dtype=bool)
        self._next = 0  # the query that comes next where the run is in the order of the judgments

    def mapping(self, run: Mapping[Any, Any]) -> None:
        """Join queries that are held in a mapping."""
        found = mappings.join(
            run, self.pool, ties=self.ties, scores=self.scores, not_judged=self.not_judged
        )
        self._met(found.query, None)
        self.found.append(found)

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
            self.interleaved = len(parts) > 1
            self.add(Columns.joined(parts))
            self.pieces = [(of, INTERLEAVED) for of, _ in self.pieces]
        self.check()
        if not self.found and not self.not_judged and not self.strange:
            raise InputError(f"{read.name}: it is empty; expected at least one line")

    def check(self) -> None:
        """Raise an error for malformed lines, or count them if they may be left out."""
        self.problems.check()
        self.skipped += self.problems.count
        self.columns |= self.problems.columns
        self.told += self.problems.told
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
        self.interleaved |= part.interleaved
        self.strange += part.strange
        self.pieces += part.pieces
        self.seen |= part.seen
        self.duplicates += part.duplicates
        self.skipped += part.skipped
        self.columns |= part.columns
        self.told += part.told

    def add(self, items: Columns) -> None:
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

    def numbered(self, items: Columns, of: Array) -> None:
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
            self.duplicates += len(again)
            if self.repeats is NO_DUPLICATES:
                tell_repeated(items, again, self.problems, "ranked")
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
    kept.queries = chosen(items.queries, keep)
    kept.starts = np.concatenate([[0], np.cumsum(sizes)])
    return kept
