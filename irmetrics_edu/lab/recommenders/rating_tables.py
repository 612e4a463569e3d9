"""Plain tables of ratings, and of items with their categories, as in MovieLens and Amazon.

ratings: u.data, ratings.csv, ratings.dat, NAME.inter, or a file whose columns are given
items:   u.item and u.genre, movies.csv, movies.dat, NAME.item, or a file item,category
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import records

COLUMNS = ("user", "item", "rating", "time")
# What headers call them, in lower case; RecBole adds a type, as in user_id:token.
_CALLED = {
    "user": ("user", "user_id", "userid", "uid", "reviewerid"),
    "item": ("item", "item_id", "itemid", "iid", "movieid", "movie_id", "asin", "parent_asin"),
    "rating": ("rating", "ratings", "overall", "stars"),
    "time": ("time", "timestamp", "unixreviewtime"),
    "category": ("category", "categories", "category_id", "cid", "genre", "genres", "class"),
}
_BY_NAME = {name: column for column, names in _CALLED.items() for name in names}
# Files without a header whose columns are known: MovieLens 100k, and 1M and 10M.
_KNOWN = {"u.data": COLUMNS, "ratings.dat": COLUMNS, "movies.dat": ("item", "title", "category")}
_LATIN = ("u.item", "u.genre", "movies.dat")
_PAIRS = (("u.data", "u.item"), ("ratings.csv", "movies.csv"), ("ratings.dat", "movies.dat"))
_FIRST_FLAG = 5  # in u.item: number, title, two dates, address; then a 0 or 1 for each genre


@dataclass(frozen=True)
class Ratings:
    """Ratings: the user, the item, the value and the time of each, in the order of the file."""

    user: list[str]
    item: list[str]
    rating: Array | None
    time: Array | None


def ratings_files(folder: Path) -> tuple[Path, Path | None] | None:
    """The tables of ratings and of items in a folder; None if it has none."""
    pairs = [*_PAIRS, *((p.name, f"{p.stem}.item") for p in sorted(folder.glob("*.inter")))]
    found = [
        (folder / ratings, folder / items)
        for ratings, items in pairs
        if (folder / ratings).exists()
    ]
    if len(found) > 1:
        names = " and ".join(path.name for path, _ in found)
        raise InputError(f"{folder} has {names}: name the file of ratings to read")
    return (found[0][0], found[0][1] if found[0][1].exists() else None) if found else None


def read_ratings(path: Path, columns: Sequence[str] | None = None) -> Ratings:
    """The ratings of a table; `columns` names those of a file without a header, "" for others."""
    if columns is not None:
        known = set(columns) - {""}
        if not {"user", "item"} <= known <= set(COLUMNS) or len(known) != len(
            [c for c in columns if c]
        ):
            raise InputError(
                f"columns={tuple(columns)!r}: name 'user' and 'item', and 'rating' and 'time' if "
                "there are such columns, each once; '' is a column that is not read"
            )
    place, rows = _table(path, columns, ("user", "item"))
    users: list[str] = []
    items: list[str] = []
    numbers: dict[str, list[float]] = {name: [] for name in ("rating", "time") if name in place}
    for line, fields in rows:
        user, item = fields[place["user"]], fields[place["item"]]
        if not user or not item:
            raise InputError(f"{path}, line {line}: the user or the item is empty")
        users.append(user)
        items.append(item)
        for name, column in numbers.items():
            column.append(_number(fields[place[name]], f"{path}, line {line}: {name}"))
    if not users:
        raise InputError(f"{path} has no ratings")
    found: dict[str, Any] = {n: np.array(column) for n, column in numbers.items()}
    return Ratings(users, items, found.get("rating"), found.get("time"))


def read_categories(path: Path) -> dict[str, set[str]]:
    """The categories of items: a line for each item, or one for each item and category.

    Several categories in one field are separated by "|", in RecBole's files by a space.
    """
    found: dict[str, set[str]] = {}
    if path.name == "u.item":
        lines = text(path.parent / "u.genre").splitlines()
        names = [genre.partition("|")[0] for genre in lines if genre.strip()]
        for number, line in enumerate(text(path).splitlines(), 1):
            fields = line.split("|")
            if len(fields) != _FIRST_FLAG + len(names):
                raise InputError(
                    f"{path}, line {number}: {len(fields)} fields, not {_FIRST_FLAG} and one for "
                    f"each of the {len(names)} genres in u.genre"
                )
            flags = zip(names, fields[_FIRST_FLAG:], strict=True)
            found[fields[0]] = {name for name, flag in flags if flag == "1"}
        return found
    place, rows = _table(path, None, ("item", "category"), ("item", "category"))
    by = " " if path.suffix == ".item" else "|"
    for _, fields in rows:
        of = {part.strip() for part in fields[place["category"]].split(by)}
        found.setdefault(fields[place["item"]], set()).update(of - {"", "(no genres listed)"})
    return found


def _table(
    path: Path, columns: Sequence[str] | None, needed: Sequence[str], otherwise: Sequence[str] = ()
) -> tuple[dict[str, int], Iterator[tuple[int, list[str]]]]:
    """Where each column stands, and the lines of a table with their numbers."""
    whole = text(path)
    first = next((line for line in whole.splitlines() if line.strip()), "")
    by = next((mark for mark in ("::", "\t", ",") if mark in first), ",")
    rows = _fields(path, whole, by)
    told = columns or _KNOWN.get(path.name)
    if told is None:
        header = next(_fields(path, first, by), (0, []))[1]
        told = [_BY_NAME.get(name.partition(":")[0].lower(), "") for name in header]
        if any(told):
            next(rows)
        elif otherwise and len(header) == len(otherwise):
            told = otherwise
        else:
            raise InputError(
                f"{path}, line 1: {first!r} is not a header; give columns=('user', 'item', "
                "'rating', 'time'), or the order in the file (Amazon's files of 2018 begin "
                "with the "
                "item)"
            )
    for name in needed:
        if told.count(name) != 1:
            raise InputError(f"{path}, line 1: {first!r} has no column, or several, of {name}s")
    width = len(told)
    return {name: i for i, name in enumerate(told) if name}, _of_width(path, rows, width)


def _fields(path: Path, whole: str, by: str) -> Iterator[tuple[int, list[str]]]:
    """The fields of the lines that are not blank, each line with its number."""
    found: Iterator[tuple[int, list[str]]]
    if by == "::":
        found = ((n, line.split(by)) for n, line in enumerate(whole.splitlines(), 1))
    else:  # a tab separates plain text, in which a quotation mark is a letter
        found = records.rows(whole, str(path), by, strict=False, quoted=by == ",")
    for number, row in found:
        if any(row):
            yield number, [field.strip() for field in row]


def _of_width(
    path: Path, rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[tuple[int, list[str]]]:
    for line, fields in rows:
        if len(fields) != width:
            raise InputError(f"{path}, line {line}: {len(fields)} fields, not {width}: {fields}")
        yield line, fields


def _number(given: str, place: str) -> float:
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{place} {given!r} is not a number")
    return value


def text(path: Path) -> str:
    """The text of a file."""
    if not path.exists():
        raise InputError(f"{path.parent} has no {path.name}")
    raw = path.read_bytes()
    return raw.decode("latin-1") if path.name in _LATIN else records.decoded(raw, path)
