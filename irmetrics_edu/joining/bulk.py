"""From the runs of many queries to rows, by the reverse join.

A metric needs the ranks of the judged documents alone. So go through the few that are judged and
count how many beat each, instead of through the many retrieved.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
    AS_GIVEN,
    FLOAT64,
    NO_DUPLICATES,
    NO_GAIN,
    REFUSED,
    Duplicates,
    Negative,
    Scores,
    Ties,
    Unjudged,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining import arrays, mappings, tables
from irmetrics_edu.joining.aligned import Aligned, Counts, Found, assembled
from irmetrics_edu.joining.pool import Pool, checked_columns, pool_of
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.reading.sources import Source, source

__all__ = ["Aligned", "Counts", "Pool", "align_run", "pool_of", "read_pool"]


def _refuse_by_grade(ties: Ties) -> None:
    if not ties.in_bulk:
        raise InputError(f"ties={str(ties)!r} is settled query by query, not for a run in bulk")


def align_run(
    run: Any,
    qrels: Any,
    *,
    ties: Ties | str = AS_GIVEN,
    unjudged: Unjudged | str = NO_GAIN,
    negative: Negative | str = REFUSED,
    scores: Scores | str = FLOAT64,
    duplicates: Duplicates | str = NO_DUPLICATES,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
) -> Aligned:
    """A run aligned with its judgments: the rows of the judged documents of all judged queries.

    `run` is query -> document -> score, query -> documents in order, a file (TREC run, JSON, CSV,
    TSV, Parquet; gzip and zstd are unpacked), a data frame, an Arrow table or dataset, an iterable
    of such pieces of whole queries, which needs no more memory than a piece and the rows, or a
    2-D array of recommended ids, a row for each user, beside as many collections of held-out ids
    in `qrels` (`padding` is the number that fills short rows). `qrels` are a mapping, a file, a
    frame or a `Pool`. `format` names a file's format where its name does not.

    Malformed lines are an InputError that lists them; with `skip_bad` they are left out and
    counted. A document that a query ranks twice is malformed, unless `duplicates` says which place
    counts; then the first does here, and all are counted. Errors name query and document, or file
    and line.

    >>> aligned = align_run({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 1, "d3": 1}})
    >>> aligned.rows.rank, aligned.rows.relevant()
    (array([2.]), array([2.]))
    """
    ties, unjudged = Ties.named(ties), Unjudged.named(unjudged)
    negative, scores = Negative.named(negative), Scores.named(scores)
    repeats = Duplicates.named(duplicates)
    _refuse_by_grade(ties)
    if isinstance(run, np.ndarray):
        run, qrels = arrays.recommended(run, padding), arrays.held_out(qrels, len(run))
    pool = read_pool(qrels, negative=negative, skip_bad=skip_bad)
    read = run
    if not isinstance(run, arrays.Recommended):
        read = source(run, run=True, kind=format, skip_bad=skip_bad)
    join = tables.Join(pool, ties, scores, Problems("the run", "row", skip=skip_bad), repeats)
    join.all(read, skip_bad=skip_bad)
    found = Found.joined(join.found)
    missing = np.ones(len(pool.queries), dtype=bool)
    missing[found.query] = False
    mappings.same_kind_of_queries(pool, missing, join.not_judged)

    def ranking(query: Any) -> list[Hashable]:
        if isinstance(read, Mapping):
            return mappings.ranking_of(read, query, ties, scores)
        if isinstance(read, arrays.Recommended):
            return read.ranking(query)
        if isinstance(read, Source):
            return tables.ranking_of(read, join.origin[pool.number[query]], query, ties, scores)
        raise InputError(
            "the run came as an iterable, which is used up: to see the documents of one query, "
            "give a file, a frame or a mapping"
        )

    return assembled(
        found,
        pool,
        unjudged=unjudged,
        not_judged=list(join.not_judged),
        ranking=ranking,
        duplicates=join.duplicates,
        skipped=join.problems.count,
    )


def read_pool(
    qrels: Any,
    *,
    negative: Negative | str = REFUSED,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
) -> Pool:
    """The pool of judgments that a mapping, a file or a frame holds; read once, used for many runs.

    >>> read_pool({"q": {"d1": 1, "d2": 0}}).documents
    ['d1', 'd2']
    """
    if isinstance(qrels, Pool):
        return qrels
    negative = Negative.named(negative)
    read = source(qrels, run=False, kind=format, skip_bad=skip_bad)
    if isinstance(read, Mapping):
        return pool_of(read, negative)
    if isinstance(read, Source):
        return checked_columns(read, negative)
    raise InputError(
        f"judgments map queries to judged documents, or are a file or a frame; got {qrels!r:.100}"
    )
