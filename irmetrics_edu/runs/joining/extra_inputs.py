"""Other input for each query, beside a run and its judgments: another run, expected items."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import NOT_READ
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric

if TYPE_CHECKING:
    from irmetrics_edu.runs.joining.joined import Joined


def of_query(given: Any, name: str, query: Any) -> Any:
    """The input for one query; expected items may be given user by user."""
    if name != "expected" or not isinstance(given, Mapping):
        return given
    if query not in given:
        raise InputError(f"{at(query)}the user is not in expected; give a list for each user")
    return given[query]


def two_orders(joined: "Joined", metric: Metric, query: Any, *, exact: bool, ranking: Any) -> Any:
    """The order of a query in both runs, with its ties."""
    other = joined.beside.get("other")
    if other is None:
        raise InputError(f"{metric!r} compares two runs; give other=... to evaluate")
    if query not in other.run:
        raise InputError(
            f"{at(query)}the query is not in the other run; rank it there, or leave it out"
        )
    one = _settled(joined, query) if ranking is None else list(ranking)
    both = (one, _settled(other, query))
    return metric.inputs.align(*both, settled=True, exact=exact, query=query)


def _settled(joined: "Joined", query: Any) -> Any:
    """A query's documents in order, with their scores where these are read."""
    scores = {} if joined.by.scores is NOT_READ else joined.scores(query)
    order = joined.order(query)
    return {document: scores[document] for document in order} if scores else order
