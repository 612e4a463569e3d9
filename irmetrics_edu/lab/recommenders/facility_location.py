"""Which neighbours represent the others: facility location, maximised greedily.

f(S) = sum over i in N of max over j in S of sim(i, j)

Every neighbour is represented by the chosen one that is most like it. f is submodular, so the
greedy choice is worth at least 1 - 1/e of the best (Nemhauser, Wolsey & Fisher 1978).
"""

from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.whole_numbers import whole
from irmetrics_edu.near_ties import best
from irmetrics_edu.numbers import Array

_CELLS = 50_000  # similarities held at a time, as many as a processor keeps near


def facility_location(similarity: Any, chosen: Any) -> float:
    """The facility location of a set is the sum, over all, of the similarity to its most similar.

    `similarity` is a square table of numbers at least 0; the empty set is worth 0.

    >>> facility_location([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]], [0, 2])
    2.5
    """
    table = _square(similarity)
    places = list(chosen)
    return float(table[:, places].max(axis=1).sum()) if places else 0.0


def greedy_selection(similarity: Any, k: int) -> list[int]:
    """The greedy selection adds, k times, the item that raises the facility location the most.

    If items are equal but for rounding (`near_ties`), the first is taken. This happens often: of
    two items that are nearest to each other, each represents both equally well.

    >>> greedy_selection([[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]], 2)
    [1, 2]
    """
    table = _square(similarity)
    k = whole("k", k, 1, len(table), why=", the number of items")
    return [int(place) for place in _greedy(table[None], k)[0]]


def _square(similarity: Any) -> Array:
    table = np.asarray(similarity, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not len(table):
        raise InputError(f"the similarities have the shape {table.shape}; give a square table")
    if not (table >= 0).all():
        raise InputError("a similarity is negative or not a number; facility location needs 0 up")
    return table


def _greedy(similarity: Array, k: int) -> Array:
    """The choices for many tables at once: a line of k places for each."""
    served = np.zeros((len(similarity), 1, similarity.shape[2]))
    scale = similarity.sum(axis=2).max(axis=1)  # a gain is what is left of such a sum
    places = np.empty((len(similarity), k), dtype=np.intp)
    lines = np.arange(len(similarity))
    for step in range(k):
        gain = np.maximum(similarity - served, 0).sum(axis=2)
        gain[lines[:, None], places[:, :step]] = -np.inf  # no gain of 0 takes one twice
        places[:, step] = best(gain, scale)
        served = np.maximum(served, similarity[lines, places[:, step]][:, None])
    return places


def similarity_of(vectors: Array, sigma: float = 1.0) -> Array:
    """The similarity of two neighbours: exp(-distance / (sigma times the mean distance)).

    `vectors` has a table of vectors for each set of neighbours, and so does the result. The
    distance is Euclidean. The mean is over all pairs of the set, each item with itself too, so the
    scale of the embeddings plays no part. The authors' implementation of DGRec does the same. Equal
    vectors are at distance 0 exactly.
    """
    # From differences: inner products would put equal vectors 1e-8 of their length apart, and
    # each processor another 1e-8. The sets stand last, so that each step runs over all of them.
    by_place = np.ascontiguousarray(np.moveaxis(vectors, (-1, -2), (0, 1)))
    size = by_place.shape[1]
    square = np.zeros((size, size, *by_place.shape[2:]))
    for i in range(size - 1):
        difference = by_place[:, i + 1 :] - by_place[:, i : i + 1]
        difference *= difference
        square[i, i + 1 :] = square[i + 1 :, i] = difference.sum(axis=0)
    distance = np.ascontiguousarray(np.moveaxis(np.sqrt(square), (0, 1), (-2, -1)))
    scale = sigma * distance.mean(axis=(-2, -1), keepdims=True)
    out: Array = np.exp(-distance / np.where(scale > 0, scale, 1))
    return out


def selected(graph: Any, vectors: Array, k: int, sigma: float = 1.0) -> Any:
    """The graph with at most k neighbours left for each user: those that represent the others.

    `graph` is a sparse matrix with a line for each user. `vectors` are the items' embeddings.
    Neighbours are compared by what they send: the embedding times the weight of the interaction,
    e_i / sqrt(|N_u| |N_i|), as in the authors' implementation of DGRec. (|N_u| is the same for all
    of a user's neighbours and cancels out.) So of two items with equal embeddings the more popular
    one is nearer to 0. The neighbours that are left keep their weight: DGRec normalises by all
    neighbours.
    """
    degree = np.diff(graph.indptr)
    keep = np.ones(graph.nnz, dtype=bool)
    for size in np.unique(degree[degree > k]).tolist():
        lines = np.flatnonzero(degree == size)
        step = max(1, _CELLS // (size * size))
        for start in range(0, len(lines), step):
            places = graph.indptr[lines[start : start + step]][:, None] + np.arange(size)
            sent = vectors[graph.indices[places]] * graph.data[places][:, :, None]
            chosen = _greedy(similarity_of(sent, sigma), k)
            keep[places] = False
            keep[np.take_along_axis(places, chosen, axis=1)] = True
    out = graph.copy()
    out.data = np.where(keep, graph.data, 0.0)
    return out
