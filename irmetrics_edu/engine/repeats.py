"""Documents that a query has twice."""

from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.keys import salts
from irmetrics_edu.engine.noted import RowReport
from irmetrics_edu.numbers import Array


def repeated(
    items: RunColumns,
    keys: Array | None = None,
) -> Array:
    """The items whose document their query had before, by the key of each item."""
    if keys is None:
        salt_of_each = salts(len(items.queries))[items.query]
        keys = items.document.keys(salt_of_each)
    in_rank = np.sort(keys)
    if not (in_rank[1:] == in_rank[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    alike = np.flatnonzero(in_order[1:] == in_order[:-1])
    first = order[alike]
    second = order[alike + 1]
    query = items.query
    documents = items.document
    same = documents.take(first).equal(documents.take(second))
    same_query = query[first] == query[second]
    same &= same_query
    if same.all():
        return np.sort(second)
    return _repeated_among(items, np.union1d(first, second))


def _repeated_among(
    items: RunColumns,
    members: Array,
) -> Array:
    """The same of items that share keys with others, by their texts.

    Different documents share a key here, and may stand between two that are the same.
    """
    met: set[tuple[int, Any]] = set()
    again = []
    queries = items.query[members].tolist()
    documents = items.document.tolist(members)
    for i, query, document in zip(
        members.tolist(),
        queries,
        documents,
        strict=True,
    ):
        entry = (query, document)
        if entry in met:
            again.append(i)
        met.add(entry)
    return np.array(again, dtype=np.intp)


def tell_repeated(
    items: RunColumns,
    again: Array,
    problems: RowReport,
    what: str,
) -> None:
    """Report the documents that a query ranks or judges twice."""
    queries = items.query[again].tolist()
    for told, i in enumerate(again.tolist()):
        if not problems.room:
            problems.count += len(again) - told
            return
        q = queries[told]
        begin = int(items.starts[q])
        up_to_here = items.document.tolist(np.arange(begin, i + 1))
        document = up_to_here[-1]
        first = begin + up_to_here.index(document)
        place = at(items.queries[q], document)
        wrong = (
            f"{place}{what} twice, first in {problems.unit} {items.line[first]}; "
            "give each document once"
        )
        problems.add(int(items.line[i]), str(document), wrong)
