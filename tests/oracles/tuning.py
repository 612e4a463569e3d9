"""The conditions on a discount coefficient, tried out one number at a time."""

from fractions import Fraction
from math import comb


def probability(k, n, p):
    """The binomial probability of n effective items of k."""
    return comb(k, n) * p**n * (1 - p) ** (k - n)


def smallest_n(k, p, tau, least):
    """The smallest N, at least `least`, whose cumulative probability reaches tau."""
    n = least
    while sum(probability(k, m, p) for m in range(n + 1)) < tau:
        n += 1
    return n


def dcc_of_group(k, n, x):
    """The n effective items count 1 each, the others x."""
    return n + x * (k - n)


def dilad_of_group(k, n, x):
    """All pairs of k items of which the first n are effective, at distance 1."""
    weight = [1 if item < n else x for item in range(k)]
    return sum(weight[i] * weight[j] for i in range(k) for j in range(i))


def holds(value, k, p, i, j, x):
    """Whether group i contributes more than group j at coefficient x."""
    return value(k, i, x) * probability(k, i, p) > value(k, j, x) * probability(k, j, p)


def feasible(value, k, p, n, x):
    """Whether x meets every condition among groups 0 to n."""
    return all(holds(value, k, p, i, j, x) for i in range(n + 1) for j in range(i))


def grid(steps):
    """Numbers from 0 to 1, evenly spaced."""
    return [Fraction(s, steps) for s in range(steps + 1)]
