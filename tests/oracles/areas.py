"""MCC as a correlation of two columns, AWRF from the definition."""

import math
from collections.abc import Sequence


def correlation(retrieved: Sequence[int], relevant: Sequence[int]) -> float:
    """Pearson's correlation of two columns of 0 and 1; 0 where one is constant."""
    n = len(retrieved)
    mean, other = sum(retrieved) / n, sum(relevant) / n
    both = sum((x - mean) * (y - other) for x, y in zip(retrieved, relevant, strict=True))
    spread = sum((x - mean) ** 2 for x in retrieved) * sum((y - other) ** 2 for y in relevant)
    return both / math.sqrt(spread) if spread else 0.0


def awrf(
    items: Sequence[str], groups: dict[str, set[str]], due: dict[str, float], p: float
) -> float:
    """1 - half the two Kullback-Leibler divergences from the middle."""
    got = dict.fromkeys(due, 0.0)
    for rank, item in enumerate(items, 1):
        for group in groups[item]:
            got[group] += (1 - p) * p ** (rank - 1) / len(groups[item])
    whole = sum(got.values())
    divergence = 0.0
    for group, share in due.items():
        e = got[group] / whole
        middle = (e + share) / 2
        divergence += sum(x * math.log2(x / middle) / 2 for x in (e, share) if x)
    return 1 - divergence
