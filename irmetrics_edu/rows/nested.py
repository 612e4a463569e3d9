"""Tables within a table: the shown items of each user."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import QUERY, ROW, ByQuery, Inputs, on
from irmetrics_edu.rows.scored import align_scored


@dataclass(eq=False)
class Nested(ByQuery):
    """Tables that belong together, each with a name: for one data set or several."""

    parts: Sequence[Any] = field(metadata=on(ROW))
    name: Sequence[Hashable] = field(metadata=on(ROW))
    # The number of the data set of each part.
    query: Array = field(metadata=on(ROW, to=QUERY))
    n: int = field(default=1, metadata=on(QUERY))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))


def align_by_user(
    relevance: Any, scores: Any, users: Any, *, exact: bool = False, query: Any = None
) -> Nested:
    """Grades, scores and users, three lists of one length, split by user.

    >>> rows = align_by_user([1, 0, 1], [0.9, 0.8, 0.7], ["u1", "u1", "u2"])
    >>> rows.name, [user.rows.grade.tolist() for user in rows.parts]
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
            raise InputError(f"{at(query)}{name}={given!r} is not a list; give a list")
        columns.append(given.tolist() if isinstance(given, np.ndarray) else list(given))
    if len({len(column) for column in columns}) > 1:
        sizes = ", ".join(f"{len(c)} {name}" for c, (name, _) in zip(columns, named, strict=True))
        raise InputError(f"{at(query)}{sizes} differ; give one of each for every item shown")
    if not columns[0]:
        raise InputError(f"{at(query)}nothing is judged; give relevance, scores and users")
    of_user: dict[Hashable, tuple[list[Any], list[Any]]] = {}
    for grade, score, user in zip(*columns, strict=True):
        grades, own = of_user.setdefault(user, ([], []))
        grades.append(grade)
        own.append(score)
    return Nested(
        [align_scored(g, s, exact=exact, query=user) for user, (g, s) in of_user.items()],
        list(of_user),
        np.zeros(len(of_user), dtype=np.intp),
        1,
        None if query is None else [query],
    )


BY_USER = Inputs("scored by user", ("relevance", "scores", "users"), align_by_user)
