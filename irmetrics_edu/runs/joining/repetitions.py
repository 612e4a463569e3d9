"""Documents that a query has twice: which they are, and how to report them."""

from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.problems import Problems


def repeated(items: Columns, keys: Array) -> Array:
    """The items whose document their query had before, by the key of each item."""
    in_rank = np.sort(keys)
    if not (in_rank[1:] == in_rank[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    alike = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
    first, second = order[alike], order[alike + 1]
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


def tell_repeated(items: Columns, again: Array, problems: Problems, what: str) -> None:
    """Report the documents that a query ranks or judges twice."""
    query = items.query[again]
    for done, (i, q) in enumerate(zip(again.tolist(), query.tolist(), strict=True)):
        if not problems.room:
            problems.more(len(again) - done)
            return
        document = items.document[i]
        problems.add(
            int(items.line[i]),
            str(document),
            f"{at(items.queries[q], document)}{what} twice; give each document once",
        )
