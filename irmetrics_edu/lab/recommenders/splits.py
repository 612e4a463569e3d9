"""From ratings to interactions: which ratings count, which users stay, what is for test."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import REPEATS, Interactions, interactions, one_of
from irmetrics_edu.lab.whole_numbers import whole
from irmetrics_edu.numbers import Array, as_fraction

KINDS = ("random", "time", "global time")


@dataclass(frozen=True)
class Ratings:
    """Ratings: the user, the item, the value and the time of each, in the order of the file."""

    user: list[str]
    item: list[str]
    rating: Array | None
    time: Array | None


@dataclass(frozen=True)
class Splitting:
    """How ratings become interactions.

    Ratings below `min_rating` are left out. Then users and items with fewer than `k_core`
    interactions are left out, again and again, until all have at least that many. `split="random"`
    draws the share `test` of each user's interactions for test and `validation` for validation, by
    `seed`, both rounded down. "time" takes each user's latest for test and those before for
    validation. "global time" takes the latest of all users together.
    """

    min_rating: float | None = None
    k_core: int = 1
    split: str = "random"
    validation: float = 0.1
    test: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("split", self.split, KINDS)
        whole("k_core", self.k_core, 1)
        whole("seed", self.seed, 0)
        for name, share in (("validation", self.validation), ("test", self.test)):
            checks.between(name, share, 0, 1, open_high=True)
        if as_fraction(self.validation) + as_fraction(self.test) >= 1:
            raise InputError(
                f"validation={self.validation} and test={self.test} leave nothing for "
                "training; give a sum below 1"
            )


def split_ratings(
    ratings: Ratings,
    categories: Mapping[str, set[str]],
    how: Splitting,
    *,
    name: str,
    repeats: str = "refuse",
    unknown_users: str = "refuse",
) -> Interactions:
    """Interactions from ratings; `notes` counts what was left out.

    With `repeats="first"` the first of repeated ratings counts: the first in time, if times are
    given.
    """
    one_of("repeats", repeats, REPEATS)
    user_names, user = np.unique(ratings.user, return_inverse=True)
    item_names, item = np.unique(ratings.item, return_inverse=True)
    time = ratings.time
    if how.split != "random" and time is None:
        raise InputError(f"split={how.split!r}: the ratings have no times; give split='random'")
    order = np.arange(len(user)) if time is None else np.argsort(time, kind="stable")
    notes: list[str] = []
    if how.min_rating is not None:
        if ratings.rating is None:
            raise InputError(f"min_rating={how.min_rating}: the table has no ratings")
        high = ratings.rating[order] >= how.min_rating
        notes += _counted(f"ratings below {how.min_rating:g} left out", int((~high).sum()))
        order = order[high]
    first = np.sort(np.unique(user[order] * len(item_names) + item[order], return_index=True)[1])
    twice = len(order) - len(first)
    if twice and repeats == "refuse":
        again = order[np.setdiff1d(np.arange(len(order)), first)[0]]
        raise InputError(
            f"user {ratings.user[again]!r} rated item {ratings.item[again]!r} more than once; "
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
    for u, i, p, s in zip(
        user_names[user].tolist(),
        item_names[item].tolist(),
        place.tolist(),
        size.tolist(),
        strict=True,
    ):
        part = out[(p >= middle[s]) + (p >= last[s])]
        part.setdefault(u, []).append(i)
    return out
