"""Documents 000 and 001: alpha-nDCG, its gain and its ideal."""

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import irmetrics_edu as ir
from irmetrics_edu.documents.example import Sides

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)

# Topics shared, repeated, alone and missing.
_TOPICS = {"d1": {"t1", "t2"}, "d2": {"t1"}, "d3": {"t1", "t3"}, "d4": set(), "d5": {"t2", "t3"}}
_RANKINGS = (["d1", "d2", "d3", "d4", "d5"], ["d4", "d3", "d5", "d2", "d1"])


def _gains(ranking: Sequence[str], topics: Any, alpha: Any) -> list[Any]:
    working = ir.alpha_dcg.working(ranking, topics, alpha=alpha, discount="none", exact=True)
    return list(working["gain"])


def first_order_gain() -> Sides:
    """Equation (5) against the linear coefficient in gamma of (4), over alpha, and the gain."""
    printed: list[Any] = []
    right: list[Any] = []
    of = []
    for ranking, alpha in product(_RANKINGS, (HALF, THIRD)):
        gains = _gains(ranking, _TOPICS, alpha)
        for k, document in enumerate(ranking, 1):
            above = [_TOPICS[d] for d in ranking[: k - 1]]
            gain = sum((1 - alpha) ** sum(t in d for d in above) for t in _TOPICS[document])
            printed += [gain, gain]
            right += [_linear_coefficient(ranking, k, alpha) / alpha, gains[k - 1]]
            place = f"{document} at {k}, alpha={alpha}"
            of += [f"first-order term, {place}", f"gain, {place}"]
    return Sides(printed, right, of)


def _linear_coefficient(ranking: Sequence[str], k: int, alpha: Fraction) -> Fraction:
    """The coefficient of gamma in the probability of relevance, a polynomial of low degree.

    Newton's divided differences through as many points as there are topics, and 0 at 0.
    """
    points = [Fraction(i, 3) for i in range(4)]  # three topics in all
    values = [
        ir.relevance_probability(ranking, _TOPICS, k=k, alpha=alpha, gamma=gamma, exact=True)
        for gamma in points
    ]
    for step in range(1, len(points)):
        for i in range(len(points) - 1, step - 1, -1):
            values[i] = (values[i] - values[i - 1]) / (points[i] - points[i - step])
    # The polynomial is the sum of values[i] (x - points[0]) ... (x - points[i-1]); points[0] is 0.
    return sum(
        (value * math.prod(-x for x in points[1:i]) for i, value in enumerate(values[1:], 1)),
        Fraction(0),
    )


def gain_without_novelty() -> Sides:
    """With alpha = 0: the gain is the number of topics; alpha-nDCG is nDCG of those numbers."""
    printed: list[Any] = []
    right: list[Any] = []
    of = []
    for ranking in _RANKINGS:
        counts = [len(_TOPICS[d]) for d in ranking]
        printed += [*counts, ir.ndcg(counts)]
        right += [*_gains(ranking, _TOPICS, 0), ir.alpha_ndcg(ranking, _TOPICS, alpha=0)]
        of += [*(f"gain of {d}" for d in ranking), "alpha-nDCG"]
    return Sides(printed, right, of)


def gain_of_new_topics_only() -> Sides:
    """With alpha = 1: the gain is the number of topics that no document above has."""
    printed, right, of = [], [], []
    for ranking in _RANKINGS:
        for k, document in enumerate(ranking):
            seen = set().union(*(_TOPICS[d] for d in ranking[:k]))
            printed.append(len(_TOPICS[document] - seen))
            of.append(f"{document} at {k + 1}")
        right += _gains(ranking, _TOPICS, 1)
    return Sides(printed, right, of)


def single_topic_ideal(documents_of_topic: Sequence[int]) -> Sides:
    """Ideal gains with one topic per document, alpha = 1/2: as printed, and by the best order."""
    topics = [t for t, count in enumerate(documents_of_topic) for _ in range(count)]
    n, ranking = len(documents_of_topic), [f"d{k}" for k in range(1, len(topics) + 1)]
    printed = [(1 - HALF) ** max(0, k - n) for k in range(1, len(topics) + 1)]
    # All orders, so that nothing hangs on how the ideal is searched for: the best CG at each rank.
    totals = [
        _totals(_gains(ranking, {d: {t} for d, t in zip(ranking, order, strict=True)}, HALF))
        for order in sorted(set(permutations(topics)))
    ]
    best = [max(column) for column in zip(*totals, strict=True)]
    right = [b - a for a, b in zip([0, *best], best, strict=False)]
    return Sides(printed, right, [f"rank {k}" for k in range(1, len(topics) + 1)])


def _totals(gains: list[Any]) -> list[Any]:
    return [sum(gains[:k]) for k in range(1, len(gains) + 1)]


def relevance_from_union() -> Sides:
    """P(R=1|u,d) with the union, over all needs u of two nuggets, each wanted half the time."""
    nuggets = ("n1", "n2")
    needs = [set(u) for size in range(3) for u in combinations(nuggets, size)]
    printed, right, of = [], [], []
    for d in needs:
        printed.append(Fraction(sum(bool(u | d) for u in needs), len(needs)))
        right.append(ir.relevance_probability(["d"], {"d": d}, alpha=1, gamma=HALF, exact=True))
        of.append("d = {" + ", ".join(sorted(d)) + "}")
    return Sides(printed, right, of)


def greedy_after_a_tie() -> Sides:
    """CG at 2, alpha = 1, where three documents tie: by the greedy choice, and at most."""
    nuggets = {"A": {1, 2}, "B": {1, 3}, "C": {2, 4}}
    greedy, exact = (
        sum(
            ir.alpha_ndcg.working(list(nuggets), nuggets, alpha=1, k=2, ideal=ideal)[
                "ideal alpha-DCG"
            ]["gain"]
        )
        for ideal in ("greedy", "exact")
    )
    return Sides([greedy], [exact], ["nuggets in the first two"])


_GRAPHS: dict[str, list[tuple[Hashable, Hashable]]] = {
    "path of four": [("a", "b"), ("b", "c"), ("c", "d")],
    "triangle": [("a", "b"), ("b", "c"), ("c", "a")],
    "spider": [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")],
}


def cover_by_ideal() -> Sides:
    """The size of a minimum vertex cover: by trying all sets, and by the ideal at alpha = 1."""
    printed, right = [], []
    for edges in _GRAPHS.values():
        vertices = {v for edge in edges for v in edge}
        covers = (
            size
            for size in range(1, len(vertices) + 1)
            for chosen in combinations(vertices, size)
            if all(a in chosen or b in chosen for a, b in edges)
        )
        printed.append(next(covers))
        right.append(len(ir.vertex_cover(edges)))
    return Sides(printed, right, list(_GRAPHS))
