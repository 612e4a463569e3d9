"""Documents that a query has twice."""

from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.keys import salts
from irmetrics_edu.engine.noted import RowReport
from irmetrics_edu.numbers import Array


def repeated(items: RunColumns, keys: Array | None = None) -> Array:
    """The items whose document their query had before, by the key of each item."""
    if keys is None:
        keys = items.document.keys(salts(len(items.queries))[items.query])
    in_rank = np.sort(keys)
    if not (in_rank[1:] == in_rank[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    alike = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    first = order[alike]
    second = order[alike + 1]
    query = items.query
    same = items.document.take(first).equal(items.document.take(second))
    same &= query[first] == query[second]
    if same.all():
        return np.sort(second)
    # Different documents share a key, and may stand between two that are the same.
    members = np.union1d(first, second)
    met: set[tuple[int, Any]] = set()
    again = []
    documents = items.document.tolist(members)
    for i, entry in zip(
        members.tolist(), zip(query[members].tolist(), documents, strict=True), strict=True
    ):
        if entry in met:
            again.append(i)
        met.add(entry)
    return np.array(again, dtype=np.intp)


def tell_repeated(items: RunColumns, again: Array, problems: RowReport, what: str) -> None:
    """Report the documents that a query ranks or judges twice."""
    query = items.query[again]
    for done, (i, q) in enumerate(zip(again.tolist(), query.tolist(), strict=True)):
        if not problems.room:
            problems.count += len(again) - done
            return
        begin = int(items.starts[q])
        document = items.document[i]
        first = begin + items.document.tolist(np.arange(begin, i + 1)).index(document)
        problems.add(
            int(items.line[i]),
            str(document),
            f"{at(items.queries[q], document)}{what} twice, first in {problems.unit} "
            f"{items.line[first]}; give each document once",
        )
