"""Documents with a judgment and a score each: the input of a curve over thresholds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    NOWHERE,
    REFUSED,
    RETRIEVED_ALONE,
    Negative,
    Unretrieved,
    is_negative,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.by_query import NESTED, QUERY, ROW, ByQuery, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Scored(ByQuery):
    """Judged documents by falling score.

    If the documents of a query came in ranked order, without scores, `given` is false. The score of
    each document is then its rank, negative.
    """

    rows: Rows = field(metadata=on(NESTED))
    score: Array = field(metadata=on(ROW))
    given: Array = field(metadata=on(QUERY))

    @property
    def query(self) -> Array:
        """The number of each document's query."""
        return self.rows.query

    @property
    def queries(self) -> Sequence[Any] | None:
        """The ids of the queries, where they have one."""
        return self.rows.queries

    def top(self, k: int | None) -> Self:
        """The first k documents by falling score; of documents of equal score those given first."""
        if k is None:
            return self
        inside = self.rows.rank <= k
        return replace(self, rows=self.rows.top(k), score=self.score[inside])

    @cached_property
    def ends(self) -> Array:
        """The last document of each run of equal scores: a threshold is just below it."""
        query = self.rows.query
        last = np.ones(len(self.rows.query), dtype=bool)
        changes = (query[1:] != query[:-1]) | (self.score[1:] != self.score[:-1])
        last[:-1] = changes.astype(bool)
        return np.flatnonzero(last)

    def labels(self, name: str, lines: Array) -> dict[str, Any]:
        """The scores of some lines under a name; the ranks where there are no scores."""
        if self.given.all():
            return {name: self.score[lines]}
        ranks = {"rank": self.rows.rank[lines]}
        if not self.given.any():
            return ranks
        has_score = self.given[self.rows.query[lines]]
        scores = [s if k else None for s, k in zip(self.score[lines], has_score, strict=True)]
        return {**ranks, name: scores}

    def table(self) -> Table:
        """The lines that columns over these documents stand for."""
        table = self.rows.table()
        every = np.arange(len(self.score))
        return Table(table.query, {**self.labels("score", every), **table.labels})


def align_scored(
    relevance: Any,
    scores: Any = None,
    *,
    negative: Negative = REFUSED,
    unretrieved: Unretrieved = NOWHERE,  # noqa: ARG001 -- of a run; every document of a list is here
    exact: bool = False,
    query: Any = None,
) -> Scored:
    """Grades and the scores beside them, by falling score; without scores, in ranked order.

    `relevance` is a list of grades and `scores` a list of the same length. Every document needs a
    judgment, because a curve has no place for an unknown one. `unretrieved` says where a run has
    the judged documents that it did not retrieve; two lists have no such documents.

    >>> align_scored([0, 1], [0.2, 0.9]).rows.grade
    array([1., 0.])
    """
    if isinstance(relevance, Mapping) or isinstance(scores, Mapping):
        raise InputError(
            f"{at(query)}relevance or scores are a mapping; give two lists of one length, the "
            "grade and the score of each document in the same order"
        )
    if negative.padding and scores is not None and hasattr(relevance, "__iter__"):
        kept = [not is_negative(grade) for grade in relevance]
        relevance = list(compress(relevance, kept))
        scores = list(compress(scores, kept))
    rows = align(
        relevance,
        by=Alignment(negative=negative),
        exact=exact,
        query=query,
    )
    if not rows.judged.all():
        item = int(np.flatnonzero(~rows.judged)[0]) + 1
        raise InputError(
            f"{at(query)}item {item} is not judged; a curve needs a grade for every document; "
            "give a grade, or leave out both its grade and its score"
        )
    if scores is None:
        return Scored(rows, -rows.rank, np.array([False]))
    score = _scores(scores, query, exact=exact)
    if len(score) != len(rows.grade):
        raise InputError(
            f"{at(query)}{len(rows.grade)} grades and {len(score)} scores; give one score per grade"
        )
    order = np.argsort(-score, kind="stable")
    return Scored(replace(rows, grade=rows.grade[order]), score[order], np.array([True]))


def nothing_scored(query: Any, *, exact: bool = False) -> Scored:
    """The rows of a query for which nothing was retrieved.

    >>> nothing_scored("q1").score
    array([], dtype=float64)
    """
    none = align([], {"": 0}, by=Alignment(pool=RETRIEVED_ALONE), exact=exact, query=query)
    return Scored(none, -none.rank, np.array([False]))


def _scores(scores: Any, query: Any, *, exact: bool) -> Array:
    checks.collection(scores, "scores", at(query), "give a list of numbers")
    listed = scores.tolist() if isinstance(scores, np.ndarray) else list(scores)
    numbers = [
        checks.number(s, "score", f"{at(query)}item {i}: ", exact=exact)
        for i, s in enumerate(listed, 1)
    ]
    return as_exact(numbers) if exact else np.array(numbers, dtype=np.float64)


SCORED = KindOfInput(
    "scored",
    ("relevance", "scores"),
    align_scored,
    {"negative": REFUSED, "unretrieved": NOWHERE},
)
