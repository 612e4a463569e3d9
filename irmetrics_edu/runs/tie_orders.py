"""The possible orders of tied documents that a measure can tell apart."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, prod

import numpy as np

from irmetrics_edu.numbers import Array


def all_orders(
    n: int, ties: Sequence[Array], kinds: Sequence[Hashable], most: int
) -> list[Array] | None:
    """The orders of `n` documents that differ, each equally likely; None if there are too many.

    `ties` holds the places of the documents of each tie. `kinds` is what a measure sees of each
    document: if two of one kind change places, nothing changes.

    >>> all_orders(3, [np.array([1, 2])], ["a", "b", "c"], 10)
    [array([0, 1, 2]), array([0, 2, 1])]
    >>> all_orders(3, [np.array([1, 2])], ["a", "b", "b"], 10)
    [array([0, 1, 2])]
    """
    alike = [_alike([kinds[i] for i in tie.tolist()]) for tie in ties]
    if prod(_arrangements([len(c) for c in classes.values()]) for classes in alike) > most:
        return None
    orders = []
    for places in product(*(list(_orders(tie, c)) for tie, c in zip(ties, alike, strict=True))):
        order = np.arange(n)
        for tie, chosen in zip(ties, places, strict=True):
            order[tie] = chosen
        orders.append(order)
    return orders


def _alike(kinds: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    classes: dict[Hashable, list[int]] = {}
    for place, which in enumerate(kinds):
        classes.setdefault(which, []).append(place)
    return classes


def _arrangements(sizes: Sequence[int]) -> int:
    """How many orders there are of things of which some are alike."""
    n, left = 1, sum(sizes)
    for size in sizes:
        n *= comb(left, size)
        left -= size
    return n


def _orders(tie: Array, classes: Mapping[Hashable, list[int]]) -> Iterator[Array]:
    """The orders of a tie that differ: documents alike keep the order among themselves."""
    supply = [list(places) for places in classes.values()]

    def extend(done: list[int], used: list[int]) -> Iterator[list[int]]:
        if len(done) == len(tie):
            yield done
            return
        for c, places in enumerate(supply):
            if used[c] < len(places):
                more = used.copy()
                more[c] += 1
                yield from extend([*done, places[used[c]]], more)

    for order in extend([], [0] * len(supply)):
        yield tie[np.array(order)]
