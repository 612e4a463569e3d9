"""Made-up test collections with two versions of an engine: the same in truth, or one worse.

relevant documents at ranks that scatter -> two versions of each ranking -> scores by measure
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from irmetrics_edu.numbers import Array

MEASURES = ("nDCG@10", "RR@10", "AP", "Success@1")
DOCUMENTS = 6  # relevant ones that a query has at most
DEPTH = 100  # ranks that are retrieved
TOUCHED = 0.4  # share of queries whose ranking a new version changes at all
_CALIBRATED = 40_000  # queries by which the size of a fall is set
_CENTRE, _EASE, _SPREAD, _JITTER = 1.2, 1.6, 1.0, 0.7


@dataclass(frozen=True)
class World:
    """How the second version differs: documents lower by a factor, or queries that find nothing.

    `lower` is added to the logarithm of each relevant rank in a query that is touched; `broken`
    is the share of queries that lose everything.
    """

    lower: float = 0.0
    broken: float = 0.0

    def scores(self, n: int, chance: np.random.Generator) -> tuple[Array, Array]:
        """Scores of both versions: a row for each of n queries, a column for each measure."""
        have = np.minimum(chance.geometric(0.45, n), DOCUMENTS)
        exists = np.arange(DOCUMENTS) < have[:, None]
        grade = np.where(exists, chance.choice([1, 2, 3], (n, DOCUMENTS), p=[0.5, 0.3, 0.2]), 0)
        ease = chance.normal(_CENTRE, _EASE, (n, 1))
        place = ease + chance.normal(0, _SPREAD, (n, DOCUMENTS))
        touched = chance.random((n, 1)) < TOUCHED
        both = []
        for lower in (0.0, self.lower):
            moved = chance.normal(0, _JITTER, (n, DOCUMENTS)) + lower
            both.append(_scores(_ranks(place + np.where(touched, moved, 0.0), exists), grade))
        both[1][chance.random(n) < self.broken] = 0.0
        return both[0], both[1]


def _ranks(place: Array, exists: Array) -> Array:
    """Whole ranks, each given once in a query; infinite for a document that is not retrieved."""
    rank = np.where(exists, np.floor(np.exp(np.clip(place, 0, 9))), np.inf)
    order = np.argsort(rank, axis=1, kind="stable")
    rising = np.take_along_axis(rank, order, axis=1)
    for i in range(1, DOCUMENTS):
        rising[:, i] = np.maximum(rising[:, i], rising[:, i - 1] + 1)
    rising[rising > DEPTH] = np.inf
    out = np.empty_like(rising)
    np.put_along_axis(out, order, rising, axis=1)
    return out


def _scores(rank: Array, grade: Array) -> Array:
    """nDCG@10, RR@10, AP and Success@1 of each query, to six digits, as a baseline keeps them."""
    top = rank <= 10
    gained = np.where(top, grade / np.log2(np.where(top, rank, 1) + 1), 0).sum(axis=1)
    best = -np.sort(-grade, axis=1) / np.log2(np.arange(DOCUMENTS) + 2)
    first = rank.min(axis=1)
    rising = np.sort(rank, axis=1)
    precision = (np.arange(DOCUMENTS) + 1) / rising  # 0 for what is not retrieved
    columns = (
        gained / best.sum(axis=1),
        np.where(first <= 10, 1 / first, 0.0),
        precision.sum(axis=1) / (grade > 0).sum(axis=1),
        (first == 1) * 1.0,
    )
    return np.round(np.stack(columns, axis=1), 6)


@cache
def falling(kind: str, drop: float) -> World:
    """A world where nDCG@10 falls by `drop` in the mean: many queries a little, or a few to 0."""
    if not drop:
        return World()

    def fell(world: World) -> float:
        before, after = world.scores(_CALIBRATED, np.random.default_rng(7))
        return float((before - after)[:, 0].mean())

    low, high = 0.0, 1.0 if kind == "broken" else 8.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if fell(World(**{kind: middle})) < drop else (low, middle)
    return World(**{kind: high})


def by_query(scores: Array, names: tuple[str, ...]) -> dict[str, Mapping[int, float]]:
    """The columns of these measures, as the gate takes them."""
    return {name: dict(enumerate(scores[:, MEASURES.index(name)].tolist())) for name in names}
