"""From the runs of many queries to rows, by the reverse join.

A metric needs the ranks of the judged documents alone. So go through the few that are judged and
count how many beat each, instead of through the many retrieved.
"""

from typing import Any

from irmetrics_edu.bulk import mappings
from irmetrics_edu.bulk.aligned import Aligned, Counts, assembled
from irmetrics_edu.bulk.pool import Pool, pool_of
from irmetrics_edu.conventions import (
    AS_GIVEN,
    FLOAT64,
    NO_GAIN,
    REFUSED,
    Negative,
    Scores,
    Ties,
    Unjudged,
)

__all__ = ["Aligned", "Counts", "Pool", "align_run", "pool_of"]


def align_run(
    run: Any,
    qrels: Any,
    *,
    ties: Ties | str = AS_GIVEN,
    unjudged: Unjudged | str = NO_GAIN,
    negative: Negative | str = REFUSED,
    scores: Scores | str = FLOAT64,
) -> Aligned:
    ties, unjudged = Ties.named(ties), Unjudged.named(unjudged)
    negative, scores = Negative.named(negative), Scores.named(scores)
    pool = pool_of(qrels, negative)
    found = mappings.join(run, pool, ties=ties, scores=scores)
    not_judged = [q for q in run if q not in pool.number]
    mappings.same_kind_of_queries(pool, run)
    return assembled(
        found,
        pool,
        unjudged=unjudged,
        not_judged=not_judged,
        ranking=lambda query: mappings.ranking_of(run, query, ties, scores),
    )
