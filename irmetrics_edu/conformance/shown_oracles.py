"""What recommenders show, and orders, users and sessions, once more as plain loops.

Nothing here is shared with the kernels.
"""

import itertools
from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

from irmetrics_edu.conformance.further_oracles import roc_area
from irmetrics_edu.conformance.oracles import Number, added, as_decimal, dcg, divided

_DIGITS = 40


def mean_of(values: Sequence[Number], undefined: str) -> Number:
    """The mean; of nothing what is said."""
    if not values:
        return Fraction(0) if undefined == "zero" else Decimal("NaN")
    return divided(added(values), Fraction(len(values)))


def self_information(known_by: int, users: int) -> Number:
    """Minus the logarithm to base 2 of the share of users who know an item."""
    with localcontext() as context:
        context.prec = _DIGITS
        return (Decimal(users) / Decimal(known_by)).ln() / Decimal(2).ln()


def fairness(
    items: Sequence[str], groups: Mapping[str, Sequence[str]], *, p: str, undefined: str
) -> Number:
    """1 less half the two Kullback-Leibler divergences from the middle."""
    got, due = dict[str, Fraction](), dict[str, Fraction]()
    for rank, item in enumerate(items):
        for group in groups[item]:
            share = (1 - Fraction(p)) * Fraction(p) ** rank / len(groups[item])
            got[group] = got.get(group, Fraction(0)) + share
    for of_item in groups.values():
        for group in of_item:
            due[group] = due.get(group, Fraction(0)) + Fraction(1, len(of_item))
    if not got:
        return mean_of([], undefined)
    divergence = Decimal(0)
    with localcontext() as context:
        context.prec = _DIGITS
        for group in sorted(due):
            e, t = got.get(group, Fraction(0)) / sum(got.values()), due[group] / sum(due.values())
            for x in (e, t):
                if x:
                    ratio = as_decimal(x / ((e + t) / 2))
                    divergence += as_decimal(x) * ratio.ln() / Decimal(2).ln() / 2
        return 1 - divergence


def rank_biased_overlap(one: Sequence[str], other: Sequence[str], p: Fraction) -> Fraction:
    """The agreement at each depth; below their ends the lists go on as they did so far."""
    short, long = sorted((len(one), len(other)))
    total, agreement = Fraction(0), Fraction(0)
    at_short = len(set(one[:short]) & set(other[:short]))
    for depth in range(1, long + 1):
        both = Fraction(len(set(one[:depth]) & set(other[:depth])))
        if depth > short > 0:
            both += Fraction(at_short * (depth - short), short)
        agreement = both / depth
        total += (1 - p) * p ** (depth - 1) * agreement
    return total + p**long * agreement


def tau_b(one: Mapping[str, float], other: Mapping[str, float]) -> Number:
    """Look at every pair."""
    same = opposite = free_one = free_other = 0
    for a, b in itertools.combinations(one, 2):
        x, y = one[a] - one[b], other[a] - other[b]
        free_one += x != 0
        free_other += y != 0
        same += x * y > 0
        opposite += x * y < 0
    product = free_one * free_other
    if isqrt(product) ** 2 == product:
        return Fraction(same - opposite, isqrt(product))
    with localcontext() as context:
        context.prec = _DIGITS
        return Decimal(same - opposite) / Decimal(product).sqrt()


def tau_ap(one: Sequence[str], reference: Sequence[str]) -> Fraction:
    """For each item below the first, the share above it that the reference has above it too."""
    place = {item: i for i, item in enumerate(reference)}
    total = Fraction(0)
    for i in range(1, len(one)):
        total += Fraction(sum(place[item] < place[one[i]] for item in one[:i]), i)
    return 2 * total / (len(one) - 1) - 1


def group_area(
    scores: Mapping[str, float], grades: Mapping[str, int], users: Mapping[str, str], rel: int = 1
) -> Fraction:
    """One user after the other; who has one kind of item only is left out."""
    total, weight = Fraction(0), 0
    for user in dict.fromkeys(users.values()):
        own = [(scores[i], grades[i]) for i in scores if users[i] == user]
        if len({g >= rel for _, g in own}) == 2:
            total += len(own) * roc_area(own, rel=rel)
            weight += len(own)
    return total / weight


def session_dcg(
    rankings: Sequence[Sequence[str]], judgments: Mapping[str, int], k: int | None, *, base: str,
    gain: str, discount: str,
) -> Number:  # fmt: skip
    """The DCG of each query, divided by 1 and the logarithm of its number."""
    worths: list[Number] = []
    for number, ranking in enumerate(rankings, 1):
        each = dcg([judgments.get(d) for d in ranking], (), k, gain_=gain, discount=discount)
        with localcontext() as context:
            context.prec = _DIGITS
            worths.append(divided(each, 1 + Decimal(number).ln() / Decimal(base).ln()))
    return added(worths)
