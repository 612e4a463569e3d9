"""Recommended lists: one as rows with its effective items, and those of all users counted."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, in_kind, ranks_to
from irmetrics_edu.rows.by_query import QUERY, ROW, ByQuery, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Recommended(ByQuery):
    """The items of recommended lists: rows (query, rank, item), sorted by query and rank.

    An item is effective if it is also among the relevant (test) items of its query.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    item: Sequence[Hashable] = field(metadata=on(ROW))
    effective: Array = field(metadata=on(ROW))
    length: Array = field(metadata=on(QUERY))  # how many items each query was recommended
    queries: Sequence[Any] | None = field(metadata=on(QUERY))

    def depth(self, k: int | None) -> Array:
        """How many items each list has within the cut."""
        return self.length if k is None else np.minimum(self.length, k)

    def coefficient(self, name: str, value: Any) -> Any:
        """A discount coefficient in [0, 1], as the kind of number that these rows hold."""
        checks.between(name, value, 0, 1)
        return in_kind(self.rank, value)

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        return Table(self.query, {"rank": self.rank, "item": self.item})


def items_of(recommended: Any, query: Any) -> list[Hashable]:
    """The items of a recommended list, or of a mapping from item to score, in ranked order."""
    if isinstance(recommended, Mapping):
        return checks.ids_by_falling_score(recommended, query)
    if not hasattr(recommended, "__iter__") or isinstance(recommended, AbstractSet):
        raise InputError(
            f"{at(query)}recommended={recommended!r} is not a list; give the items in order"
        )
    return checks.ids(recommended, query, "recommended")


def relevant_among(items: Sequence[Hashable], relevant: Any, query: Any) -> list[Hashable]:
    """The relevant (test) items of a query: those given, or those of grade 1 and more."""
    if isinstance(relevant, Mapping):
        judged = list(relevant)
        for item, grade in relevant.items():
            if not checks.number(grade, "grade", at(query, item)) >= 0:
                raise InputError(
                    f"{at(query, item)}grade {grade} is negative; give 0 for an "
                    "item that is not relevant"
                )
            if 0 < grade < 1:
                raise InputError(
                    f"{at(query, item)}grade {grade} is neither 0 nor at least "
                    "1; give 0 (not relevant) or at least 1"
                )
        hits = [item for item in judged if relevant[item] >= 1]
    else:
        checks.collection(
            relevant,
            "relevant",
            at(query),
            "give a set of items",
        )
        judged = hits = checks.ids(relevant, query, "relevant")
    if not judged:
        raise InputError(
            f"{at(query)}nothing is judged; give the relevant (test) items, or leave the "
            "query out of the evaluation"
        )
    checks.same_kind_of_ids(items, judged, query)
    return hits


def one_list(
    items: Sequence[Hashable],
    hits: Iterable[Hashable],
    query: Any,
    *,
    exact: bool,
) -> dict[str, Any]:
    """The fields that all rows of one recommended list have, by their names."""
    effective = frozenset(hits)
    return {
        "query": np.zeros(len(items), dtype=np.intp),
        "rank": ranks_of(items, exact=exact),
        "item": list(items),
        "effective": np.array([item in effective for item in items], dtype=bool),
        "length": np.array([len(items)]),
        "queries": None if query is None else [query],
    }


def ranks_of(items: Sequence[Hashable], *, exact: bool) -> Array:
    """The ranks 1, 2, ... of a list, in the kind of number that is computed with."""
    kind = np.empty(0, dtype=object if exact else np.float64)
    return ranks_to(kind, len(items))


def exposure(
    lists: Mapping[Any, Iterable[Hashable]] | Iterable[Iterable[Hashable]],
    catalogue: Iterable[Hashable] | None = None,
    *,
    k: int | None = None,
) -> dict[Hashable, int]:
    """The exposure of an item is the number of recommended lists that hold it within the cut.

    `lists` are recommended lists, or a mapping from user to list. `catalogue` holds all items that
    exist: an item that no list shows counts 0, and an item outside the catalogue is refused.

    >>> exposure([["a", "b"], ["a", "c"]], catalogue=["a", "b", "c", "d"], k=1)
    {'a': 2, 'b': 0, 'c': 0, 'd': 0}
    """
    cut = checks.cutoff(k)
    counts: dict[Hashable, int] = dict.fromkeys(() if catalogue is None else catalogue, 0)
    by_user = lists.items() if isinstance(lists, Mapping) else enumerate(lists, 1)
    for user, recommended in by_user:
        for rank, item in enumerate(items_of(recommended, user)[:cut], 1):
            if catalogue is not None and item not in counts:
                raise InputError(
                    f"{at(user, None, rank)}item {item!r} is not in the catalogue; "
                    "give all items that can be recommended"
                )
            counts[item] = counts.get(item, 0) + 1
    return counts


@dataclass(eq=False)
class Lists(ByQuery):
    """The items of a catalogue, and for each place in a list its rank and the item there.

    Here a whole system is counted as a query is elsewhere.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))  # of each item
    item: Sequence[Hashable] = field(metadata=on(ROW))
    rank: Array = field(metadata=on("place"))  # of each place in a list
    shown: Array = field(metadata=on("place", to=ROW))  # the item that stands there, by its number
    n: int = field(default=1, metadata=on(QUERY))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))

    def exposure(self, k: int | None) -> Array:
        """How many lists hold each item within the cut."""
        shown = self.shown if k is None else self.shown[(self.rank <= k).astype(bool)]
        return np.bincount(shown, minlength=len(self.item))

    def table(self) -> Table:
        """The lines that columns over the items stand for."""
        return Table(self.query, {"item": self.item})


def align_lists(
    lists: Any,
    catalogue: Any,
    *,
    exact: bool = False,
    query: Any = None,
) -> Lists:
    """The recommended lists of all users, and all items that can be recommended.

    `lists` are lists of items in order, or a mapping from user to list.

    >>> align_lists([["a", "b"], ["a"]], ["a", "b", "c"]).exposure(None)
    array([2, 1, 0])
    """
    checks.collection(
        lists,
        "lists",
        at(query),
        "give the recommended lists of all users",
    )
    checks.collection(catalogue, "catalogue", at(query), "give all items")
    items = checks.ids(catalogue, query, "listed")
    if not items:
        raise InputError(
            f"{at(query)}the catalogue is empty; give all items that can be recommended"
        )
    exposure(lists, items)  # its checks
    number = {item: i for i, item in enumerate(items)}
    of_users = list(lists.values()) if hasattr(lists, "values") else list(lists)
    orders = [items_of(recommended, None) for recommended in of_users]
    rank = np.concatenate([ranks_of([], exact=exact)] + [ranks_of(o, exact=exact) for o in orders])
    shown = [number[item] for order in orders for item in order]
    return Lists(
        query=np.zeros(len(items), dtype=np.intp),
        item=items,
        rank=rank,
        shown=np.array(shown, dtype=np.intp),
        n=1,
        queries=None if query is None else [query],
    )


LISTS = KindOfInput("lists of all users", ("lists", "catalogue"), align_lists)
