"""Measures of several queries together: of a system's lists, of users, of sessions.

None of them has a value for a single query. Their rows are made of the queries that count.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.curves import roc_auc
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.rows.many_lists import LISTS
from irmetrics_edu.rows.nested import BY_USER, SESSION, Nested
from irmetrics_edu.rows.scored import Scored

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.joined import Joined

# What each kind needs besides run and judgments, as `evaluate` is told it.
BESIDE = {LISTS.name: "catalogue", BY_USER.name: "users", SESSION.name: "sessions"}


def is_together(metric: Metric) -> bool:
    """Whether a measure is of several queries together, so that no query has a score by itself."""
    return metric.inputs.name in BESIDE


def rows_together(joined: "Joined", metric: Metric) -> Any:
    """The rows of such a measure: one system, or a query for each session."""
    return _MADE[metric.inputs.name](joined, metric)


def _lists(joined: "Joined", metric: Metric) -> Any:
    lists = {query: joined.order(query) for query in joined.queries}
    return metric.inputs.align(lists, _given(joined, metric, "all items that can be recommended"))


def _by_user(joined: "Joined", _: Metric) -> Nested:
    """The shown items of each user; each query is a user by itself unless `users` says whose."""
    users = joined.beside.get("users")
    parts: dict[Hashable, list[Any]] = {}
    for query in joined.queries:
        user = query if users is None else _named(users, query, "users", "a user")
        parts.setdefault(user, []).append(joined.one(roc_auc, query))
    shown = [_pooled(of_user) for of_user in parts.values()]
    return Nested(shown, list(parts), np.zeros(len(parts), dtype=np.intp))


def _pooled(parts: list[Any]) -> Any:
    """The items that one user was shown in several queries, as one list."""
    if len(parts) == 1:
        return parts[0]
    whole = Scored.joined(parts)
    aligned: Any = BY_USER.align(whole.rows.grade, whole.score, np.zeros(len(whole.score)))
    return aligned.parts[0]


def _sessions(joined: "Joined", metric: Metric) -> Nested:
    """The rankings of each session's queries, each with its own judgments."""
    sessions = _given(joined, metric, 'session -> its queries in order, {"s1": ["q1", "q2"]}')
    if not isinstance(sessions, Mapping) or not sessions:
        raise InputError(
            f"sessions={sessions!r:.80} is not a mapping; give session -> its queries in "
            "order, {'s1': ['q1', 'q2']}"
        )
    known, of = set(joined.queries), dict[Hashable, Hashable]()
    for session, queries in sessions.items():
        if isinstance(queries, (str, bytes)) or not hasattr(queries, "__iter__") or not queries:
            raise InputError(
                f"session {session!r}: {queries!r} is not a list of queries; give them in order"
            )
        for query in queries:
            if query not in known:
                raise InputError(
                    f"session {session!r}: query {query!r} is not evaluated; give a ranking "
                    "and judgments for it, or leave it out"
                )
            if query in of:
                raise InputError(
                    f"query {query!r} is in two sessions, {of[query]!r} and {session!r}; name "
                    "it in one"
                )
            of[query] = session
    for query in joined.queries:
        if query not in of:
            raise InputError(f"query {query!r} is in no session; name it in sessions")
    parts = [joined.one(cg, query) for queries in sessions.values() for query in queries]
    sizes = [len(list(queries)) for queries in sessions.values()]
    numbers = [n for size in sizes for n in range(1, size + 1)]
    return Nested(
        parts, numbers, np.repeat(np.arange(len(sizes)), sizes), len(sizes), list(sessions)
    )


def _given(joined: "Joined", metric: Metric, what: str) -> Any:
    name = BESIDE[metric.inputs.name]
    if name not in joined.beside:
        raise InputError(f"{metric!r} needs {name}, {what}; give {name}=... to evaluate")
    return joined.beside[name]


def _named(mapping: Any, query: Hashable, name: str, what: str) -> Hashable:
    if not isinstance(mapping, Mapping):
        raise InputError(f"{name}={mapping!r:.80} is not a mapping; give query -> {what}")
    if query not in mapping:
        raise InputError(f"query {query!r} is not in {name}; give {what} for every query")
    found: Hashable = mapping[query]
    return found


_MADE: dict[str, Callable[["Joined", Metric], Any]] = {
    LISTS.name: _lists,
    BY_USER.name: _by_user,
    SESSION.name: _sessions,
}
