"""A whole run joined with the pool of its judgments: the judged documents and their ranks.

A metric needs only the ranks of the judged documents. So go through the few judged documents and
count how many beat each, instead of going through the many retrieved ones. A run in memory is
joined by its ids, any other by their bytes. What is found becomes the rows of all queries at once.
"""

import copy
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import (
    NO_DUPLICATES,
    Duplicates,
    Scores,
    Ties,
    Unjudged,
)
from irmetrics_edu.engine.aligned_run import Aligned
from irmetrics_edu.engine.before_ties import TiedDocuments
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.held_queries import (
    Chunk,
    as_scores,
    checked,
    refuse_other_kinds,
    refuse_truth_values,
)
from irmetrics_edu.engine.id_list import Ids, chosen, joined, may_repeat
from irmetrics_edu.engine.met_piece import MetPiece
from irmetrics_edu.engine.noted import Noted, Readable, RowReport
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.ranks_of_piece import RanksOfPiece
from irmetrics_edu.engine.repeats import repeated, tell_repeated
from irmetrics_edu.engine.run import INTERLEAVED, PiecedRun, ReadRun, Run, again_in_a_piece
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, largest, picked, smallest


def _keep_pages() -> None:
    """Make the C library keep the memory of the arrays that are freed here, for the next ones."""
    # glibc hands the pages of a large array back as it is freed, and fetches others for the next
    # one, until a larger array was freed. So free one of 16 MB, which never takes a page.
    size = 1 << 21  # doubles
    np.empty(size)


_keep_pages()


class CameBack(InputError):  # noqa: N818 -- what happened, as a reader says it
    """A query goes on later in the file although it seemed whole: the run is interleaved."""


@dataclass
class ReverseJoin:
    """Piece after piece of a run, joined with the pool: the documents found, the queries seen.

    `report` makes an empty report of malformed rows for an input of this name.
    """

    pool: JudgedPool
    ties: Ties
    scores: Scores
    report: Callable[[str], RowReport]
    repeats: Duplicates = NO_DUPLICATES
    name: str = "the run"
    found: list[RanksOfPiece] = field(default_factory=list)
    not_judged: dict[Any, None] = field(default_factory=dict)
    noted: Noted = field(default_factory=Noted)
    is_kept: bool = False  # whether it is asked more than once, under one rule after another

    def __post_init__(self) -> None:
        self.problems = self.report(self.name)
        self._begin()

    def _begin(self) -> None:
        self.found = []
        self.met: list[MetPiece] = []  # of a join that is kept
        self.not_judged = {}
        self.noted = Noted()
        self.strange: list[Ids] = []  # queries that are not judged, as columns had them
        self.pieces: list[tuple[Array, int | None]] = []  # their queries, and where they begin
        self.seen = np.zeros(len(self.pool.queries), dtype=bool)
        self.bottomless = False  # whether a score is -inf, as precise as it is kept
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
        chunk = Chunk()
        documents = pool.documents
        bounds = pool.starts.tolist()
        for query, ranking in run.items():
            q = pool.number.get(query, -1)
            if q < 0:
                self.not_judged[query] = None
                continue
            if type(ranking) is not dict and not isinstance(ranking, Mapping):
                ranking = as_scores(ranking, query)  # noqa: PLW2901 -- one thing in two notations
            if chunk.documents + len(ranking) > len(chunk.buffer):
                if chunk.numbers:
                    parts.append(self._found_in(chunk))
                chunk = chunk.next(len(ranking))
            chunk.add(
                q,
                query,
                ranking,
                documents[bounds[q] : bounds[q + 1]],
            )
        if chunk.numbers:
            parts.append(self._found_in(chunk))
        whole = RanksOfPiece.joined(parts)
        self._met(whole.query, None)
        self.found.append(whole)

    def _found_in(self, chunk: Chunk) -> RanksOfPiece:
        """The judged documents of some queries of a mapping, with their ranks."""
        pool = self.pool
        score = chunk.buffer[: chunk.documents]
        with np.errstate(over="ignore", invalid="ignore"):
            total = np.sum(score)  # neither infinities nor NaN leave it finite
        if not np.isfinite(total):
            for q, ranking in zip(chunk.numbers, chunk.rankings, strict=True):
                checked(ranking, pool.queries[q])
        starts = np.array([0, *chunk.ends])
        refuse_truth_values(
            chunk,
            pool,
            score,
            starts,
        )
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
        refuse_other_kinds(
            chunk,
            pool,
            gone + first_item[gone],
            local[gone],
            hits,
        )
        return self._ranked(
            MetPiece(
                item=item,
                query=local[here],
                numbers=numbers,
                starts=starts,
                score=score.copy() if self.is_kept else score,  # others come into the buffer
                target=target[here],
                label=lambda tied: _members(chunk.rankings[tied.query], tied),
                find=lambda tied: _positions(
                    tied.names,
                    picked(pool.documents, item[tied.rows]),
                ),
            )
        )

    def source(self, read: Readable[Any]) -> None:
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
            self.pieces = [(numbers, INTERLEAVED) for numbers, _ in self.pieces]
        self.problems.check(any_good=bool(self.found or self.not_judged or self.strange))

    def check(self) -> None:
        """Raise an error for malformed lines, or count them if they may be left out."""
        self.problems.check()
        self.noted.add(Noted.of(self.problems))
        self.problems = self.report(self.problems.file)

    def piece(self, name: str) -> "ReverseJoin":
        """An empty join with the same pool, for a piece that is taken when it is whole."""
        return ReverseJoin(
            self.pool,
            self.ties,
            self.scores,
            self.report,
            self.repeats,
            name=name,
        )

    def take(self, part: "ReverseJoin") -> None:
        """What was found in a piece; its queries were in no piece before."""
        back = np.flatnonzero(self.seen & part.seen)
        strange = [q for q in part.not_judged if q in self.not_judged]
        for query in (*chosen(self.pool.queries, back), *strange):
            raise again_in_a_piece(part.problems.file, query)
        part.check()
        self.found += part.found
        self.not_judged |= part.not_judged
        self.strange += part.strange
        self.pieces += part.pieces
        self.seen |= part.seen
        self.noted.add(part.noted)
        self.bottomless = self.bottomless or part.bottomless

    def add(self, items: RunColumns) -> None:
        """Join some more queries; queries that came before raise CameBack."""
        numbers = self.pool.numbers_of(items.queries, self._next)
        judged = numbers >= 0
        if not judged.all():
            strange = chosen(items.queries, ~judged)
            if isinstance(strange, Ids):
                self.strange.append(strange.compact())
            else:
                self.not_judged.update(dict.fromkeys(strange))
            items, numbers = _of_queries(items, judged), numbers[judged]
        if not len(numbers):
            return
        in_order = np.sort(numbers)
        back = numbers[self.seen[numbers]]
        back = in_order[1:][in_order[1:] == in_order[:-1]] if not len(back) else back
        if len(back):
            query = self.pool.queries[int(back[0])]
            raise CameBack(f"{self.problems.file}: query {query!r} comes in two pieces")
        self._met(numbers, items.origin)
        self._next = int(numbers[-1]) + 1
        self.numbered(items, numbers)

    def _met(self, numbers: Array, origin: int | None) -> None:
        """Note queries that came in one piece, and where that begins."""
        self.seen[numbers] = True
        self.pieces.append((numbers.astype(smallest(len(self.seen))), origin))

    def origin(self, query: Any) -> int | None:
        """The byte at which the piece of a query begins."""
        number = self.pool.number.get(query, -1)
        return next(
            (origin for numbers, origin in self.pieces if (numbers == number).any()), INTERLEAVED
        )

    def strangers(self) -> Sequence[Any]:
        """The queries that are not judged, each once."""
        if not self.strange:
            return list(self.not_judged)
        strange = joined([*self.strange, *([list(self.not_judged)] if self.not_judged else [])])
        return list(dict.fromkeys(strange)) if may_repeat(strange) else strange

    def numbered(self, items: RunColumns, numbers: Array) -> None:
        """Join queries that have these numbers in the pool."""
        of_judged = self.pool.texts.kind
        if items.document.kind != of_judged:
            self.problems.check()  # a row that is no id comes before what the others are
            checks.as_judged(items.document.kind, of_judged, f"{self.problems.file}: ")
        sizes = np.diff(items.starts)
        salts = self.pool.salts[numbers]
        keys = items.document.keys(salts[0] if len(numbers) == 1 else np.repeat(salts, sizes))
        again = repeated(items, keys)
        if len(again):
            if self.repeats.refused:
                tell_repeated(
                    items,
                    again,
                    self.problems,
                    "ranked",
                )
            else:
                self.noted.duplicates += len(again)
            keep = np.ones(len(keys), dtype=bool)
            keep[again] = False
            items, keys = items.take(keep), keys[keep]
        here, item = self.pool.find(keys, numbers)
        del keys
        query = np.searchsorted(items.starts, here, side="right") - 1
        same = items.document.take(here).equal(self.pool.texts.take(item))
        begin = self.pool.starts[numbers[query]]
        same &= (begin <= item) & (item < self.pool.starts[numbers[query] + 1])
        here, query = here[same], query[same]
        self.add_met(
            MetPiece(
                item=item[same],
                query=query,
                numbers=numbers,
                starts=items.starts,
                score=items.value,
                target=None if items.value is None else items.value[here],
                label=lambda tied: list(
                    items.document.tolist(items.starts[tied.query] + tied.members)
                ),
                find=lambda tied: np.searchsorted(
                    tied.members, here[tied.rows] - items.starts[tied.query]
                ),
                rank=here - items.starts[query] + 1 if items.value is None else None,
            )
        )

    def add_met(self, piece: MetPiece) -> None:
        """Rank the judged documents of one more piece."""
        self.found.append(self._ranked(piece).small())

    def _ranked(self, piece: MetPiece) -> RanksOfPiece:
        """The judged documents of a piece with their ranks, under the rules of this join."""
        if self.is_kept:
            self.met.append(piece)
        self.bottomless = self.bottomless or piece.bottomless(self.scores)
        return piece.ranks(self.scores, self.ties)

    def under(self, ties: Ties, scores: Scores) -> "ReverseJoin":
        """A kept join under other rules: nothing of the run is read or looked up again."""
        other = copy.copy(self)
        other.ties = ties
        other.scores = scores
        other.bottomless = False
        other.met = []
        other.found = []
        for piece in self.met:
            other.add_met(piece)
        return other

    def aligned(self, unjudged: Unjudged) -> "Aligned":
        """What was found in order of query and rank, with its counts."""
        pool = self.pool
        whole = RanksOfPiece.joined(self.found)
        # Asked for again where unjudged documents are treated otherwise, if the join is kept.
        self.found = [whole] if self.is_kept else []
        n = len(pool.queries)
        longest = largest(whole.rank)
        place = pool.query[whole.item] * (longest + 1) + whole.rank  # no two share a rank
        order: Array | slice = slice(None)
        if (place[1:] < place[:-1]).any():
            order = np.argsort(place)
        del place
        kept = unjudged.kept(pool.judged[whole.item[order]])
        if kept is not None:
            order = np.arange(len(whole.item))[order][kept]

        def of_queries(values: Array) -> Array:
            out = np.zeros(n, dtype=values.dtype)
            out[whole.query] = values
            return out

        return Aligned(
            item=whole.item[order],
            place=whole.rank[order],
            first=whole.first[order],
            alike=whole.alike[order],
            missing=~of_queries(np.ones(len(whole.query), dtype=bool)),
            retrieved=of_queries(whole.retrieved),
            tied=of_queries(whole.tied),
            not_judged=self.strangers(),
            pool=pool,
            removed=unjudged,
            noted=self.noted,
            bottomless=self.bottomless,
        )


def _members(ranking: Mapping[Any, Any], tied: TiedDocuments) -> list[Hashable]:
    """The ids of the tied documents of a ranking."""
    names = list(ranking)
    if len(tied.members) < len(names):
        names = picked(names, tied.members)
    return names


def _positions(names: Sequence[Any], wanted: Sequence[Any]) -> Array:
    """The position of each wanted name among the names."""
    is_wanted = map(set(wanted).__contains__, names)
    position = {names[place]: place for place in compress(range(len(names)), is_wanted)}
    return np.array([position[name] for name in wanted], dtype=np.intp)


def _of_queries(items: RunColumns, keep: Array) -> RunColumns:
    kept = items.take(np.repeat(keep, np.diff(items.starts)))
    sizes = np.diff(kept.starts)[keep]
    kept.queries = chosen(items.queries, keep)
    kept.starts = np.concatenate([[0], np.cumsum(sizes)])
    return kept


def aligned(
    run: Run,
    pool: JudgedPool,
    *,
    ties: Ties,
    unjudged: Unjudged,
    scores: Scores,
    duplicates: Duplicates,
    report: Callable[[str], RowReport],
) -> Aligned:
    """A run aligned with the pool of its judgments, under conventions that go in bulk.

    `report` makes an empty report of malformed rows for an input of this name.
    """
    asked = (id(pool), ties, scores, duplicates)
    before = {} if run.joins is None else run.joins
    join = before.get(asked)
    other = before.get((id(pool), duplicates))
    if join is None and other is not None:
        join = other.under(ties, scores)
    elif join is None:
        join = ReverseJoin(
            pool,
            ties,
            scores,
            report,
            duplicates,
            is_kept=run.joins is not None,
        )
        join.run(run)
        join.check()
        pool.require_kind()
    made = join.aligned(unjudged)
    # Only now it is whole, whenever somebody interrupts.
    before[asked] = join
    before.setdefault((id(pool), duplicates), join)
    return made
