"""The door to data: splits as DGRec's authors publish them, and plain tables of ratings."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions, interactions
from irmetrics_edu.numbers import Array, as_fraction
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import Record, records, text_of

Part = dict[Hashable, list[Any]]  # the items of each user in a split

_TEXTS = ("train.txt", "val.txt", "test.txt")
_CATEGORIES = "item_category.txt"
# The two forms of a line of a split.
_PAIR = "user,item"
_LIST = "user item item ..."
# What headers call the columns, as in MovieLens and Amazon.
_USER = ("user", "user_id", "userid", "uid", "reviewerid")
_ITEM = ("item", "item_id", "itemid", "iid", "movieid", "movie_id", "asin", "parent_asin")
_RATED = {
    "rating": ("rating", "ratings", "overall", "stars"),
    "time": ("time", "timestamp", "unixreviewtime"),
}
_CATEGORY = ("category", "categories", "category_id", "cid", "genre", "genres")
_NO_GENRE = {"", "(no genres listed)"}


def load_interactions(folder: str | Path, *, unknown_users: str = "refuse") -> Interactions:
    """Read a split in a folder, as DGRec's authors publish TaoBao and Beauty.

    The files are `train.txt`, `val.txt`, `test.txt` and `item_category.txt`. A line of a split is
    "user,item", or "user item item ...", as with LightGCN. A line of `item_category.txt` is
    "item,category", and an item of several categories has several lines.

    Ids are kept as text. See `interactions` for `unknown_users`. The `notes` of the result count
    what is left out, and the result shows them. InputError names the file, and the line or the user
    and item.

    Source: Yang, Wang, Tao, Sun, Liu, Yu & Wang (2023), DGRec: graph neural network for
    recommendation with diversified embedding generation, WSDM, and the repository that it names.
    """
    folder = Path(folder)
    train, validation, test = (_listed(folder / name) for name in _TEXTS)
    categories = _category_lines(folder / _CATEGORIES)
    name = folder.resolve().name
    try:
        return interactions(
            train,
            validation,
            test,
            categories,
            name=name,
            unknown_users=unknown_users,
        )
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None


def load_ratings(
    path: str | Path,
    categories: str | Path | None = None,
    *,
    min_rating: float | None = None,
    k_core: int = 1,
    split: str = "random",
    validation: float = 0.1,
    test: float = 0.2,
    seed: int = 0,
) -> Interactions:
    """Read a table of ratings, and split each user's into training, validation and test.

    The table has a header, as MovieLens's `ratings.csv`. It has columns of users and items, and may
    have ratings and times. Put a header over Amazon's files, which have none. `categories` is a
    table of items and their categories, as MovieLens's `movies.csv`. A line may hold several
    categories with "|" between them.

    Ratings below `min_rating` are left out. Then users and items with fewer than `k_core`
    interactions are left out, again and again, until all have at least that many. `split="random"`
    draws the share `test` of each user's interactions for test and `validation` for validation, by
    `seed`, both rounded down. "time" takes each user's latest for test and those before for
    validation.

    Ids are kept as text. The `notes` of the result count what is left out, and the result shows
    them. InputError names the file, and the line or the user and item.

    Source: Harper & Konstan (2015), The MovieLens datasets: history and context, TiiS.
    """
    checks.one_of("split", split, ("random", "time"))
    checks.whole("k_core", k_core, 1)
    checks.whole("seed", seed, 0)
    _require_shares(validation, test)
    named = {} if categories is None else _categories(Path(categories))
    ratings = _ratings(Path(path))
    if split == "time" and ratings.time is None:
        raise InputError(f"{path}: split='time': the ratings have no times; give split='random'")
    notes: list[str] = []
    chosen = ratings.in_order()
    if min_rating is not None:
        chosen = ratings.rated(chosen, min_rating, notes)
    ratings.require_once(chosen)
    chosen = ratings.core(chosen, k_core, notes)
    of_items = ratings.categories(chosen, named, notes)
    if split == "random":
        order = np.random.default_rng(seed).permutation(len(chosen))
        chosen = chosen[order]
    chosen = chosen[np.argsort(ratings.user[chosen], kind="stable")]
    parts = _parts(
        ratings.user_names[ratings.user[chosen]],
        ratings.item_names[ratings.item[chosen]],
        validation,
        test,
    )
    data = interactions(*parts, of_items, name=Path(path).stem)
    return replace(data, notes=tuple(notes))


def _require_shares(validation: float, test: float) -> None:
    """InputError unless both are shares and leave something for training."""
    for name, share in (("validation", validation), ("test", test)):
        checks.between(name, share, 0, 1, open_high=True)
    if as_fraction(validation) + as_fraction(test) >= 1:
        raise InputError(
            f"validation={validation} and test={test} leave nothing for training; give a sum below "
            "1"
        )


@dataclass(frozen=True, eq=False)
class _Ratings:
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

    def rated(self, places: Array, least: float, notes: list[str]) -> Array:
        """The places whose rating is not below `least`."""
        if self.rating is None:
            raise InputError(f"{self.path}: min_rating={least}: the table has no ratings")
        high = self.rating[places] >= least
        low = int((~high).sum())
        notes += _counted(f"ratings below {least:g} left out", low)
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
        notes += _counted("items without a category", without)
        return categories


def _distinct(numbers: Array, places: Array) -> int:
    return len(np.unique(numbers[places]))


def _parts(
    users: Array,
    items: Array,
    validation: float,
    test: float,
) -> tuple[Part, Part, Part]:
    """Each user's items in training, validation and test; the last ones go to test."""
    train: Part = {}
    validation_part: Part = {}
    test_part: Part = {}
    changes = np.flatnonzero(users[1:] != users[:-1]) + 1
    for start, end in pairwise([0, *changes, len(users)]):
        items_of_user = items[start:end].tolist()
        n = end - start
        first_of_test = n - int(as_fraction(test) * n)
        first_of_validation = first_of_test - int(as_fraction(validation) * n)
        cuts = (
            (train, items_of_user[:first_of_validation]),
            (validation_part, items_of_user[first_of_validation:first_of_test]),
            (test_part, items_of_user[first_of_test:]),
        )
        for part, cut in cuts:
            if cut:
                part[str(users[start])] = cut
    return train, validation_part, test_part


def _counted(what: str, number: int) -> list[str]:
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


def _ratings(path: Path) -> _Ratings:
    """The ratings of a table, in its order."""
    lines = records(path, {"user": _USER, "item": _ITEM}, _RATED)
    if not lines:
        raise InputError(f"{path} has no ratings")
    users = [line.id("user") for line in lines]
    items = [line.id("item") for line in lines]
    user_names, user = np.unique(users, return_inverse=True)
    item_names, item = np.unique(items, return_inverse=True)
    return _Ratings(
        path,
        user,
        item,
        user_names,
        item_names,
        rating=_column(lines, "rating"),
        time=_column(lines, "time"),
    )


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


def _categories(path: Path) -> dict[str, set[str]]:
    """The categories of items, from a table with a line for each item, or for each of both."""
    categories: dict[str, set[str]] = {}
    for line in records(path, {"item": _ITEM, "category": _CATEGORY}, {}):
        names = {part.strip() for part in line["category"].split("|")}
        of_item = categories.setdefault(line.id("item"), set())
        of_item.update(names - _NO_GENRE)
    return categories


def _listed(path: Path) -> dict[str, list[str]]:
    """A split as DGRec and LightGCN lay it out."""
    lists: dict[str, list[str]] = {}
    form = ""
    for place, line in _lines(path):
        here = _PAIR if "," in line else _LIST
        form = form or here
        if here != form:
            raise InputError(f"{place}: {line!r} is not {form!r}, as the lines above are")
        fields = _pair(place, line, form) if here == _PAIR else line.split()
        if path.name == _TEXTS[0] and len(fields) < 2:
            raise InputError(f"{place}: user {fields[0]!r} has no items")
        user, *items = fields
        if here == _LIST and user in lists:
            raise InputError(f"{place}: user {user!r} already has a line; give each user once")
        lists.setdefault(user, []).extend(items)
    return lists


def _category_lines(path: Path) -> dict[str, set[str]]:
    categories: dict[str, set[str]] = {}
    for place, line in _lines(path):
        item, category = _pair(place, line, "item,category")
        categories.setdefault(item, set()).add(category)
    if not categories:
        raise InputError(f"{path} is empty; a line is 'item,category', such as '17,3'")
    return categories


def _pair(place: str, line: str, form: str) -> list[str]:
    fields = [part.strip() for part in line.split(",")]
    if len(fields) != 2 or not all(fields):
        raise InputError(f"{place}: {line!r} is not {form!r}, such as '17,3'")
    return fields


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    if not path.exists():
        raise InputError(
            f"{path.parent} has no {path.name}; a folder of a split holds "
            f"{', '.join((*_TEXTS, _CATEGORIES))}; for a table of ratings call load_ratings"
        )
    for number, line in enumerate(text_of(File(path)).splitlines(), 1):
        if line.strip():
            yield f"{path}, line {number}", line.strip()
