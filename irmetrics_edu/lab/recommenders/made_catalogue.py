"""Data for recommenders that are made here: a catalogue with known tastes."""

import numpy as np

from irmetrics_edu.checks import whole
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions, interactions
from irmetrics_edu.numbers import Array

_DIMENSIONS, _FAVOURITES = 12, 3  # of the latent space; categories that a user likes


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
    # Each category has an item; the others fall by the sizes.
    category = np.concatenate(
        [np.arange(categories), rng.choice(categories, items - categories, p=size)]
    )
    rng.shuffle(category)
    second = np.where(
        rng.random(items) < 0.15,
        rng.choice(categories, items, p=size),
        category,
    )
    centre = _unit(rng.normal(size=(categories, _DIMENSIONS)))
    item_vector = _unit(
        centre[category] + centre[second] + rng.normal(size=(items, _DIMENSIONS)) / _DIMENSIONS**0.5
    )
    liked = np.stack(
        [rng.choice(categories, _FAVOURITES, replace=False, p=size) for _ in range(users)]
    )
    strength = rng.dirichlet(np.full(_FAVOURITES, 2.0), users)
    user_vector = _unit(
        np.einsum("uf,ufd->ud", strength, centre[liked])
        + rng.normal(size=(users, _DIMENSIONS)) * 0.2 / _DIMENSIONS**0.5
    )
    fame = -popularity * np.log(1 + rng.permutation(items))
    appeal = taste * user_vector @ item_vector.T + fame
    # The largest of appeal + Gumbel noise are a sample without replacement.
    order = np.argsort(
        -(appeal + rng.gumbel(size=appeal.shape)),
        axis=1,
        kind="stable",
    )
    counts = np.clip(rng.poisson(per_user, users), 5, items // 2)
    lists: dict[str, dict[str, list[str]]] = {split: {} for split in SPLITS}
    item_name = [f"i{i}" for i in range(items)]
    for u, n in enumerate(counts.tolist()):
        taken = rng.permutation(order[u, :n]).tolist()
        test = max(1, n // 5)
        validation = max(1, n // 10)
        for split, part in (
            ("test", taken[:test]),
            ("validation", taken[test : test + validation]),
            ("train", taken[test + validation :]),
        ):
            lists[split][f"u{u}"] = [item_name[i] for i in part]
    train, validation, test = lists.values()
    return interactions(
        train,
        validation,
        test,
        {item_name[i]: {f"c{category[i]}", f"c{second[i]}"} for i in range(items)},
        name=f"made catalogue (seed {seed})",
    )


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return unit
