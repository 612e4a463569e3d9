"""Pairs of documents of a query, and sums over their differences that never write them out."""

from dataclasses import dataclass

import numpy as np

from irmetrics_edu.conventions import Convention, kind
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.ranking_data import RankingData
from irmetrics_edu.numbers import Array

NOTICEABLE = 0.01  # of the pairs of documents: a ranking of which more could change is refused
_MOST_PAIRS = 2_000_000


@kind
class PairWeights(Convention):
    """The weight of a preference pair."""


EQUAL = PairWeights("equal", "1", "every pair counts the same, so a query counts by its pairs")
BY_QUERY = PairWeights(
    "by_query", r"\frac{1}{n_q}", "the pairs of a query count for one together (times their mean)"
)
PairWeights.register(EQUAL, BY_QUERY)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of each query: the rows of the better and of the worse document.

    In `tied` pairs neither document is better; `better` is the one that comes first in the data.
    """

    query: Array
    better: Array
    worse: Array
    tied: Array

    def weights(self, weighing: PairWeights, queries: int) -> Array:
        """The weight of a pair of each query."""
        counts = np.bincount(self.query, minlength=queries)
        if weighing is EQUAL:
            return np.ones(queries)
        out: Array = len(self.query) / np.count_nonzero(counts) / np.maximum(counts, 1)
        return out


def pairs_of(data: RankingData, *, ties: bool = False) -> Pairs:
    """A preference pair is two documents of a query, the first with the higher grade.

    With `ties`, pairs of equal grades are included, each once.
    """
    better, worse = [], []
    for begin, end in zip(data.starts[:-1], data.starts[1:], strict=True):
        grade = data.grade[begin:end]
        found = grade[:, None] > grade[None, :]
        if ties:
            found |= np.triu(grade[:, None] == grade[None, :], 1)
        i, j = np.nonzero(found)
        better.append(i + begin)
        worse.append(j + begin)
    first, second = np.concatenate(better), np.concatenate(worse)
    return Pairs(data.number[first], first, second, data.grade[first] == data.grade[second])


def pairs_to_learn_from(data: RankingData, *, ties: bool = False) -> Pairs:
    """The pairs of the data; an error if there is none, or if there are too many."""
    found = pairs_of(data, ties=ties)
    n = len(found.query)
    if found.tied.all():
        raise InputError(
            "no query has two documents of different grades, so there is no pair to learn from"
        )
    if n > _MOST_PAIRS:
        raise InputError(
            f"the data make {n} pairs, more than the {_MOST_PAIRS} that fit; take fewer documents "
            "per query"
        )
    return found


class Differences:
    """The differences D of the features of pairs: D v, D' u and D' diag(t) D, query by query.

    D itself would have a row per pair. Its products need a row per document only.
    """

    def __init__(self, data: RankingData, pairs: Pairs) -> None:
        self.features, self.starts, self.pairs = data.features, data.starts, pairs
        sizes = np.diff(data.starts)
        self._corner = np.concatenate([[0], np.cumsum(sizes**2)])
        begin, q = data.starts[pairs.query], pairs.query
        self._cell = self._corner[q] + (pairs.better - begin) * sizes[q] + pairs.worse - begin

    def times(self, weights: Array) -> Array:
        """D v: by how much the better document's w . x is above the worse one's."""
        scores = self.features @ weights
        out: Array = scores[self.pairs.better] - scores[self.pairs.worse]
        return out

    def summed(self, values: Array) -> Array:
        """D' u: the sum of the differences, each times its value."""
        n = len(self.features)
        net = np.bincount(self.pairs.better, values, n) - np.bincount(self.pairs.worse, values, n)
        out: Array = self.features.T @ net
        return out

    def squared(self, values: Array) -> Array:
        """D' diag(t) D: the sum of the differences' outer products, each times its value."""
        m = self.features.shape[1]
        out = np.zeros((m, m))
        cells = np.bincount(self._cell, values, self._corner[-1])
        for q, (begin, end) in enumerate(zip(self.starts[:-1], self.starts[1:], strict=True)):
            n = end - begin
            between = cells[self._corner[q] : self._corner[q + 1]].reshape(n, n)
            between = between + between.T
            table = self.features[begin:end]
            out += table.T @ (between.sum(axis=1)[:, None] * table - between @ table)
        return out
