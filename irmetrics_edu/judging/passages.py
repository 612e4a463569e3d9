"""One answer of a retriever: passages in order, with scores, texts and metadata."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, overload


@dataclass(frozen=True, slots=True)
class Passage:
    """The item at one rank of an answer: a document, or a part of one.

    A greater `score` is better; it is None if the retriever gives none. `metadata` is what the
    retriever stores with the text.
    """

    document: Hashable
    rank: int
    score: float | None = None
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Retrieved(Sequence[Passage]):
    """The answer of a retriever to one query: its passages, best first.

    `shape` says how the answer was recognised, and `notes` holds notes about it. With `by_rank`
    only the order counts, and the ranking has no scores.

    >>> answer = Retrieved([Passage("d3", 1, 0.9), Passage("d7", 2, 0.4)], "pairs")
    >>> answer.ranking
    {'d3': 0.9, 'd7': 0.4}
    """

    def __init__(
        self,
        passages: Sequence[Passage],
        shape: str = "",
        notes: Sequence[str] = (),
        *,
        by_rank: bool = False,
    ) -> None:
        self._passages, self.shape, self.notes = tuple(passages), shape, tuple(notes)
        self.by_rank = by_rank

    @property
    def documents(self) -> list[Hashable]:
        """The ids in order."""
        return [passage.document for passage in self._passages]

    @property
    def is_scored(self) -> bool:
        """Whether every passage has a score."""
        return all(passage.score is not None for passage in self._passages)

    @property
    def ranking(self) -> dict[Hashable, float] | list[Hashable]:
        """The ranking for `evaluate`: id -> score, or ids in order if there are no scores.

        If scores rise from one rank to the next, scores are left out and the order stays.
        """
        scores = [p.score for p in self._passages if p.score is not None]
        rises = any(a < b for a, b in pairwise(scores))
        if self.by_rank or rises or not scores or len(scores) < len(self._passages):
            return self.documents
        return dict(zip(self.documents, scores, strict=True))

    @property
    def is_tied(self) -> bool:
        """Whether the ranking has equal scores, which a convention for ties may put in order."""
        ranking = self.ranking
        return isinstance(ranking, dict) and len(set(ranking.values())) < len(ranking)

    def only(self, passages: Sequence[Passage]) -> "Retrieved":
        """The same answer with only these passages, ranked again from 1."""
        ranked = [replace(passage, rank=rank) for rank, passage in enumerate(passages, 1)]
        return Retrieved(ranked, self.shape, self.notes, by_rank=self.by_rank)

    @overload
    def __getitem__(self, place: int) -> Passage: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Passage]: ...

    def __getitem__(self, place: int | slice) -> Passage | Sequence[Passage]:
        return self._passages[place]

    def __len__(self) -> int:
        return len(self._passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self._passages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Retrieved) and self._passages == other._passages

    __hash__ = None  # type: ignore[assignment]  # metadata may be anything

    def __repr__(self) -> str:
        return f"Retrieved({self.documents!r:.80}, shape={self.shape!r})"
