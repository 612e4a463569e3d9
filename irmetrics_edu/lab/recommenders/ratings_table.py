"""Ratings as they are given: a table in a file, or a data frame, with a user and an item a line."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.records import Record, records
from irmetrics_edu.runs.accepted import DataFrame

# What headers call the columns, as in MovieLens and Amazon.
_USER = ("user", "user_id", "userid", "uid", "reviewerid")
ITEM = ("item", "item_id", "itemid", "iid", "movieid", "movie_id", "asin", "parent_asin")
_RATED = {
    "rating": ("rating", "ratings", "overall", "stars"),
    "time": ("time", "timestamp", "unixreviewtime"),
}


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of a table: users and items by number, and the other columns if it has them."""

    path: Path
    user: Array
    item: Array
    user_names: Array
    item_names: Array
    rating: Array | None
    time: Array | None

    def in_order(self) -> Array:
        """The places of the ratings from the first to the latest; as they stand, without times."""
        if self.time is None:
            return np.arange(len(self.user))
        return np.argsort(self.time, kind="stable")

    def require_times(self, split: str, instead: str) -> None:
        """InputError if the table has no times, which a split needs."""
        if self.time is None:
            raise InputError(
                f"{self.path}: split={split!r}: the ratings have no times; give split={instead!r}"
            )

    def named(self, places: Array) -> tuple[Array, Array]:
        """The users and the items at these places."""
        return self.user_names[self.user[places]], self.item_names[self.item[places]]

    def rated(self, places: Array, least: float, notes: list[str]) -> Array:
        """The places whose rating is not below `least`."""
        if self.rating is None:
            raise InputError(f"{self.path}: min_rating={least}: the table has no ratings")
        high = self.rating[places] >= least
        low = int((~high).sum())
        notes += counted(f"ratings below {least:g} left out", low)
        return places[high]

    def require_once(self, places: Array) -> None:
        """InputError if a user rated an item more than once."""
        pair = self.user[places] * len(self.item_names) + self.item[places]
        _, first = np.unique(pair, return_index=True)
        repeated = np.setdiff1d(np.arange(len(places)), first)
        if len(repeated):
            again = places[repeated[0]]
            user = str(self.user_names[self.user[again]])
            item = str(self.item_names[self.item[again]])
            raise InputError(
                f"{self.path}: user {user!r} rated item {item!r} more than once; give each "
                f"user's rating of an item once ({len(repeated)} are repeated)"
            )

    def core(self, places: Array, k: int, notes: list[str]) -> Array:
        """The places whose users and items all have at least k ratings of those that stay."""
        dense = places[_core(self.user[places], self.item[places], k)]
        if not len(dense):
            reason = "; ".join(notes or ["see k_core"])
            raise InputError(f"{self.path}: no ratings are left of {len(self.user)}; {reason}")
        if len(dense) < len(places):
            users = _distinct(self.user, places) - _distinct(self.user, dense)
            items = _distinct(self.item, places) - _distinct(self.item, dense)
            notes.append(
                f"{len(places) - len(dense):,} ratings of {users:,} users and {items:,} items "
                f"left out, with fewer than {k} (k_core)"
            )
        return dense

    def categories(
        self,
        places: Array,
        named: Mapping[str, set[str]],
        notes: list[str],
    ) -> dict[str, set[str]]:
        """The categories of the items at these places; a note counts items that have none."""
        numbers = np.unique(self.item[places])
        categories = {}
        for item in self.item_names[numbers].tolist():
            categories[item] = named.get(item, set())
        without = sum(1 for names in categories.values() if not names)
        notes += counted("items without a category", without)
        return categories


def _distinct(numbers: Array, places: Array) -> int:
    return len(np.unique(numbers[places]))


def counted(what: str, number: int) -> list[str]:
    """A note of how many there are; none if there are none."""
    return [f"{number:,} {what}"] if number else []


def _core(user: Array, item: Array, k: int) -> Array:
    """The places of the interactions whose users and items have at least k of those that stay."""
    places = np.arange(len(user))
    while True:
        of_users = user[places]
        of_items = item[places]
        often = np.minimum(
            np.bincount(of_users)[of_users],
            np.bincount(of_items)[of_items],
        )
        if not (often < k).any():
            return places
        places = places[often >= k]
        if not len(places):
            return places


def _of_file(path: Path) -> Ratings:
    """The ratings of a table, in its order."""
    lines = records(path, {"user": _USER, "item": ITEM}, _RATED)
    if not lines:
        raise InputError(f"{path} has no ratings")
    users = [line.id("user") for line in lines]
    items = [line.id("item") for line in lines]
    user_names, user = np.unique(users, return_inverse=True)
    item_names, item = np.unique(items, return_inverse=True)
    return Ratings(
        path,
        user,
        item,
        user_names,
        item_names,
        rating=_column(lines, "rating"),
        time=_column(lines, "time"),
    )


def _of_frame(frame: Any) -> Ratings:
    """The ratings of a data frame of pandas or polars, in its order."""
    if hasattr(frame, "collect"):  # a lazy one
        frame = frame.collect()
    named = {str(name).casefold(): name for name in frame.columns}
    place = Path("the data frame")

    def values(names: Sequence[str]) -> list[Any] | None:
        for name in names:
            if name in named:
                column: list[Any] = list(frame[named[name]])
                return column
        return None

    users = values(_USER)
    items = values(ITEM)
    if users is None or items is None:
        lacks = "user" if users is None else "item"
        there = ", ".join(repr(name) for name in named.values())
        raise InputError(
            f"{place}: no column of the {lacks}; the columns are {there}; rename one to {lacks!r}"
        )
    if not users:
        raise InputError(f"{place} has no ratings")
    user_names, user = np.unique(_ids(users, "user"), return_inverse=True)
    item_names, item = np.unique(_ids(items, "item"), return_inverse=True)
    return Ratings(
        place,
        user,
        item,
        user_names,
        item_names,
        rating=_numbers(values(_RATED["rating"]), "rating"),
        time=_numbers(values(_RATED["time"]), "time"),
    )


_MISSING = ("NAType", "NaTType")  # the types of what pandas has for a missing value


def _is_missing(value: Any) -> bool:
    """Whether a cell of a frame is empty."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in _MISSING


def _ids(values: Sequence[Any], what: str) -> list[str]:
    """The ids of a column as text; a whole number that pandas made a float stays whole."""
    ids = []
    for row, value in enumerate(values, 1):
        if _is_missing(value):
            raise InputError(
                f"the data frame, row {row}: the {what} is missing; leave the row out, as in "
                "frame.dropna()"
            )
        is_whole = isinstance(value, float) and value.is_integer()
        ids.append(str(int(value)) if is_whole else str(value))
    return ids


def _numbers(values: Sequence[Any] | None, what: str) -> Array | None:
    """A column of numbers or of times; None if the frame has none."""
    if values is None:
        return None
    numbers = []
    for row, value in enumerate(values, 1):
        number = value.timestamp() if hasattr(value, "timestamp") else value
        numbers.append(float(checks.number(number, what, f"the data frame, row {row}: ")))
    return np.array(numbers)


def _column(lines: Sequence[Record], name: str) -> Array | None:
    """A column of numbers; None if the table has none of this name."""
    if name not in lines[0].values:
        return None
    return np.array([_number(line, name) for line in lines])


def _number(line: Record, column: str) -> float:
    try:
        return float(checks.number(float(line[column]), column, line.place))
    except ValueError:
        raise InputError(f"{line.place}{column} {line[column]!r} is not a number") from None


def ratings_in(table: str | Path | DataFrame) -> Ratings:
    """The ratings of a file or a data frame, in its order."""
    if isinstance(table, str | Path):
        return _of_file(Path(table))
    return _of_frame(table)
