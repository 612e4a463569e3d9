"""Diversity of recommendations in plain loops, written from the definitions."""

import math
from fractions import Fraction
from itertools import permutations


def category_coverage(items, categories, n):
    """The share of all categories that the items have."""
    covered = set()
    for item in items:
        covered |= categories[item]
    return Fraction(len(covered), n)


def discounted_coverage(items, relevant, categories, alpha, n, *, once=False, base=None):
    """DCC, or FDCC if a base is given; a float only where a logarithm is."""
    hits, rest = set(), set()
    for item in items:
        if item in relevant:
            hits |= categories[item]
        else:
            rest |= categories[item]
    if once:
        rest -= hits
    worth = Fraction(0)
    for category in hits:
        frequency = sum(1 for item in relevant if category in categories[item])
        if base is None or frequency < base:
            worth += 1
        else:
            worth = worth + math.log(frequency, base)
    return (worth + alpha * len(rest)) / n


def ilad(items, distance):
    """The mean of d(i, j) over ordered pairs."""
    n = len(items)
    return sum(distance(i, j) for i, j in permutations(items, 2)) / (n * (n - 1))


def ilmd(items, distance):
    """The mean of each item's distance to its nearest."""
    nearest = [min(distance(i, j) for j in items if j != i) for i in items]
    return sum(nearest) / len(items)


def dilad(items, relevant, distance, beta):
    """The mean of w_i w_j d(i, j) over ordered pairs."""
    weight = {item: 1 if item in relevant else beta for item in items}
    n = len(items)
    pairs = permutations(items, 2)
    return sum(weight[i] * weight[j] * distance(i, j) for i, j in pairs) / (n * (n - 1))


def cosine(x, y):
    """1 less the cosine of the angle."""
    product = sum(a * b for a, b in zip(x, y, strict=True))
    return 1 - product / (math.hypot(*x) * math.hypot(*y))


def gini(counts):
    """Half the mean absolute difference over the mean."""
    n = len(counts)
    differences = sum(abs(a - b) for a in counts for b in counts)
    return Fraction(differences, 2 * n * sum(counts))


def entropy(counts, base):
    """The mean surprise."""
    shares = [c / sum(counts) for c in counts if c]
    return sum(s * math.log(1 / s, base) for s in shares)


def pairs_right_and_wrong(grades):
    """How many pairs of grades in ranked order stand right and wrong."""
    right = wrong = 0
    for i, above in enumerate(grades):
        for below in grades[i + 1 :]:
            right += above > below
            wrong += above < below
    return right, wrong
