"""The texts of queries and their groups."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu.checks import nearly_equal
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.escaping import visible

Groups = dict[Hashable, list[Hashable]]
_LONG = 40  # letters shown of a query's text


def texts(given: Any, queries: Sequence[Hashable]) -> dict[Hashable, str]:
    """The text of each query that has one; an error if no query has one."""
    if given is None:
        return {}
    found = _told(given, queries, "queries")
    for query, text in found.items():
        if not isinstance(text, str):
            raise InputError(f"queries: the text of query {query!r} is {text!r}; give text")
    if queries and not found:
        raise InputError(f"queries: there is no text for {queries[0]!r} or any other query")
    return found


def groups(given: Any, queries: Sequence[Hashable]) -> Groups:
    """The queries of each group, groups sorted by name; every query is in one group.

    >>> groups({"q1": "de", "q2": "en", "q3": "de"}, ["q1", "q2", "q3"])
    {'de': ['q1', 'q3'], 'en': ['q2']}
    """
    if given is None:
        return {}
    of = _told(given, queries, "groups")
    lacking = [query for query in queries if query not in of]
    if lacking:
        raise InputError(
            f"groups: query {lacking[0]!r} has no group ({len(lacking):,} of {len(queries):,} "
            f"queries have none){_like(lacking[0], given)}; every query needs one, such as 'other'"
        )
    found: Groups = {}
    for query in queries:
        try:
            found.setdefault(of[query], []).append(query)
        except TypeError:
            raise InputError(
                f"groups: query {query!r} has {of[query]!r}; give one group, such as a text; to "
                "group queries in several ways, make several calls"
            ) from None
    return {group: found[group] for group in sorted(found, key=str)}


def named(query: Hashable, known: Mapping[Hashable, str]) -> str:
    """A query's id, with its text if it is known, on one line.

    >>> named("q1", {"q1": "cheap flights"}), named("q2", {})
    ('q1 "cheap flights"', 'q2')
    """
    return f"{query} {quoted(query, known)}".rstrip()


def quoted(query: Hashable, known: Mapping[Hashable, str]) -> str:
    """A query's text in quotation marks, shortened if long; "" if it is not known."""
    if query not in known:
        return ""
    text = visible(" ".join(known[query].split()))
    return f'"{text if len(text) <= _LONG else text[: _LONG - 3] + "..."}"'


def some(queries: Iterable[Hashable], known: Mapping[Hashable, str], most: int = 3) -> str:
    """Some queries by name, with "..." if there are more."""
    shown = [named(query, known) for query in queries]
    return ", ".join(shown[:most]) + (" ..." if len(shown) > most else "")


def _told(given: Any, queries: Sequence[Hashable], name: str) -> dict[Hashable, Any]:
    """The given value of each query; queries without a value are left out."""
    if isinstance(given, Mapping):
        look: Callable[[Hashable], Any] = given.get
    elif callable(given):
        look = given
    elif hasattr(given, "items") and hasattr(given, "index") and not hasattr(given, "columns"):
        look = dict(given.items()).get  # a column of a frame, indexed by query
    else:
        raise InputError(
            f"{name}: a {type(given).__name__} is given; give a mapping (query -> {name}), a "
            "function of a query, or a column of a frame that is indexed by query"
        )
    found = {query: look(query) for query in queries}
    return {query: value for query, value in found.items() if not _lacks(value)}


def _lacks(value: Any) -> bool:
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124 -- what NaN is
    return value is None or type(value).__name__ == "NAType" or is_nan


def _like(query: Hashable, given: Any) -> str:
    """A hint where only the kind of the ids or a blank differs."""
    known = given if isinstance(given, Mapping) and query not in given else ()
    if alike := nearly_equal([query], known):
        return f"; it differs from {alike[1]!r} only in {alike[2]}: write ids the same way"
    return ""
