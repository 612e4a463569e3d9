"""Recommendations: a row of item ids for each user, beside the items held out of each."""

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.joining.aligned import Found
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.text import Numbers, Text, ids

if TYPE_CHECKING:
    from irmetrics_edu.joining.tables import Join

_CHUNK = 1 << 17  # items at a time


class Recommended:
    """A 2-D array of item ids, best first: row u is what user number u was recommended."""

    def __init__(self, items: Array, padding: Any) -> None:
        self.items, self.padding = items, padding

    def _columns(self, begin: int, end: int) -> Columns:
        part = self.items[begin:end]
        width = part.shape[1]
        starts = (
            np.arange(0, (end - begin) * width + 1, width)
            if width
            else np.zeros(end - begin + 1, np.intp)
        )
        flat = part.ravel()
        line = np.repeat(np.arange(begin, end), width)
        text = Numbers.of(flat, "item") if flat.dtype.kind in "iu" else ids(flat.tolist(), "item")
        made = Columns(list(range(begin, end)), starts, text, None, line)
        if self.padding is None:
            return made
        return made.take(flat != self.padding)

    def join(self, join: "Join") -> Iterator[Found]:
        """The held-out items among the recommended, with their ranks."""
        users, width = self.items.shape
        step = max(1, _CHUNK // max(1, width))
        for begin in range(0, users, step):
            end = min(users, begin + step)
            yield join.joined(self._columns(begin, end), np.arange(begin, end))

    def ranking(self, user: int) -> list[Hashable]:
        """What one user was recommended."""
        row = self.items[user].tolist()
        return [item for item in row if self.padding is None or item != self.padding]


def recommended(items: Array, padding: Any) -> Recommended:
    """The recommendations of an array; its shape and type are checked."""
    if items.ndim != 2:
        raise InputError(
            f"recommended items are a 2-D array, a row for each user; got {items.ndim} "
            f"dimension{'s' if items.ndim != 1 else ''}"
        )
    if isinstance(items, np.ma.MaskedArray):
        raise InputError("a masked array: fill it with a number and name that number as padding")
    if items.dtype.kind not in "iuUO":
        raise InputError(f"item ids are whole numbers or text, not {items.dtype}")
    return Recommended(items, padding)


def held_out(items: Any, users: int) -> Columns | Mapping[Any, Any]:
    """The items held out of each user, in columns: a list of collections, or a 2-D array."""
    if isinstance(items, Mapping):
        return items
    if not hasattr(items, "__len__"):
        items = list(items)
    if len(items) != users:
        raise InputError(
            f"{users} rows of recommended items and {len(items)} collections of held-out items; "
            "give one collection for each row"
        )
    if isinstance(items, np.ndarray) and items.ndim == 2:
        sizes = np.full(users, items.shape[1])
        flat: Any = items.ravel()
    else:
        try:
            sizes = np.fromiter(map(len, items), np.intp, users)
        except TypeError:
            raise InputError(
                "held-out items are a collection of item ids for each user, such as a list"
            ) from None
        if users and all(isinstance(i, np.ndarray) for i in items):
            flat = np.concatenate(items)
        else:
            flat = list(chain.from_iterable(items))
    grades = None
    if users and not isinstance(items, np.ndarray) and all(isinstance(i, Mapping) for i in items):
        return dict(enumerate(items))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    line = np.repeat(np.arange(users), sizes)
    return Columns(list(range(users)), starts, _text(flat), grades, line)


def _text(flat: Any) -> Text:
    if isinstance(flat, np.ndarray) and flat.dtype.kind in "iu":
        return Numbers.of(flat, "held-out item")
    return ids(flat.tolist() if isinstance(flat, np.ndarray) else flat, "held-out item")
