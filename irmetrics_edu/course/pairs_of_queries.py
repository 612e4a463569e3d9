"""Pair accuracy over several queries, of which the numbers of pairs are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from irmetrics_edu.checks import at, is_whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import exact
from irmetrics_edu.working import Table, Working


@dataclass(frozen=True)
class PairAccuracy:
    """The accuracies of several queries together, by document and by query."""

    by_document: Fraction
    by_query: Fraction
    working: Working


def pair_accuracy_table(counts: Any) -> PairAccuracy:
    """Pair accuracy over queries is taken by document (pairs pooled) or by query (a mean).

    `counts` maps a query to its numbers of pairs ranked right and wrong. They are whole numbers,
    not both 0. Both accuracies are exact fractions between 0 and 1. The working has a line per
    query.

    >>> table = pair_accuracy_table({"q1": (770, 10), "q2": (10, 0)})
    >>> f"{float(table.by_document):.2%} {float(table.by_query):.2%}"
    '98.73% 99.36%'
    """
    if not isinstance(counts, Mapping) or not counts:
        raise InputError(
            f"counts map a query to (pairs right, pairs wrong), such as {{'q1': (770, 10)}}; "
            f"got {counts!r}"
        )
    for query, given in counts.items():
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise InputError(f"{at(query)}counts are (pairs right, pairs wrong), not {given!r}")
        for number in given:
            if not is_whole(number) or number < 0:
                raise InputError(f"{at(query)}{number!r} is no number of pairs: 0, 1, 2, ...")
        if not sum(given):
            raise InputError(
                f"{at(query)}it has no pair, so no accuracy; leave it out of the counts"
            )
    right, wrong = (exact([given[i] for given in counts.values()]) for i in (0, 1))
    lines = Table.of_one({"query": list(counts)})
    pooled = Working(
        right.sum(keepdims=True) / (right + wrong).sum(keepdims=True),
        how="{concordant pairs} / ({concordant pairs} + {discordant pairs})",
        columns={"concordant pairs": right, "discordant pairs": wrong},
        table=lines,
        name="by document",
    )
    accuracy = right / (right + wrong)
    number_of_queries = exact([len(counts)])
    mean = Working(
        accuracy.sum(keepdims=True) / number_of_queries,
        how="{accuracy of the query} / {number of queries}",
        columns={"accuracy of the query": accuracy},
        table=lines,
        quantities={"number of queries": number_of_queries},
        name="by query",
    )
    whole_table = Working(
        mean.score,
        how="{by query}",
        parts={"by document": pooled, "by query": mean},
        name="pair accuracy",
        notes=("by document, a query with more pairs counts more; by query, all count the same",),
    )
    return PairAccuracy(pooled.value, mean.value, whole_table)
