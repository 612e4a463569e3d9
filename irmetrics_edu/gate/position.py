"""Whether documents of one query are among the first, or are absent."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from irmetrics_edu import checks, measured
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.gate.places import Places, documents, limit, places
from irmetrics_edu.measured import HINT, Measurement, revealing, word

__tracebackhide__ = True
__unittest = True


def assert_in_top(
    ranking: Any, document: Any, top: int, *, query: Hashable = None, reveal: str | None = None
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
        reveal, named = revealing(reveal), documents(document)
        top = limit(top, "top")
        found = places(ranking, query)
        found.refuse_nearly_equal(named, checks.at(query))
    except InputError as error:
        raise refused(error) from None

    def holds(one: Hashable) -> bool:
        return found.in_top(one, top)

    _settle(found, named, holds, f"not in the top {top}", {"at_most": top}, query, reveal)


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
        reveal, named = revealing(reveal), documents(document)
        k = None if k is None else limit(k, "k")
        found = places(ranking, query)
        found.refuse_nearly_equal(named, checks.at(query))
    except InputError as error:
        raise refused(error) from None

    def holds(one: Hashable) -> bool:
        return found.absent(one, k)

    wrong = "retrieved" if k is None else f"among the first {k}"
    bounds = {} if k is None else {"at_least": k + 1}
    _settle(found, named, holds, wrong, bounds, query, reveal)


def _settle(
    found: Places,
    named: Sequence[Hashable],
    holds: Callable[[Hashable], bool],
    wrong: str,
    bounds: dict[str, Any],
    query: Hashable,
    reveal: str,
) -> None:
    """Report the place of each document, and raise if one is in the wrong place."""
    broken = [document for document in named if not holds(document)]
    for document in named:
        place, passed = found.of(document), word(document not in broken)
        if reveal == HINT:
            told = Measurement("place of a document", None, passed, {}, unit="rank")
        else:  # of a tie, the worst rank
            name = f"rank of {document}" + ("" if query is None else f" for {query}")
            score = None if place is None else place.worst
            told = Measurement(name, score, passed, bounds, unit="rank")
        measured.tell(told)
    if not broken:
        return
    if reveal == HINT:
        raise RankingAssertionError("a document is not at its expected place")
    first, *more = (f"{d} is {wrong} ({found.says(d)})" for d in broken)
    rest = f"; {len(more)} more below" if more else ""
    where = "" if query is None else f"query {query}: "
    raise RankingAssertionError(f"{where}{first}{rest}", [*more, *found.around(broken)])
