"""The door to data: splits as DGRec's authors publish them, and plain tables of ratings."""

import dataclasses
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions, interactions
from irmetrics_edu.numbers import Array, as_fraction
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import Record, records, text_of

# What the three splits may be called in a folder.
_TEXTS = {
    "train": ("train.txt",),
    "validation": ("val.txt", "valid.txt", "validation.txt"),
    "test": ("test.txt",),
}
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


@dataclass(frozen=True)
class Splitting:
    """How ratings become interactions.

    Ratings below `min_rating` are left out. Then users and items with fewer than `k_core`
    interactions are left out, again and again, until all have at least that many. `split="random"`
    draws the share `test` of each user's interactions for test and `validation` for validation, by
    `seed`, both rounded down. "time" takes each user's latest for test and those before for
    validation. "global time" takes the latest of all users together. With `repeats="first"` the
    first of repeated ratings counts: the first in time, if times are given.
    """

    min_rating: float | None = None
    k_core: int = 1
    split: str = "random"
    validation: float = 0.1
    test: float = 0.2
    seed: int = 0
    repeats: str = "refuse"

    def __post_init__(self) -> None:
        checks.one_of("split", self.split, ("random", "time", "global time"))
        checks.one_of("repeats", self.repeats, ("refuse", "first"))
        checks.whole("k_core", self.k_core, 1)
        checks.whole("seed", self.seed, 0)
        for name, share in (("validation", self.validation), ("test", self.test)):
            checks.between(name, share, 0, 1, open_high=True)
        if as_fraction(self.validation) + as_fraction(self.test) >= 1:
            raise InputError(
                f"validation={self.validation} and test={self.test} leave nothing for "
                "training; give a sum below 1"
            )


def split_ratings(
    ratings: Mapping[str, Any],
    categories: Mapping[str, set[str]],
    how: Splitting,
    *,
    name: str,
    unknown_users: str = "refuse",
) -> Interactions:
    """Interactions from ratings; `notes` counts what was left out."""
    users, items, rating, time = (ratings[name] for name in ("user", "item", *_RATED))
    user_names, user = np.unique(users, return_inverse=True)
    item_names, item = np.unique(items, return_inverse=True)
    if how.split != "random" and time is None:
        raise InputError(f"split={how.split!r}: the ratings have no times; give split='random'")
    order = np.arange(len(user)) if time is None else np.argsort(time, kind="stable")
    notes: list[str] = []
    if how.min_rating is not None:
        if rating is None:
            raise InputError(f"min_rating={how.min_rating}: the table has no ratings")
        high = rating[order] >= how.min_rating
        notes += _counted(f"ratings below {how.min_rating:g} left out", int((~high).sum()))
        order = order[high]
    first = np.sort(np.unique(user[order] * len(item_names) + item[order], return_index=True)[1])
    twice = len(order) - len(first)
    if twice and how.repeats == "refuse":
        again = order[np.setdiff1d(np.arange(len(order)), first)[0]]
        raise InputError(
            f"user {users[again]!r} rated item {items[again]!r} more than once; "
            f"give repeats='first' to leave out the {twice} repeated ratings"
        )
    notes += _counted("repeated ratings left out (repeats='first')", twice)
    order = order[first]
    kept = order[_core(user[order], item[order], how.k_core)]
    if not len(kept):
        raise InputError(
            f"no ratings are left of {len(user)}; " + "; ".join(notes or ["see k_core"])
        )
    if len(kept) < len(order):
        users, items = (len(np.unique(x[order])) - len(np.unique(x[kept])) for x in (user, item))
        notes.append(
            f"{len(order) - len(kept):,} ratings of {users:,} users and {items:,} items left out, "
            f"with fewer than {how.k_core} (k_core)"
        )
    catalogue = [str(item_names[i]) for i in np.unique(item[kept])]
    bare = sum(not categories.get(i) for i in catalogue)
    notes += _counted("items without a category", bare)
    known = {i: categories.get(i, set()) for i in catalogue}
    train, validation, test = _lists(user_names, item_names, user[kept], item[kept], how)
    made = interactions(train, validation, test, known, name=name, unknown_users=unknown_users)
    return replace(made, notes=(*notes, *made.notes))


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


def _lists(
    user_names: Array, item_names: Array, user: Array, item: Array, how: Splitting
) -> list[dict[Hashable, list[Any]]]:
    """The lists of training, validation and test; interactions come in order of time."""
    n = len(user)
    if how.split == "global time":
        place, size = np.arange(n), np.full(n, n)
    else:
        if how.split == "random":
            shuffled = np.random.default_rng(how.seed).permutation(n)
            user, item = user[shuffled], item[shuffled]
        together = np.argsort(user, kind="stable")
        user, item = user[together], item[together]
        often = np.bincount(user)
        size = often[user]
        place = np.arange(n) - (np.cumsum(often) - often)[user]
    held = {s: int(s) for s in np.unique(size).tolist()}
    test, validation = as_fraction(how.test), as_fraction(how.validation)
    last = {s: s - int(test * s) for s in held}
    middle = {s: last[s] - int(validation * s) for s in held}
    out: list[dict[Hashable, list[Any]]] = [{}, {}, {}]
    columns = (user_names[user], item_names[item], place, size)
    for u, i, p, s in zip(*(column.tolist() for column in columns), strict=True):
        part = out[(p >= middle[s]) + (p >= last[s])]
        part.setdefault(u, []).append(i)
    return out


def load_interactions(
    source: str | Path,
    *,
    unknown_users: str = "refuse",
    categories: str | Path | None = None,
    **splitting: Any,
) -> Interactions:
    """Read interactions: a published split in a folder, or a table of ratings, which is split here.

    A folder holds a split as DGRec's authors publish TaoBao and Beauty: `train.txt`, `val.txt` (or
    `valid.txt`, `validation.txt`), `test.txt` and `item_category.txt`. A line of a split is
    "user,item", or "user item item ...", as with LightGCN. A line of `item_category.txt` is
    "item,category", and an item of several categories has several lines.

    A file is a table of ratings with a header, as MovieLens's `ratings.csv`. It has columns of
    users and items, and may have ratings and times. Put a header over Amazon's files, which have
    none. `categories` is a table of items and their categories, as MovieLens's `movies.csv`. A line
    may hold several categories with "|" between them. Ratings are split by `min_rating`, `k_core`,
    `split`, `validation`, `test`, `seed` and `repeats`: see `Splitting`.

    Ids are kept as text. See `interactions` for `unknown_users`. The `notes` of the result count
    what is left out, and the result shows them. InputError names the file, and the line or the user
    and item.

    Sources: Yang, Wang, Tao, Sun, Liu, Yu & Wang (2023), DGRec: graph neural network for
    recommendation with diversified embedding generation, WSDM, and the repository that it names.
    Harper & Konstan (2015), The MovieLens datasets: history and context, TiiS.
    """
    source = Path(source)
    if source.is_dir() or not source.suffix:
        for name, value in {"categories": categories, **splitting}.items():
            if value is not None:
                raise InputError(
                    f"{name}={value!r}: {source} is a folder, whose files are split already; leave "
                    "this option out, or give the file of a table of ratings"
                )
        return _published(source, unknown_users)
    try:
        how = Splitting(**splitting)
    except TypeError:
        names = ", ".join(field.name for field in dataclasses.fields(Splitting))
        raise InputError(f"{', '.join(splitting)}: ratings are split by {names}") from None
    known = {} if categories is None else _categories(Path(categories))
    given = _ratings(source)
    try:
        return split_ratings(given, known, how, name=source.stem, unknown_users=unknown_users)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def _ratings(path: Path) -> dict[str, Any]:
    """The columns of a table of ratings, in its order; None for one that it has not."""
    lines = records(path, {"user": _USER, "item": _ITEM}, _RATED)
    if not lines:
        raise InputError(f"{path} has no ratings")
    found: dict[str, Any] = {name: [line.id(name) for line in lines] for name in ("user", "item")}
    for name in _RATED:
        known = name in lines[0].values
        found[name] = np.array([_number(line, name) for line in lines]) if known else None
    return found


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


def _published(folder: Path, unknown_users: str) -> Interactions:
    train, validation, test = (_listed(folder, split) for split in SPLITS)
    known = _category_lines(folder / _CATEGORIES)
    name = folder.resolve().name
    try:
        return interactions(train, validation, test, known, name=name, unknown_users=unknown_users)
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None


def _listed(folder: Path, split: str) -> dict[str, list[str]]:
    """A split as DGRec and LightGCN lay it out."""
    names = _TEXTS[split]
    path = next((folder / n for n in names if (folder / n).exists()), None)
    if path is None:
        raise InputError(
            f"{folder} has no {' or '.join(names)} ({split}); a folder holds train.txt, val.txt, "
            f"test.txt and {_CATEGORIES}; for a table of ratings give its file, such as ratings.csv"
        )
    lists: dict[str, list[str]] = {}
    form = ""
    for place, line in _lines(path):
        here = "user,item" if "," in line else "user item item ..."
        form = form or here
        if here != form:
            raise InputError(f"{place}: {line!r} is not {form!r}, as the lines above are")
        fields = _pair(place, line, form) if "," in line else line.split()
        if split == "train" and len(fields) < 2:
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
        raise InputError(f"{path.parent} has no {path.name}")
    for number, line in enumerate(text_of(File(path)).splitlines(), 1):
        if line.strip():
            yield f"{path}, line {number}", line.strip()
