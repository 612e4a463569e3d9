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
Pair = tuple[int, int]  # a user's number and an item's


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
        by_user = {}
        every_user = np.arange(len(self.users) + 1)
        for split, pairs in self.pairs.items():
            user = pairs[:, 0]
            item = pairs[:, 1]
            order = np.argsort(user, kind="stable")
            starts = np.searchsorted(user[order], every_user)
            by_user[split] = (starts, item[order])
        return by_user

    def table(self, split: str, users: Array) -> Array:
        """Which items the users, given by number, have in a split.

        A line for each of the users, a column for each item.
        """
        marked = np.zeros((len(users), len(self.items)), dtype=bool)
        starts, items = self._by_user[split]
        for line, user in enumerate(users.tolist()):
            of_user = items[starts[user] : starts[user + 1]]
            marked[line, of_user] = True
        return marked

    def judgments(self, split: str = "test") -> dict[Hashable, set[Hashable]]:
        """The items of a split as judgments for `evaluate`: user -> the items that are relevant."""
        relevant: dict[Hashable, set[Hashable]] = {}
        for user, item in self.pairs[split].tolist():
            items = relevant.setdefault(self.users[user], set())
            items.add(self.items[item])
        return relevant

    def users_with(self, split: str) -> Array:
        """The numbers of the users who have an item in the split: only they can be evaluated."""
        return np.unique(self.pairs[split][:, 0])

    def fewest_unseen(self, users: Array) -> tuple[Hashable, int]:
        """Of users given by number, the one who has the fewest items left, and how many."""
        user = self.pairs["train"][:, 0]
        seen = np.bincount(user, minlength=len(self.users))[users]
        most = int(np.argmax(seen))
        unseen = len(self.items) - int(seen[most])
        return self.users[users[most]], unseen

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
        counts = [f"{len(self.pairs[split]):,} in {split}" for split in SPLITS]
        sizes = ", ".join(counts)
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
    categories_by_item = {item: categories_of(item, names) for item, names in categories.items()}
    item_number = {item: i for i, item in enumerate(categories_by_item)}
    user_number = {user: i for i, user in enumerate(train)}
    earlier: dict[Pair, str] = {}
    pairs: dict[str, Array] = {}
    notes: list[str] = []
    for split, lists in zip(SPLITS, (train, validation, test), strict=True):
        if unknown_users == "drop":
            lists = _of_known_users(split, lists, user_number, notes)  # noqa: PLW2901 -- less
        of_split = _pairs_of_split(split, lists, user_number, item_number, earlier)
        pairs[split] = np.array(of_split, dtype=np.intp).reshape(-1, 2)
    return Interactions(
        users=tuple(user_number),
        items=tuple(item_number),
        pairs=pairs,
        categories=categories_by_item,
        name=name,
        notes=tuple(notes),
    )


def _of_known_users(
    split: str,
    lists: Mapping[Any, Sequence[Any]],
    user_number: Mapping[Any, int],
    notes: list[str],
) -> dict[Any, Sequence[Any]]:
    """The lists of users who have items in training; a note counts the others."""
    of_known: dict[Any, Sequence[Any]] = {}
    unknown = 0
    interactions_of_unknown = 0
    for user, items in lists.items():
        if user in user_number:
            of_known[user] = items
        else:
            unknown += 1
            interactions_of_unknown += len(items)
    if unknown:
        notes.append(
            f"{split}: {unknown:,} {'user' if unknown == 1 else 'users'} without "
            "items in training left out (unknown_users='drop'); their interactions: "
            f"{interactions_of_unknown:,}"
        )
    return of_known


def _pairs_of_split(
    split: str,
    lists: Mapping[Any, Sequence[Any]],
    user_number: Mapping[Any, int],
    item_number: Mapping[Any, int],
    earlier: dict[Pair, str],
) -> list[Pair]:
    """The interactions of a split by number; `earlier` has the split of each one met before."""
    pairs: list[Pair] = []
    for user, item, pair in _numbered(split, lists, user_number, item_number):
        if pair in earlier:
            raise InputError(
                f"user {user!r}, {split}: item {item!r} was met before, in {earlier[pair]}; "
                "give each item of a user once"
            )
        earlier[pair] = split
        pairs.append(pair)
    return pairs


def _numbered(
    split: str,
    lists: Mapping[Any, Sequence[Any]],
    user_number: Mapping[Any, int],
    item_number: Mapping[Any, int],
) -> Iterator[tuple[Any, Any, Pair]]:
    """Each interaction of a split by name and by number; what is unknown is refused."""
    for user, listed in lists.items():
        place = f"user {user!r}, {split}: "
        if isinstance(listed, (str, bytes)) or not hasattr(listed, "__iter__"):
            raise InputError(f"{place}the items are {listed!r}; give a list")
        if user not in user_number:
            raise InputError(
                f"{place}the user has no items in training; leave the user out, or give "
                "unknown_users='drop'"
            )
        items = list(listed)
        if split == "train" and not items:
            raise InputError(f"{place}the user has no items; give some, or leave the user out")
        for item in items:
            if item not in item_number:
                raise InputError(
                    f"{place}item {item!r} is not among the categories; map it to its "
                    "categories, or to set() if it has none"
                )
            pair = (user_number[user], item_number[item])
            yield user, item, pair
