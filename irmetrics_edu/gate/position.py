"""Whether documents of one query are among the first, are absent, or rank above others."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.places import NOT_RETRIEVED, Places, documents, places
from irmetrics_edu.measured import HINT, Measurement, revealing, word

__tracebackhide__ = True
__unittest = True


def assert_in_top(
    ranking: Any,
    document: Any,
    top: int,
    *,
    query: Hashable = None,
    reveal: str | None = None,
) -> None:
    """Assert that a document, or each of several, is among the first `top` of a ranking.

    `ranking` is a list of ids or a mapping from id to score; with `query` it is a run (query ->
    ranking, or a file), and the ranking of that query is checked. A tie may be broken either way,
    so a document counts as in the top only if every way of breaking its tie puts it there. With
    reveal="hint" a failure doesn't name the document.

    Raises RankingAssertionError with the ranks that were found, or InputError for bad input: an
    empty ranking, a query that is not in the run, an id that is retrieved with another type.

    >>> assert_in_top({"d3": 0.9, "d7": 0.4}, "d7", 2)
    >>> assert_in_top({"q1": ["d3", "d7"]}, ["d3", "d7"], 2, query="q1")
    """
    try:
        top = checks.whole("top", top, 1, why=" rank")
        wrong = f"not in the top {top}"
        _settle(
            ranking,
            document=document,
            holds=lambda p, d: p.in_top(d, top),
            wrong=wrong,
            bounds={"at_most": top},
            query=query,
            reveal=reveal,
        )
    except InputError as error:
        raise refused(error) from None


def assert_absent(
    ranking: Any,
    document: Any,
    k: int | None = None,
    *,
    query: Hashable = None,
    reveal: str | None = None,
) -> None:
    """Assert that a document, or each of several, is not among the first k of a ranking.

    Without `k` the document must not be in the ranking at all. `ranking`, `query` and `reveal` are
    as for `assert_in_top`. A document is not absent if some way of breaking its tie puts it among
    the first k.

    Raises RankingAssertionError with the ranks that were found, or InputError for bad input.

    >>> assert_absent(["d3", "d7"], "d9")
    >>> assert_absent(["d3", "d7"], "d7", k=1)
    """
    try:
        k = checks.cutoff(k)
        wrong = "retrieved" if k is None else f"among the first {k}"
        bounds = {} if k is None else {"at_least": k + 1}
        _settle(
            ranking,
            document=document,
            holds=lambda p, d: p.absent(d, k),
            wrong=wrong,
            bounds=bounds,
            query=query,
            reveal=reveal,
        )
    except InputError as error:
        raise refused(error) from None


def _settle(
    ranking: Any,
    document: Any,
    holds: Callable[[Places, Hashable], bool],
    wrong: str,
    bounds: dict[str, Any],
    query: Hashable,
    reveal: str | None,
) -> None:
    """Report the place of each document, and raise if one is in the wrong place."""
    reveal, named = revealing(reveal), documents(document)
    ranking_places = places(ranking, query)
    ranking_places.refuse_nearly_equal(named, checks.at(query))
    broken = [one for one in named if not holds(ranking_places, one)]
    for one in named:
        place = ranking_places.of(one)
        passed = word(one not in broken)
        if reveal == HINT:
            told = Measurement("place of a document", None, passed, {}, unit="rank")
        else:  # of a tie, the worst rank
            name = f"rank of {one}" + ("" if query is None else f" for {query}")
            score = None if place is None else place.worst
            told = Measurement(name, score, passed, bounds, unit="rank")
        measured.tell(told)
    if not broken:
        return
    if reveal == HINT:
        raise RankingAssertionError("a document is not at its expected place")
    first, *more = (f"{d} is {wrong} ({ranking_places.says(d)})" for d in broken)
    rest = f"; {len(more)} more below" if more else ""
    where = "" if query is None else f"query {query}: "
    raise RankingAssertionError(f"{where}{first}{rest}", [*more, *ranking_places.around(broken)])


def assert_ranks_above(
    ranking: Any,
    higher: Hashable,
    lower: Hashable,
    *,
    query: Hashable = None,
    reveal: str | None = None,
) -> None:
    """Assert that one document of a ranking ranks above another.

    `ranking`, `query` and `reveal` are as for `assert_in_top`. A document that is not retrieved
    ranks below all retrieved ones. Of two documents with equal scores, neither ranks above the
    other.

    Raises RankingAssertionError, or InputError if neither document is retrieved.

    >>> assert_ranks_above({"d3": 0.9, "d7": 0.4}, "d3", "d7")
    >>> assert_ranks_above({"q1": ["d3", "d7"]}, "d3", "d7", query="q1")
    """
    try:
        reveal = revealing(reveal)
        order = _order_of_two(places(ranking, query), higher, lower, query)
    except InputError as error:
        raise refused(error) from None
    if reveal == HINT:
        told = Measurement("order of two documents", None, word(order.holds), {}, unit="rank")
    else:
        name = f"rank of {higher}" + ("" if query is None else f" for {query}")
        bounds = {"above": str(lower), "which_has_rank": order.rank.get(lower)}
        told = Measurement(name, order.rank.get(higher), word(order.holds), bounds, unit="rank")
    measured.tell(told)
    if order.holds:
        return
    if reveal == HINT:
        raise RankingAssertionError("two documents are not in the expected order")
    where = "" if query is None else f"query {query}: "
    raise RankingAssertionError(
        f"{where}{higher} does not rank above {lower} ({order.said()})",
        order.places.around((higher, lower)),
    )


@dataclass(frozen=True)
class _OrderOfTwo:
    """Two documents of a ranking, of which one should rank above the other."""

    places: Places
    rank: Mapping[Hashable, int]
    higher: Hashable
    lower: Hashable

    @property
    def tied(self) -> bool:
        """Whether both have the same score, so that neither ranks above the other."""
        scores = self.places.scores
        if self.higher not in scores or self.lower not in scores:
            return False
        return bool(scores[self.higher] == scores[self.lower])

    @property
    def holds(self) -> bool:
        """Whether the one ranks above the other; what is not retrieved ranks below the rest."""
        last = len(self.rank) + 1
        return not self.tied and self.rank.get(self.higher, last) < self.rank.get(self.lower, last)

    def said(self) -> str:
        """Where both were found."""
        both_places = []
        for document in (self.higher, self.lower):
            rank = self.rank.get(document)
            place = NOT_RETRIEVED if rank is None else f"rank {rank}"
            both_places.append(f"{document} {place}")
        same = f"; same score {self.places.scores[self.higher]:g}" if self.tied else ""
        return f"{', '.join(both_places)}{same}"


def _order_of_two(
    ranked: Places, higher: Hashable, lower: Hashable, query: Hashable
) -> _OrderOfTwo:
    """The order of two documents, of which at least one must be retrieved."""
    if higher == lower:
        raise InputError(f"document {higher!r} is compared with itself; name two")
    ranked.refuse_nearly_equal((higher, lower), checks.at(query))
    rank = {document: i for i, document in enumerate(ranked.order, 1)}
    if higher not in rank and lower not in rank:
        raise InputError(
            f"{checks.at(query)}documents {higher!r} and {lower!r} are not among the "
            f"{len(rank)} retrieved; write ids the same way on both sides"
        )
    return _OrderOfTwo(ranked, rank, higher, lower)
