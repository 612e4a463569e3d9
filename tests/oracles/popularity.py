"""Popularity, novelty, personalisation, serendipity and coverage from their definitions."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations


def popularity_by_user(profiles: Mapping[str, set[str]]) -> dict[str, int]:
    """Ask every user about every item."""
    items = set().union(*profiles.values())
    return {i: sum(1 for known in profiles.values() if i in known) for i in items}


def average_popularity(items: Sequence[str], profiles: Mapping[str, set[str]]) -> Fraction:
    """Add up, user by user, the items that the user knows."""
    known = sum(1 for profile in profiles.values() for item in items if item in profile)
    return Fraction(known, len(items))


def self_information(items: Sequence[str], profiles: Mapping[str, set[str]]) -> float:
    """Minus the logarithm of the share of the users who know an item, averaged."""
    bits = 0.0
    for item in items:
        knows = sum(1 for profile in profiles.values() if item in profile)
        bits -= math.log2(knows / len(profiles))
    return bits / len(items)


def personalisation(lists: Sequence[Sequence[str]]) -> Fraction:
    """1 - the mean overlap of every two lists of one length."""
    pairs = list(combinations(lists, 2))
    overlap = sum(Fraction(len(set(a) & set(b)), len(a)) for a, b in pairs)
    return 1 - overlap / len(pairs)


def serendipity(items: Sequence[str], relevant: set[str], expected: set[str]) -> Fraction:
    """Take away what was expected, then count what is of use."""
    return Fraction(len((set(items) - expected) & relevant), len(items))


def coverage(lists: Sequence[Sequence[str]], catalogue: Sequence[str]) -> Fraction:
    """The share of the catalogue in the union of the lists."""
    return Fraction(len(set().union(*map(set, lists))), len(catalogue))
