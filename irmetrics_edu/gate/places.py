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
        self.order, self.scores = order, scores
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
        return self.scores.get(self.order[i], i) if self.scores else i

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
        alike = checks.nearly_equal((d for d in documents if d not in self._of), self.order)
        if alike is not None:
            document, other, how = alike
            raise InputError(
                f"{place}document {document!r} differs from {other!r} at rank "
                f"{self.order.index(other) + 1} only in {how}; write ids the same way on both sides"
            )

    def around(self, named: Collection[Hashable]) -> list[str]:
        """The first ranks, and those of the named documents with a neighbour on each side."""
        last = len(self.order)
        ranks = [i for i, document in enumerate(self.order, 1) if document in named]
        wanted = dict.fromkeys(range(1, min(_TOP, last) + 1))
        for rank in ranks:
            if len(wanted) < _SHOWN - 2:
                wanted |= dict.fromkeys(r for r in (rank - 1, rank, rank + 1) if 1 <= r <= last)
        out = []
        before = 0
        for i in sorted(wanted):
            if i != before + 1:
                out.append("  ...")
            document = self.order[i - 1]
            score = f"  {self.scores[document]:g}" if document in self.scores else ""
            out.append(f"  {i:>4}  {document}{score}{'  <-' if document in named else ''}")
            before = i
        return [*out, "  ..."] if before < last else out


def places(ranking: Any, query: Hashable = None, *, as_text: bool = False) -> Places:
    """The places of a ranking, or of one query of a run; `as_text` takes whole numbers as text."""
    where = checks.at(query)
    if query is not None:
        ranking = _of_query(ranking, query)
    elif is_run(ranking):
        raise InputError(
            "this is a run of several queries: name one, query='q1', or give one ranking"
        )
    if isinstance(ranking, Mapping):
        order = checks.by_score(ranking, query)
        scores = {document: float(ranking[document]) for document in order}
    else:
        order = checks.ids(ranking, query)
        scores = {}
    if not order:
        raise InputError(f"{where}the ranking is empty, so there is nothing to check")
    if as_text and checks.one_kind(order, "document", where) == "whole number":
        order, scores = list(map(str, order)), {str(d): s for d, s in scores.items()}
    return Places(order, scores)


def _of_query(run: Any, query: Hashable) -> Any:
    if isinstance(run, (Mapping, list, tuple)) and not is_run(run):
        raise InputError(f"query={query!r} goes with a run, and this is one ranking: leave it out")
    held = whole_run(run)
    if query not in held:
        few = ", ".join(repr(q) for q in list(held)[:3])
        raise InputError(
            f"{checks.at(query)}not in the run, which has {len(held):,} queries ({few} ...)"
        )
    return held[query]


def documents(given: Any) -> list[Hashable]:
    """One or several documents, each once."""
    several = isinstance(given, (list, tuple, set, frozenset, np.ndarray))
    if not several:
        return checks.ids([given])
    listed = list(given.tolist() if isinstance(given, np.ndarray) else given)
    found = checks.ids(
        sorted(listed, key=str) if isinstance(given, (set, frozenset)) else listed, what="named"
    )
    if not found:
        raise InputError("no document is named; give an id such as 'd7', or a list of ids")
    return found
