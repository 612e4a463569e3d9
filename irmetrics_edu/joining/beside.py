"""What stands beside a run and its judgments, query by query: another run, what is expected."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import NOT_READ
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric

if TYPE_CHECKING:
    from irmetrics_edu.joining.joined import Joined


def of_query(given: Any, name: str, query: Any) -> Any:
    """What was given for all queries; what is expected may be said user by user."""
    if name != "expected" or not isinstance(given, Mapping):
        return given
    if query not in given:
        raise InputError(f"{at(query)}expected has no such user; give a list for each user")
    return given[query]


def two_orders(joined: "Joined", metric: Metric, query: Any, *, exact: bool, ranking: Any) -> Any:
    """A query's ranking beside that of the other run; ties are known, and their order."""
    other = joined.beside.get("other")
    if other is None:
        raise InputError(f"{metric!r} compares two runs; give other=... to evaluate")
    if query not in other.run:
        raise InputError(f"{at(query)}it is not in the other run; rank it there, or leave it out")
    one = _settled(joined, query) if ranking is None else list(ranking)
    both = (one, _settled(other, query))
    return metric.inputs.align(*both, settled=True, exact=exact, query=query)


def _settled(joined: "Joined", query: Any) -> Any:
    """A query's documents in order, with their scores where these are read."""
    scores = {} if joined.by.scores is NOT_READ else joined.scores(query)
    order = joined.order(query)
    return {document: scores[document] for document in order} if scores else order
