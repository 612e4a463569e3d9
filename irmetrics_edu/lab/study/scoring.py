"""Scores of many users' lists at once, from arrays: a study has billions of pairs of items.

Recall and nDCG are the kernels' own. The others follow the definitions of their metrics, and
`tests/study` compares them list by list. DCC, FDCC and DILAD are kept as polynomials in their
discount coefficient. So their value for any coefficient needs no second look at the lists.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

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


@dataclass(frozen=True)
class ListScores:
    """The scores of one ranker's lists, by metric and cut-off, a number for each user.

    `whole` judges all of a list, `effective` only its hits. `curves` hold the coefficients of the
    polynomials, constant first, a line for each user. `hits` counts the hits of all lists.
    """

    whole: dict[tuple[str, int], Array]
    effective: dict[tuple[str, int], Array]
    curves: dict[tuple[str, int], Array]
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
        return line[order], item[order]

    @cached_property
    def _has(self) -> Array:
        """Which categories an item has; the last line is that of no item."""
        names = sorted(frozenset().union(*self.data.categories.values()), key=str)
        column = {name: c for c, name in enumerate(names)}
        out = np.zeros((len(self.data.items) + 1, len(names)), dtype=bool)
        for i, item in enumerate(self.data.items):
            out[i, [column[name] for name in self.data.categories[item]]] = True
        return out

    def scores(self, items: Array, cutoffs: Sequence[int]) -> ListScores:
        """The scores of lists, a line of item numbers for each user, -1 beyond the end of a list.

        A list of fewer than two items, or hits, has no distance: its ILAD and ILMD are 0.
        """
        line, item = self._relevant
        n, width = items.shape
        hit = np.zeros((n, width), dtype=bool)
        parts: list[dict[tuple[str, str, int], Array]] = []
        vectors = np.vstack([self.unit, np.zeros(self.unit.shape[1])])
        for block in _blocks(n, width):
            first, last = np.searchsorted(line, [block.start, block.stop])
            own = line[first:last] - block.start
            wanted = item[first:last]
            here = items[block]
            marked = np.zeros((len(here), len(self.data.items) + 1), dtype=bool)
            marked[own, wanted] = True
            hit[block] = np.take_along_axis(marked, here, axis=1)
            frequency = np.zeros((len(here), self._has.shape[1]), dtype=np.intp)
            np.add.at(frequency, own, self._has[wanted])
            apart = _distances(vectors[here], here >= 0)
            parts.append({})
            for k in cutoffs:
                top = here[:, :k] >= 0
                of_top = hit[block][:, :k]
                found = _of_categories(self._has[here[:, :k]], of_top, frequency)
                found |= _of_distances(apart[:, :k, :k], top, of_top)
                parts[-1] |= {(*name, k): values for name, values in found.items()}
        whole: dict[tuple[str, int], Array] = {}
        tables = {"whole": whole, "effective": {}, "curve": {}}
        for table, metric, k in parts[0]:
            tables[table][metric, k] = np.concatenate([p[table, metric, k] for p in parts])
        ranked = self._ranked(items, hit)
        hits = {}
        for k in cutoffs:
            whole["Recall", k] = recall.measured(ranked, k).score
            whole["nDCG", k] = ndcg.measured(ranked, k).score
            found_at = precision.measured(ranked, k)["relevant retrieved"]
            hits[k] = int(np.rint(found_at.sum()))
        return ListScores(
            whole,
            tables["effective"],
            tables["curve"],
            hits,
        )

    def _ranked(self, items: Array, hit: Array) -> Rows:
        """The rows of the hits, and the pools: for metrics of rankings."""
        line, place = np.nonzero(hit)
        ones = np.ones(len(line))
        return Rows(
            query=line,
            rank=(place + 1).astype(np.float64),
            grade=ones,
            judged=ones.astype(bool),
            retrieved=(items >= 0).sum(axis=1),
            pool_query=self._relevant[0],
            pool_grade=np.ones(len(self._relevant[0])),
            queries=[self.data.users[u] for u in self.users.tolist()],
        )


def _blocks(n: int, width: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, width * width))
    yield from (slice(start, min(n, start + step)) for start in range(0, n, step))


def _distances(vectors: Array, there: Array) -> Array:
    """1 less the cosine for each pair of a list; 0 beyond its end, and of an item to itself."""
    apart: Array = 1 - np.clip(vectors @ vectors.transpose(0, 2, 1), -1, 1)
    apart[~(there[:, :, None] & there[:, None, :])] = 0
    diagonal = np.arange(apart.shape[1])
    apart[:, diagonal, diagonal] = 0
    return apart


def _of_categories(has: Array, hit: Array, frequency: Array) -> dict[tuple[str, str], Array]:
    """CC of the list and of its hits, DCC and FDCC as a line in alpha."""
    n = has.shape[2]
    hits = (has & hit[:, :, None]).any(axis=1)
    rest = (has & ~hit[:, :, None]).any(axis=1)
    weight = np.zeros(frequency.shape)
    for f in np.unique(frequency[hits]).tolist():
        weight[hits & (frequency == f)] = frequency_weight(f, BASE_OF_FDCC)
    of_rest = rest.sum(axis=1) / n
    return {
        ("whole", "CC"): (hits | rest).sum(axis=1) / n,
        ("effective", "CC"): hits.sum(axis=1) / n,
        ("curve", "DCC"): np.stack([hits.sum(axis=1) / n, of_rest], axis=1),
        ("curve", "FDCC"): np.stack([weight.sum(axis=1) / n, of_rest], axis=1),
    }


def _of_distances(apart: Array, there: Array, hit: Array) -> dict[tuple[str, str], Array]:
    """ILAD and ILMD of the list and of its hits, DILAD as a polynomial of degree 2 in beta."""
    to_hits = np.where(hit[:, None, :], apart, 0).sum(axis=2)
    total = apart.sum(axis=(1, 2))
    among = np.where(hit, to_hits, 0).sum(axis=1)
    across = 2 * np.where(hit, 0, to_hits).sum(axis=1)
    size = there.sum(axis=1)
    few = hit.sum(axis=1)
    curve = np.stack([among, across, total - among - across], axis=1)
    return {
        ("whole", "ILAD"): _mean(total, size * (size - 1)),
        ("whole", "ILMD"): _mean(_nearest(apart, there), size),
        ("effective", "ILAD"): _mean(among, few * (few - 1)),
        ("effective", "ILMD"): _mean(_nearest_hits(apart, hit), few),
        ("curve", "DILAD"): _mean(curve, (size * (size - 1))[:, None]),
    }


def _mean(total: Array, number: Array) -> Array:
    out: Array = np.where(number > 0, total / np.maximum(number, 1), 0.0)
    return out


def _nearest(apart: Array, member: Array) -> Array:
    """The distances of the members to the nearest other one, summed; 0 of fewer than two."""
    beside = np.where(member[:, None, :], apart, np.inf)
    diagonal = np.arange(apart.shape[1])
    beside[:, diagonal, diagonal] = np.inf
    least = beside.min(axis=2)
    out: Array = np.where(member & np.isfinite(least), least, 0).sum(axis=1)
    return out


def _nearest_hits(apart: Array, hit: Array) -> Array:
    """The same of the hits alone; few lists have two."""
    out = np.zeros(len(apart))
    several = hit.sum(axis=1) > 1
    if several.any():
        out[several] = _nearest(apart[several], hit[several])
    return out
