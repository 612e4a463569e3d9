"""ERR, RBP and the Q-measure as plain loops over one ranking, with fractions."""

from fractions import Fraction


def err(grades: list[int], max_grade: int, k: int | None = None) -> Fraction:
    """Follow the reader down the list."""
    still_reading, expected = Fraction(1), Fraction(0)
    for rank, grade in enumerate(grades[:k], 1):
        satisfied = Fraction(2**grade - 1, 2**max_grade)
        expected += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return expected


def rbp(grades: list[int | None], p: Fraction, rel: int, k: int | None = None) -> Fraction:
    """Sum the weights of the relevant ranks."""
    score, weight = Fraction(0), 1 - p
    for grade in grades[:k]:
        if grade is not None and grade >= rel:
            score += weight
        weight *= p
    return score


def rbp_residual(grades: list[int | None], p: Fraction, k: int | None = None) -> Fraction:
    """Sum the weights of the unjudged ranks, and that of everything below the end."""
    residual, weight = Fraction(0), 1 - p
    shown = grades[:k]
    for grade in shown:
        if grade is None:
            residual += weight
        weight *= p
    return residual + p ** len(shown)


def q_measure(
    grades: list[int],
    pool: list[int],
    beta: Fraction = Fraction(1),
    k: int | None = None,
    *,
    reachable: bool = False,
) -> Fraction:
    """Walk down the ranking and the ideal side by side."""
    ideal = sorted(pool, reverse=True)
    relevant = sum(1 for g in pool if g >= 1)
    if relevant == 0:
        return Fraction(0)
    total, gained, found = Fraction(0), 0, 0
    for rank, grade in enumerate(grades[:k], 1):
        if grade >= 1:
            gained += grade
            found += 1
            best = sum(ideal[:rank])
            total += (beta * gained + found) / (beta * best + rank)
    return total / (min(relevant, k) if reachable and k is not None else relevant)


def average_precision(grades: list[int], pool: list[int]) -> Fraction:
    """The mean precision at the relevant documents of the pool."""
    relevant = sum(1 for g in pool if g >= 1)
    total, found = Fraction(0), 0
    for rank, grade in enumerate(grades, 1):
        if grade >= 1:
            found += 1
            total += Fraction(found, rank)
    return total / relevant if relevant else Fraction(0)
