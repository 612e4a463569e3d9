"""Nested mappings whose levels stand the other way round: documents first, or subtopics first."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

_LOOKED_AT = 20  # ids of each level


def documents_come_first(
    run: Mapping[Any, Any],
    qrels: Mapping[Any, Any],
) -> bool:
    """Whether the run or the judgments maps documents to queries.

    >>> documents_come_first({"d1": {"q1": 0.5}}, {"q1": {"d1": 1}})
    True
    """
    of_run = set(islice(run, _LOOKED_AT))
    judged = set(islice(qrels, _LOOKED_AT))
    return bool(_inner(qrels) & of_run and _inner(run) & judged)


def subtopics_come_first(
    judged: Mapping[Any, Any],
    retrieved: Mapping[Any, Iterable[Any]],
) -> bool:
    """Whether judgments by subtopic map a query to subtopics, and these to documents.

    `retrieved` are some rankings. Then no outer id of a query was retrieved, but an inner one was.

    >>> subtopics_come_first({"q": {"1": {"a": 1}, "2": {"b": 1}}}, {"q": ["a", "z"]})
    True
    >>> subtopics_come_first({"q": {"a": {"1": 1}, "b": {"2": 1}}}, {"q": ["a", "z"]})
    False
    """
    is_inner = False
    for query, documents in retrieved.items():
        ranking = set(documents)
        of_query = judged.get(query, {})
        if ranking & set(of_query):
            return False
        if ranking & _inner(of_query):
            is_inner = True
    return is_inner


def _inner(levels: Mapping[Any, Any]) -> set[Any]:
    """The ids of the second level, of the first ids of the first level."""
    ids: set[Any] = set()
    for held in islice(levels.values(), _LOOKED_AT):
        if isinstance(held, Mapping | set | frozenset | list | tuple):
            ids.update(islice(held, _LOOKED_AT))
    return ids
