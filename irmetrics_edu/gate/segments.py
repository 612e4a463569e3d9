"""The texts of queries and their groups."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from irmetrics_edu.checks import nearly_equal
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.escaping import visible

Groups = dict[Hashable, list[Hashable]]
_LONG = 40  # letters shown of a query's text


def texts(queries_with_texts: Any, queries: Sequence[Hashable]) -> dict[Hashable, str]:
    """The text of each query that has one; an error if no query has one."""
    if queries_with_texts is None:
        return {}
    by_query = _told(queries_with_texts, queries, "queries")
    for query, text in by_query.items():
        if not isinstance(text, str):
            raise InputError(f"queries: the text of query {query!r} is {text!r}; give text")
    if queries and not by_query:
        raise InputError(f"queries: there is no text for {queries[0]!r} or any other query")
    return by_query


def groups(told: Any, queries: Sequence[Hashable]) -> Groups:
    """The queries of each group, groups sorted by name; every query is in one group.

    >>> groups({"q1": "de", "q2": "en", "q3": "de"}, ["q1", "q2", "q3"])
    {'de': ['q1', 'q3'], 'en': ['q2']}
    """
    if told is None:
        return {}
    group_of = _told(told, queries, "groups")
    lacking = [query for query in queries if query not in group_of]
    if lacking:
        first = lacking[0]
        like = _like(first, told)
        raise InputError(
            f"groups: query {first!r} has no group ({len(lacking):,} of {len(queries):,} "
            f"queries have none){like}; every query needs one, such as 'other'"
        )
    by_group: Groups = {}
    for query in queries:
        group = group_of[query]
        try:
            members = by_group.setdefault(group, [])
        except TypeError:
            raise InputError(
                f"groups: query {query!r} has {group!r}; give one group, such as a text; to "
                "group queries in several ways, make several calls"
            ) from None
        members.append(query)
    names = sorted(by_group, key=str)
    return {group: by_group[group] for group in names}


def named(query: Hashable, all_texts: Mapping[Hashable, str]) -> str:
    """A query's id, with its text if it is known, on one line.

    >>> named("q1", {"q1": "cheap flights"}), named("q2", {})
    ('q1 "cheap flights"', 'q2')
    """
    return f"{query} {quoted(query, all_texts)}".rstrip()


def quoted(query: Hashable, all_texts: Mapping[Hashable, str]) -> str:
    """A query's text in quotation marks, shortened if long; "" if it is not known."""
    if query not in all_texts:
        return ""
    text = in_a_line(all_texts[query])
    if len(text) > _LONG:
        text = text[: _LONG - 3] + "..."
    return f'"{text}"'


def in_a_line(text: str) -> str:
    """The text of a query on one line, without characters that can't be seen."""
    words = text.split()
    return visible(" ".join(words))


def long_texts(queries: Iterable[Hashable], all_texts: Mapping[Hashable, str]) -> dict[str, str]:
    """The whole texts of those queries whose texts are shortened elsewhere.

    >>> long_texts(["q1", "q2"], {"q1": "cheap flights", "q2": "flights " * 9})["q2"][-15:]
    'flights flights'
    """
    shortened: dict[str, str] = {}
    for query in queries:
        text = in_a_line(all_texts.get(query, ""))
        if len(text) > _LONG:
            shortened[str(query)] = text
    return shortened


def some(queries: Iterable[Hashable], all_texts: Mapping[Hashable, str], most: int = 3) -> str:
    """Some queries by name, with "..." if there are more."""
    names = [named(query, all_texts) for query in queries]
    more = " ..." if len(names) > most else ""
    shown = ", ".join(names[:most])
    return f"{shown}{more}"


def _told(told: Any, queries: Sequence[Hashable], name: str) -> dict[Hashable, Any]:
    """The given value of each query; queries without a value are left out."""
    look: Callable[[Hashable], Any]
    if isinstance(told, Mapping):
        look = told.get
    elif callable(told):
        look = told
    elif _is_column(told):
        values = dict(told.items())
        look = values.get
    else:
        raise InputError(
            f"{name}: a {type(told).__name__} is given; give a mapping (query -> {name}), a "
            "function of a query, or a column of a frame that is indexed by query"
        )
    values_of_queries = {}
    for query in queries:
        value = look(query)
        if not _lacks(value):
            values_of_queries[query] = value
    return values_of_queries


def _is_column(value: Any) -> bool:
    """Whether this is a column of a frame, indexed by query."""
    if hasattr(value, "columns"):
        return False
    return hasattr(value, "items") and hasattr(value, "index")


def _lacks(value: Any) -> bool:
    """Whether a value stands for none."""
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, float) and math.isnan(value)


def _like(query: Hashable, told: Any) -> str:
    """A hint where only the kind of the ids or a blank differs."""
    if not isinstance(told, Mapping) or query in told:
        return ""
    alike = nearly_equal([query], told)
    if alike is None:
        return ""
    _, other, how = alike
    return f"; it differs from {other!r} only in {how}: write ids the same way"
