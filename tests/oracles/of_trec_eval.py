"""Rprec_mult, set_map, utility and hole as plain loops over grades, None where nobody judged."""

from fractions import Fraction


def _relevant(grade: int | None) -> bool:
    return grade is not None and grade >= 1


def r_precision_multiple(grades: list[int | None], pool: list[int], multiple: Fraction) -> Fraction:
    """Count hits down to the first rank that is not below multiple times R."""
    R = sum(1 for g in pool if g >= 1)
    if R == 0:
        return Fraction(0)
    depth = 1
    while depth < multiple * R:
        depth += 1
    return Fraction(sum(1 for g in grades[:depth] if _relevant(g)), depth)


def set_map(grades: list[int | None], pool: list[int], k: int | None) -> Fraction:
    """Hits squared over (retrieved times relevant); k counts in full, however short the list."""
    hits = sum(1 for g in grades[:k] if _relevant(g))
    R = sum(1 for g in pool if g >= 1)
    size = (len(grades) if k is None else k) * R
    return Fraction(hits * hits, size) if size else Fraction(0)


def relative_precision(grades: list[int | None], pool: list[int], k: int | None) -> Fraction:
    """Hits over the most hits that a list of this size could have."""
    hits = sum(1 for g in grades[:k] if _relevant(g))
    R = sum(1 for g in pool if g >= 1)
    most = min(len(grades) if k is None else k, R)
    return Fraction(hits, most) if most else Fraction(0)


def utility(
    grades: list[int | None], pool: list[int], worths: tuple[int, int, int], k: int | None
) -> Fraction:
    """Add up document by document."""
    total, missed = Fraction(0), sum(1 for g in pool if g >= 1)
    for grade in grades[:k]:
        total += worths[0] if _relevant(grade) else worths[1]
        missed -= _relevant(grade)
    return total + worths[2] * missed


def hole(grades: list[int | None], k: int | None, *, by_k: bool) -> Fraction:
    """Count what has no grade."""
    shown = grades[:k]
    size = k if by_k and k is not None else len(shown)
    return Fraction(sum(1 for g in shown if g is None), size) if size else Fraction(0)
