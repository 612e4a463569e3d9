"""Texts, groups and weights of queries, and which queries count.

Each is a mapping, a column of a frame that is indexed by query, a function of a query, or a file.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from os import PathLike
from typing import Any, Protocol

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import nearly_equal
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_of_file import ColumnOfFile, exists
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.texts import read_texts
from irmetrics_edu.reading.values_by_query import Wanted, read_query_values
from irmetrics_edu.views.escaping import visible


class Column(Protocol):
    """A column of a data frame that is indexed by query."""

    def items(self) -> Any:
        """Pairs of a query and its value."""


OfQueries = Mapping[Any, Any] | Callable[[Any], Any] | Column | str | PathLike[str] | None
Queries = Iterable[Hashable] | str | PathLike[str] | None
Groups = dict[Hashable, list[Hashable]]
ALL_QUERIES = "all"  # what the line of all queries is called in tables of groups
_LONG = 40  # letters shown of a query's text
_GROUP = Wanted(
    what="group",
    usual_names=("segment", "language", "class", "tenant"),
    said="queries are grouped by",
)
_CHOSEN = Wanted(what="value", usual_names=(), said="queries are chosen by")
_SHOWN = 10  # values that a message lists
_WEIGHT = Wanted(
    what="weight",
    usual_names=("frequency", "freq", "count"),
    said="queries are weighted by",
)


def texts(queries_with_texts: Any, queries: Sequence[Hashable]) -> dict[Hashable, str]:
    """The text of each query that has one; an error if no query has one."""
    if queries_with_texts is None:
        return {}
    by_query = _told(as_told(queries_with_texts, "queries"), queries, "queries")
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
    told = as_told(told, "groups")
    group_of = _told(told, queries, "groups")
    lacking = [query for query in queries if _is_blank(group_of.get(query))]
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
    _refuse_alike(by_group)
    names = sorted(by_group, key=str)
    return {group: by_group[group] for group in names}


def groups_beside_all(told: Any, queries: Sequence[Hashable]) -> Groups:
    """The queries of each group, as `groups` has them, for tables with a line of all queries."""
    by_group = groups(told, queries)
    shown = {str(group) for group in by_group}
    if ALL_QUERIES in shown:
        raise InputError(
            f"groups: {ALL_QUERIES!r} stands for all queries in tables; give another name"
        )
    return by_group


def _is_blank(group: Any) -> bool:
    """Whether a query has no group, or one whose name is of blanks."""
    return group is None or (isinstance(group, str) and not group.strip())


def _refuse_alike(by_group: Groups) -> None:
    """Refuse groups that would be shown by one name, such as 1 and "1"."""
    shown: dict[str, Hashable] = {}
    for group in by_group:
        other = shown.setdefault(str(group), group)
        if other is not group:
            raise InputError(
                f"groups: {other!r} and {group!r} are two groups that are shown alike; write one "
                "name for one group"
            )


def weights(told: Any, queries: Sequence[Hashable]) -> dict[Hashable, float]:
    """The weight of each query, such as how often it was asked; every query has one.

    A weight of 0 takes the query out of the mean. InputError for a weight that is negative or no
    finite number, for a query without one, and if all are 0.

    >>> weights({"q1": 30, "q2": 0.5}, ["q1", "q2"])
    {'q1': 30.0, 'q2': 0.5}
    """
    told = as_told(told, "weights")
    weight_of = _told(told, queries, "weights")
    lacking = [query for query in queries if query not in weight_of]
    if lacking:
        first = lacking[0]
        raise InputError(
            f"weights: query {first!r} has no weight ({len(lacking):,} of {len(queries):,} "
            f"queries have none){_like(first, told)}; every query needs one, such as 1"
        )
    checked: dict[Hashable, float] = {}
    for query in queries:
        place = f"weights: query {query!r}: "
        value = weight_of[query]
        weight = checks.number(value, "weight", place)
        if weight < 0 or isinstance(value, (bool, np.bool_)):
            raise InputError(f"{place}weight {value!r} is not possible; give a number of 0 or more")
        checked[query] = weight
    if not any(checked.values()):
        raise InputError("weights: every weight is 0, so there is no mean; give some above 0")
    return checked


def weight_array(by_query: Mapping[Hashable, float], queries: Sequence[Hashable]) -> Array:
    """The weights of these queries, in their order."""
    return np.array([by_query[query] for query in queries], dtype=np.float64)


def _ids_of_file(path: str | PathLike[str]) -> Iterable[str]:
    """The ids of a file, or those that have a value in one of its columns."""
    file = path if isinstance(path, File) else ColumnOfFile(path)
    if not isinstance(file, ColumnOfFile) or not file.column:
        return read_texts(file, "query", bare=True)
    if not file.value:
        raise InputError(
            f"{file}: of which {file.column!r} are the queries? Write the value behind it: "
            f"{file.path.name}:{file.column}=1"
        )
    values: dict[str, None] = {}
    chosen: list[str] = []
    for row in read_query_values(file, _CHOSEN).records:
        values[row["value"]] = None
        if row["value"] == file.value:
            chosen.append(row.id("query"))
    if not chosen:
        there = ", ".join(map(repr, islice(values, _SHOWN)))
        raise InputError(
            f"{file}: no query has {file.value!r} as its {file.column!r}; there are {there}"
        )
    return chosen


def chosen_queries(told: Any) -> list[Hashable]:
    """The ids of the queries that count, each once: of a collection of ids, or of a file.

    A file holds an id a line, or is one of texts by id. Of a mapping the keys are taken.

    >>> chosen_queries(["q1", "q2", "q1"])
    ['q1', 'q2']
    """
    if isinstance(told, (str, PathLike)):
        ids: Iterable[Any] = _ids_of_file(told)
    elif isinstance(told, (bytes, float, int)) or not isinstance(told, Iterable):
        raise InputError(
            f"queries={told!r:.60} names no queries; give a list of their ids, or a file with an "
            "id on each line"
        )
    else:
        ids = told.tolist() if hasattr(told, "tolist") else told
    try:
        chosen = list(dict.fromkeys(ids))
    except TypeError as error:
        raise InputError(f"queries: an id must be hashable, such as text: {error}") from None
    if not chosen:
        where = f"{told}" if isinstance(told, (str, PathLike)) else "queries="
        raise InputError(f"{where} names no query, so there is no score; give the ids that count")
    return chosen


class FromFile(dict[Hashable, Any]):
    """The values of queries that a file holds; `about` says which of its columns was taken."""

    about: str = ""


def read_groups(path: str | PathLike[str]) -> FromFile:
    """The group of each query in a file: any column beside the query, or a mapping of JSON.

    A table is of CSV, TSV or lines of JSON. If it has several columns, `topics.csv:device` names
    one. InputError for a query that stands in two groups.
    """
    read = read_query_values(path, _GROUP)
    group_of = FromFile()
    group_of.about = read.about
    for row in read.records:
        query = row.id("query")
        group = row.id("group")
        if group_of.setdefault(query, group) != group:
            raise InputError(
                f"{row.place}query {query!r} is in {group!r}, but in {group_of[query]!r} above; "
                "give one group"
            )
    return group_of


def read_weights(path: str | PathLike[str]) -> FromFile:
    """The weight of each query in a file, whose column is found as that of a group is.

    InputError for a query that stands twice, and for a weight that is no number.
    """
    read = read_query_values(path, _WEIGHT)
    weight_of = FromFile()
    weight_of.about = read.about
    for row in read.records:
        query = row.id("query")
        if query in weight_of:
            raise InputError(f"{row.place}query {query!r} has a weight above; give one weight")
        try:
            weight_of[query] = float(row["weight"])
        except ValueError:
            raise InputError(
                f"{row.place}weight {row['weight']!r} is not a number; give one of 0 or more"
            ) from None
    return weight_of


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
    """The given value of each query; queries without a value are left out.

    A NaN among weights is a value that is wrong, and no lack of one.
    """
    look: Callable[[Hashable], Any]
    if isinstance(told, Mapping):
        look = told.get
    elif callable(told):
        look = told
    else:
        missing = f" ({told!r:.60}: no such file)" if isinstance(told, (str, PathLike)) else ""
        raise InputError(
            f"{name}: a {type(told).__name__} is given{missing}; give a mapping (query -> "
            f"{name}), a function of a query, a column of a frame that is indexed by query "
            "(frame.set_index('query')['group']), or a file"
        )
    values_of_queries = {}
    for query in queries:
        value = look(query)
        is_wrong = name == "weights" and isinstance(value, float)
        if is_wrong or not _lacks(value):
            values_of_queries[query] = value
    return values_of_queries


def as_told(told: Any, name: str) -> Any:
    """A file that exists and a column as mappings by query; anything else unchanged."""
    if isinstance(told, File) or (isinstance(told, (str, PathLike)) and exists(told)):
        if name == "groups":
            return read_groups(told)
        return read_weights(told) if name == "weights" else read_texts(told, "query")
    return _of_column(told, name) if _is_column(told) else told


def about(*told: Any) -> list[str]:
    """What is to be said of groups and weights that files hold: which columns were taken."""
    return [one.about for one in told if isinstance(one, FromFile) and one.about]


def _of_column(told: Any, name: str) -> dict[Hashable, Any]:
    """The values of a column by the index of its frame; a query with two of them is refused."""
    by_query: dict[Hashable, Any] = {}
    for query, value in told.items():
        if query in by_query and not _lacks(value) and by_query[query] != value:
            raise InputError(
                f"{name}: query {query!r} stands twice in the index, with {by_query[query]!r} and "
                f"{value!r}; give each query once"
            )
        by_query[query] = value
    return by_query


def _is_column(value: Any) -> bool:
    """Whether this is a column of a frame, indexed by query."""
    if hasattr(value, "columns") or isinstance(value, Mapping):
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
