"""The texts of queries and their groups."""

import math
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
        first = lacking[0]
        like = _like(first, given)
        raise InputError(
            f"groups: query {first!r} has no group ({len(lacking):,} of {len(queries):,} "
            f"queries have none){like}; every query needs one, such as 'other'"
        )
    found: Groups = {}
    for query in queries:
        group = of[query]
        try:
            members = found.setdefault(group, [])
        except TypeError:
            raise InputError(
                f"groups: query {query!r} has {group!r}; give one group, such as a text; to "
                "group queries in several ways, make several calls"
            ) from None
        members.append(query)
    names = sorted(found, key=str)
    return {group: found[group] for group in names}


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
    text = in_a_line(known[query])
    if len(text) > _LONG:
        text = text[: _LONG - 3] + "..."
    return f'"{text}"'


def in_a_line(text: str) -> str:
    """The text of a query on one line, without characters that can't be seen."""
    words = text.split()
    return visible(" ".join(words))


def long_texts(queries: Iterable[Hashable], known: Mapping[Hashable, str]) -> dict[str, str]:
    """The whole texts of those queries whose texts are shortened elsewhere.

    >>> long_texts(["q1", "q2"], {"q1": "cheap flights", "q2": "flights " * 9})["q2"][-15:]
    'flights flights'
    """
    found: dict[str, str] = {}
    for query in queries:
        text = in_a_line(known.get(query, ""))
        if len(text) > _LONG:
            found[str(query)] = text
    return found


def some(queries: Iterable[Hashable], known: Mapping[Hashable, str], most: int = 3) -> str:
    """Some queries by name, with "..." if there are more."""
    names = [named(query, known) for query in queries]
    more = " ..." if len(names) > most else ""
    shown = ", ".join(names[:most])
    return f"{shown}{more}"


def _told(given: Any, queries: Sequence[Hashable], name: str) -> dict[Hashable, Any]:
    """The given value of each query; queries without a value are left out."""
    look: Callable[[Hashable], Any]
    if isinstance(given, Mapping):
        look = given.get
    elif callable(given):
        look = given
    elif _is_column(given):
        values = dict(given.items())
        look = values.get
    else:
        raise InputError(
            f"{name}: a {type(given).__name__} is given; give a mapping (query -> {name}), a "
            "function of a query, or a column of a frame that is indexed by query"
        )
    found = {}
    for query in queries:
        value = look(query)
        if not _lacks(value):
            found[query] = value
    return found


def _is_column(given: Any) -> bool:
    """Whether this is a column of a frame, indexed by query."""
    if hasattr(given, "columns"):
        return False
    return hasattr(given, "items") and hasattr(given, "index")


def _lacks(value: Any) -> bool:
    """Whether a value stands for none."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, float) and math.isnan(value)


def _like(query: Hashable, given: Any) -> str:
    """A hint where only the kind of the ids or a blank differs."""
    if not isinstance(given, Mapping) or query in given:
        return ""
    alike = nearly_equal([query], given)
    if alike is None:
        return ""
    _, other, how = alike
    return f"; it differs from {other!r} only in {how}: write ids the same way"
