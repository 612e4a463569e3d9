"""The door to data: splits as DGRec's authors publish them, and plain tables of ratings."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
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

_TEXTS = ("train.txt", "val.txt", "test.txt")
_CATEGORIES = "item_category.txt"
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
    known = _category_lines(folder / _CATEGORIES)
    name = folder.resolve().name
    try:
        return interactions(
            train,
            validation,
            test,
            known,
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
    for name, share in (("validation", validation), ("test", test)):
        checks.between(name, share, 0, 1, open_high=True)
    if as_fraction(validation) + as_fraction(test) >= 1:
        raise InputError(
            f"validation={validation} and test={test} leave nothing for training; give a sum below "
            "1"
        )
    known = {} if categories is None else _categories(Path(categories))
    users, items, rating, time = _ratings(Path(path))
    if split == "time" and time is None:
        raise InputError(f"{path}: split='time': the ratings have no times; give split='random'")
    if min_rating is not None and rating is None:
        raise InputError(f"{path}: min_rating={min_rating}: the table has no ratings")
    user_names, user = np.unique(users, return_inverse=True)
    item_names, item = np.unique(items, return_inverse=True)
    order = np.arange(len(user)) if time is None else np.argsort(time, kind="stable")
    notes: list[str] = []
    if min_rating is not None:
        high = rating[order] >= min_rating
        notes += _counted(f"ratings below {min_rating:g} left out", int((~high).sum()))
        order = order[high]
    first = np.unique(user[order] * len(item_names) + item[order], return_index=True)[1]
    if len(first) < len(order):
        again = order[np.setdiff1d(np.arange(len(order)), first)[0]]
        raise InputError(
            f"{path}: user {users[again]!r} rated item {items[again]!r} more than once; give each "
            f"user's rating of an item once ({len(order) - len(first)} are repeated)"
        )
    kept = order[_core(user[order], item[order], k_core)]
    if not len(kept):
        said = "; ".join(notes or ["see k_core"])
        raise InputError(f"{path}: no ratings are left of {len(user)}; {said}")
    if len(kept) < len(order):
        users, items = (len(np.unique(x[order])) - len(np.unique(x[kept])) for x in (user, item))
        notes.append(
            f"{len(order) - len(kept):,} ratings of {users:,} users and {items:,} items left out, "
            f"with fewer than {k_core} (k_core)"
        )
    of_items = {i: known.get(i, set()) for i in item_names[np.unique(item[kept])].tolist()}
    notes += _counted("items without a category", sum(not of for of in of_items.values()))
    if split == "random":
        kept = kept[np.random.default_rng(seed).permutation(len(kept))]
    kept = kept[np.argsort(user[kept], kind="stable")]
    learnt, between, held = _parts(
        user_names[user[kept]],
        item_names[item[kept]],
        validation,
        test,
    )
    made = interactions(
        learnt,
        between,
        held,
        of_items,
        name=Path(path).stem,
    )
    return replace(made, notes=tuple(notes))


def _parts(
    users: Array,
    items: Array,
    validation: float,
    test: float,
) -> list[dict[Hashable, list[Any]]]:
    """Each user's items in training, validation and test; the last ones go to test."""
    parts: list[dict[Hashable, list[Any]]] = [{}, {}, {}]
    ends = [*np.flatnonzero(users[1:] != users[:-1]) + 1, len(users)]
    for start, end in pairwise([0, *ends]):
        listed = items[start:end].tolist()
        n = end - start
        later = n - int(as_fraction(test) * n)
        middle = later - int(as_fraction(validation) * n)
        cuts = (listed[:middle], listed[middle:later], listed[later:])
        for part, of in zip(parts, cuts, strict=True):
            if of:
                part[str(users[start])] = of
    return parts


def _counted(what: str, number: int) -> list[str]:
    return [f"{number:,} {what}"] if number else []


def _core(user: Array, item: Array, k: int) -> Array:
    """The places of the interactions whose users and items have at least k of those that stay."""
    places = np.arange(len(user))
    while True:
        often = np.minimum(*(np.bincount(x[places])[x[places]] for x in (user, item)))
        if not (often < k).any():
            return places
        places = places[often >= k]
        if not len(places):
            return places


def _ratings(path: Path) -> Iterator[Any]:
    """Users, items, ratings and times of a table, in its order; None for a column it has not."""
    lines = records(path, {"user": _USER, "item": _ITEM}, _RATED)
    if not lines:
        raise InputError(f"{path} has no ratings")
    for name in ("user", "item"):
        yield [line.id(name) for line in lines]
    for name in _RATED:
        known = name in lines[0].values
        yield np.array([_number(line, name) for line in lines]) if known else None


def _number(line: Record, column: str) -> float:
    try:
        return float(checks.number(float(line[column]), column, line.place))
    except ValueError:
        raise InputError(f"{line.place}{column} {line[column]!r} is not a number") from None


def _categories(path: Path) -> dict[str, set[str]]:
    """The categories of items, from a table with a line for each item, or for each of both."""
    found: dict[str, set[str]] = {}
    for line in records(path, {"item": _ITEM, "category": _CATEGORY}, {}):
        of = {part.strip() for part in line["category"].split("|")}
        found.setdefault(line.id("item"), set()).update(of - _NO_GENRE)
    return found


def _listed(path: Path) -> dict[str, list[str]]:
    """A split as DGRec and LightGCN lay it out."""
    lists: dict[str, list[str]] = {}
    form = ""
    for place, line in _lines(path):
        here = "user,item" if "," in line else "user item item ..."
        form = form or here
        if here != form:
            raise InputError(f"{place}: {line!r} is not {form!r}, as the lines above are")
        fields = _pair(place, line, form) if "," in line else line.split()
        if path.name == _TEXTS[0] and len(fields) < 2:
            raise InputError(f"{place}: user {fields[0]!r} has no items")
        if here != "user,item" and fields[0] in lists:
            raise InputError(f"{place}: user {fields[0]!r} already has a line; give each user once")
        lists.setdefault(fields[0], []).extend(fields[1:])
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
