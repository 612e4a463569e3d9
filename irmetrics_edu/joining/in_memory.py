"""A run as a mapping, whatever it came as: what is evaluated query by query."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from irmetrics_edu.conventions import AS_GIVEN, NO_DUPLICATES, Duplicates
from irmetrics_edu.joining import arrays
from irmetrics_edu.joining.mappings import in_order
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.sources import Source, source


def of_run(
    run: Any,
    duplicates: Duplicates = NO_DUPLICATES,
    *,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
) -> dict[Any, Any]:
    """A run of any kind as query -> document -> score, or query -> documents in order.

    A file of a run that was aligned before is read again, and its malformed lines, of which that
    alignment told, are left out. A repeated document stays where a convention says which place
    counts; the query is then a list of documents.
    """
    if isinstance(run, np.ndarray):
        lists = arrays.recommended(run, padding)
        return {user: lists.ranking(user) for user in range(len(run))}
    read = source(run, run=True, kind=format, skip_bad=skip_bad)
    if isinstance(read, Mapping):
        return dict(read)
    if not isinstance(read, Source):
        pieces = (of_run(piece, duplicates, skip_bad=skip_bad) for piece in read)
        return {query: ranking for piece in pieces for query, ranking in piece.items()}
    parts = list(read.pieces(read.fresh(), 0))
    return dict(_queries(Columns.joined(parts), duplicates)) if parts else {}


def _queries(items: Columns, duplicates: Duplicates) -> Iterator[tuple[Any, Any]]:
    documents: list[Hashable] = list(items.document.tolist())
    bounds = items.starts.tolist()
    for query, begin, end in zip(items.queries, bounds, bounds[1:], strict=False):
        mine = documents[begin:end]
        again = len(set(mine)) < len(mine)
        if items.value is None:
            yield query, list(dict.fromkeys(mine)) if duplicates is NO_DUPLICATES else mine
        elif again and duplicates is not NO_DUPLICATES:
            yield query, in_order(mine, items.value[begin:end], AS_GIVEN)
        else:
            scores: dict[Hashable, float] = {}
            for document, score in zip(mine, items.value[begin:end].tolist(), strict=True):
                scores.setdefault(document, score)  # the first stays, as in bulk
            yield query, scores
