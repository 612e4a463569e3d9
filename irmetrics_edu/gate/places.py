"""The places of documents in the ranking of one query, with ties kept as ties."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining.inputs import is_run, whole_run

_SHOWN = 12  # ranks of a ranking that a message shows
_TOP = 4  # of them, those from the first on


@dataclass(frozen=True)
class Place:
    """The ranks that a document may have; several if other documents have the same score."""

    best: int
    worst: int
    score: float | None = None

    def __str__(self) -> str:
        if self.best == self.worst:
            return f"rank {self.best}"
        return f"rank {self.best} to {self.worst}, same score {self.score:g}"


NOT_RETRIEVED = "not retrieved"


class Places:
    """The ranking of one query: its documents in order, and the ranks that each may have."""

    def __init__(self, order: list[Hashable], scores: Mapping[Hashable, float]) -> None:
        self.order = order
        self.scores = scores
        self._of: dict[Hashable, Place] = {}
        begin = 0
        for end in range(1, len(order) + 1):
            if end < len(order) and self._score(end) == self._score(begin):
                continue
            for document in order[begin:end]:
                self._of[document] = Place(begin + 1, end, scores.get(document))
            begin = end

    def _score(self, i: int) -> object:
        """A document's score; documents of a list have no ties."""
        if not self.scores:
            return i
        document = self.order[i]
        return self.scores.get(document, i)

    def of(self, document: Hashable) -> Place | None:
        """The place of a document; None if it is not retrieved."""
        return self._of.get(document)

    def says(self, document: Hashable) -> str:
        """The place in words."""
        return str(self.of(document) or NOT_RETRIEVED)

    def in_top(self, document: Hashable, top: int) -> bool:
        """Whether a document is among the first k, however ties are broken."""
        place = self.of(document)
        return place is not None and place.worst <= top

    def absent(self, document: Hashable, k: int | None) -> bool:
        """Whether a document is not among the first k, or nowhere, however ties are broken."""
        place = self.of(document)
        return place is None or (k is not None and place.best > k)

    def refuse_nearly_equal(self, documents: Iterable[Hashable], place: str = "") -> None:
        """Refuse an id that equals a retrieved id only after a change of type or trimming."""
        unknown = [document for document in documents if document not in self._of]
        alike = checks.nearly_equal(unknown, self.order)
        if alike is not None:
            document, other, how = alike
            rank = self.order.index(other) + 1
            raise InputError(
                f"{place}document {document!r} differs from {other!r} at rank "
                f"{rank} only in {how}; write ids the same way on both sides"
            )

    def around(self, named: Collection[Hashable]) -> list[str]:
        """The first ranks, and those of the named documents with a neighbour on each side."""
        out = []
        before = 0
        for rank in self._shown(named):
            if rank != before + 1:
                out.append("  ...")
            document = self.order[rank - 1]
            line = f"  {rank:>4}  {document}"
            if document in self.scores:
                line += f"  {self.scores[document]:g}"
            if document in named:
                line += "  <-"
            out.append(line)
            before = rank
        if before < len(self.order):
            out.append("  ...")
        return out

    def _shown(self, named: Collection[Hashable]) -> list[int]:
        """The ranks that a message shows, in rising order."""
        last = len(self.order)
        first_ranks = range(1, min(_TOP, last) + 1)
        shown = set(first_ranks)
        for rank, document in enumerate(self.order, 1):
            if document not in named or len(shown) >= _SHOWN - 2:
                continue
            lowest = max(1, rank - 1)
            highest = min(last, rank + 1)
            shown.update(range(lowest, highest + 1))
        return sorted(shown)


def places(ranking: Any, query: Hashable = None, *, as_text: bool = False) -> Places:
    """The places of a ranking, or of one query of a run; `as_text` takes whole numbers as text."""
    where = checks.at(query)
    if query is not None:
        ranking = _of_query(ranking, query)
    elif is_run(ranking):
        raise InputError(
            "this is a run of several queries: name one, query='q1', or give one ranking"
        )
    scores: dict[Hashable, float] = {}
    if isinstance(ranking, Mapping):
        order = checks.ids_by_falling_score(ranking, query)
        scores = {document: float(ranking[document]) for document in order}
    else:
        order = checks.ids(ranking, query)
    if not order:
        raise InputError(f"{where}the ranking is empty, so there is nothing to check")
    if as_text and checks.one_kind(order, "document", where) == "whole number":
        order = [str(document) for document in order]
        scores = {str(document): score for document, score in scores.items()}
    return Places(order, scores)


def _of_query(run: Any, query: Hashable) -> Any:
    """The ranking of one query of a run."""
    one_ranking = isinstance(run, (Mapping, list, tuple)) and not is_run(run)
    if one_ranking:
        raise InputError(f"query={query!r} goes with a run, and this is one ranking: leave it out")
    held = whole_run(run)
    if query not in held:
        first = list(held)[:3]
        few = ", ".join(repr(one) for one in first)
        raise InputError(
            f"{checks.at(query)}not in the run, which has {len(held):,} queries ({few} ...)"
        )
    return held[query]


def documents(named: Any) -> list[Hashable]:
    """One or several documents, each once."""
    if isinstance(named, np.ndarray):
        listed = list(named.tolist())
    elif isinstance(named, (set, frozenset)):
        listed = sorted(named, key=str)
    elif isinstance(named, (list, tuple)):
        listed = list(named)
    else:
        return checks.ids([named])
    ids = checks.ids(listed, what="named")
    if not ids:
        raise InputError("no document is named; give an id such as 'd7', or a list of ids")
    return ids
