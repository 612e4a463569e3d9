"""The door to data: splits as DGRec's authors publish them, and plain tables of ratings."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions, interactions
from irmetrics_edu.lab.recommenders.ratings_table import ITEM, counted, ratings_in
from irmetrics_edu.lab.recommenders.splitting import (
    BY_TIME,
    ONE_LEFT_OUT,
    ones,
    parts_of_users,
    require_shares,
    shares,
)
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import records, text_of
from irmetrics_edu.runs.accepted import DataFrame

_TEXTS = ("train.txt", "val.txt", "test.txt")
_CATEGORIES = "item_category.txt"
# The two forms of a line of a split.
_PAIR = "user,item"
_LIST = "user item item ..."
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
    path: str | Path | DataFrame,
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

    `path` is a file, or a data frame of pandas or polars. The table has a header, as MovieLens's
    `ratings.csv`. It has columns of users and items, and may have ratings and times. Put a header
    over Amazon's files, which have none. `categories` is a table of items and their categories, as
    MovieLens's `movies.csv`. A line may hold several categories with "|" between them.

    Ratings below `min_rating` are left out. Then users and items with fewer than `k_core`
    interactions are left out, again and again, until all have at least that many. `split="random"`
    draws the share `test` of each user's interactions for test and `validation` for validation, by
    `seed`, both rounded down. "time" takes each user's latest for test and those before for
    validation. "leave-last-out" takes each user's latest interaction alone for test, and the one
    before for validation, and "leave-random-out" draws them. Then a share says whether there is
    such an interaction: none with 0. A user keeps at least one in training, and notes count users
    who have too few to be tested.

    Ids are kept as text. The `notes` of the result count what is left out, and the result shows
    them. InputError names the file, and the line or the user and item.

    Source: Harper & Konstan (2015), The MovieLens datasets: history and context, TiiS.
    """
    checks.one_of("split", split, ("random", "time", *ONE_LEFT_OUT))
    checks.whole("k_core", k_core, 1)
    checks.whole("seed", seed, 0)
    require_shares(validation, test)
    named = {} if categories is None else _categories(Path(categories))
    ratings = ratings_in(path)
    if split in BY_TIME:
        ratings.require_times(split, BY_TIME[split])
    notes: list[str] = []
    chosen = ratings.in_order()
    if min_rating is not None:
        chosen = ratings.rated(chosen, min_rating, notes)
    ratings.require_once(chosen)
    chosen = ratings.core(chosen, k_core, notes)
    of_items = ratings.categories(chosen, named, notes)
    if split not in BY_TIME:
        order = np.random.default_rng(seed).permutation(len(chosen))
        chosen = chosen[order]
    chosen = chosen[np.argsort(ratings.user[chosen], kind="stable")]
    how = ones if split in ONE_LEFT_OUT else shares
    parts = parts_of_users(*ratings.named(chosen), how(validation, test))
    if split in ONE_LEFT_OUT and test:
        users = len(parts[0]) - len(parts[2])
        notes += counted("users with a single interaction, which stays in training", users)
    data = interactions(*parts, of_items, name=ratings.path.stem)
    return replace(data, notes=tuple(notes))


def _categories(path: Path) -> dict[str, set[str]]:
    """The categories of items, from a table with a line for each item, or for each of both."""
    categories: dict[str, set[str]] = {}
    for line in records(path, {"item": ITEM, "category": _CATEGORY}, {}):
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
