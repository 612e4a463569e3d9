"""From the runs of many queries to rows, by the reverse join.

A metric needs only the ranks of the judged documents. So go through the few judged documents and
count how many beat each, instead of going through the many retrieved ones.
"""

from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
    AS_GIVEN,
    FLOAT64,
    NO_DUPLICATES,
    NO_GAIN,
    REFUSED,
    STRICT,
    Duplicates,
    Negative,
    Reading,
    Scores,
    Ties,
    Unjudged,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.problems import Problems
from irmetrics_edu.runs.joining import arrays, mappings
from irmetrics_edu.runs.joining.aligned import Aligned, Counts, Found, assembled
from irmetrics_edu.runs.joining.any_run import Run
from irmetrics_edu.runs.joining.join import Join
from irmetrics_edu.runs.joining.judgment_pool import Pool, pool_of
from irmetrics_edu.runs.joining.run_kinds import read_pool, run_of

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
    reading: Reading | str = STRICT,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
) -> Aligned:
    """A run aligned with its judgments: the rows of the judged documents of all judged queries.

    `run` is one of these: query -> document -> score; query -> documents in order; a file (TREC
    run, JSON, CSV, TSV, Parquet; packed files are unpacked); a data frame; an Arrow table or
    dataset; an iterable of such pieces of whole queries, which needs no more memory than a piece
    and the rows; a 2-D array of recommended ids, a row for each user. With an array, `qrels` has as
    many collections of held-out ids, and `padding` is the number that fills short rows. Otherwise
    `qrels` are a mapping, a file, a frame or a `Pool`. `format` names the format of a file if its
    name does not.

    Input that is far larger than usual is refused. `irmetrics_edu.limits` sets the limits.

    `reading` says how to read a TREC file: strictly by the format, or as trec_eval reads it. `told`
    counts the lines that were read otherwise than they are written.

    Malformed lines are an InputError that lists them. With `skip_bad` they are left out and
    counted. A document that a query ranks twice is malformed, unless `duplicates` says which rank
    counts. Then the first rank counts here, and all are counted. Errors name query and document, or
    file and line.

    >>> aligned = align_run({"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d2": 1, "d3": 1}})
    >>> aligned.rows.rank, aligned.rows.relevant()
    (array([2.]), array([2.]))
    """
    ties, scores = Ties.named(ties), Scores.named(scores)
    repeats, reading = Duplicates.named(duplicates), Reading.named(reading)
    _refuse_by_grade(ties)
    read = run_of(run, repeats, format=format, skip_bad=skip_bad, padding=padding, reading=reading)
    if isinstance(run, np.ndarray):
        qrels = arrays.held_out(qrels, len(run))
    pool = read_pool(qrels, negative=negative, reading=reading, skip_bad=skip_bad)
    return aligned(
        read,
        pool,
        ties=ties,
        unjudged=Unjudged.named(unjudged),
        scores=scores,
        duplicates=repeats,
        skip_bad=skip_bad,
    )


def aligned(
    run: Run,
    pool: Pool,
    *,
    ties: Ties,
    unjudged: Unjudged,
    scores: Scores,
    duplicates: Duplicates,
    skip_bad: bool = False,
) -> Aligned:
    """A run aligned with the pool of its judgments, under conventions that go in bulk."""
    join = Join(pool, ties, scores, Problems("the run", "row", skip=skip_bad), duplicates)
    run.into(join)
    join.check()
    found, not_judged = Found.joined(join.found), join.strangers()
    missing = np.ones(len(pool.queries), dtype=bool)
    missing[found.query] = False
    mappings.same_kind_of_queries(pool, missing, not_judged)
    return assembled(
        found,
        pool,
        unjudged=unjudged,
        not_judged=not_judged,
        ranking=lambda query: mappings.ranking_of(run, query, ties, scores),
        duplicates=join.duplicates,
        skipped=join.skipped,
        columns=join.columns,
        told=join.told,
        interleaved=join.interleaved,
    )
