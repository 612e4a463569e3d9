"""Scores of many queries as one table, for means and variances."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, like
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.by_query import QUERY, ROW, WHOLE, ByQuery, on
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.working import Table


@dataclass(eq=False)
class Values(ByQuery):
    """Lists of values, one below the other; `query` says which list a value belongs to.

    Here the lists are counted and named as queries are elsewhere. Usually a list is a system.
    `label` names the values: the query of each score, or its place in the list.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    value: Array = field(metadata=on(ROW))
    label: Sequence[Hashable] = field(metadata=on(ROW))
    labelled: bool = field(metadata=on(WHOLE))
    n: int = field(default=1, metadata=on(QUERY))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))

    @property
    def size(self) -> Array:
        """How many values each list has."""
        return self.total(like(self.value, np.ones(len(self.value))))

    def place(self, i: int) -> str:
        """A value, as an error message names it."""
        if self.labelled:
            return at(self.label[i])
        return f"value number {self.label[i]}: "

    def table(self) -> Table:
        """The lines that columns over these values stand for."""
        return Table(self.query, {"query" if self.labelled else "number": self.label})


def align_values(values: Any, *, exact: bool = False, query: Any = None) -> Values:
    """The values of one list, or of a mapping from query to value.

    >>> align_values({"q1": 0.5, "q2": 1}).value
    array([0.5, 1. ])
    """
    remedy = "give a list of numbers, or a mapping from query to number"
    checks.collection(values, "values", at(query), remedy)
    labelled = isinstance(values, Mapping)
    if labelled:
        label = list(values)
        numbers = list(values.values())
    else:
        numbers = list(values.tolist() if isinstance(values, np.ndarray) else values)
        label = list(range(1, len(numbers) + 1))
    if not numbers:
        raise InputError(f"{at(query)}there are no values to average; give at least one")
    for name, value in zip(label, numbers, strict=True):
        checks.number(value, "value", at(name) if labelled else f"value number {name}: ")
    column = as_exact(numbers) if exact else np.array([float(v) for v in numbers])
    return Values(
        np.zeros(len(numbers), dtype=np.intp),
        column,
        label,
        labelled,
        queries=None if query is None else [query],
    )


VALUES = KindOfInput("values", ("values",), align_values)
