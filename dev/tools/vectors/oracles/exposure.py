"""Measures of recommenders, orders and users as plain loops.

Nothing here is shared with the kernels.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt

from dev.tools.vectors.oracles.rankings import Number, added, as_decimal, divided

_DIGITS = 40


def mean_of(values: Sequence[Number], undefined: str) -> Number:
    """The mean; the given value for an empty list."""
    if not values:
        return Fraction(0) if undefined == "zero" else Decimal("NaN")
    return divided(added(values), Fraction(len(values)))


def self_information(known_by: int, users: int) -> Number:
    """Minus the logarithm to base 2 of the share of users who know an item."""
    with localcontext() as context:
        context.prec = _DIGITS
        return (Decimal(users) / Decimal(known_by)).ln() / Decimal(2).ln()


def average_popularity(
    items: Sequence[str], popularity: Mapping[str, int], undefined: str
) -> Number:
    """The mean number of users who know an item."""
    return mean_of([Fraction(popularity[i]) for i in items], undefined)


def novelty(
    items: Sequence[str], popularity: Mapping[str, int], users: int, undefined: str
) -> Number:
    """The mean self-information."""
    return mean_of([self_information(popularity[i], users) for i in items], undefined)


def share_without(
    items: Sequence[str], counts: Mapping[str, int], users: int, undefined: str
) -> Number:
    """The mean share of the users who are not counted for an item."""
    return mean_of([1 - Fraction(counts[i], users) for i in items], undefined)


def serendipity(
    items: Sequence[str], relevant: Collection[str], expected: Collection[str], undefined: str
) -> Number:
    """The share of items that are of use and were not expected."""
    of_use = set(relevant) - set(expected)
    return mean_of([Fraction(i in of_use) for i in items], undefined)


def popularity_lift(
    items: Sequence[str], relevant: Collection[str], popularity: Mapping[str, int], undefined: str
) -> Number:
    """The popularity of what was recommended over that of what was chosen, less 1."""
    if not items:
        return mean_of([], undefined)
    average = Fraction(sum(popularity[i] for i in items), len(items))
    chosen = Fraction(sum(popularity[i] for i in relevant), len(relevant))
    return average / chosen - 1


def _propensity(known_by: int, users: int, a: Fraction, b: Fraction) -> Decimal:
    """1 / (1 + C exp(-a ln(n + b))), C = (ln N - 1) (b + 1)^a: the chance that a label is there."""
    a_, b_ = as_decimal(a), as_decimal(b)
    c = (Decimal(users).ln() - 1) * ((b_ + 1).ln() * a_).exp()
    return 1 / (1 + c * (-a_ * (known_by + b_).ln()).exp())


def propensity_scored(
    items: Sequence[str],
    relevant: Collection[str],
    popularity: Mapping[str, int],
    k: int | None,
    *,
    users: int,
    a: str | Fraction,
    b: str | Fraction,
    undefined: str,
    discounted: bool,
) -> Number:
    """The hits, each over its propensity, over the number of ranks; or both with discounts."""
    size = len(items) if k is None else k
    if not size:
        return mean_of([], undefined)
    with localcontext() as context:
        context.prec = _DIGITS
        by_rank = [
            Decimal(2).ln() / Decimal(rank + 1).ln() if discounted else Decimal(1)
            for rank in range(1, size + 1)
        ]
        found = Decimal(0)
        for item, factor in zip(items[:k], by_rank, strict=False):
            if item in relevant:
                found += factor / _propensity(popularity[item], users, Fraction(a), Fraction(b))
        return found / sum(by_rank)


def catalogue_coverage(lists: Iterable[Sequence[str]], catalogue: Collection[str]) -> Fraction:
    """The share of the catalogue that some list has."""
    return Fraction(len({item for items in lists for item in items}), len(catalogue))


def fairness(
    items: Sequence[str],
    groups: Mapping[str, Collection[str]],
    *,
    p: str | Fraction,
    undefined: str,
    target: Mapping[str, float] | None = None,
) -> Number:
    """1 less half the two Kullback-Leibler divergences from the middle.

    Without a target, each group is due its share of all items.
    """
    got, due = dict[str, Fraction](), dict[str, Fraction]()
    for rank, item in enumerate(items):
        for group in groups[item]:
            share = (1 - Fraction(p)) * Fraction(p) ** rank / len(groups[item])
            got[group] = got.get(group, Fraction(0)) + share
    if target is not None:
        due = {group: Fraction(share) for group, share in target.items()}
    for of_item in groups.values() if target is None else ():
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


def rank_biased_overlap(
    one: Sequence[str], other: Sequence[str], p: Fraction, k: int | None = None
) -> Fraction:
    """The agreement at each depth; below their ends the lists go on as they did so far."""
    one, other = sorted((one, other), key=len)
    short, long = (min(len(order), k or 10**9) for order in (one, other))
    total = at_short = agreement = Fraction(0)
    for depth in range(1, long + 1):
        seen = Fraction(len(set(one[: min(depth, short)]) & set(other[:depth])))
        agreement = (seen + at_short * max(depth - short, 0)) / depth
        at_short = agreement if depth <= short else at_short
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
