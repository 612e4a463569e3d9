"""Data to recommend from: a made catalogue with known tastes, and the authors' public files."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.recommenders.interactions import SPLITS, Interactions, interactions
from irmetrics_edu.recommenders.parameters import whole

# What the three splits may be called in a folder.
_FILES = {
    "train": ("train.txt",),
    "validation": ("val.txt", "valid.txt", "validation.txt"),
    "test": ("test.txt",),
}
_CATEGORIES = "item_category.txt"


def catalogue(
    *,
    users: int = 1000,
    items: int = 2500,
    categories: int = 40,
    per_user: int = 15,
    dimensions: int = 12,
    favourites: int = 3,
    taste: float = 8.0,
    popularity: float = 0.3,
    seed: int = 0,
) -> Interactions:
    """A made catalogue is one whose tastes are known: categories, latent vectors, popularity.

    Categories have sizes that fall as a power of their rank, and a centre in a latent space;
    items lie about the centre of theirs, every seventh or so of a second one too. A user likes
    `favourites` categories. The chance that a user takes an item grows with
    exp(taste * cosine) times the item's popularity, a power of its rank. Each user takes about
    `per_user` items (at least 5): a fifth for test, a tenth for validation, the rest for training.
    `latent` holds the truth: the vectors of users and items and the users' favourites.

    >>> data = catalogue(users=50, items=200, categories=8, seed=1)
    >>> len(data.users), len(data.items), data.n_categories
    (50, 200, 8)
    """
    for name, value, least in (
        ("users", users, 1),
        ("items", items, max(20, categories)),
        ("categories", categories, 2),
        ("per_user", per_user, 5),
        ("dimensions", dimensions, 1),
        ("favourites", favourites, 1),
    ):
        whole(name, value, least)
    if 2 * per_user > items:
        raise InputError(f"per_user={per_user}: at most half of the {items} items")
    if favourites > categories:
        raise InputError(f"favourites={favourites}: there are {categories} categories")
    rng = np.random.default_rng(seed)
    size = 1 / np.arange(1, categories + 1) ** 0.8
    size /= size.sum()
    # Each category has an item; the others fall by the sizes.
    category = np.concatenate(
        [np.arange(categories), rng.choice(categories, items - categories, p=size)]
    )
    rng.shuffle(category)
    second = np.where(rng.random(items) < 0.15, rng.choice(categories, items, p=size), category)
    centre = _unit(rng.normal(size=(categories, dimensions)))
    item_vector = _unit(
        centre[category] + centre[second] + rng.normal(size=(items, dimensions)) / dimensions**0.5
    )
    liked = np.stack(
        [rng.choice(categories, favourites, replace=False, p=size) for _ in range(users)]
    )
    strength = rng.dirichlet(np.full(favourites, 2.0), users)
    user_vector = _unit(
        np.einsum("uf,ufd->ud", strength, centre[liked])
        + rng.normal(size=(users, dimensions)) * 0.2 / dimensions**0.5
    )
    fame = -popularity * np.log(1 + rng.permutation(items))
    appeal = taste * user_vector @ item_vector.T + fame
    # The largest of appeal + Gumbel noise are a sample without replacement.
    order = np.argsort(-(appeal + rng.gumbel(size=appeal.shape)), axis=1)
    counts = np.clip(rng.poisson(per_user, users), 5, items // 2)
    lists: dict[str, dict[str, list[str]]] = {split: {} for split in SPLITS}
    item_name = [f"i{i}" for i in range(items)]
    for u, n in enumerate(counts.tolist()):
        taken = rng.permutation(order[u, :n]).tolist()
        test, validation = max(1, n // 5), max(1, n // 10)
        for split, part in (
            ("test", taken[:test]),
            ("validation", taken[test : test + validation]),
            ("train", taken[test + validation :]),
        ):
            lists[split][f"u{u}"] = [item_name[i] for i in part]
    made = interactions(
        lists["train"],
        lists["validation"],
        lists["test"],
        {item_name[i]: {f"c{category[i]}", f"c{second[i]}"} for i in range(items)},
        name=f"made catalogue (seed {seed})",
    )
    latent = {"users": user_vector, "items": item_vector, "favourites": liked}
    return Interactions(
        made.users, made.items, made.pairs, made.categories, made.name, made.notes, latent
    )


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit


def load_interactions(folder: str | Path, *, repeats: str = "refuse") -> Interactions:
    """Read the files in which DGRec's and LightGCN's authors publish TaoBao, Beauty, MSD and more.

    The folder holds `train.txt`, `val.txt` (or `valid.txt`, `validation.txt`) and `test.txt`, and
    `item_category.txt`. A line of a split is "user,item", as with DGRec, or "user item item ...",
    as with LightGCN; a line of the last is "item,category", and an item of several categories
    has several lines. Ids are kept as text. See `interactions` for `repeats`.
    """
    folder = Path(folder)
    lists = {split: _split(folder, split) for split in SPLITS}
    categories: dict[str, set[str]] = {}
    path = folder / _CATEGORIES
    for place, line in _lines(path):
        fields = [part.strip() for part in line.split(",")]
        if len(fields) != 2 or not all(fields):
            raise InputError(f"{place}: {line!r} is not 'item,category', such as '17,3'")
        categories.setdefault(fields[0], set()).add(fields[1])
    if not categories:
        raise InputError(f"{path} is empty; a line is 'item,category', such as '17,3'")
    try:
        return interactions(
            lists["train"],
            lists["validation"],
            lists["test"],
            categories,
            name=folder.resolve().name,
            repeats=repeats,
        )
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None


def _split(folder: Path, split: str) -> dict[str, list[str]]:
    names = _FILES[split]
    path = next((folder / n for n in names if (folder / n).exists()), None)
    if path is None:
        raise InputError(f"{folder} has no {' or '.join(names)} ({split})")
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
            raise InputError(f"{place}: user {fields[0]!r} has a line already")
        lists.setdefault(fields[0], []).extend(fields[1:])
    return lists


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, each with its place."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path.parent} has no {path.name}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield f"{path}, line {number}", line.strip()
