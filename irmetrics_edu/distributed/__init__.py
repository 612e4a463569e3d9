"""Runs past one machine: a Dask or Spark data frame, evaluated where its partitions are.

frame, partitioned by query -> a Part of each partition -> merged scores and counts -> means

Imports errors, numbers, conventions, working, reading, rows, metrics, libraries, joining, runs.
Start with `engines.py`.
"""

from typing import Any

from irmetrics_edu.conventions import NOT_READ
from irmetrics_edu.distributed.engines import engine
from irmetrics_edu.distributed.parts import Task
from irmetrics_edu.distributed.result import DistributedEvaluation, merged
from irmetrics_edu.errors import InputError
from irmetrics_edu.joining.bulk import read_pool
from irmetrics_edu.joining.pool import settled
from irmetrics_edu.joining.together import is_together
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.rows.orders import ORDERS
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.runs.evaluation import asked

__all__ = ["DistributedEvaluation", "evaluate_distributed"]


def evaluate_distributed(
    frame: Any,
    qrels: Any,
    measures: Any = "nDCG@10 AP",
    conventions: Bundle | str = "trec_eval",
    *,
    name: str = "",
    skip_bad: bool = False,
    **options: Any,
) -> DistributedEvaluation:
    """A distributed evaluation scores each query where its rows are and gathers scores and counts.

    `frame` is a data frame of Dask or Spark with the columns that `evaluate` reads (query,
    document, score or rank), all rows of a query in one partition, in any order:
    `frame.shuffle("query")` in Dask and `frame.repartition("query")` in Spark see to that. Neither
    keeps an order of rows. So a column of scores or ranks has to be there, and one of ranks where
    the conventions read no scores. Where they leave tied documents in the order given, a column of
    ranks beside the scores settles it; without one the ties stand as the engine hands the rows
    over, which a note says, and which `ties="docid"` makes the same every time.

    Each partition is evaluated by `evaluate` inside the engine's own map over partitions, so the
    package has to be installed on the workers; a worker holds the columns of one partition. The
    judgments are read here (a mapping, a file or a data frame) and sent to the workers; back come
    scores and counts, never rows. `measures`, `conventions`, `skip_bad` and the other keywords
    are those of `evaluate`, and so is the result, to the last count. Measures of subtopics and
    curves over thresholds are refused, because they need all documents with their scores.

    Errors: what is malformed is an InputError that names the partition and its rows, and so is a
    query that is split over partitions.

    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> run = pd.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "score": [0.9, 0.5]})
    >>> evaluate_distributed(dd.from_pandas(run), {"q1": {"b": 1, "c": 0}}, "RR nDCG@10")
    1 query, conventions of trec_eval
    measure    mean
    RR       0.5000
    nDCG@10  0.6309
    note: 1 of 2 documents at ranks 1 to 10 is not judged (50%)
    note: 1 of 2 documents retrieved is not judged (50%)
    """
    chosen, by, beside = asked(measures, conventions, options)
    for m in chosen:
        if m.metric.inputs in (NUGGETS, INTENTS, SCORED, ORDERS) or is_together(m.metric):
            raise InputError(
                f"{m.name} can't be had of a distributed frame: it needs documents with their "
                "scores or subtopics, or several queries at once; collect the frame and give it "
                "to evaluate"
            )
    # Each measure settles them.
    judgments = read_pool(qrels, negative="keep", reading=by.reading, skip_bad=skip_bad)
    of_run = by.of_run(m.metric for m in chosen)
    settled(
        judgments, of_run.negative_read
    )  # refuses here, as in evaluate, what a worker may not see
    task = Task(judgments, chosen, by, beside, skip_bad)
    where = engine(frame)
    if of_run.scores is NOT_READ and not where.has_ranks:
        raise InputError(
            f"{by.name} reads no scores and takes documents as they come, but the rows of a "
            "distributed frame keep no order: give a column 'rank', or say scores='float64'"
        )
    return merged(where.parts(task), task, where, name=name)
