"""bpref, infAP and judged@k as plain loops over one ranking, with fractions.

A ranking is a list of ids; a grade of None is a document of the pool that nobody judged.
"""

from collections.abc import Mapping
from fractions import Fraction

Grades = Mapping[str, int | None]


def bpref(ranking: list[str], grades: Grades, rel: int = 1) -> Fraction:
    """Compare every relevant document with the non-relevant ones above it."""
    relevant = [d for d, g in grades.items() if g is not None and g >= rel]
    others = [d for d, g in grades.items() if g is not None and g < rel]
    if not relevant:
        return Fraction(0)
    score = Fraction(0)
    for place, document in enumerate(ranking):
        if document in relevant:
            above = len([d for d in ranking[:place] if d in others])
            if above == 0:
                score += 1
            else:
                lost = Fraction(min(above, len(relevant)), min(len(others), len(relevant)))
                score += 1 - lost
    return score / len(relevant)


def inf_ap(ranking: list[str], grades: Grades, epsilon: Fraction, rel: int = 1) -> Fraction:
    """Estimate the precision at each relevant document, by the formula with its two factors."""
    relevant = [d for d, g in grades.items() if g is not None and g >= rel]
    if not relevant:
        return Fraction(0)
    score = Fraction(0)
    for place, document in enumerate(ranking):
        if document not in relevant:
            continue
        rank = place + 1
        if rank == 1:
            score += 1
            continue
        above = ranking[:place]
        in_pool = sum(1 for d in above if d in grades)
        good = sum(1 for d in above if d in relevant)
        bad = sum(1 for d in above if grades.get(d) is not None and d not in relevant)
        score += Fraction(1, rank) + Fraction(rank - 1, rank) * Fraction(in_pool, rank - 1) * (
            (good + epsilon) / (good + bad + 2 * epsilon)
        )
    return score / len(relevant)


def judged(ranking: list[str], grades: Grades, k: int | None = None) -> Fraction:
    """Count the documents with a grade."""
    shown = ranking[:k]
    if not shown:
        return Fraction(0)
    return Fraction(sum(1 for d in shown if grades.get(d) is not None), len(shown))
