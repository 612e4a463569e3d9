"""Pairs of documents of a query, and sums over their differences that never write them out."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array

_MOST_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of each query: the rows of the better and of the worse document.

    In `tied` pairs neither document is better; `better` is the one that comes first in the data.
    The differences D of the features have a row per pair. D v, D' u and D' diag(t) D are computed
    from a row per document only.
    """

    data: RankingData
    better: Array
    worse: Array

    @cached_property
    def query(self) -> Array:
        """The number of each pair's query."""
        return self.data.number[self.better]

    @cached_property
    def tied(self) -> Array:
        """Which pairs have equal grades."""
        grade = self.data.grade
        equal: Array = grade[self.better] == grade[self.worse]
        return equal

    def weights_by_query(self) -> Array:
        """The weight of a pair of each query with which all queries count the same."""
        counts = np.bincount(self.query, minlength=len(self.data.queries))
        mean_number = len(self.query) / np.count_nonzero(counts)
        weights: Array = mean_number / np.maximum(counts, 1)
        return weights

    def of_query(self, values: Any) -> Array:
        """For each pair the value of its query; `values` is a number, or one per query."""
        number_of_queries = len(self.data.queries)
        numbers = np.asarray(values, dtype=np.float64)
        by_query = np.broadcast_to(numbers, number_of_queries)
        return by_query[self.query]

    def margin(self, scores: Array) -> Array:
        """By how much the better document's score is above the worse one's."""
        difference: Array = scores[self.better] - scores[self.worse]
        return difference

    def times(self, weights: Array) -> Array:
        """D v: by how much the better document's w . x is above the worse one's."""
        return self.margin(self.data.features @ weights)

    def summed(self, values: Array) -> Array:
        """D' u: the sum of the differences, each times its value."""
        n = len(self.data.features)
        as_better = np.bincount(self.better, values, n)
        as_worse = np.bincount(self.worse, values, n)
        summed: Array = self.data.features.T @ (as_better - as_worse)
        return summed

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """Where each query's square table of pairs begins in a row of all, and each pair's cell."""
        sizes = np.diff(self.data.starts)
        ends = np.cumsum(sizes**2)
        corner = np.concatenate([[0], ends])
        q = self.query
        begin = self.data.starts[q]
        line = self.better - begin
        before = line * sizes[q]
        cell = corner[q] + before + self.worse - begin
        return corner, cell

    def squared(self, values: Array) -> Array:
        """D' diag(t) D: the sum of the differences' outer products, each times its value."""
        m = self.data.features.shape[1]
        squared = np.zeros((m, m))
        corner, cell = self._cells
        cells = np.bincount(cell, values, corner[-1])
        for q, rows in enumerate(self.data.rows_of_queries):
            table = self.data.features[rows]
            n = len(table)
            of_query = cells[corner[q] : corner[q + 1]]
            one_way = of_query.reshape(n, n)
            between = one_way + one_way.T
            degree = between.sum(axis=1)
            difference = degree[:, None] * table - between @ table
            squared += table.T @ difference
        return squared


def pairs_of(data: RankingData, *, ties: bool = False) -> Pairs:
    """A preference pair is two documents of a query, the first with the higher grade.

    With `ties`, pairs of equal grades are included, each once.
    """
    better = []
    worse = []
    for rows in data.rows_of_queries:
        grade = data.grade[rows]
        is_pair = grade[:, None] > grade[None, :]
        if ties:
            equal = grade[:, None] == grade[None, :]
            is_pair |= np.triu(equal, 1)
        i, j = np.nonzero(is_pair)
        better.append(i + rows.start)
        worse.append(j + rows.start)
    return Pairs(
        data,
        np.concatenate(better),
        np.concatenate(worse),
    )


def pairs_to_learn_from(data: RankingData, *, ties: bool = False) -> Pairs:
    """The pairs of the data; an error if there is none, or if there are too many."""
    pairs = pairs_of(data, ties=ties)
    n = len(pairs.query)
    if pairs.tied.all():
        raise InputError(
            "no query has two documents of different grades, so there is no pair to learn from"
        )
    if n > _MOST_PAIRS:
        raise InputError(
            f"the data make {n} pairs, more than the {_MOST_PAIRS} that fit; take fewer documents "
            "per query"
        )
    return pairs
