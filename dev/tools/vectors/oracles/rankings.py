"""The metrics as plain loops from their definitions; the test vectors are made with them.

Nothing here is shared with the kernels. Exact fractions where no logarithm is needed, else
decimals with forty digits. `ranked` holds the grades in ranked order, None where nobody judged;
`pool` the grades of all judged documents, retrieved or not.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

Number = Fraction | Decimal
Grades = Sequence[int | None]
_DIGITS = 40


def added(numbers: Iterable[Number]) -> Number:
    """A sum: a fraction if all are fractions."""
    listed = list(numbers)
    if all(isinstance(n, Fraction) for n in listed):
        return sum((n for n in listed if isinstance(n, Fraction)), Fraction(0))
    with localcontext() as context:
        context.prec = _DIGITS
        return sum((as_decimal(n) for n in listed), Decimal(0))


def divided(above: Number, below: Number) -> Number:
    """A quotient: a fraction if both are fractions."""
    if isinstance(above, Fraction) and isinstance(below, Fraction):
        return above / below
    with localcontext() as context:
        context.prec = _DIGITS
        return as_decimal(above) / as_decimal(below)


def multiplied(one: Number, other: Number) -> Number:
    """A product: a fraction if both are fractions."""
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one * other
    with localcontext() as context:
        context.prec = _DIGITS
        return as_decimal(one) * as_decimal(other)


def as_decimal(number: Number) -> Decimal:
    """The number to forty digits."""
    if isinstance(number, Decimal):
        return number
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(number.numerator) / Decimal(number.denominator)


def gain(grade: int | None, how: str) -> Fraction:
    """The gain of a grade; a grade below 0 has a gain below 0."""
    grade = grade or 0
    if how == "linear":
        return Fraction(grade)
    if how == "exp":
        return Fraction(2) ** grade - 1
    return Fraction(1 if grade >= 1 else 0)


def discounted(gains: Sequence[int | Fraction], discount: str) -> Number:
    """The gains, each times the discount of its rank."""
    total: Any = Fraction(0)
    if discount in ("none", "reciprocal"):
        for rank, worth in enumerate(gains, 1):
            total += Fraction(worth) / (1 if discount == "none" else rank)
        return Fraction(total)
    with localcontext() as context:
        context.prec = _DIGITS
        total = Decimal(0)
        for rank, worth in enumerate(gains, 1):
            if discount == "jk(2)":
                divisor = Decimal(max(rank, 2)).ln() / Decimal(2).ln()
            else:
                divisor = Decimal(rank + 1).ln() / Decimal(2).ln()
            total += as_decimal(Fraction(worth)) / divisor
        return Decimal(total)


def dcg(
    ranked: Grades, pool: Grades, k: int | None = None, *, gain_: str = "linear",
    discount: str = "log2",
) -> Number:  # fmt: skip
    """Gains down to rank k, discounted and added up."""
    del pool
    return discounted([gain(g, gain_) for g in ranked[:k]], discount)


def ndcg(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    gain_: str = "linear",
    discount: str = "log2",
    ideal: str = "judged",
    cut: str = "both",
    no_relevant: str = "zero",
) -> Number:
    """DCG divided by the DCG of the best order; a query without gain has the given value."""
    best = best_order(ranked, pool, k, ideal)
    above = dcg(ranked, (), k, gain_=gain_, discount=discount)
    below = dcg(best, (), None if cut == "ranking" else k, gain_=gain_, discount=discount)
    return divided(above, below) if below else WITHOUT_RELEVANT[no_relevant]


def idcg(
    ranked: Grades, pool: Grades, k: int | None = None, *, gain_: str = "linear",
    discount: str = "log2", ideal: str = "judged",
) -> Number:  # fmt: skip
    """The DCG of the best order."""
    return dcg(best_order(ranked, pool, k, ideal), (), k, gain_=gain_, discount=discount)


def best_order(ranked: Grades, pool: Grades, k: int | None, ideal: str) -> list[int]:
    """The grades of the ideal ranking."""
    if ideal in ("judged", "as_long"):
        best = sorted((g or 0 for g in pool), reverse=True)
        best = best[: len(ranked)] if ideal == "as_long" else best
    elif ideal == "retrieved":
        best = sorted((g for g in ranked if g is not None), reverse=True)
    else:
        relevant = len([g for g in pool if g is not None and g >= 1])
        count = k if ideal == "k_ones" and k is not None else relevant
        best = [1] * (len(ranked) if ideal == "k_ones" and k is None else count)
        best = best if relevant else []
    return best


# What a query is worth without anything relevant.
WITHOUT_RELEVANT: dict[str, Number] = {
    "zero": Fraction(0), "one": Fraction(1), "nan": Decimal("NaN"),
}  # fmt: skip


def relevance(grades: Grades, rel: int) -> list[int]:
    """1 for a grade of at least `rel`, else 0."""
    return [1 if g is not None and g >= rel else 0 for g in grades]


def precision(
    ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1, divisor: str = "k"
) -> Fraction:
    """Hits within the cut over k, or over what was retrieved, or over what could be hit."""
    hits = sum(relevance(ranked[:k], rel))
    size = len(ranked[:k]) if k is None or divisor == "retrieved" else k
    if divisor == "reachable":
        size = min(len(ranked) if k is None else k, sum(relevance(pool, rel)))
    return Fraction(hits, size) if size else Fraction(0)


def recall(
    ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1, divisor: str = "relevant"
) -> Fraction:
    """Hits within the cut over all relevant, or over as many as fit in the cut."""
    hits, size = sum(relevance(ranked[:k], rel)), sum(relevance(pool, rel))
    if divisor == "reachable" and k is not None:
        size = min(size, k)
    return Fraction(hits, size) if size else Fraction(0)


def f_measure(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    beta: str = "1",
    rel: int = 1,
    divisor: str = "k",
) -> Fraction:
    """(b^2 + 1) P R / (b^2 P + R)."""
    p, r = precision(ranked, pool, k, rel=rel, divisor=divisor), recall(ranked, pool, k, rel=rel)
    square = Fraction(beta) ** 2
    return (square + 1) * p * r / (square * p + r) if p + r else Fraction(0)


def average_precision(
    ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1, divisor: str = "relevant"
) -> Fraction:
    """The precision at each hit, added up, over what the divisor names."""
    found, total = 0, Fraction(0)
    for rank, hit in enumerate(relevance(ranked[:k], rel), 1):
        if hit:
            found += 1
            total += Fraction(found, rank)
    size = sum(relevance(pool, rel))
    if divisor == "reachable" and k is not None:
        size = min(size, k)
    elif divisor == "hits":
        size = found
    elif divisor in ("k", "retrieved"):
        size = len(ranked[:k]) if k is None or divisor == "retrieved" else k
    return total / size if size else Fraction(0)


def reciprocal_rank(
    ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1
) -> Fraction:
    """1 over the rank of the first hit."""
    del pool
    for rank, hit in enumerate(relevance(ranked[:k], rel), 1):
        if hit:
            return Fraction(1, rank)
    return Fraction(0)


def success(ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1) -> Fraction:
    """1 if there is a hit, else 0."""
    return Fraction(1 if reciprocal_rank(ranked, pool, k, rel=rel) else 0)


def r_precision(ranked: Grades, pool: Grades, k: int | None = None, *, rel: int = 1) -> Fraction:
    """Precision at rank R."""
    del k
    size = sum(relevance(pool, rel))
    return Fraction(sum(relevance(ranked[:size], rel)), size) if size else Fraction(0)


def err(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    max_grade: int | str = 4,
    satisfaction: str = "exp",
) -> Number:
    """Follow the reader down the list; a grade off the scale gives no probability, so no score."""
    top = max(1, *(g or 0 for g in (*pool, 0))) if max_grade == "highest" else int(max_grade)
    if any(g is not None and not 0 <= g <= top for g in pool):
        return Decimal("NaN")
    reading, expected = Fraction(1), Fraction(0)
    for rank, grade in enumerate(ranked[:k], 1):
        if satisfaction == "linear":
            satisfied = Fraction(grade or 0, top)
        else:
            satisfied = Fraction(2 ** (grade or 0) - 1, 2**top)
        expected += reading * satisfied / rank
        reading *= 1 - satisfied
    return expected


def rbp(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    p: str = "0.8",
    rel: int = 1,
    gain_: str = "binary",
) -> Fraction:
    """The gains of the hits, each by its weight (1-p) p^(rank-1)."""
    del pool
    total, weight = Fraction(0), 1 - Fraction(p)
    for grade, hit in zip(ranked[:k], relevance(ranked[:k], rel), strict=True):
        total += weight * hit * (1 if gain_ == "binary" else gain(grade, gain_))
        weight *= Fraction(p)
    return total


def bpref(
    ranked: Grades,
    pool: Grades,
    k: int | None = None,
    *,
    rel: int = 1,
    bound: str = "fewer",
) -> Fraction:
    """For each hit, the judged non-relevant documents above it, divided by min(R, N) or by R."""
    del k
    size = sum(relevance(pool, rel))
    others = len([g for g in pool if g is not None and g < rel])
    total, above = Fraction(0), 0
    for grade in ranked:
        if grade is None:
            continue
        if grade >= rel:
            most = size if bound == "relevant" else min(size, others)
            total += 1 - (Fraction(min(above, size), most) if above and most else 0)
        else:
            above += 1
    return total / size if size else Fraction(0)


ORACLES: dict[str, Callable[..., Number]] = {
    "P": precision,
    "R": recall,
    "F": f_measure,
    "Success": success,
    "Rprec": r_precision,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "DCG": dcg,
    "nDCG": ndcg,
    "ERR": err,
    "RBP": rbp,
    "bpref": bpref,
}


def value(
    metric: str, ranked: Grades, pool: Grades, k: int | None, conventions: dict[str, Any]
) -> Number:
    """The value of a metric under a full set of conventions."""
    options = {"gain_" if n == "gain" else n: v for n, v in conventions.items()}
    if metric != "nDCG" and "no_relevant" in options:
        empty = WITHOUT_RELEVANT[options.pop("no_relevant")]
        if not sum(relevance(pool, options.get("rel", 1))):
            return empty
    return ORACLES[metric](ranked, pool, k, **options)
