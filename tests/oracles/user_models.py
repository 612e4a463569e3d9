"""The residual of RBP as a plain loop over one ranking, with fractions."""

from fractions import Fraction


def rbp_residual(grades: list[int | None], p: Fraction, k: int | None = None) -> Fraction:
    """Sum the weights of the unjudged ranks, and that of everything below the end."""
    residual, weight = Fraction(0), 1 - p
    shown = grades[:k]
    for grade in shown:
        if grade is None:
            residual += weight
        weight *= p
    return residual + p ** len(shown)
