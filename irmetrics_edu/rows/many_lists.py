"""The lists of all users of a system, counted item by item."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import QUERY, ROW, ByQuery, Inputs, on
from irmetrics_edu.rows.item_categories import exposure
from irmetrics_edu.rows.recommended import items_of, ranks_of
from irmetrics_edu.working import Table


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


def align_lists(lists: Any, catalogue: Any, *, exact: bool = False, query: Any = None) -> Lists:
    """The recommended lists of all users, and all items that can be recommended.

    `lists` are lists of items in order, or a mapping from user to list.

    >>> align_lists([["a", "b"], ["a"]], ["a", "b", "c"]).exposure(None)
    array([2, 1, 0])
    """
    if isinstance(lists, (str, bytes)) or not hasattr(lists, "__iter__"):
        raise InputError(
            f"{at(query)}lists={lists!r} are not lists; give the recommended lists of all users"
        )
    if isinstance(catalogue, (str, bytes)) or not hasattr(catalogue, "__iter__"):
        raise InputError(
            f"{at(query)}catalogue={catalogue!r} is not a collection of items; give all items"
        )
    items = checks.ids(catalogue, query, "listed")
    if not items:
        raise InputError(
            f"{at(query)}the catalogue is empty; give all items that can be recommended"
        )
    exposure(lists, items)  # its checks
    number = {item: i for i, item in enumerate(items)}
    of_users = list(lists.values()) if hasattr(lists, "values") else list(lists)
    orders = [items_of(given, None) for given in of_users]
    rank = np.concatenate([ranks_of([], exact=exact)] + [ranks_of(o, exact=exact) for o in orders])
    shown = [number[item] for order in orders for item in order]
    return Lists(
        np.zeros(len(items), dtype=np.intp),
        items,
        rank,
        np.array(shown, dtype=np.intp),
        1,
        None if query is None else [query],
    )


LISTS = Inputs("lists of all users", ("lists", "catalogue"), align_lists)
