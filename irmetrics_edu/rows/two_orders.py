"""Two orders of things side by side, as correlations and overlaps of rankings read them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, picked, ranks_to
from irmetrics_edu.rows.by_query import QUERY, ROW, ByQuery, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Orders(ByQuery):
    """Pairs of orders: a line for each depth, with the items of both orders there.

    `place` is the place of the item of the first order in the second order (0: nowhere). `level`
    and `other_level` are equal for items whose scores are equal. A list has a level for each place.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))  # of each line: its depth
    item: Sequence[Hashable] = field(metadata=on(ROW))  # of the one order, None below its end
    other: Sequence[Hashable] = field(metadata=on(ROW))
    place: Array = field(metadata=on(ROW))
    level: Array = field(metadata=on(ROW))
    other_level: Array = field(metadata=on(ROW))  # of `item` in the other order
    length: Array = field(metadata=on(QUERY))  # of the one order, for each pair
    other_length: Array = field(metadata=on(QUERY))
    open: Array = field(metadata=on(QUERY))  # whether equal scores leave an order open
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))

    def refuse_ties(self, name: str) -> None:
        """Raise InputError where equal scores leave the order open."""
        for q in np.flatnonzero(self.open)[:1].tolist():
            raise InputError(
                f"{self.at(q)}equal scores leave the order open, and {name} compares "
                "orders without ties; give the order as a list"
            )

    def refuse_others(self, name: str) -> None:
        """Raise InputError where the orders are not of the same two or more things."""
        for q in range(self.n):
            n = int(self.length[q])
            m = int(self.other_length[q])
            lacking = (self.query == q) & (self.place == 0)
            if n != m or lacking.any():
                one = [d for d in picked(self.item, self.query == q) if d is not None]
                other = [d for d in picked(self.other, self.query == q) if d is not None]
                apart = sorted(set(one) ^ set(other), key=str)
                raise InputError(
                    f"{self.at(q)}{apart[0]!r} is in one order only, but {name} compares "
                    "orders of the same things; leave it out, or use RBO"
                )
            if n < 2:
                raise InputError(
                    f"{self.at(q)}{name} needs at least two things in order; give more"
                )

    def table(self) -> Table:
        """The lines that columns over these orders stand for."""
        return Table(self.query, {"depth": self.rank, "item": self.item, "other": self.other})

    def top(self, k: int | None) -> Self:
        """Both orders down to depth k."""
        if k is None:
            return self
        return replace(
            super().top(k),
            length=np.minimum(self.length, k),
            other_length=np.minimum(self.other_length, k),
        )


def align_orders(
    ranked: Any,
    other: Any,
    *,
    exact: bool = False,
    query: Any = None,
    settled: bool = False,
) -> Orders:
    """Two orders, each a list, best first, or a mapping from item to score.

    With `settled`, items of equal scores have the order of the mapping. Otherwise their order is
    open.

    >>> align_orders(["a", "b"], {"b": 0.9, "a": 0.1}).place
    array([2, 1])
    """
    items, levels = _ordered(ranked, query)
    others, other_levels = _ordered(other, query)
    if not items and not others:
        raise InputError(f"{at(query)}both orders are empty, so there is nothing to compare")
    checks.same_kind_of_ids(items, others, query)
    place = {item: i for i, item in enumerate(others, 1)}
    n = max(len(items), len(others))
    tied = any(len(set(of)) < len(of) for of in (levels, other_levels))
    blank: list[Any] = [None] * n

    def padded(values: list[int]) -> Array:
        return np.array(values + [0] * (n - len(values)), dtype=np.intp)

    return Orders(
        query=np.zeros(n, dtype=np.intp),
        rank=ranks_to(np.empty(0, dtype=object if exact else np.float64), n),
        item=[*items, *blank][:n],
        other=[*others, *blank][:n],
        place=padded([place.get(d, 0) for d in items]),
        level=padded(levels),
        other_level=padded([other_levels[place[d] - 1] if d in place else 0 for d in items]),
        length=np.array([len(items)]),
        other_length=np.array([len(others)]),
        open=np.array([tied and not settled]),
        queries=None if query is None else [query],
    )


def _ordered(given: Any, query: Any) -> tuple[list[Hashable], list[int]]:
    """The items, best first, and the number of the group of equal scores of each."""
    if not isinstance(given, Mapping):
        if not hasattr(given, "__iter__") or isinstance(given, (set, frozenset)):
            raise InputError(
                f"{at(query)}{given!r} is not an order; give a list, best first, or a mapping "
                "from item to score"
            )
        items = checks.ids(given, query)
        return items, list(range(1, len(items) + 1))
    score = {d: checks.number(s, "score", at(query, d)) for d, s in given.items()}
    items = sorted(score, key=lambda d: -score[d])
    groups = {s: i for i, s in enumerate(dict.fromkeys(score[d] for d in items), 1)}
    return items, [groups[score[d]] for d in items]


ORDERS = KindOfInput("two orders", ("ranked", "other"), align_orders)
