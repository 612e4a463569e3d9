"""Data for recommenders that are made here: a catalogue with known tastes."""

import numpy as np

from irmetrics_edu.checks import whole
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions, interactions
from irmetrics_edu.numbers import Array

_DIMENSIONS = 12  # of the latent space
_ROOT = _DIMENSIONS**0.5
_FAVOURITES = 3  # categories that a user likes


def catalogue(
    *,
    users: int = 1000,
    items: int = 2500,
    categories: int = 40,
    per_user: int = 15,
    taste: float = 8.0,
    popularity: float = 0.3,
    seed: int = 0,
) -> Interactions:
    """A made catalogue has known tastes: categories, latent vectors, popularity.

    The sizes of the categories fall as a power of their rank. Each category has a centre in a
    latent space, and its items are around this centre. About every seventh item is also around the
    centre of a second category. A user likes three categories. The chance that a user takes an item
    grows with exp(taste * cosine) times the item's popularity, a power of its rank. Each user takes
    about `per_user` items (at least 5): a fifth for test, a tenth for validation, the rest for
    training.

    >>> data = catalogue(users=50, items=200, categories=8, seed=1)
    >>> len(data.users), len(data.items), data.n_categories
    (50, 200, 8)
    """
    whole("users", users, 1)
    whole("categories", categories, _FAVOURITES)
    whole("items", items, max(20, categories))
    whole(
        "per_user",
        per_user,
        5,
        items // 2,
        why=", at most half of the items",
    )
    rng = np.random.default_rng(seed)
    size = 1 / np.arange(1, categories + 1) ** 0.8
    size /= size.sum()
    category, second = _categories(rng, items, size)
    centre = _unit(rng.normal(size=(categories, _DIMENSIONS)))
    apart = rng.normal(size=(items, _DIMENSIONS)) / _ROOT
    item_vector = _unit(centre[category] + centre[second] + apart)
    user_vector = _users(rng, users, centre, size)
    fame = -popularity * np.log(1 + rng.permutation(items))
    appeal = taste * user_vector @ item_vector.T + fame
    order = _sampled(rng, appeal)
    counts = np.clip(
        rng.poisson(per_user, users),
        5,
        items // 2,
    )
    lists = _splits(rng, order, counts.tolist())
    names = {}
    for i, (one, other) in enumerate(zip(category, second, strict=True)):
        names[f"i{i}"] = {f"c{one}", f"c{other}"}
    return interactions(
        lists["train"],
        lists["validation"],
        lists["test"],
        names,
        name=f"made catalogue (seed {seed})",
    )


def _categories(
    rng: np.random.Generator,
    items: int,
    size: Array,
) -> tuple[Array, Array]:
    """The category of each item, and a second one, which is the same for six of seven items."""
    categories = len(size)
    # Each category has an item; the others fall by the sizes.
    others = rng.choice(
        categories,
        items - categories,
        p=size,
    )
    first = np.concatenate([np.arange(categories), others])
    rng.shuffle(first)
    has_second = rng.random(items) < 0.15
    drawn = rng.choice(categories, items, p=size)
    second = np.where(has_second, drawn, first)
    return first, second


def _sampled(rng: np.random.Generator, appeal: Array) -> Array:
    """Each user's items in the order in which the user takes them."""
    # The largest of appeal + Gumbel noise are a sample without replacement.
    noisy = appeal + rng.gumbel(size=appeal.shape)
    return np.argsort(-noisy, axis=1, kind="stable")


def _users(
    rng: np.random.Generator,
    users: int,
    centre: Array,
    size: Array,
) -> Array:
    """The vectors of users, each near the centres of three categories that the user likes."""
    categories = len(centre)
    liked = [
        rng.choice(
            categories,
            _FAVOURITES,
            replace=False,
            p=size,
        )
        for _ in range(users)
    ]
    strength = rng.dirichlet(np.full(_FAVOURITES, 2.0), users)
    mean = np.einsum(
        "uf,ufd->ud",
        strength,
        centre[np.stack(liked)],
    )
    apart = rng.normal(size=(users, _DIMENSIONS)) * 0.2 / _ROOT
    return _unit(mean + apart)


def _splits(
    rng: np.random.Generator,
    order: Array,
    counts: list[int],
) -> dict[str, dict[str, list[str]]]:
    """Each user's items: a fifth for test, a tenth for validation, the rest for training."""
    lists: dict[str, dict[str, list[str]]] = {split: {} for split in SPLITS}
    for u, n in enumerate(counts):
        user = f"u{u}"
        shuffled = rng.permutation(order[u, :n])
        items = [f"i{i}" for i in shuffled.tolist()]
        test = max(1, n // 5)
        validation = max(1, n // 10)
        held_out = test + validation
        lists["test"][user] = items[:test]
        lists["validation"][user] = items[test:held_out]
        lists["train"][user] = items[held_out:]
    return lists


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.linalg.norm(
        vectors,
        axis=-1,
        keepdims=True,
    )
    return unit
