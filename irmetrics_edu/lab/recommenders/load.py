"""The door to data: published splits of TaoBao, Beauty and MSD, and plain tables of ratings.

DGRec:    train.txt, val.txt, test.txt           "user,item" or, as LightGCN, "user item item ..."
          item_category.txt                      "item,category"
DGCN:     train_, val_, test_coo_record.npz      a sparse matrix, users by items
          or train_, val_, test_record.csv       columns uid and iid
          item_cate_feature.csv                  columns iid and cid
ratings:  see `rating_tables.py`; they are split as `splits.py` says
"""

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions, interactions
from irmetrics_edu.lab.recommenders.rating_tables import (
    ratings_files,
    read_categories,
    read_ratings,
    text,
)
from irmetrics_edu.lab.recommenders.splits import Splitting, split_ratings
from irmetrics_edu.lab.saved_arrays import arrays_in
from irmetrics_edu.reading import records
from irmetrics_edu.reading.files import SPOILT

# What the three splits may be called in a folder.
_TEXTS = {
    "train": ("train.txt",),
    "validation": ("val.txt", "valid.txt", "validation.txt"),
    "test": ("test.txt",),
}
_CATEGORIES = "item_category.txt"
_PREFIX = {"train": "train", "validation": "val", "test": "test"}
_MATRIX, _RECORDS = "{}_coo_record.npz", "{}_record.csv"
_FEATURES = "item_cate_feature.csv"


def load_interactions(
    source: str | Path,
    *,
    repeats: str = "refuse",
    unknown_users: str = "refuse",
    columns: Sequence[str] | None = None,
    categories: str | Path | None = None,
    **splitting: Any,
) -> Interactions:
    """Read interactions: published splits, or a plain table of ratings, which is split here.

    A folder with published splits of TaoBao, Beauty or MSD has one of two layouts. DGRec's authors
    publish TaoBao and Beauty as `train.txt`, `val.txt` (or `valid.txt`, `validation.txt`),
    `test.txt` and `item_category.txt`. A line of a split is "user,item", or "user item item ...",
    as with LightGCN. A line of `item_category.txt` is "item,category", and an item of several
    categories has several lines. DGCN's authors publish all three as `train_coo_record.npz`,
    `val_coo_record.npz` and `test_coo_record.npz`. Each is a sparse matrix in coordinate form as
    scipy saves it, with a row for each user and a column for each item. If they are missing,
    `train_record.csv` and so on are read, with columns `uid` and `iid`. `item_cate_feature.csv` has
    columns `iid` and `cid`.

    A folder with ratings holds `u.data` with `u.item` and `u.genre` (MovieLens 100k), `ratings.csv`
    with `movies.csv`, `ratings.dat` with `movies.dat` (other MovieLens), or `NAME.inter` with
    `NAME.item` (RecBole). Give any other table of ratings as a file, for example Amazon's. It needs
    a header, or `columns`, such as ("item", "user", "rating", "time"); "" is a column that is not
    read. `categories` is a file of items and their categories. Ratings are split by `min_rating`,
    `k_core`, `split`, `validation`, `test` and `seed`: see `Splitting`.

    Ids are kept as text. See `interactions` for `repeats` and `unknown_users`. The `notes` of the
    result count what is left out, and the result shows them. InputError names the file, and the
    line or the user and item.

    Sources: Yang, Wang, Tao, Sun, Liu, Yu & Wang (2023), DGRec: graph neural network for
    recommendation with diversified embedding generation, WSDM; Zheng, Gao, Chen, Jin & Li (2021),
    DGCN: diversified recommendation with graph convolutional networks, WWW; and the repositories
    that both name. Harper & Konstan (2015), The MovieLens datasets: history and context, TiiS.
    """
    source = Path(source)
    ratings, items = source, None if categories is None else Path(categories)
    if source.is_dir() or not (source.suffix or source.exists()):
        tables = ratings_files(source)
        if tables is None:
            for name, value in {"columns": columns, "categories": categories, **splitting}.items():
                if value is not None:
                    raise InputError(
                        f"{name}={value!r}: {source} holds no table of ratings, so this "
                        "option has no use; leave it out"
                    )
            return _published(source, repeats, unknown_users)
        ratings, beside = tables
        items = items or beside
    try:
        how = Splitting(**splitting)
    except TypeError:
        names = ", ".join(field.name for field in dataclasses.fields(Splitting))
        raise InputError(f"{', '.join(splitting)}: ratings are split by {names}") from None
    given = read_ratings(ratings, columns)
    known = None if items is None else read_categories(items)
    name = ratings.resolve().stem if ratings == source else source.resolve().name
    try:
        return split_ratings(
            given, known, how, name=name, repeats=repeats, unknown_users=unknown_users
        )
    except InputError as error:
        raise InputError(f"{ratings}: {error}") from None


def _published(folder: Path, repeats: str, unknown_users: str) -> Interactions:
    """Interactions in one of the two layouts that are split already."""
    if _as_dgcn(folder):
        lists = {split: _recorded(folder, split) for split in SPLITS}
        categories = _category_features(folder / _FEATURES)
    else:
        lists = {split: _listed(folder, split) for split in SPLITS}
        categories = _category_lines(folder / _CATEGORIES)
    try:
        return interactions(
            lists["train"],
            lists["validation"],
            lists["test"],
            categories,
            name=folder.resolve().name,
            repeats=repeats,
            unknown_users=unknown_users,
        )
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None


def _as_dgcn(folder: Path) -> bool:
    own = (_FEATURES, _MATRIX.format("train"), _RECORDS.format("train"))
    theirs = any((folder / name).exists() for name in own)
    if theirs and (folder / _TEXTS["train"][0]).exists():
        raise InputError(
            f"{folder} holds files of two layouts, train.txt and {_FEATURES} or the like; "
            "keep one data set in a folder"
        )
    return theirs


def _listed(folder: Path, split: str) -> dict[str, list[str]]:
    """A split as DGRec and LightGCN lay it out."""
    names = _TEXTS[split]
    path = next((folder / n for n in names if (folder / n).exists()), None)
    if path is None:
        raise InputError(
            f"{folder} has no {' or '.join(names)} ({split}); a folder holds train.txt, val.txt, "
            f"test.txt and {_CATEGORIES}, or train_coo_record.npz, val_coo_record.npz, "
            f"test_coo_record.npz and {_FEATURES}, or ratings (u.data, ratings.csv, ratings.dat, "
            "NAME.inter)"
        )
    lists: dict[str, list[str]] = {}
    form = ""
    for place, line in _lines(path):
        here = "user,item" if "," in line else "user item item ..."
        form = form or here
        if here != form:
            raise InputError(f"{place}: {line!r} is not {form!r}, as the lines above are")
        fields = [part.strip() for part in line.split(",")] if "," in line else line.split()
        if "," in line and (len(fields) != 2 or not all(fields)):
            raise InputError(f"{place}: {line!r} is not 'user,item', such as '5,17'")
        if split == "train" and len(fields) < 2:
            raise InputError(f"{place}: user {fields[0]!r} has no items")
        if here != "user,item" and fields[0] in lists:
            raise InputError(f"{place}: user {fields[0]!r} already has a line; give each user once")
        lists.setdefault(fields[0], []).extend(fields[1:])
    return lists


def _category_lines(path: Path) -> dict[str, set[str]]:
    categories: dict[str, set[str]] = {}
    for place, line in _lines(path):
        fields = [part.strip() for part in line.split(",")]
        if len(fields) != 2 or not all(fields):
            raise InputError(f"{place}: {line!r} is not 'item,category', such as '17,3'")
        categories.setdefault(fields[0], set()).add(fields[1])
    if not categories:
        raise InputError(f"{path} is empty; a line is 'item,category', such as '17,3'")
    return categories


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    for number, line in enumerate(text(path).splitlines(), 1):
        if line.strip():
            yield f"{path}, line {number}", line.strip()


def _recorded(folder: Path, split: str) -> dict[str, list[str]]:
    """A split as DGCN lays it out: the matrix that its model reads, or the table it came from."""
    matrix, records = (folder / form.format(_PREFIX[split]) for form in (_MATRIX, _RECORDS))
    lists: dict[str, list[str]] = {}
    if matrix.exists():
        pairs: Iterator[tuple[str, str]] = _cells(matrix)
    elif records.exists():
        pairs = _columns(records, "uid", "iid")
    else:
        raise InputError(f"{folder} has no {matrix.name} or {records.name} ({split})")
    for user, item in pairs:
        lists.setdefault(user, []).append(item)
    return lists


def _category_features(path: Path) -> dict[str, set[str]]:
    categories: dict[str, set[str]] = {}
    for item, category in _columns(path, "iid", "cid"):
        categories.setdefault(item, set()).add(category)
    if not categories:
        raise InputError(f"{path} has no items; a line gives iid and cid, such as '0,17,3'")
    return categories


def _columns(path: Path, first: str, second: str) -> Iterator[tuple[str, str]]:
    """Two columns of a table with a header, line by line."""
    lines = records.rows(text(path), str(path), ",", strict=False)
    _, header = next(lines, (1, []))
    for name in (first, second):
        if header.count(name) != 1:
            raise InputError(f"{path}, line 1: {','.join(header)!r} has no column {name!r}")
    places = header.index(first), header.index(second)
    for number, fields in lines:
        if not fields:
            continue
        if len(fields) != len(header) or not all(fields[p].strip() for p in places):
            raise InputError(
                f"{path}, line {number}: {','.join(fields)!r} does not give "
                f"{','.join(header)!r}, with {first} and {second}"
            )
        yield fields[places[0]].strip(), fields[places[1]].strip()


def _cells(path: Path) -> Iterator[tuple[str, str]]:
    """The cells of a sparse matrix that are not empty: a user and an item each."""
    row, column, value = _coordinates(path)
    if len(value) and not (value > 0).all():
        i = int(np.argmin(value > 0))
        raise InputError(
            f"{path}: user {row[i]}, item {column[i]} has the value {value[i]:g}; an "
            "interaction is above 0; leave the others out"
        )
    yield from zip(map(str, row.tolist()), map(str, column.tolist()), strict=True)


def _coordinates(path: Path) -> tuple[Any, Any, Any]:
    form = "a sparse matrix in coordinate form, as scipy.sparse.save_npz writes a coo_matrix"
    try:
        held = arrays_in(path)
    except SPOILT as error:
        raise InputError(f"{path} is not {form}: {error}") from None
    if missing := [name for name in ("row", "col", "data") if name not in held]:
        raise InputError(f"{path} has no {' and '.join(missing)}; give {form}")
    row, column, value = held["row"], held["col"], held["data"]
    if not (row.ndim == 1 and row.shape == column.shape == value.shape):
        raise InputError(f"{path}: row, col and data are not columns of one length")
    for name, numbers in (("row", row), ("col", column)):
        if numbers.dtype.kind not in "iu" or (len(numbers) and numbers.min() < 0):
            raise InputError(f"{path}: {name} holds something that is not a number of at least 0")
    return row, column, value
