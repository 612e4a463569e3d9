"""Whether one document ranks above another."""

from collections.abc import Hashable
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.places import NOT_RETRIEVED, places
from irmetrics_edu.measured import HINT, Measurement, revealing, word

__tracebackhide__ = True
__unittest = True


def assert_ranks_above(
    ranking: Any,
    higher: Hashable,
    lower: Hashable,
    *,
    query: Hashable = None,
    reveal: str | None = None,
) -> None:
    """Assert that one document of a ranking ranks above another.

    `ranking` is a list of ids or a mapping from id to score; with `query` it is a run (query ->
    ranking, or a file), and the ranking of that query is checked. A document that is not retrieved
    ranks below all retrieved ones. Of two documents with equal scores, neither ranks above the
    other. With reveal="hint" a failure doesn't say which should be above, for graded exercises.

    Raises RankingAssertionError, or InputError if neither document is retrieved.

    >>> assert_ranks_above({"d3": 0.9, "d7": 0.4}, "d3", "d7")
    >>> assert_ranks_above({"q1": ["d3", "d7"]}, "d3", "d7", query="q1")
    """
    try:
        reveal = revealing(reveal)
        found = places(ranking, query)
        if higher == lower:
            raise InputError(f"document {higher!r} is compared with itself; name two")
        found.refuse_nearly_equal((higher, lower), checks.at(query))
        rank = {document: i for i, document in enumerate(found.order, 1)}
        if higher not in rank and lower not in rank:
            raise InputError(
                f"{checks.at(query)}documents {higher!r} and {lower!r} are not among the "
                f"{len(rank)} retrieved; write ids the same way on both sides"
            )
    except InputError as error:
        raise refused(error) from None
    last, scores = len(rank) + 1, found.scores
    tied = higher in scores and lower in scores and scores[higher] == scores[lower]
    passed = not tied and rank.get(higher, last) < rank.get(lower, last)
    if reveal == HINT:
        told = Measurement("order of two documents", None, word(passed), {}, unit="rank")
    else:
        name = f"rank of {higher}" + ("" if query is None else f" for {query}")
        bounds = {"above": str(lower), "which_has_rank": rank.get(lower)}
        told = Measurement(name, rank.get(higher), word(passed), bounds, unit="rank")
    measured.tell(told)
    if passed:
        return
    if reveal == HINT:
        raise RankingAssertionError("two documents are not in the expected order")
    said = [f"{d} rank {rank[d]}" if d in rank else f"{d} {NOT_RETRIEVED}" for d in (higher, lower)]
    same = f"; same score {scores[higher]:g}" if tied else ""
    where = "" if query is None else f"query {query}: "
    raise RankingAssertionError(
        f"{where}{higher} does not rank above {lower} ({', '.join(said)}{same})",
        found.around((higher, lower)),
    )
