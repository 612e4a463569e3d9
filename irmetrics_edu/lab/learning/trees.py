"""Regression trees of a few levels: where to cut, and in which leaf a row ends."""

from dataclasses import dataclass

import numpy as np

from irmetrics_edu.near_ties import best, exceeds, levelled
from irmetrics_edu.numbers import Array

_MOST_BINS = 256
NEVER = float(np.finfo(np.float64).max)  # no number is above it: every row goes left


@dataclass(frozen=True, eq=False)
class Bins:
    """Each feature cut into bins: the bin of each row, and the threshold above each bin.

    Numbers closer than rounding (`near_ties`) are the same number. Rounding is at the size of the
    feature's median without zeros, which a few huge numbers don't change. A feature has a bin for
    each number, or 256 bins of about equally many rows. A threshold lies midway between two bins.
    """

    number: Array  # a row per document, a column per feature
    thresholds: Array  # a row per feature
    merged: Array  # for each feature: how many of its numbers differ and count as the same

    @classmethod
    def of(cls, features: Array) -> "Bins":
        """The bins of a table of features."""
        n, m = features.shape
        number, merged = np.zeros((n, m), dtype=np.intp), np.zeros(m, dtype=np.intp)
        edges = []
        for j in range(m):
            column = features[:, j]
            size = np.abs(column[column != 0])
            same = levelled(column, scale=np.median(size) if len(size) else 0.0)
            values, place, counts = np.unique(same, return_inverse=True, return_counts=True)
            merged[j] = len(np.unique(levelled(column))) - len(values)
            if len(values) > _MOST_BINS:
                share = (np.cumsum(counts) - counts) * _MOST_BINS // n
                of = np.unique(share, return_inverse=True)[1]
            else:
                of = np.arange(len(values))
            number[:, j] = of[place]
            last = np.flatnonzero(np.diff(of))
            edges.append(values[last] / 2 + values[last + 1] / 2)
        thresholds = np.full((m, max(1, *map(len, edges))), NEVER)
        for line, found in zip(thresholds, edges, strict=True):
            line[: len(found)] = found
        return cls(number, thresholds, merged)


def grow(bins: Bins, target: Array, depth: int, least: int) -> tuple[Array, Array, Array]:
    """A regression tree cuts the rows, level by level, so that the squared error falls most.

    Returns the feature and threshold of each node, level by level from the root, and the number of
    the leaf of each row. Node i has the children 2i + 1 (not above the threshold) and 2i + 2. A
    node is left whole if no cut lowers the error, or if each leaves fewer than `least` rows on a
    side. All its rows then go left. Of cuts that do equally well but for rounding (`near_ties`)
    the first is taken: by feature, then the lowest.

    Source: Breiman, Friedman, Olshen & Stone (1984), Classification and regression trees.
    """
    n, m = bins.number.shape
    cuts = bins.thresholds.shape[1]
    feature = np.zeros(2**depth - 1, dtype=np.intp)
    threshold = np.full(2**depth - 1, NEVER)
    node, rows = np.zeros(n, dtype=np.intp), np.arange(n)
    repeated = np.repeat(target, m)
    for level in range(depth):
        width = 2**level
        cell = ((node[:, None] * m + np.arange(m)) * (cuts + 1) + bins.number).ravel()
        room = width * m * (cuts + 1), (width, m, cuts + 1)
        count = np.bincount(cell, minlength=room[0]).reshape(room[1]).cumsum(axis=2)
        sums = np.bincount(cell, repeated, room[0]).reshape(room[1]).cumsum(axis=2)
        left, right = count[..., :-1], count[..., -1:] - count[..., :-1]
        low, high = sums[..., :-1], sums[..., -1:] - sums[..., :-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            fall = low**2 / left + high**2 / right - sums[..., -1:] ** 2 / count[..., -1:]
        fall = np.where((left >= least) & (right >= least), fall, -np.inf).reshape(width, -1)
        size = np.bincount(node, target**2, width)
        chosen = best(fall, scale=size)
        cut = exceeds(fall[np.arange(width), chosen], 0.0, size)
        by, at = np.divmod(chosen, cuts)
        place = width - 1 + np.flatnonzero(cut)
        feature[place], threshold[place] = by[cut], bins.thresholds[by[cut], at[cut]]
        node = 2 * node + (cut[node] & (bins.number[rows, by[node]] > at[node]))
    return feature, threshold, node


def leaf_of(table: Array, feature: Array, threshold: Array) -> Array:
    """The number of the leaf in which each row of a table ends."""
    node, rows = np.zeros(len(table), dtype=np.intp), np.arange(len(table))
    while len(table) and node[0] < len(feature):
        node = 2 * node + 1 + exceeds(table[rows, feature[node]], threshold[node])
    return node - len(feature)


def rule_of(leaf: int, feature: Array, threshold: Array, names: tuple[str, ...]) -> str:
    """The conditions on the way to a leaf, as text."""
    said: list[str] = []
    node = leaf + len(feature)
    while node:
        above, node = node % 2 == 0, (node - 1) // 2
        if threshold[node] != NEVER:
            sign = ">" if above else "<="
            said.append(f"{names[feature[node]]} {sign} {threshold[node]:.4g}")
    return ", ".join(reversed(said)) or "all"
