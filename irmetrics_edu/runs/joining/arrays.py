"""Recommendations: a row of item ids for each user, and the items held out of each."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.columns import Columns
from irmetrics_edu.reading.text import Numbers, Text, ids
from irmetrics_edu.runs.joining.any_run import Run

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.join import Join

_CHUNK = 1 << 17  # items at a time


class ListedRun(Run):
    """A 2-D array of item ids, best first: row u is the list recommended to user number u."""

    def __init__(self, items: Array, padding: Any) -> None:
        self.listed, self.padding = items, padding

    @classmethod
    def takes(cls, read: Any) -> bool:
        """An array."""
        return isinstance(read, np.ndarray)

    @classmethod
    def made(cls, read: Any, *_: Any, padding: Any = None, **_how: Any) -> Self:
        """The run; the array's shape and type are checked."""
        if read.ndim != 2:
            raise InputError(
                "the recommended items are not a 2-D array with a row for each user; got "
                f"{read.ndim} "
                f"dimension{'s' if read.ndim != 1 else ''}"
            )
        if isinstance(read, np.ma.MaskedArray):
            raise InputError(
                "the recommended items are a masked array; fill it with a "
                "number, and give that number as padding"
            )
        if read.dtype.kind not in "iuUO":
            raise InputError(f"item ids are of type {read.dtype}; give whole numbers or text")
        return cls(read, padding)

    def _columns(self, begin: int, end: int) -> Columns:
        part = self.listed[begin:end]
        width = part.shape[1]
        starts = (
            np.arange(0, (end - begin) * width + 1, width)
            if width
            else np.zeros(end - begin + 1, np.intp)
        )
        flat = part.ravel()
        line = np.repeat(np.arange(begin, end), width)
        text = _text(flat, line, "recommended item")
        made = Columns(list(range(begin, end)), starts, text, None, line)
        if self.padding is None:
            return made
        return made.take(flat != self.padding)

    def into(self, join: "Join") -> None:
        """Join all users with the pool of held-out items."""
        users, width = self.listed.shape
        step = max(1, _CHUNK // max(1, width))
        numbered = join.pool.queries == list(range(users))
        for begin in range(0, users, step):
            end = min(users, begin + step)
            items = self._columns(begin, end)
            if numbered:
                join.numbered(items, np.arange(begin, end))
            else:
                join.add(items)

    def one(self, query: Any) -> list[Hashable]:
        """What one user was recommended."""
        row = self.listed[query].tolist()
        return [item for item in row if self.padding is None or item != self.padding]

    def whole(self) -> dict[Any, list[Hashable]]:
        """What every user was recommended."""
        return {user: self.one(user) for user in range(len(self.listed))}


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
                "the held-out items are not a collection of item ids for each user; give one, "
                "such as a list of lists"
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
    return Columns(list(range(users)), starts, _text(flat, line, "held-out item"), grades, line)


def _text(flat: Any, user: Array, what: str) -> Text:
    """The ids as a column; one that is none is told by its user."""
    if isinstance(flat, np.ndarray) and flat.dtype.kind in "iu" and flat.dtype != np.uint64:
        return Numbers.of(flat, what)
    values = flat.tolist() if isinstance(flat, np.ndarray) else flat
    try:
        return ids(values, what)
    except InputError as error:
        place = at(int(user[_odd(values)]))
        raise InputError(f"{place}{error}") from None


def _odd(values: Sequence[Any]) -> int:
    """The place of the first value that is no id, or none of the kind that the others are."""
    text = any(isinstance(value, str) for value in values)
    for place, value in enumerate(values):
        try:
            if ids([value]).kind != "text" and text:
                return place
        except InputError:
            return place
    return 0
