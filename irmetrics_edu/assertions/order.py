"""Whether one document ranks above another."""

from collections.abc import Hashable, Mapping
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.assertions.failure import RankingAssertionError, refused
from irmetrics_edu.assertions.reveal import HINT, revealing
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining.joins import is_run

__tracebackhide__ = True
__unittest = True
_NEIGHBOURS = 8


def assert_ranks_above(
    ranking: Any, higher: Hashable, lower: Hashable, *, reveal: str | None = None
) -> None:
    """Assert that one document of a ranking ranks above another.

    `ranking` is a list of ids or a mapping from id to score. A document that is not retrieved
    ranks below all retrieved ones. Of two documents with equal scores, neither ranks above the
    other. With reveal="hint" a failure doesn't say which should be above, for graded exercises.

    Raises RankingAssertionError, or InputError if neither document is retrieved.

    >>> assert_ranks_above({"d3": 0.9, "d7": 0.4}, "d3", "d7")
    """
    try:
        reveal = revealing(reveal)
        order, scores = _ordered(ranking)
        if higher == lower:
            raise InputError(f"document {higher!r} is compared with itself; name two")
        rank = {document: i for i, document in enumerate(order, 1)}
        if higher not in rank and lower not in rank:
            raise InputError(
                f"documents {higher!r} and {lower!r} are not among the {len(order)} retrieved; "
                "write ids the same way on both sides"
            )
    except InputError as error:
        raise refused(error) from None
    last = len(order) + 1
    tied = higher in scores and lower in scores and scores[higher] == scores[lower]
    passed = not tied and rank.get(higher, last) < rank.get(lower, last)
    measured.tell(Ordered((higher, lower), rank, passed=passed, reveal=reveal))
    if passed:
        return
    if reveal == HINT:
        raise RankingAssertionError("two documents are not in the expected order")
    where = [f"{d} {_place(d, rank)}" for d in (higher, lower)]
    same = f"; same score {scores[higher]:g}" if tied else ""
    raise RankingAssertionError(
        f"{higher} does not rank above {lower} ({', '.join(where)}{same})",
        _around(order, scores, rank, (higher, lower)),
    )


def _place(document: Hashable, rank: Mapping[Hashable, int]) -> str:
    return f"rank {rank[document]}" if document in rank else "not retrieved"


class Ordered:
    """The ranks of two documents, as reports receive them."""

    def __init__(
        self,
        documents: tuple[Hashable, Hashable],
        rank: Mapping[Hashable, int],
        *,
        passed: bool,
        reveal: str,
    ) -> None:
        self.documents, self.rank, self.passed, self.reveal = documents, rank, passed, reveal

    def facts(self) -> dict[str, Any]:
        """The ranks in plain values, as JSON has them; the score is the first document's rank."""
        (higher, lower), hint = self.documents, self.reveal == HINT
        return {
            "measure": "order of two documents" if hint else f"rank of {higher}",
            "score": None if hint else self.rank.get(higher),
            "unit": "rank",
            "verdict": "pass" if self.passed else "fail",
            "bounds": {} if hint else {"above": str(lower), "which_has_rank": self.rank.get(lower)},
            "queries": 1,
            "conventions": "",
            "per_query": {},
        }


def _ordered(ranking: Any) -> tuple[list[Hashable], dict[Hashable, float]]:
    if is_run(ranking):
        raise InputError("give the ranking of one query: a list of ids, or ids with their scores")
    if isinstance(ranking, Mapping):
        order = checks.by_score(ranking)
        return order, {document: float(ranking[document]) for document in order}
    return checks.ids(ranking), {}


def _around(
    order: list[Hashable],
    scores: Mapping[Hashable, float],
    rank: Mapping[Hashable, int],
    named: tuple[Hashable, Hashable],
) -> list[str]:
    """The part of the ranking between the two documents, with a neighbour on each side."""
    ranks = [rank[d] for d in named if d in rank]
    first, last = max(1, min(ranks) - 1), min(len(order), max(ranks) + 1)
    shown = list(range(first, last + 1))
    if len(shown) > _NEIGHBOURS:
        shown = [*shown[: _NEIGHBOURS // 2], *shown[-_NEIGHBOURS // 2 :]]
    out, before = [], shown[0] - 1
    for i in shown:
        if i != before + 1:
            out.append("  ...")
        document = order[i - 1]
        score = f"  {scores[document]:g}" if document in scores else ""
        mark = "  <-" if document in named else ""
        out.append(f"  {i:>4}  {document}{score}{mark}")
        before = i
    return out
