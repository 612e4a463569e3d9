"""Who interacted with what: users, items, their categories, and the three splits."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_categories import categories_of

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, eq=False)
class Interactions:
    """The items that each user interacted with, split into training, validation and test.

    `pairs[split]` holds a line (user number, item number) for each interaction. `categories` maps
    every item of the catalogue to the set of its categories. `notes` say what was left out.
    """

    users: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    pairs: Mapping[str, Array]
    categories: Mapping[Hashable, frozenset[Any]]
    name: str = "interactions"
    notes: tuple[str, ...] = ()

    @cached_property
    def n_categories(self) -> int:
        """The number of categories that items have."""
        return len(frozenset().union(*self.categories.values()))

    @cached_property
    def user_number(self) -> dict[Hashable, int]:
        """The number of each user."""
        return {user: i for i, user in enumerate(self.users)}

    @cached_property
    def item_number(self) -> dict[Hashable, int]:
        """The number of each item."""
        return {item: i for i, item in enumerate(self.items)}

    @cached_property
    def _by_user(self) -> dict[str, tuple[Array, Array]]:
        """Of each split the items, user by user, and where each user's begin."""
        out = {}
        for split, pairs in self.pairs.items():
            order = np.argsort(pairs[:, 0], kind="stable")
            starts = np.searchsorted(pairs[order, 0], np.arange(len(self.users) + 1))
            out[split] = starts, pairs[order, 1]
        return out

    def table(self, split: str, users: Array) -> Array:
        """Which items the users, given by number, have in a split.

        A line for each of the users, a column for each item.
        """
        marked = np.zeros((len(users), len(self.items)), dtype=bool)
        starts, items = self._by_user[split]
        for line, u in enumerate(users.tolist()):
            marked[line, items[starts[u] : starts[u + 1]]] = True
        return marked

    def judgments(self, split: str = "test") -> dict[Hashable, set[Hashable]]:
        """The items of a split as judgments for `evaluate`: user -> the items that are relevant."""
        found: dict[Hashable, set[Hashable]] = {}
        for user, item in self.pairs[split].tolist():
            found.setdefault(self.users[user], set()).add(self.items[item])
        return found

    def users_with(self, split: str) -> Array:
        """The numbers of the users who have an item in the split: only they can be evaluated."""
        return np.unique(self.pairs[split][:, 0])

    def fewest_unseen(self, users: Array) -> tuple[Hashable, int]:
        """Of users given by number, the one who has the fewest items left, and how many."""
        seen = np.bincount(self.pairs["train"][:, 0], minlength=len(self.users))[users]
        most = int(np.argmax(seen))
        return self.users[users[most]], len(self.items) - int(seen[most])

    def numbers_of(self, users: Iterable[Hashable] | None) -> Array:
        """The numbers of the users named (all, if none are); an unknown one is refused."""
        if users is None:
            return np.arange(len(self.users))
        wanted = list(users)
        for user in wanted:
            if user not in self.user_number:
                raise InputError(
                    f"user {user!r} has no items in training, so nothing can be recommended; "
                    f"there are {len(self.users)} users, such as {self.users[0]!r}"
                )
        return np.array([self.user_number[user] for user in wanted], dtype=np.intp)

    def __repr__(self) -> str:
        return "\n".join([f"<{self}>", *self.notes])

    def __str__(self) -> str:
        sizes = ", ".join(f"{len(self.pairs[s]):,} in {s}" for s in SPLITS)
        return (
            f"{self.name}: {len(self.users):,} users, {len(self.items):,} items, "
            f"{self.n_categories:,} categories; interactions: {sizes}"
        )


def interactions(
    train: Mapping[Any, Sequence[Any]],
    validation: Mapping[Any, Sequence[Any]],
    test: Mapping[Any, Sequence[Any]],
    categories: Mapping[Any, Iterable[Any]],
    *,
    name: str = "interactions",
    unknown_users: str = "refuse",
) -> Interactions:
    """Interactions are the items that each user met, split into training, validation and test.

    Each split maps a user to their items. `categories` maps every item of the catalogue to the set
    of its categories. A user of training has at least one item there. Every user of the other
    splits is also a user of training. Another user is an error, or is left out with
    `unknown_users="drop"`; `notes` counts them. A user meets an item once: if it comes again, in
    the same split or a later one, it is an error.

    >>> data = interactions({"u": ["a", "b"]}, {}, {"u": ["c"]}, dict.fromkeys("abcd", {"rock"}))
    >>> len(data.users), len(data.items), data.n_categories, len(data.pairs["test"])
    (1, 4, 1, 1)
    """
    checks.one_of(
        "unknown_users",
        unknown_users,
        ("refuse", "drop"),
    )
    if not train:
        raise InputError("training has no users; map each user to a list of items")
    if not categories:
        raise InputError("no categories are given; map every item to the set of its categories")
    known = {item: categories_of(item, given) for item, given in categories.items()}
    item_number = {item: i for i, item in enumerate(known)}
    user_number = {user: i for i, user in enumerate(train)}
    met: dict[tuple[int, int], str] = {}
    pairs: dict[str, Array] = {}
    said: list[str] = []
    for split, given in zip(SPLITS, (train, validation, test), strict=True):
        found: list[tuple[int, int]] = []
        lists = given
        if unknown_users == "drop" and (strange := [u for u in given if u not in user_number]):
            left = sum(len(given[user]) for user in strange)
            said.append(
                f"{split}: {len(strange):,} {'user' if len(strange) == 1 else 'users'} without "
                "items in training left out (unknown_users='drop'); their interactions: "
                f"{left:,}"
            )
            lists = {user: own for user, own in given.items() if user in user_number}
        for user, item, pair in _numbered(split, lists, user_number, item_number):
            if pair not in met:
                met[pair] = split
                found.append(pair)
            else:
                raise InputError(
                    f"user {user!r}, {split}: item {item!r} was met before, in {met[pair]}; "
                    "give each item of a user once"
                )
        pairs[split] = np.array(found, dtype=np.intp).reshape(-1, 2)
    return Interactions(
        users=tuple(user_number),
        items=tuple(item_number),
        pairs=pairs,
        categories=known,
        name=name,
        notes=tuple(said),
    )


def _numbered(
    split: str,
    lists: Mapping[Any, Sequence[Any]],
    user_number: Mapping[Any, int],
    item_number: Mapping[Any, int],
) -> Iterator[tuple[Any, Any, tuple[int, int]]]:
    """Each interaction of a split by name and by number; what is unknown is refused."""
    for user, given in lists.items():
        place = f"user {user!r}, {split}: "
        if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
            raise InputError(f"{place}the items are {given!r}; give a list")
        if user not in user_number:
            raise InputError(
                f"{place}the user has no items in training; leave the user out, or give "
                "unknown_users='drop'"
            )
        items = list(given)
        if split == "train" and not items:
            raise InputError(f"{place}the user has no items; give some, or leave the user out")
        for item in items:
            if item not in item_number:
                raise InputError(
                    f"{place}item {item!r} is not among the categories; map it to its "
                    "categories, or to set() if it has none"
                )
            yield user, item, (user_number[user], item_number[item])
