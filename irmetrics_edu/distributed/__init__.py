"""Runs past one machine: a Dask or Spark data frame, evaluated where its partitions are.

frame, partitioned by query -> a Part of each partition -> merged scores and counts -> means

Start with `dask_and_spark.py`.
"""

from collections.abc import Mapping
from typing import Any

from irmetrics_edu.conventions import NOT_READ
from irmetrics_edu.distributed.dask_and_spark import DistributedFrame, engine
from irmetrics_edu.distributed.merged import DistributedEvaluation, merged
from irmetrics_edu.distributed.parts import Task
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.rows.two_orders import ORDERS
from irmetrics_edu.runs.accepted import JudgmentsInput, MeasuresInput
from irmetrics_edu.runs.evaluation import asked
from irmetrics_edu.runs.joining.join import is_together
from irmetrics_edu.runs.joining.judgments import read_pool, settled

__all__ = ["DistributedEvaluation", "evaluate_distributed"]


def evaluate_distributed(
    frame: DistributedFrame,
    qrels: JudgmentsInput,
    measures: MeasuresInput = "nDCG@10 AP",
    conventions: Bundle | str = "trec_eval",
    *,
    name: str = "",
    skip_bad: bool = False,
    **options: Any,
) -> DistributedEvaluation:
    """A distributed evaluation scores each query where its rows are and gathers scores and counts.

    `frame` is a data frame of Dask or Spark with the columns that `evaluate` reads (query,
    document, score or rank). All rows of a query are in one partition, in any order: use
    `frame.shuffle("query")` in Dask and `frame.repartition("query")` in Spark. Neither keeps an
    order of rows. So there has to be a column of scores or ranks, and a column of ranks if the
    conventions read no scores. Some conventions leave tied documents in the order given. Then a
    column of ranks beside the scores decides. Without it the order of ties is that in which the
    engine hands over the rows. A note says so, and `ties="docid"` makes it the same every time.

    `evaluate` evaluates each partition inside the engine's own map over partitions. So the package
    has to be installed on the workers. A worker holds the columns of one partition. The judgments
    (a mapping, a file or a data frame) are read here and sent to the workers. The workers send back
    scores and counts, never rows. `measures`, `conventions`, `skip_bad` and the other keywords are
    those of `evaluate`. The result is the same too, to the last count. Measures of subtopics and
    curves over thresholds are refused, because they need all documents with their scores.

    Malformed input is an InputError that names the partition and its rows. A query that is split
    over partitions is an InputError too.

    >>> import dask.dataframe as dd
    >>> import pandas as pd
    >>> run = pd.DataFrame({"query": ["q1", "q1"], "document": ["a", "b"], "score": [0.9, 0.5]})
    >>> evaluate_distributed(dd.from_pandas(run), {"q1": {"b": 1, "c": 0}}, "RR nDCG@10")
    1 query, conventions of trec_eval
    measure    mean
    RR       0.5000
    nDCG@10  0.6309
    note: 1 of 2 documents retrieved is not judged (50%)
    """
    task = _task(
        qrels,
        measures,
        conventions,
        skip_bad=skip_bad,
        options=options,
    )
    where = engine(frame)
    if task.by.of_run(m.metric for m in task.measures).scores is NOT_READ and not where.has_ranks:
        raise InputError(
            f"{task.by.name} reads no scores and takes documents in the order given, but the rows "
            "of a distributed frame have no order; give a column 'rank', or scores='float64'"
        )
    return merged(
        where.parts(task),
        task,
        where,
        name=name,
    )


def _task(
    qrels: JudgmentsInput,
    measures: MeasuresInput,
    conventions: Bundle | str,
    *,
    skip_bad: bool,
    options: Mapping[str, Any],
) -> Task:
    """What every partition is evaluated by; measures that need more than one are refused."""
    chosen, by, beside = asked(measures, conventions, options)
    for measure in chosen:
        metric = measure.metric
        if metric.inputs in (NUGGETS, INTENTS, SCORED, ORDERS) or is_together(metric):
            raise InputError(
                f"{measure.name} can't be computed from a distributed frame: it needs documents "
                "with their scores or subtopics, or several queries at once; collect the "
                "frame and give it to evaluate"
            )
    # Each measure settles them.
    judgments = read_pool(
        qrels,
        negative="keep",
        reading=by.reading,
        skip_bad=skip_bad,
    )
    of_run = by.of_run(measure.metric for measure in chosen)
    # Refused here, as in evaluate, is what a worker may not see.
    settled(judgments, of_run.negative_read)
    return Task(judgments, chosen, by, beside, skip_bad)
