"""Tables within a table: the shown items of each user, the rankings of each query of a session."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.aligned_ranking import QUERY, ROW, ByQuery, Inputs, align, on
from irmetrics_edu.rows.scored import align_scored


@dataclass(eq=False)
class Nested(ByQuery):
    """Tables that belong together, each with a name: for one data set or session, or several."""

    parts: Sequence[Any] = field(metadata=on(ROW))
    name: Sequence[Hashable] = field(metadata=on(ROW))
    # The number of the data set or session of each part.
    query: Array = field(metadata=on(ROW, to=QUERY))
    n: int = field(default=1, metadata=on(QUERY))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))

    def whole(self) -> Any:
        """All the parts as one table, in which each is a query."""
        return type(self.parts[0]).joined(self.parts)


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


def align_session(
    session: Any, judgments: Any = None, *, exact: bool = False, query: Any = None
) -> Nested:
    """The rankings of the queries of one session, in the order in which the user asked them.

    Each is a list of grades. If there are judgments, each is a list of documents, and the judgments
    hold for all.

    >>> [ranking.grade.tolist() for ranking in align_session([[0, 1], [2]]).parts]
    [[0.0, 1.0], [2.0]]
    """
    if isinstance(session, (str, bytes, Mapping)) or not hasattr(session, "__iter__"):
        raise InputError(
            f"{at(query)}the session is {session!r}; give a list of rankings, one for each query"
        )
    rankings = list(session)
    if not rankings:
        raise InputError(f"{at(query)}the session has no query; give at least one ranking")
    return Nested(
        [
            align(ranking, judgments, exact=exact, query=f"number {number}")
            for number, ranking in enumerate(rankings, 1)
        ],
        list(range(1, len(rankings) + 1)),
        np.zeros(len(rankings), dtype=np.intp),
        1,
        None if query is None else [query],
    )


BY_USER = Inputs("scored by user", ("relevance", "scores", "users"), align_by_user)
SESSION = Inputs("session", ("session", "judgments"), align_session)
