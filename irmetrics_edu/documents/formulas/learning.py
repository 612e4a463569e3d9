"""Document 004, both lectures: MMR, ordinal regression, Rank A against Rank B, AdaRank."""

import math

import irmetrics_edu as ir
from irmetrics_edu.documents.example import Sides


def mmr_candidates() -> Sides:
    """Three choices by relevance, from R | S read as a union and from R without S."""
    relevance = {"d1": 0.9, "d2": 0.7, "d3": 0.4}
    retrieved = set(relevance)

    def chosen(*, union: bool) -> list[str]:
        order: list[str] = []
        for _ in relevance:
            selected = set(order)
            candidates = retrieved | selected if union else retrieved - selected
            order.append(max(candidates, key=lambda d: relevance[d]))
        return order

    return Sides(chosen(union=True), chosen(union=False), ["1st", "2nd", "3rd"])


def ordinal_label() -> Sides:
    """The label of documents at w x = -1/2, 1/2, 3/2, 5/2: by the argmin, and the least label."""
    thresholds = [0.0, 1.0, 2.0, math.inf]
    scores = [-0.5, 0.5, 1.5, 2.5]
    labels = range(1, len(thresholds) + 1)
    argmin, least = [], []
    for score in scores:
        below = {k: score - b for k, b in zip(labels, thresholds, strict=True) if score - b < 0}
        argmin.append(min(below, key=lambda k: below[k]))
        least.append(min(below))
    return Sides(argmin, least, [f"w x = {score}" for score in scores])


_RANK_A, _RANK_B = [2, 3, 2, 1, 1, 1, 1], [3, 2, 1, 2, 1, 1, 1]


def rank_a_against_rank_b() -> Sides:
    """Which of the two rankings is better: as printed, and by each measure."""
    measures = {
        "pairs": ir.pair_accuracy,
        "nDCG, jk": ir.ndcg.using(discount="jk"),
        "nDCG, log2, linear": ir.ndcg,
        "nDCG, log2, exponential": ir.ndcg.using(gain="exp"),
    }
    verdicts = [
        "equal" if a == b else "A" if a > b else "B"
        for a, b in ((m(_RANK_A), m(_RANK_B)) for m in measures.values())
    ]
    return Sides(["equal", "B", "B", "B"], verdicts, list(measures))


_QUERIES = ([3, 2, 0, 1], [0, 1, 0, 2], [1, 0, 2, 0])
_WEIGHTS = (0.5, 0.3, 0.2)


def weight_of_weak_ranker() -> Sides:
    """AdaRank's alpha_t against where the bound on the exponential loss is least."""
    printed, right, of = [], [], []
    for weights in (_WEIGHTS, (1 / 3, 1 / 3, 1 / 3)):
        performance = [ir.ndcg(grades) for grades in _QUERIES]
        pairs = list(zip(weights, performance, strict=True))
        good, bad = sum(w * (1 + e) for w, e in pairs), sum(w * (1 - e) for w, e in pairs)
        printed.append(math.log(good / bad) / 2)
        right.append(_least_of_bound(good, bad))
        of.append(f"weights of the queries {', '.join(f'{w:.2f}' for w in weights)}")
    return Sides(printed, right, of)


def _least_of_bound(good: float, bad: float) -> float:
    """Where good/2 e^-a + bad/2 e^a is least: its slope rises, so bisect for the zero."""
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        if bad * math.exp(middle) > good * math.exp(-middle):
            high = middle
        else:
            low = middle
    return (low + high) / 2


def weights_of_queries() -> Sides:
    """AdaRank's new weights: their sum, and the order of the queries from heaviest to lightest."""
    performance = [ir.ndcg(grades) for grades in _QUERIES]
    total = sum(math.exp(-e) for e in performance)
    weights = [math.exp(-e) / total for e in performance]
    queries = range(len(_QUERIES))
    heaviest = sorted(queries, key=lambda q: -weights[q])
    worst = sorted(queries, key=lambda q: performance[q])
    return Sides([sum(weights), *heaviest], [1.0, *worst], ["sum of weights", "1st", "2nd", "3rd"])
