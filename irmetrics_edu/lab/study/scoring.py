"""Scores of many users' lists at once, from arrays: a study has billions of pairs of items.

Recall and nDCG are the kernels' own. The others follow the definitions of their metrics, and
`tests/study` compares them list by list. DCC, FDCC and DILAD are kept as polynomials in their
discount coefficient. So their value for any coefficient needs no second look at the lists.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.recommendation import frequency_weight
from irmetrics_edu.metrics.set_based import precision, recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranked_rows import Rows

ACCURACY = ("Recall", "nDCG")
DIVERSITY = ("CC", "ILAD", "ILMD")
AWARE = ("DCC", "FDCC", "DILAD")
METRICS = (*ACCURACY, *DIVERSITY, *AWARE)
# Each accuracy-aware metric and the one that it corrects.
CORRECTS = {"DCC": "CC", "FDCC": "CC", "DILAD": "ILAD"}
BASE_OF_FDCC = 2
_CELLS = 1_000_000  # distances held at a time


# The values of a metric at a cut-off, with a line for each user.
Table = dict[tuple[str, int], Array]
# A table of `ListScores` and a metric, and these with a cut-off.
Score = tuple[str, str]
ListScore = tuple[str, str, int]


@dataclass(frozen=True)
class ListScores:
    """The scores of one ranker's lists, by metric and cut-off, a number for each user.

    `whole` judges all of a list, `effective` only its hits. `curves` hold the coefficients of the
    polynomials, constant first, a line for each user. `hits` counts the hits of all lists.
    """

    whole: Table
    effective: Table
    curves: Table
    hits: dict[int, int]


@dataclass(frozen=True, eq=False)
class ListJudgments:
    """The judgments of lists: the users' relevant items, the items' categories and vectors.

    `unit` has a line for each item, a vector of length 1.
    """

    data: Interactions
    unit: Array

    @cached_property
    def users(self) -> Array:
        """The numbers of the users who have relevant items."""
        return self.data.users_with("test")

    @cached_property
    def _relevant(self) -> tuple[Array, Array]:
        """The lines of users and their relevant items, by line."""
        user, item = self.data.pairs["test"].T
        line = np.searchsorted(self.users, user)
        order = np.argsort(line, kind="stable")
        rising_line = line[order]
        return rising_line, item[order]

    @cached_property
    def _has(self) -> Array:
        """Which categories an item has; the last line is that of no item."""
        categories: set[object] = set()
        for of_item in self.data.categories.values():
            categories.update(of_item)
        names = sorted(categories, key=str)
        column = {name: number for number, name in enumerate(names)}
        lines = len(self.data.items) + 1
        shape = (lines, len(names))
        has = np.zeros(shape, dtype=bool)
        for i, item in enumerate(self.data.items):
            for name in self.data.categories[item]:
                has[i, column[name]] = True
        return has

    @cached_property
    def _vectors(self) -> Array:
        """The vectors of items; the last line is that of no item."""
        of_no_item = np.zeros(self.unit.shape[1])
        return np.vstack([self.unit, of_no_item])

    def scores(self, items: Array, cutoffs: Sequence[int]) -> ListScores:
        """The scores of lists, a line of item numbers for each user, -1 beyond the end of a list.

        A list of fewer than two items, or hits, has no distance: its ILAD and ILMD are 0.
        """
        hits = np.zeros(items.shape, dtype=bool)
        scores: dict[ListScore, list[Array]] = {}
        for block in _blocks(*items.shape):
            marks = self._marks(items[block], block)
            hits[block] = marks.hit
            for k in cutoffs:
                at_k = marks.top(k)
                of_block = _of_categories(at_k) | _of_distances(at_k)
                for (table, metric), values in of_block.items():
                    parts = scores.setdefault((table, metric, k), [])
                    parts.append(values)
        whole: Table = {}
        tables = {"whole": whole, "effective": {}, "curve": {}}
        for (table, metric, k), parts in scores.items():
            of_all_users = np.concatenate(parts)
            tables[table][metric, k] = of_all_users
        ranked = self._ranked(items, hits)
        number_of_hits = {}
        for k in cutoffs:
            recall_of_users = recall.measured(ranked, k)
            ndcg_of_users = ndcg.measured(ranked, k)
            whole["Recall", k] = recall_of_users.score
            whole["nDCG", k] = ndcg_of_users.score
            working = precision.measured(ranked, k)
            retrieved = working["relevant retrieved"].sum()
            number_of_hits[k] = int(np.rint(retrieved))
        return ListScores(
            whole,
            tables["effective"],
            tables["curve"],
            number_of_hits,
        )

    def _marks(self, items: Array, block: slice) -> "_Marks":
        """What is known of the lists of a block of users."""
        line, item = self._relevant
        ends = [block.start, block.stop]
        first, last = np.searchsorted(line, ends)
        user = line[first:last] - block.start
        wanted = item[first:last]
        users = len(items)
        items_and_none, categories = self._has.shape
        relevant = np.zeros((users, items_and_none), dtype=bool)
        relevant[user, wanted] = True
        frequency = np.zeros((users, categories), dtype=np.intp)
        np.add.at(
            frequency,
            user,
            self._has[wanted],
        )
        there = items >= 0
        return _Marks(
            there=there,
            hit=np.take_along_axis(relevant, items, axis=1),
            has=self._has[items],
            frequency=frequency,
            apart=_distances(self._vectors[items], there),
        )

    def _ranked(self, items: Array, hit: Array) -> Rows:
        """The rows of the hits, and the pools: for metrics of rankings."""
        line, place = np.nonzero(hit)
        ones = np.ones(len(line))
        pool, _ = self._relevant
        users = [self.data.users[user] for user in self.users.tolist()]
        rank = (place + 1).astype(np.float64)
        retrieved = (items >= 0).sum(axis=1)
        return Rows(
            query=line,
            rank=rank,
            grade=ones,
            judged=ones.astype(bool),
            retrieved=retrieved,
            pool_query=pool,
            pool_grade=np.ones(len(pool)),
            queries=users,
        )


class _Marks(NamedTuple):
    """Lists of a block of users: a line for each user, then a column for each place of the list."""

    there: Array  # whether the list is that long
    hit: Array
    has: Array  # the categories of each item
    frequency: Array  # of each category among the user's relevant items: no column for a place
    apart: Array  # the distances of all pairs of places

    def top(self, k: int) -> "_Marks":
        """The first k places."""
        return _Marks(
            there=self.there[:, :k],
            hit=self.hit[:, :k],
            has=self.has[:, :k],
            frequency=self.frequency,
            apart=self.apart[:, :k, :k],
        )


def _blocks(n: int, width: int) -> Iterator[slice]:
    """The users in blocks, so that the distances of a block fit into memory."""
    pairs = max(1, width * width)
    step = max(1, _CELLS // pairs)
    for start in range(0, n, step):
        yield slice(start, min(n, start + step))


def _distances(vectors: Array, there: Array) -> Array:
    """1 less the cosine for each pair of a list; 0 beyond its end, and of an item to itself."""
    cosines = vectors @ vectors.transpose(0, 2, 1)
    apart: Array = 1 - np.clip(cosines, -1, 1)
    one = there[:, :, None]
    other = there[:, None, :]
    both_there = one & other
    apart[~both_there] = 0
    diagonal = np.arange(apart.shape[1])
    apart[:, diagonal, diagonal] = 0
    return apart


def _of_categories(marks: _Marks) -> dict[Score, Array]:
    """CC of the list and of its hits, DCC and FDCC as a line in alpha."""
    n = marks.has.shape[2]
    hit = marks.hit[:, :, None]
    of_hits = (marks.has & hit).any(axis=1)
    of_rest = (marks.has & ~hit).any(axis=1)
    weight = np.zeros(marks.frequency.shape)
    for frequency in np.unique(marks.frequency[of_hits]).tolist():
        as_often = of_hits & (marks.frequency == frequency)
        weight[as_often] = frequency_weight(frequency, BASE_OF_FDCC)
    covered = (of_hits | of_rest).sum(axis=1) / n
    covered_by_hits = of_hits.sum(axis=1) / n
    covered_by_rest = of_rest.sum(axis=1) / n
    weighted = weight.sum(axis=1) / n
    dcc = np.stack([covered_by_hits, covered_by_rest], axis=1)
    fdcc = np.stack([weighted, covered_by_rest], axis=1)
    return {
        ("whole", "CC"): covered,
        ("effective", "CC"): covered_by_hits,
        ("curve", "DCC"): dcc,
        ("curve", "FDCC"): fdcc,
    }


def _of_distances(marks: _Marks) -> dict[Score, Array]:
    """ILAD and ILMD of the list and of its hits, DILAD as a polynomial of degree 2 in beta."""
    apart = marks.apart
    hit = marks.hit
    apart_of_hits = np.where(hit[:, None, :], apart, 0)
    to_hits = apart_of_hits.sum(axis=2)
    total = apart.sum(axis=(1, 2))
    among = np.where(hit, to_hits, 0).sum(axis=1)
    of_others = np.where(hit, 0, to_hits)
    across = 2 * of_others.sum(axis=1)
    size = marks.there.sum(axis=1)
    hits = hit.sum(axis=1)
    pairs = size * (size - 1)
    pairs_of_hits = hits * (hits - 1)
    rest = total - among - across
    curve = np.stack([among, across, rest], axis=1)
    nearest = _nearest(apart, marks.there)
    nearest_hits = _nearest_hits(apart, hit)
    return {
        ("whole", "ILAD"): _mean(total, pairs),
        ("whole", "ILMD"): _mean(nearest, size),
        ("effective", "ILAD"): _mean(among, pairs_of_hits),
        ("effective", "ILMD"): _mean(nearest_hits, hits),
        ("curve", "DILAD"): _mean(curve, pairs[:, None]),
    }


def _mean(total: Array, number: Array) -> Array:
    """The total over the number; 0 where there is nothing."""
    share: Array = total / np.maximum(number, 1)
    return np.where(number > 0, share, 0.0)


def _nearest(apart: Array, member: Array) -> Array:
    """The distances of the members to the nearest other one, summed; 0 of fewer than two."""
    is_member = member[:, None, :]
    beside = np.where(is_member, apart, np.inf)
    diagonal = np.arange(apart.shape[1])
    beside[:, diagonal, diagonal] = np.inf
    least = beside.min(axis=2)
    has_other = np.isfinite(least)
    distances = np.where(member & has_other, least, 0)
    summed: Array = distances.sum(axis=1)
    return summed


def _nearest_hits(apart: Array, hit: Array) -> Array:
    """The same of the hits alone; few lists have two."""
    summed = np.zeros(len(apart))
    several = hit.sum(axis=1) > 1
    if several.any():
        summed[several] = _nearest(
            apart[several],
            hit[several],
        )
    return summed
