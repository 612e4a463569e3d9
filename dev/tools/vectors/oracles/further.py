"""More measures as plain loops: counts, blends, samples, recall levels, thresholds.

Nothing here is shared with the kernels. `ranked` and `pool` are as in `rankings.py`.
"""

import itertools
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from dev.tools.vectors.oracles.rankings import (
    Grades,
    Number,
    average_precision,
    discounted,
    gain,
    idcg,
    relevance,
)


def cumulated_gain(
    ranked: Grades, pool: Grades, k: int | None = None, *, gain_: str = "linear"
) -> Number:
    """Gains down to rank k, added up."""
    del pool
    return discounted([gain(g, gain_) for g in ranked[:k]], "none")


def normalised_gain(
    ranked: Grades, pool: Grades, k: int | None = None, *, gain_: str = "linear"
) -> Fraction:
    """Gains down to rank k, over those of as many of the best judged documents."""
    best = sorted((gain(g, gain_) for g in pool), reverse=True)
    most = sum(best[:k], Fraction(0))
    return sum((gain(g, gain_) for g in ranked[:k]), Fraction(0)) / most if most else Fraction(0)


_UNDEFINED: dict[str, Number] = {
    "half": Fraction(1, 2),
    "one": Fraction(1),
    "zero": Fraction(0),
    "nan": Decimal("NaN"),
}


def rank_of_first(
    ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1, undefined: str = "skip"
) -> Number:
    """Where the first hit stands; there may be none."""
    del pool
    for rank, hit in enumerate(relevance(ranked[:k], rel), 1):
        if hit:
            return Fraction(rank)
    return _UNDEFINED.get(undefined, Decimal("NaN"))


def found_by_a_reader(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    p_break: str,
    max_grade: int | str,
    satisfaction: str,
) -> Number:
    """What readers find, step by step: of those who look, some are answered, some give up."""
    top = max(1, *(g or 0 for g in (*pool, 0))) if max_grade == "highest" else int(max_grade)
    if any(g is not None and not 0 <= g <= top for g in pool):
        return Decimal("NaN")
    looking, answered = Fraction(1), Fraction(0)
    for grade in ranked[:k]:
        good = Fraction(2 ** (grade or 0) - 1, 2**top)
        if satisfaction == "linear":
            good = Fraction(grade or 0, top)
        answered += looking * good
        looking -= looking * good
        looking -= looking * Fraction(p_break)
    return answered


def judged(ranked: Grades, pool: Grades, k: int | None = None) -> Fraction:
    """The share of judged documents among the first k."""
    del pool
    top = ranked[:k]
    return Fraction(sum(g is not None for g in top), len(top)) if top else Fraction(0)


def simplified_ap(ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1) -> Fraction:
    """The mean precision at the hits."""
    return average_precision(ranked, pool, k, rel=rel, divisor="hits")


def cells_of(
    ranked: Grades, pool: Grades, k: int | None, rel: int, collection: int | str
) -> tuple[int, int, int, int]:
    """TP, FP, FN, TN."""
    unjudged = sum(g is None for g in ranked)
    everything = len(pool) + unjudged if collection == "known" else int(collection)
    hits, wrong = sum(relevance(ranked[:k], rel)), len(ranked[:k]) - sum(relevance(ranked[:k], rel))
    missed = sum(relevance(pool, rel)) - hits
    return hits, wrong, missed, everything - hits - wrong - missed


def accuracy(
    ranked: Grades, pool: Grades, k: int | None = None, *, collection: int | str, rel: int = 1
) -> Fraction:
    """The right decisions over all documents."""
    cells = cells_of(ranked, pool, k, rel, collection)
    return Fraction(cells[0] + cells[3], sum(cells)) if sum(cells) else Fraction(0)


def fall_out(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    collection: int | str,
    rel: int = 1,
    undefined: str = "zero",
) -> Number:
    """The non-relevant retrieved documents divided by all non-relevant documents."""
    _, wrong, _, left = cells_of(ranked, pool, k, rel, collection)
    return Fraction(wrong, wrong + left) if wrong + left else _UNDEFINED[undefined]


def q_measure(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    beta: str = "1",
    gain_: str = "linear",
    rel: int = 1,
    divisor: str = "relevant",
) -> Fraction:
    """The blended ratio at each hit, added up, over R or over min(k, R)."""
    best = sorted((g for g in pool if g is not None and g >= rel), reverse=True)
    weight, total = Fraction(beta), Fraction(0)
    for rank in range(1, len(ranked[:k]) + 1):
        hits = [g for g in ranked[:rank] if g is not None and g >= rel]
        last = ranked[rank - 1]
        if last is None or last < rel:
            continue
        above = weight * sum(gain(g, gain_) for g in hits) + len(hits)
        total += above / (weight * sum(gain(g, gain_) for g in best[:rank]) + rank)
    size = len(best) if divisor == "relevant" or k is None else min(k, len(best))
    return total / size if size else Fraction(0)


def inferred_ap(
    ranked: Grades, pool: Grades, *, epsilon: str = "0.00001", rel: int = 1
) -> Fraction:
    """The expected precision at each hit; a grade below 0 is pooled and not judged."""
    size, total = sum(relevance(pool, rel)), Fraction(0)
    for place, grade in enumerate(ranked):
        if grade is None or grade < rel:
            continue
        above = ranked[:place]
        pooled = [g for g in above if g is not None]
        good = sum(g >= rel for g in pooled)
        known = sum(g >= 0 for g in pooled)
        share = (good + Fraction(epsilon)) / (known + 2 * Fraction(epsilon))
        total += (1 + len(pooled) * share) / (place + 1)
    return total / size if size else Fraction(0)


def _needed(level: Fraction, relevant: int, how: str) -> int:
    """How many hits a level of recall takes."""
    if how == "trec_eval":
        return int(float(level) * relevant + 0.9)
    if how == "trec_eval_10":
        return floor(float(level) * relevant + 0.5)
    return ceil(level * relevant)


def _precision_at_recall(
    ranked: Grades, pool: Grades, level: Fraction, rel: int, how: str
) -> Fraction:
    needed = _needed(level, sum(relevance(pool, rel)), how)
    hits = list(itertools.accumulate(relevance(ranked, rel)))
    reached = [Fraction(h, rank) for rank, h in enumerate(hits, 1) if h >= needed]
    if not reached:
        return Fraction(0)
    return reached[0] if how == "none" else max(reached)


def precision_at_recall(
    ranked: Grades,
    pool: Grades,
    *,
    recall: str,
    interpolation: str = "standard",
    rel: int = 1,
) -> Fraction:
    """The precision that belongs to a level of recall."""
    return _precision_at_recall(ranked, pool, Fraction(recall), rel, interpolation)


def interpolated_ap(
    ranked: Grades,
    pool: Grades,
    *,
    points: int = 11,
    interpolation: str = "standard",
    rel: int = 1,
) -> Fraction:
    """The mean of the precision at equally spaced levels of recall."""
    levels = [Fraction(j, points - 1) for j in range(points)]
    found = [_precision_at_recall(ranked, pool, level, rel, interpolation) for level in levels]
    return sum(found, Fraction(0)) / points


def pair_accuracy(
    ranked: Grades,
    pool: Grades,
    *,
    gain_: str = "linear",
    paired: str = "judged",
    undefined: str,
) -> Number:
    """The pairs of documents in the right order, of those whose gains differ."""
    del pool
    kept = [0 if g is None else g for g in ranked if g is not None or paired == "retrieved"]
    worth = [gain(g, gain_) for g in kept]
    pairs = [(a, b) for a, b in itertools.combinations(worth, 2) if a != b]
    if not pairs:
        return Decimal("NaN") if undefined == "nan" else Fraction(0)
    return Fraction(sum(a > b for a, b in pairs), len(pairs))


Documents = Sequence[tuple[float, int]]  # score and grade


def _points(documents: Documents, rel: int) -> list[tuple[int, int]]:
    """Hits and documents at each threshold, the highest first."""
    kept = [[g for s, g in documents if s >= t] for t in sorted({s for s, _ in documents})[::-1]]
    return [(sum(relevance(grades, rel)), len(grades)) for grades in kept]


def roc_area(
    documents: Documents,
    *,
    k: int | None = None,
    rel: int = 1,
    undefined: str = "refuse",
) -> Number:
    """How often a relevant document outscores another; a tie counts half."""
    first = sorted(documents, key=lambda document: -document[0])[:k]
    good = [s for s, g in first if g >= rel]
    bad = [s for s, g in first if g < rel]
    if not good or not bad:
        return _UNDEFINED[undefined]
    won = sum(Fraction(1 if s > t else 0) + Fraction(int(s == t), 2) for s in good for t in bad)
    return Fraction(won) / (len(good) * len(bad))


def pr_area(documents: Documents, *, rel: int = 1) -> Fraction:
    """Each gain in recall times the precision there."""
    area, before = Fraction(0), 0
    relevant = sum(g >= rel for _, g in documents)
    for hits, size in _points(documents, rel):
        area += Fraction(hits - before, max(1, relevant)) * Fraction(hits, size)
        before = hits
    return area


def break_even(documents: Documents, *, rel: int = 1) -> Fraction:
    """Where precision meets recall: at the threshold with R documents, or between two."""
    relevant = sum(g >= rel for _, g in documents)
    if not relevant:
        return Fraction(0)
    before = (0, 0)
    for hits, size in _points(documents, rel):
        if size >= relevant:
            r, p = Fraction(hits, relevant), Fraction(hits, size)
            old_r = Fraction(before[0], relevant)
            old_p = Fraction(before[0], before[1]) if before[1] else p
            ahead, behind = old_p - old_r, r - p
            return old_r + (r - old_r) * (ahead / (ahead + behind) if ahead + behind else 1)
        before = (hits, size)
    raise AssertionError("the last threshold retrieves everything")


OF_RANKINGS: dict[str, Callable[..., Number]] = {
    "CG": cumulated_gain,
    "NCG": normalised_gain,
    "IDCG": idcg,
    "hit_rank": rank_of_first,
    "PFound": found_by_a_reader,
    "Judged": judged,
    "simplified-AP": simplified_ap,
    "accuracy": accuracy,
    "fall-out": fall_out,
    "Q": q_measure,
    "infAP": inferred_ap,
    "IPrec": precision_at_recall,
    "interpolated-AP": interpolated_ap,
    "pair_accuracy": pair_accuracy,
}
OF_SCORES: dict[str, Callable[..., Number]] = {
    "AUC": roc_area, "PR-AUC": pr_area, "break-even": break_even,
}  # fmt: skip
