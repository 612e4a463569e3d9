"""The measures that trec_eval calls experimental, as its source defines them; no paper does.

They are here for programs that call pytrec_eval and ask for `all_trec`. Each takes the gains of the
retrieved documents in order (0 for a document that is not judged) and the gains of all judged
documents that have one, the largest first.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import log2


def binary_g(relevant: Sequence[bool], in_all: int) -> float:
    """Binary G is the mean, over relevant documents, of 1 / log2(2 + documents wasted before it).

    `in_all` is R, the number of relevant documents. Between 0 and 1. Source: trec_eval 9, m_binG.c.

    >>> binary_g([True, False, True], 2)
    0.8154648767857288
    """
    wasted = 0
    total = 0.0
    for is_relevant in relevant:
        if is_relevant:
            total += 1 / log2(2 + wasted)
        else:
            wasted += 1
    return total / in_all if in_all else 0.0


def g(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """G is the gain of each document over log2 of how far the ranking is behind the ideal, summed.

    The distance is the gain of the ideal ranking so far, where each rank costs at least 1, less the
    gain of the ranking so far, plus 2. The sum is divided by the gain of all documents. Between 0
    and 1. Source: trec_eval 9, m_G.c.

    >>> g([1, 0, 1], [1, 1])
    0.8154648767857288
    """
    if not ideal:
        return 0.0
    cost = 0.0
    gained = 0.0
    total = 0.0
    for i, gain in enumerate(gains):
        gained += gain
        best_here = ideal[i] if i < len(ideal) else 1.0
        cost += max(best_here, 1.0)
        behind = cost - gained
        total += gain / log2(2 + behind)
    return total / sum(ideal)


def ndcg_at_relevant(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """The mean of nDCG at the rank of each document with a gain.

    A document that was not retrieved counts as one at the end of the ranking, with all of the ideal
    ranking. Between 0 and 1. Source: trec_eval 9, m_ndcg_rel.c.

    >>> ndcg_at_relevant([0, 1], [1, 1])
    0.386...
    """
    if not ideal:
        return 0.0
    actual = _dcg_down_to_each(gains)
    best = _dcg_down_to_each(ideal)
    in_all = len(ideal)
    total = 0.0
    retrieved = 0
    for i, gain in enumerate(gains, 1):
        if gain > 0:
            rank_of_ideal = min(i, in_all)
            total += actual[i] / best[rank_of_ideal]
            retrieved += 1
    at_the_end = actual[-1] / best[-1]
    total += (in_all - retrieved) * at_the_end
    return total / in_all


def ndcg_at_levels(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """The mean of nDCG at the ranks where the gain of the ideal ranking falls.

    With two documents of gain 3 and one of gain 1 these are ranks 2 and 3, and the last rank, if
    the ranking goes on for more than one rank below. Between 0 and 1. Source: trec_eval 9,
    m_Rndcg.c.

    >>> ndcg_at_levels([0, 1], [1, 1])
    0.386...
    """
    if not ideal:
        return 0.0
    actual = _dcg_down_to_each(gains)
    best = _dcg_down_to_each(ideal)
    falls = []
    for rank, (higher, lower) in enumerate(pairwise([*ideal, 0.0]), 1):
        if higher != lower:
            falls.append(rank)
    end = len(gains)
    total = 0.0
    for rank in falls:
        so_far = actual[min(rank, end)]
        total += so_far / best[rank]
    points = len(falls)
    if end > len(ideal) + 1:
        total += actual[end] / best[-1]
        points += 1
    return total / points


def _dcg_down_to_each(gains: Sequence[float]) -> list[float]:
    """The discounted gain of no document, of the first, of the first two, and so on."""
    sums = [0.0]
    for rank, gain in enumerate(gains, 1):
        sums.append(sums[-1] + gain / log2(rank + 1))
    return sums
