"""Formulas that nobody has, to see how easily a number gets a name by chance.

Each is shaped like the measure, with a gain, a discount or a divisor that no library and no mistake
of the catalogue has. Where many of them meet a number that was tried, a name says little.
"""

import itertools
from collections.abc import Iterator

import numpy as np

from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.ranked_rows import Rows

_POWERS_OF_GAIN = (0.6, 0.8, 1.3, 1.7, 2.4)
_STARTS = (1.3, 1.6, 2.5, 3.4)  # of the logarithm at rank 0
_MORE_HITS = (0.0, 0.5)
_MORE_RANKS = (0.5, 2.0)
_MORE_RELEVANT = (0.0, 0.5, 2.0)
_POWERS_OF_RANK = (0.5, 1.0, 1.5, 2.0)
_LATER = (0.5, 2.0, 3.0)
_MORE_FOUND = (0.0, 1.0)
_MORE_LOOKED_AT = (1.0, 2.0, 3.0)
_POWERS_OF_SHARE = (0.5, 1.0, 2.0)


def invented_means(search: Search) -> list[float]:
    """The mean over queries by each invented formula; none where the measure has no shape here."""
    if search.chosen.metric.inputs is not RANKED:
        return []
    metric = search.chosen.metric
    rel = float(metric.params.get("rel", 1))
    try:
        shaped = _Shaped(search.rows(), metric.k, rel)
    except InputError:  # a document that is ranked twice, a grade between 0 and 1
        return []
    if not shaped.has_queries:
        return []
    return [float(np.mean(scores)) for scores in shaped.like(metric.name)]


class _Shaped:
    """The scores of each query by invented formulas."""

    def __init__(
        self,
        rows: Rows,
        k: int | None,
        rel: float,
    ) -> None:
        self._top = rows.top(k)
        self._best = rows.ideal().top(k)
        self._hit = self._top.relevance(rel)
        self._found = self._top.total(self._hit)
        self._relevant = rows.relevant(rel).astype(float)
        self._looked_at = rows.depth(k).astype(float)

    @property
    def has_queries(self) -> bool:
        """Whether there is a score at all."""
        return len(self._found) > 0

    def like(self, name: str) -> Iterator[Array]:
        """The scores by all formulas that are like a measure."""
        if name in ("nDCG", "DCG"):
            yield from self._discounted(divided=name == "nDCG")
        if name == "AP":
            yield from self._averaged()
        if name == "RR":
            yield from self._of_the_first()
        if name == "P":
            yield from self._shares(self._found, self._looked_at)
        if name == "R":
            yield from self._shares(self._found, self._relevant)
        if name == "Rprec":
            yield from self._shares(self._down_to_the_relevant(), self._relevant)
        if name == "F":
            yield from self._shares(self._found, self._looked_at + self._relevant)

    def _discounted(self, *, divided: bool) -> Iterator[Array]:
        """A power of the grade as gain, and a logarithm that starts elsewhere."""
        for power, start in itertools.product(_POWERS_OF_GAIN, _STARTS):
            gained = _gained(self._top, power, start)
            if not divided:
                yield gained
                continue
            best = _gained(self._best, power, start)
            yield self._top.ratio(gained, best)

    def _averaged(self) -> Iterator[Array]:
        """Something added to the hits, to the ranks and to the divisor of AP."""
        top = self._top
        so_far = _so_far(top, self._hit)
        for hits, ranks, more in itertools.product(_MORE_HITS, _MORE_RANKS, _MORE_RELEVANT):
            precision = (so_far + hits) / (top.rank + ranks)
            whole = top.total(self._hit * precision)
            yield top.ratio(whole, self._relevant + more)

    def _of_the_first(self) -> Iterator[Array]:
        """Another power of the first relevant rank, or a rank that is further off."""
        first = np.full(self._top.n, np.inf)
        hits = self._hit > 0
        np.minimum.at(first, self._top.query[hits], self._top.rank[hits])
        for power, more in itertools.product(_POWERS_OF_RANK, _LATER):
            yield (first + more) ** -power

    def _down_to_the_relevant(self) -> Array:
        """The hits of each query down to rank R, its number of relevant documents."""
        last = self._relevant[self._top.query]
        is_above = self._top.rank <= last
        return self._top.total(self._hit * is_above)

    def _shares(self, hits: Array, looked_at: Array) -> Iterator[Array]:
        """Smoothed counts, or a power of their quotient."""
        for more_found, more, power in itertools.product(
            _MORE_FOUND, _MORE_LOOKED_AT, _POWERS_OF_SHARE
        ):
            yield ((hits + more_found) / (looked_at + more)) ** power


def _gained(rows: Rows, power: float, start: float) -> Array:
    worth = np.maximum(rows.grade, 0.0) ** power
    whole: Array = rows.total(worth / np.log2(rows.rank + start))
    return whole


def _so_far(rows: Rows, hit: Array) -> Array:
    """The hits down to each row, of its own query."""
    running = np.cumsum(hit)
    of_query = rows.total(hit)
    before = np.cumsum(of_query) - of_query
    counted: Array = running - before[rows.query]
    return counted
