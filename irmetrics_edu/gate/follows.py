"""Whether your own function computes a measure as a library does."""

from collections.abc import Callable
from typing import Any

from irmetrics_edu import diagnose_function
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.failure import RankingAssertionError, refused
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure

__tracebackhide__ = True
__unittest = True


def assert_follows(
    function: Callable[..., Any] | str,
    metric: Measure | Metric | str,
    *,
    conventions: Bundle | str = "irmetrics_edu",
) -> None:
    """Assert that a function gives a measure's values, under a library's conventions.

    `function` takes a list of grades, or a ranking and its judgments; it is called as
    `diagnose_function` calls it, with small inputs. A failure names the convention or the mistake
    that the function follows instead, and the smallest input that shows it.

    Raises RankingAssertionError if a value differs by more than 0.000001 or the function raises
    an error, and InputError for a function that can't be called so.

    >>> def my_precision(grades):
    ...     return sum(grade > 0 for grade in grades) / len(grades)
    >>> assert_follows(my_precision, "P")
    """
    try:
        diagnosis = diagnose_function(function, metric, conventions=conventions)
    except InputError as error:
        raise refused(error) from None
    if not diagnosis.follows:
        raise RankingAssertionError(diagnosis.what, diagnosis.text.splitlines()[1:])
