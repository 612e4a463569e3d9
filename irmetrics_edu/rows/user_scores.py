"""Items with a judgment, a score and a user each: what areas under many users' curves read."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.ranking import Inputs
from irmetrics_edu.rows.scored import Scored, align_scored


@dataclass(eq=False)
class ScoredByUser:
    """The judged items of many users, in tables of their own, for one data set or several."""

    users: Sequence[Scored]
    name: Sequence[Hashable]
    query: Array  # the number of the data set of each user
    n: int = 1
    queries: Sequence[Any] | None = None

    def of(self, q: int) -> "ScoredByUser":
        """Data set number `q` alone."""
        here = np.flatnonzero(self.query == q)
        return ScoredByUser(
            [self.users[i] for i in here],
            [self.name[i] for i in here],
            np.zeros(len(here), dtype=np.intp),
            1,
            None if self.queries is None else [self.queries[q]],
        )

    @staticmethod
    def joined(parts: Sequence["ScoredByUser"]) -> "ScoredByUser":
        """Several data sets in one."""
        before = np.cumsum([0] + [p.n for p in parts])
        named = all(p.queries is not None for p in parts)
        return ScoredByUser(
            [user for p in parts for user in p.users],
            [name for p in parts for name in p.name],
            np.concatenate([p.query + b for p, b in zip(parts, before, strict=False)]),
            int(before[-1]),
            [q for p in parts for q in p.queries or ()] if named else None,
        )


def align_by_user(
    relevance: Any, scores: Any, users: Any, *, exact: bool = False, query: Any = None
) -> ScoredByUser:
    """Grades, scores and users, three lists of one length, apart by user.

    >>> rows = align_by_user([1, 0, 1], [0.9, 0.8, 0.7], ["u1", "u1", "u2"])
    >>> rows.name, [user.rows.grade.tolist() for user in rows.users]
    (['u1', 'u2'], [[1.0, 0.0], [1.0]])
    """
    columns = []
    named = (("relevance", relevance), ("scores", scores), ("users", users))
    for name, given in named:
        if (
            isinstance(given, (str, bytes))
            or not hasattr(given, "__iter__")
            or hasattr(given, "keys")
        ):
            raise InputError(f"{at(query)}{name} is a list, not {given!r}")
        columns.append(given.tolist() if isinstance(given, np.ndarray) else list(given))
    if len({len(column) for column in columns}) > 1:
        sizes = ", ".join(f"{len(c)} {name}" for c, (name, _) in zip(columns, named, strict=True))
        raise InputError(f"{at(query)}{sizes}; give one of each for every item shown")
    if not columns[0]:
        raise InputError(f"{at(query)}nothing is judged; give relevance, scores and users")
    of_user: dict[Hashable, tuple[list[Any], list[Any]]] = {}
    for grade, score, user in zip(*columns, strict=True):
        grades, own = of_user.setdefault(user, ([], []))
        grades.append(grade)
        own.append(score)
    return ScoredByUser(
        [align_scored(g, s, exact=exact, query=user) for user, (g, s) in of_user.items()],
        list(of_user),
        np.zeros(len(of_user), dtype=np.intp),
        1,
        None if query is None else [query],
    )


BY_USER = Inputs("scored by user", ("relevance", "scores", "users"), align_by_user)
