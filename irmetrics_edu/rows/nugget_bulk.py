"""A whole run and its nuggets as rows: one query or ten thousand, in one table.

The join goes through the few judged documents and looks up their ranks, instead of going through
the many retrieved ones. Some input has no fast path: ties, ids of other types, white space in ids,
lists in place of sets. It goes query by query through `align_nuggets`, which checks it and words
the errors.
"""

from collections.abc import Hashable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets


def align_run(
    run: Mapping[Any, Mapping[Hashable, float]], nuggets: Mapping[Any, Mapping[Hashable, Any]]
) -> NuggetRows:
    """The judged queries of a run, as rows of their judged documents.

    `run` maps query -> document -> score. `nuggets` maps query -> document -> set of nuggets or
    {nugget: grade}. Queries come in the order of `nuggets`. A query that the run does not have has
    no rows. InputError names the query, document or nugget that is wrong.

    >>> rows = align_run({"q1": {"a": 2.0, "x": 3.0}}, {"q1": {"a": {"A"}, "b": {"B"}}})
    >>> rows.rank, rows.retrieved
    (array([2.]), array([2]))
    """
    if not any(query in nuggets for query in run):
        raise InputError(
            f"no query of the run is judged: it has {_some(run)}, the nuggets have {_some(nuggets)}"
        )
    return _aligned(run, nuggets)


def pool_of(nuggets: Mapping[Any, Mapping[Hashable, Any]]) -> NuggetRows:
    """The judged documents of all queries as rows, in the order of queries and of their ids.

    >>> pool_of({"q1": {"b": {"B"}, "a": {"A"}}}).document.tolist()
    ['a', 'b']
    """
    if not nuggets:
        raise InputError("the judgments have no query; give query -> document -> nuggets")
    return _aligned({}, nuggets).pool


def _aligned(run: Mapping[Any, Any], nuggets: Mapping[Any, Any]) -> NuggetRows:
    parts: list[NuggetRows] = []
    fast: list[Any] = []
    for query, held in nuggets.items():
        scores = run.get(query, {})
        if _is_plain(scores, held):
            ranks = _ranks(scores, held)
            if ranks is not None:
                fast.append((query, scores, held, *ranks))
                continue
        if fast:
            parts.append(_joined(fast))
            fast = []
        aligned = align_nuggets(scores, held, query=query)
        parts.append(aligned.take(np.flatnonzero(aligned.judged)))
    if fast:
        parts.append(_joined(fast))
    return parts[0] if len(parts) == 1 else NuggetRows.joined(parts)


def _some(queries: Mapping[Any, Any]) -> str:
    shown = [repr(query) for query in list(queries)[:3]]
    return ", ".join(shown + ["..."] * (len(queries) > 3)) or "none"


def _is_plain(scores: Any, held: Any) -> bool:
    """Whether ids are text without white space, and what is held are sets."""
    if not (isinstance(scores, Mapping) and isinstance(held, Mapping) and held):
        return False
    try:
        text = "\0".join((*scores, *held))
    except TypeError:
        return False
    return len(text.split(None, 1)) == 1 and set(map(type, held.values())) <= {set, frozenset}


def _ranks(
    scores: Mapping[Hashable, float], held: Mapping[Hashable, Any]
) -> tuple[list[Hashable], Array] | None:
    """The judged documents that were retrieved, in order, and their ranks; None if scores tie."""
    try:
        worth = np.array(list(scores.values()), dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if not np.isfinite(worth).all() or not set(map(type, scores.values())) <= {float, int}:
        return None
    falling = np.sort(-worth)
    if (falling[1:] == falling[:-1]).any():
        return None
    found = [document for document in held if document in scores]
    rank = np.searchsorted(falling, [-scores[d] for d in found]) + 1
    order = np.argsort(rank)
    return [found[i] for i in order.tolist()], rank[order]


def _joined(queries: list[Any]) -> NuggetRows:
    """Rows of many queries whose input is in order."""
    ids: list[Hashable] = []
    entries: list[int] = []
    sizes: list[int] = []
    names: list[Hashable] = []
    pool_count, name_count, place = [], [], []
    for _, _, held, found, _ in queries:
        documents = sorted(held)
        number = {n: i for i, n in enumerate(_names(held.values()), len(names))}
        where = {document: i for i, document in enumerate(documents, len(ids))}
        place += [where[document] for document in found]
        sets = [held[document] for document in documents]
        sizes += map(len, sets)
        entries += map(number.__getitem__, chain.from_iterable(sets))
        ids += documents
        names += number
        pool_count.append(len(documents))
        name_count.append(len(number))
    index = np.arange(len(queries))
    # Sets have no order; each row's entries are put in that of their nuggets.
    row, nugget = np.repeat(np.arange(len(ids)), sizes), np.array(entries, dtype=np.intp)
    nugget = nugget[np.argsort(row * len(names) + nugget)]
    document = np.empty(len(ids), dtype=object)
    document[:] = ids
    starts = np.cumsum([0, *pool_count])[:-1]
    pool = NuggetRows(
        query=np.repeat(index, pool_count),
        rank=np.arange(1.0, len(ids) + 1) - np.repeat(starts, pool_count),
        judged=np.ones(len(ids), dtype=bool),
        retrieved=np.array(pool_count),
        row=row,
        nugget=nugget,
        grade=np.ones(len(entries)),
        nugget_query=np.repeat(index, name_count),
        nugget_name=names,
        document=document,
        queries=[query for query, *_ in queries],
    )
    rows = pool.take(np.array(place, dtype=np.intp))
    rows.rank = np.concatenate([ranks for *_, ranks in queries]).astype(np.float64)
    rows.retrieved = np.array([len(scores) for _, scores, *_ in queries])
    rows.judged_pool = pool
    return rows


def _names(held: Any) -> list[Hashable]:
    return sorted(set(chain.from_iterable(held)), key=str)
