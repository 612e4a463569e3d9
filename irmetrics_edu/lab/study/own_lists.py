"""The study of lists from other recommenders, by files, frames or mappings."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from irmetrics_edu import checks
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.study.diversity_study import Study, assembled
from irmetrics_edu.lab.study.rankers import Judging, Trained
from irmetrics_edu.lab.study.scoring import ListJudgments
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.item_categories import categories_of
from irmetrics_edu.rows.item_distances import unit_of, vectors_of
from irmetrics_edu.runs.joining.inputs import run_of
from irmetrics_edu.runs.joining.judgments import read_pool


class FrameOfLists(Protocol):
    """A data frame with a line for each item of a list."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""


# Lists or judgments of users: a mapping, the path of a file, or a frame.
Lists = Mapping[Any, Collection[Any]] | str | PathLike[str] | FrameOfLists


def study_lists(
    runs: Mapping[str, Lists],
    relevant: Lists,
    categories: Mapping[Any, Iterable[Any]],
    embeddings: Mapping[Any, npt.ArrayLike],
    *,
    diversifiers: Sequence[str] | None = None,
    cutoffs: tuple[int, ...] = (10, 20),
    tau: float = 0.99,
    alpha: float | None = None,
    beta: float | None = None,
) -> Study:
    """A study of lists tells whether a gain in diversity counts: whether the hits gain too.

    `runs` maps the name of each recommender to its lists: a mapping from user to list, a file or a
    frame, as for `evaluate`. `relevant` are the users' relevant (test) items, in the same forms. An
    item is relevant with a grade of at least 1. `categories` maps each item to the set of its
    categories, and `embeddings` maps it to its vector. Both hold every listed item, and
    `categories` holds every relevant one. The others are compared with the first recommender.
    `diversifiers` names those that are claimed to diversify: the claims are tested for them alone.
    With two runs it is the other one; with more, name them, since nothing in a list says what it
    was made for.

    All users with a relevant item count. If a run gives a user no list, the user scores 0 there. A
    list of fewer than two items has distance 0. `tau`, `alpha` and `beta` are as for
    `study_diversity`.

    >>> genres = {"a": {"rock"}, "b": {"rock"}, "c": {"folk"}, "d": {"jazz"}}
    >>> vectors = {"a": [1, 0], "b": [1, 0.1], "c": [0, 1], "d": [-1, 0.3]}
    >>> runs = {
    ...     "old": {"u": ["a", "b"], "v": ["a", "c"]},
    ...     "new": {"u": ["a", "c"], "v": ["c", "d"]},
    ... }
    >>> found = study_lists(runs, {"u": {"a"}, "v": {"a"}}, genres, vectors, cutoffs=(2,))
    >>> found
    <Study of own lists: 2 users, cut-offs 2; new against old>
    >>> found.mean("old", "CC", 2), found.mean("new", "CC", 2)
    (0.5, 0.6666666666666666)
    """
    settings = Judging(cutoffs, tau, alpha, beta)
    _require_two(runs)
    base = next(iter(runs))
    data, notes = _judged_by(relevant, categories)
    lists = {}
    for label, run in runs.items():
        lists[label], notes_of_run = _numbered(label, run, data, max(cutoffs))
        notes += notes_of_run
    shown = np.unique(np.concatenate([items[items >= 0] for items in lists.values()]))
    judged = ListJudgments(replace(data, notes=tuple(notes)), _unit(data, shown, embeddings))
    scores = {label: judged.scores(items, cutoffs) for label, items in lists.items()}
    compared = _claimed(runs, base, diversifiers)
    trained = Trained(judged.users, lists, scores)
    return assembled(judged.data, settings, [trained], base, compared)


def _require_two(runs: object) -> None:
    """InputError unless there are lists of two recommenders by name."""
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise InputError(
            "runs map the names of at least two recommenders to their lists, such as "
            f"{{'old': ..., 'new': ...}}; got {runs!r:.80}"
        )


def _claimed(
    runs: Mapping[str, Any],
    base: str,
    diversifiers: Sequence[str] | None,
) -> tuple[str, ...]:
    others = tuple(label for label in runs if label != base)
    if diversifiers is None:
        if len(others) > 1:
            raise InputError(
                f"of {', '.join(others)}, which are claimed to diversify? name them, such as "
                f"diversifiers=[{others[0]!r}]"
            )
        return others
    named = tuple(diversifiers)
    wrong: list[object] = [label for label in named if label not in others]
    if not named:
        wrong.append(named)
    if wrong:
        raise InputError(
            f"diversifiers={wrong[0]!r} is not among the runs other than the base: "
            f"{', '.join(others)}"
        )
    return named


def _relevant(judgments: Mapping[Hashable, Any]) -> list[Hashable]:
    """The items with a grade of at least 1."""
    items = []
    for item, grade in judgments.items():
        if grade is not None and grade >= 1:
            items.append(item)
    return items


def _require_categories(
    user: Hashable,
    items: Sequence[Hashable],
    numbers: Mapping[Hashable, int],
) -> None:
    """InputError for a relevant item that is not among the categories."""
    for item in items:
        if item not in numbers:
            checks.same_kind_of_ids(items, numbers, user)
            raise InputError(
                f"user {user!r}: relevant item {item!r} is not among the categories; map it "
                "to its categories, or to set() if it has none"
            )


def _judged_by(relevant: Any, categories: Any) -> tuple[Interactions, list[str]]:
    """The users with relevant items, the items, and what was left out."""
    if not isinstance(categories, Mapping) or not categories:
        raise InputError("categories map each item to the set of its categories; none are given")
    categories_by_item = {item: categories_of(item, listed) for item, listed in categories.items()}
    number = {item: i for i, item in enumerate(categories_by_item)}
    users: list[Hashable] = []
    pairs = []
    without = 0
    pool = read_pool(relevant)
    for q, user in enumerate(pool.queries):
        items = _relevant(pool.of(q))
        _require_categories(user, items, number)
        if not items:
            without += 1
            continue
        pairs += [(len(users), number[item]) for item in items]
        users.append(user)
    if not users:
        raise InputError("no user has a relevant item (a grade of at least 1), so nothing can hit")
    notes = [f"{without} users without a relevant item left out"] if without else []
    none = np.zeros((0, 2), dtype=np.intp)
    splits = {"train": none, "validation": none, "test": np.array(pairs, dtype=np.intp)}
    data = Interactions(
        tuple(users),
        tuple(categories_by_item),
        splits,
        categories_by_item,
        "own lists",
    )
    return data, notes


def _numbered(
    label: str,
    run: Any,
    data: Interactions,
    longest: int,
) -> tuple[Array, list[str]]:
    """A run as item numbers, a line for each user with relevant items, and what was left out."""
    read = run_of(run)
    numbers = np.full((len(data.users), longest), -1, dtype=np.int32)
    lacking = 0
    short = 0
    there = set(read)
    for line, user in enumerate(data.users):
        if user not in there:
            lacking += 1
            continue
        results = read[user]
        listed = (
            checks.ids_by_falling_score(results, user)
            if isinstance(results, Mapping)
            else list(results)
        )
        if len(set(listed[:longest])) < len(listed[:longest]):
            raise InputError(f"{label}, user {user!r}: an item is listed twice; list it once")
        short += len(listed) < longest
        for rank, item in enumerate(listed[:longest]):
            if item not in data.item_number:
                raise InputError(
                    f"{label}, user {user!r}, rank {rank + 1}: item {item!r} is not among the "
                    "categories; map it to its categories, or to set() if it has none"
                )
            numbers[line, rank] = data.item_number[item]
    if lacking == len(data.users):
        raise InputError(
            f"{label}: no user with a relevant item has a list; give the same user ids in both"
        )
    counts = (
        (lacking, "users have no list and score 0"),
        (short, f"lists are shorter than {longest}"),
        (len(there - set(data.users)), "users without relevant items left out"),
    )
    return numbers, [f"{label}: {count:,} {what}" for count, what in counts if count]


def _unit(data: Interactions, shown: Array, embeddings: Any) -> Array:
    """The embeddings of the items that lists show, of length 1; zeros for others."""
    vectors = unit_of(vectors_of([data.items[i] for i in shown.tolist()], embeddings))
    unit = np.zeros((len(data.items), vectors.shape[1]))
    unit[shown] = vectors
    return unit
