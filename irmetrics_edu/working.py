"""A score together with the way it came about.

Every kernel returns a `Working`. Score, explanation, plot, assertion and grade are all read from
it, so they always agree.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, of_query_0, picked, plain


@dataclass(slots=True, eq=False)
class Table:
    """What the lines of a working's columns mean: a query each, and labels such as the rank."""

    query: Array
    labels: Mapping[str, Sequence[Any] | Array] = field(default_factory=dict)

    @classmethod
    def of_one(cls, labels: Mapping[str, Sequence[Any] | Array]) -> "Table":
        """Lines that all belong to one query."""
        n = len(next(iter(labels.values())))
        return cls(of_query_0(n), labels)

    def of(self, q: int) -> "Table":
        """The lines of query number `q` alone."""
        here = np.flatnonzero(self.query == q)
        labels = {name: picked(values, here) for name, values in self.labels.items()}
        return Table(of_query_0(len(here)), labels)


class Columns(Mapping[str, Any]):
    """Named columns in the order in which they are computed; some are computed only when you look.

    A score needs few of the columns that explain it. The others are given as functions.
    """

    __slots__ = ("_given",)

    def __init__(self, columns: dict[str, Any]) -> None:
        self._given = columns

    def __getitem__(self, name: str) -> Any:
        value = self._given[name]
        if callable(value):
            value = self._given[name] = value()
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given


NO_LINES = Table(np.zeros(0, dtype=np.intp))


@dataclass(slots=True, eq=False)
class Working:
    """How a score came about: its columns, its intermediate quantities, its parts.

    `score` has one value per query. `columns` line up with `table`, in the order in which they are
    computed. `quantities` have one value per query. `parts` are workings themselves: nDCG has DCG
    and IDCG. `how` says how the score follows from quantities and parts. It names them in braces:
    "{DCG} / {IDCG}".
    """

    score: Array
    how: str = ""
    columns: Mapping[str, Array] = field(default_factory=dict)
    table: Table = NO_LINES
    quantities: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, "Working"] = field(default_factory=dict)
    rows: Any = None  # what was measured, whole: a message may name documents below the cut
    notes: Sequence[str] = ()
    notes_of: Callable[[int], Sequence[str]] | None = None  # to be said of one query alone
    name: str = ""
    k: int | None = None
    metric: Any = None  # the definition, for name and formula only
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The field's notation for what was measured: nDCG(gain=exp)@10."""
        if self.metric is None:
            return self.name
        shown = self.params if self.name == self.metric.name else {}
        return str(
            self.metric.title(
                self.k,
                shown,
                self.name,
            )
        )

    @property
    def formula(self) -> str:
        """The formula in LaTeX, with the conventions filled in; an ideal has its own grades."""
        if self.metric is None:
            return ""
        latex = str(self.metric.latex(self.k, self.params))
        if self.name == f"I{self.metric.name}":
            return latex.replace("g_i", "g^*_i")
        return latex

    @property
    def conventions(self) -> dict[str, Convention]:
        """The named choices under which this was computed."""
        return {name: v for name, v in self.params.items() if isinstance(v, Convention)}

    def __getitem__(self, name: str) -> Any:
        """A part, a column or a quantity by its name."""
        for table in (self.parts, self.columns, self.quantities, self.table.labels):
            if name in table:
                return table[name]
        raise KeyError(f"{self.name} has no {name!r}; it has {', '.join(self.names())}")

    def names(self) -> Iterator[str]:
        """The names that can be asked for."""
        yield from self.parts
        yield from self.columns
        yield from self.quantities
        yield from self.table.labels

    @property
    def value(self) -> Any:
        """The score of a working of one query: a float or, if computed exactly, a fraction."""
        if len(self.score) != 1:
            raise InputError(
                f"{self.name} was computed for {len(self.score)} queries; choose one with of(q)"
            )
        return plain(self.score[0])

    def of(self, q: int) -> "Working":
        """The working of query number `q` alone."""
        n = len(self.score)
        if not 0 <= q < n:
            raise InputError(f"query number {q} is not among the {n} queries of {self.name}")
        here = self.table.query == q
        return replace(
            self,
            score=self.score[q : q + 1],
            columns={name: column[here] for name, column in self.columns.items()},
            table=self.table.of(q),
            quantities={
                name: value[q : q + 1]
                if isinstance(value, np.ndarray) and len(value) == n
                else value
                for name, value in self.quantities.items()
            },
            parts={name: part.of(q) for name, part in self.parts.items()},
            rows=None if self.rows is None else self.rows.of(q),
            notes=[*self.notes, *(self.notes_of(q) if self.notes_of else ())],
            notes_of=None,
        )

    def __repr__(self) -> str:
        if len(self.score) == 1:
            return f"<Working {self.name} = {self.value}>"
        return f"<Working {self.name} of {len(self.score)} queries>"
