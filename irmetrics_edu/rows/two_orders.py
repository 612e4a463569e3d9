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
                one = self._things(self.item, q)
                other = self._things(self.other, q)
                apart = sorted(one ^ other, key=str)
                raise InputError(
                    f"{self.at(q)}{apart[0]!r} is in one order only, but {name} compares "
                    "orders of the same things; leave it out, or use RBO"
                )
            if n < 2:
                raise InputError(
                    f"{self.at(q)}{name} needs at least two things in order; give more"
                )

    def _things(
        self,
        column: Sequence[Hashable],
        q: int,
    ) -> set[Hashable]:
        """The things of one of the orders of a pair."""
        return set(picked(column, self.query == q)) - {None}

    def table(self) -> Table:
        """The lines that columns over these orders stand for."""
        labels: dict[str, Any] = {
            "depth": self.rank,
            "item": self.item,
            "other": self.other,
        }
        return Table(self.query, labels)

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
    n = max(len(items), len(others))
    places, levels_there = _found_in(items, others, other_levels)
    is_tied = _has_ties(levels) or _has_ties(other_levels)
    number = np.empty(0, dtype=object if exact else np.float64)
    return Orders(
        query=np.zeros(n, dtype=np.intp),
        rank=ranks_to(number, n),
        item=[*items, *[None] * (n - len(items))],
        other=[*others, *[None] * (n - len(others))],
        place=_padded(places, n),
        level=_padded(levels, n),
        other_level=_padded(levels_there, n),
        length=np.array([len(items)]),
        other_length=np.array([len(others)]),
        open=np.array([is_tied and not settled]),
        queries=None if query is None else [query],
    )


def _has_ties(levels: list[int]) -> bool:
    return len(set(levels)) < len(levels)


def _found_in(
    items: Sequence[Hashable],
    others: Sequence[Hashable],
    other_levels: Sequence[int],
) -> tuple[list[int], list[int]]:
    """Of each item its place in the other order, and its level there; 0 if it has none."""
    place = {item: i for i, item in enumerate(others, 1)}
    places = []
    levels = []
    for item in items:
        there = place.get(item, 0)
        places.append(there)
        levels.append(other_levels[there - 1] if there else 0)
    return places, levels


def _padded(
    values: list[int],
    n: int,
) -> Array:
    """The values as an array of this length, with 0 at its end."""
    filled = np.zeros(n, dtype=np.intp)
    filled[: len(values)] = values
    return filled


def _ordered(
    order: Any,
    query: Any,
) -> tuple[list[Hashable], list[int]]:
    """The items, best first, and the number of the group of equal scores of each."""
    if not isinstance(order, Mapping):
        if not hasattr(order, "__iter__") or isinstance(order, (set, frozenset)):
            raise InputError(
                f"{at(query)}{order!r} is not an order; give a list, best first, or a mapping "
                "from item to score"
            )
        items = checks.ids(order, query)
        return items, list(range(1, len(items) + 1))
    score: dict[Hashable, Any] = {}
    for item, given_score in order.items():
        score[item] = checks.number(given_score, "score", at(query, item))
    items = sorted(score, key=lambda item: -score[item])
    level_of: dict[Any, int] = {}
    levels = []
    for item in items:
        level = level_of.setdefault(score[item], len(level_of) + 1)
        levels.append(level)
    return items, levels


ORDERS = KindOfInput("two orders", ("ranked", "other"), align_orders)
