"""Rows of all documents that were retrieved, made of those of the judged ones."""

import numpy as np

from irmetrics_edu.numbers import trues
from irmetrics_edu.rows.ranked_rows import Rows


def of_all_retrieved(rows: Rows, grade: float) -> Rows:
    """Rows of all retrieved documents, where those that nobody judged have this grade.

    They are known by their ranks alone: each retrieved document that is no row has one of its own.
    """
    sizes = rows.retrieved
    first = np.cumsum(sizes) - sizes
    query = np.repeat(np.arange(rows.n), sizes)
    n = len(query)
    ranks = np.arange(1.0, n + 1)
    ranks -= first[query]
    place = first[rows.query]
    place += rows.rank.astype(np.intp)
    place -= 1
    grades = np.full(n, float(grade))
    grades[place] = np.where(rows.judged, rows.grade, grade)
    pooled = np.zeros(n, dtype=bool)
    pooled[place] = rows.in_judgments
    return Rows(
        query=query,
        rank=ranks,
        grade=grades,
        judged=trues(n),
        retrieved=rows.retrieved,
        pool_query=rows.pool_query,
        pool_grade=rows.pool_grade,
        pooled=pooled,
        queries=rows.queries,
    )
