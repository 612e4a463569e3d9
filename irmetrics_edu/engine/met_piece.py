"""A piece of a run that met the judgments, before any rule for its scores and ties."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from irmetrics_edu.conventions import Scores, Ties
from irmetrics_edu.engine.before_ties import BeforeTies, TiedDocuments
from irmetrics_edu.engine.ranks_of_piece import RanksOfPiece
from irmetrics_edu.numbers import Array


@dataclass(eq=False)
class MetPiece:
    """A piece of a run that met the judgments, before any rule for scores and ties.

    `item` numbers the judged documents in the pool, `query` their queries in the piece, and
    `numbers` the queries of the piece in the pool. `rank` is the place of each among the documents
    of a column; it holds if there are no scores. `label` and `find` serve tied documents.
    """

    item: Array
    query: Array
    numbers: Array
    starts: Array
    score: Array | None
    target: Array | None
    label: Callable[[TiedDocuments], list[Hashable]]
    find: Callable[[TiedDocuments], Array]
    rank: Array | None = None
    before: dict[Scores, BeforeTies] = field(default_factory=dict)

    def bottomless(self, scores: Scores) -> bool:
        """Whether a score is -inf, as precise as a library keeps it: in 32 bits it may be."""
        if self.score is None or scores.as_given or not len(self.score):
            return False
        return bool(np.isneginf(self._before_ties(scores).score.min()))

    def ranks(self, scores: Scores, ties: Ties) -> RanksOfPiece:
        """The judged documents with their ranks, under these rules."""
        retrieved = np.diff(self.starts)
        if self.score is None:  # ids alone, in order: no ties
            assert self.rank is not None  # noqa: S101 -- a column has places
            return RanksOfPiece(
                item=self.item,
                rank=self.rank,
                first=self.rank,
                alike=np.ones(len(self.item), dtype=np.intp),
                query=self.numbers,
                retrieved=retrieved,
                tied=np.zeros(len(self.numbers), dtype=np.intp),
            )
        before = self._before_ties(scores)
        return RanksOfPiece(
            item=self.item,
            rank=before.ranks(ties),
            first=before.first,
            alike=before.alike,
            query=self.numbers,
            retrieved=retrieved,
            tied=before.tied,
        )

    def _before_ties(self, scores: Scores) -> BeforeTies:
        before = self.before.get(scores)
        if before is None:
            before = BeforeTies(
                score=scores(self.score),
                target=scores(self.target),
                query=self.query,
                starts=self.starts,
                label=self.label,
                find=self.find,
            )
            self.before[scores] = before
        return before
