"""Rankings of documents that hold nuggets, as rows and entries.

Judgments for novelty say which nuggets a document holds, not only whether it is relevant. A ranking
with such judgments is a table of rows (query, rank) with entries (row, nugget, grade).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    in_kind,
    like,
    ratio,
    running_product_before,
    starts_of,
    total,
    zeros,
)
from irmetrics_edu.rows.by_query import NESTED, QUERY, ROW, ByQuery, on
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Columns, Table


@dataclass(eq=False)
class NuggetRows(ByQuery):
    """A ranking whose documents hold nuggets, aligned with its judgments.

    Rows are documents, sorted by query and rank. Entries say which row holds which nugget, and with
    which grade (1 if the judgments are sets). A grade between 0 and 1 is the probability that the
    document holds the nugget. Entries are sorted by row. Nuggets are numbered through
    all queries, those of a query side by side. Rows without entries may be left out. `pool` holds
    all judged documents as rows, in the order of their ids.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    judged: Array = field(metadata=on(ROW))
    # How many documents each query retrieved, rows or not.
    retrieved: Array = field(metadata=on(QUERY))
    row: Array = field(metadata=on("entry", to=ROW))
    nugget: Array = field(metadata=on("entry", to="nugget"))
    grade: Array = field(metadata=on("entry"))
    nugget_query: Array = field(metadata=on("nugget", to=QUERY))
    # Of each nugget being wanted; None: all alike.
    probability: Array | None = field(default=None, metadata=on("nugget"))
    nugget_name: Sequence[Hashable] | None = field(default=None, metadata=on("nugget"))
    document: Array | None = field(default=None, metadata=on(ROW))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))
    judged_pool: "NuggetRows | None" = field(default=None, metadata=on(NESTED))

    @property
    def pool(self) -> "NuggetRows":
        """All judged documents, as rows in the order of their ids."""
        return self if self.judged_pool is None else self.judged_pool

    @cached_property
    def entry_starts(self) -> Array:
        """Where each row's entries begin."""
        entries = np.bincount(self.row, minlength=len(self.query))
        return np.concatenate([[0], entries.cumsum()])

    def by_row(self, values: Array) -> Array:
        """The sum of the values of each row's entries."""
        return total(values, self.row, len(self.query))

    def over_nuggets(self, values: Array) -> Array:
        """The sum of a value per nugget, query by query."""
        return total(values, self.nugget_query, self.n)

    def product_before(self, factors: Array) -> Array:
        """For each entry, the product of the factors of its nugget's entries at earlier ranks."""
        order = np.argsort(self.nugget, kind="stable")
        ends = np.bincount(self.nugget).cumsum()
        starts = np.concatenate([[0], ends])
        products = zeros(factors, len(factors))
        products[order] = running_product_before(factors[order], starts)
        return products

    def product_of_row(self, factors: Array) -> Array:
        """The product of the factors of each row's entries."""
        out = like(factors, np.ones(len(self.query)))
        np.multiply.at(out, self.row, factors)
        return out

    def known(self, rel: float | None = None) -> Array:
        """Which nuggets count: those given a probability, else those that a judged document holds.

        A document holds a nugget if its grade is at least `rel`, or above 0 if no `rel` is given.
        By the default of 1 that is the same: a probability above 0 makes a nugget known.
        """
        if self.probability is not None:
            return np.asarray(self.probability > 0, dtype=bool)
        pool = self.pool
        held = np.zeros(len(self.nugget_query), dtype=bool)
        enough = pool.grade > 0 if rel in (None, 1) else pool.grade >= rel
        entries = np.asarray(enough, dtype=bool)
        held[pool.nugget[entries]] = True
        return held

    def intents(self, rel: float | None = None) -> Array:
        """The probability of each nugget; as given, else the same for all that are known."""
        if self.probability is not None:
            return self.probability
        is_known = like(self.grade, self.known(rel))
        of_query = self.over_nuggets(is_known)[self.nugget_query]
        return ratio(is_known, of_query, 0)

    def depth(self, k: int | None) -> Array:
        """How many documents of each query stand within the cut."""
        if k is None:
            return self.retrieved
        return np.minimum(self.retrieved, k)

    def entries_of(self, rows: Array) -> tuple[Array, Array]:
        """How many entries each of the rows has, and the numbers of all of them."""
        held = np.diff(self.entry_starts)[rows]
        begins = held.cumsum() - held
        moved_by = self.entry_starts[rows] - begins
        first = np.repeat(moved_by, held)
        return held, first + np.arange(len(first))

    def take(self, rows: Array) -> "NuggetRows":
        """The rows of the given numbers, in that order, with their entries."""
        held, entries = self.entries_of(rows)
        return replace(
            self,
            query=self.query[rows],
            rank=self.rank[rows],
            judged=self.judged[rows],
            row=np.repeat(np.arange(len(rows)), held),
            nugget=self.nugget[entries],
            grade=self.grade[entries],
            document=None if self.document is None else self.document[rows],
        )

    def holding(self, rel: float = 1) -> "NuggetRows":
        """The same rows and pool, with only the entries whose grade is at least `rel`.

        A probability is refused under rel=1, because a document that counts either holds a nugget
        or does not.
        """
        if rel == 1:
            for entry in np.flatnonzero(self.pool.unsure)[:1]:
                raise InputError(
                    f"{self.pool.place(entry)} is a probability, and this measure counts nuggets "
                    "that a document holds; give 0 or 1, or the lowest probability that counts, "
                    "such as rel=0.5; alpha-DCG, alpha-nDCG, NRBP and relevance-probability take "
                    "probabilities"
                )
        return self.where(lambda grade: grade >= rel)

    def possible(self, rel: float = 1) -> "NuggetRows":
        """The same rows and pool, with only the entries of nuggets that a document may hold.

        That is certain for a grade of at least `rel`. Under rel=1 a grade between 0 and 1 is a
        probability. A query whose judgments are probabilities can have none above 1.
        """
        if rel != 1:
            return self.holding(rel)
        pool = self.pool
        is_above = np.asarray(pool.grade > 1, dtype=bool)
        above = np.flatnonzero(is_above)
        if len(above):
            query = pool.query[pool.row]
            unsure = np.isin(query[above], query[pool.unsure])
            grades = pool.grade[above].tolist()
            broken = np.array([grade % 1 != 0 for grade in grades])
            no_probability = above[unsure | broken]
            for entry in no_probability[:1]:
                raise InputError(
                    f"{pool.place(entry)} is no probability; give a number from 0 to 1, or whole "
                    "grades for all nuggets of the query, or the lowest grade that counts, such as "
                    "rel=0.5"
                )
        return self.where(lambda grade: grade > 0)

    @property
    def unsure(self) -> Array:
        """Which entries are probabilities: their grades are between 0 and 1."""
        between = (self.grade > 0) & (self.grade < 1)
        return np.asarray(between, dtype=bool)

    def certainty(self, rel: float = 1) -> Array:
        """The probability that a document holds a nugget, for each of the `possible` entries."""
        ones = like(self.grade, np.ones(len(self.grade)))
        if rel != 1:
            return ones
        return np.where(self.grade < 1, self.grade, ones)

    def per_nugget(
        self,
        name: str,
        value: Any,
    ) -> Array:
        """A probability for each nugget: one number for all, or as a mapping says.

        The mapping goes from nugget to number, or from query to such a mapping.
        """
        if not isinstance(value, Mapping):
            checked = checks.between(
                name,
                value,
                0,
                1,
            )
            number = in_kind(self.grade, checked)
            return np.full(len(self.nugget_query), number, dtype=self.grade.dtype)
        out = zeros(self.grade, len(self.nugget_query))
        is_known = self.known()
        by_query = any(isinstance(of_query, Mapping) for of_query in value.values())
        if by_query:
            _refuse_numbers_of_queries(name, value)
        names = range(len(out)) if self.nugget_name is None else self.nugget_name
        of_queries = self.nugget_query.tolist()
        for number, nugget in enumerate(names):
            query = None if self.queries is None else self.queries[of_queries[number]]
            number_of = value.get(query, {}) if by_query else value
            place = f"{at(query)}nugget {nugget!r}"
            if nugget in number_of:
                probability = number_of[nugget]
                checks.between(
                    f"{place}: {name}",
                    probability,
                    0,
                    1,
                )
                out[number] = in_kind(self.grade, probability)
            elif is_known[number]:
                raise InputError(f"{place} has no number in {name}; add one")
        return out

    def place(self, entry: int) -> str:
        """An entry as an error message names it, with its grade."""
        row = self.row[entry]
        document = None
        if self.document is not None:
            document = self.document[row]
        rank = None
        if document is None:
            rank = int(self.rank[row])
        where = self.at(self.query[row], document, rank)
        nugget = ""
        if self.nugget_name is not None:
            name = self.nugget_name[self.nugget[entry]]
            nugget = f"nugget {name!r}: "
        grade = float(self.grade[entry])
        return f"{where}{nugget}grade {grade:g}"

    def where(self, enough: Callable[[Array], Array]) -> "NuggetRows":
        """The same rows and pool, with only the entries whose grade is enough."""
        pool = None if self.judged_pool is None else self.judged_pool.where(enough)
        keep = np.asarray(enough(self.grade), dtype=bool)
        if keep.all():
            if pool is self.judged_pool:
                return self
            return replace(self, judged_pool=pool)
        return replace(
            self,
            row=self.row[keep],
            nugget=self.nugget[keep],
            grade=self.grade[keep],
            judged_pool=pool,
        )

    def ranked(self, rows: Array) -> "NuggetRows":
        """A ranking of these rows of the pool, sorted by query and given in order within it."""
        new = self.pool.take(rows)
        starts = starts_of(new.query, self.n)
        sizes = np.diff(starts)
        begins = np.repeat(starts[:-1], sizes)
        rank = np.arange(1, len(rows) + 1) - begins
        return replace(
            new,
            rank=like(self.grade, rank),
            retrieved=sizes,
            judged_pool=self.pool,
        )

    def per_intent(self) -> Rows:
        """One ordinary ranking per nugget: nugget i is query i, graded by it alone."""
        order = np.argsort(self.nugget, kind="stable")
        of_pool = np.argsort(self.pool.nugget, kind="stable")
        return Rows(
            query=self.nugget[order],
            rank=self.rank[self.row[order]],
            grade=self.grade[order],
            judged=np.ones(len(order), dtype=bool),
            retrieved=self.retrieved[self.nugget_query],
            pool_query=self.pool.nugget[of_pool],
            pool_grade=self.pool.grade[of_pool],
        )

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        labels: dict[str, Any] = {"rank": self.rank}
        if self.document is not None:
            labels["document"] = self.document
        if self.nugget_name is not None:
            labels["nuggets"] = self._held
        if not self.judged.all():
            labels["judged"] = self.judged
        return Table(self.query, Columns(labels))

    def _held(self) -> list[str]:
        """The nuggets of each row: "A, B", or "A:2, B:1" where grades are not all 1."""
        names = [] if self.nugget_name is None else self.nugget_name
        words: list[list[str]] = [[] for _ in self.query]
        entries = zip(
            self.row.tolist(),
            self.nugget.tolist(),
            self.grade.tolist(),
            strict=True,
        )
        for row, nugget, grade in entries:
            held = str(names[nugget])
            if grade != 1:
                held += f":{float(grade):g}"
            words[row].append(held)
        return list(map(", ".join, words))

    def table_of_entries(self) -> Table:
        """The lines of columns that have a value for each nugget of each row."""
        labels: dict[str, Any] = {"rank": self.rank[self.row]}
        if self.document is not None:
            labels["document"] = self.document[self.row]
        if self.nugget_name is not None:
            labels["nugget"] = [self.nugget_name[n] for n in self.nugget.tolist()]
        return Table(self.query[self.row], labels)

    def table_of_intents(self) -> Table:
        """The lines of columns that have a value per nugget."""
        names = {} if self.nugget_name is None else {"nugget": self.nugget_name}
        return Table(self.nugget_query, names)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Many queries in one table; either all of them have given probabilities or none has."""
        has_intents = [p.probability is not None for p in parts]
        if any(has_intents) and not all(has_intents):
            raise InputError(
                f"query number {has_intents.index(False) + 1} has no intent probabilities but "
                "others have; give them for every query or for none"
            )
        return super().joined(parts)


def _refuse_numbers_of_queries(name: str, value: Mapping[Any, Any]) -> None:
    """InputError if one query has a number where others have a mapping of nuggets."""
    for query, of_query in value.items():
        if not isinstance(of_query, Mapping):
            raise InputError(
                f"{at(query)}{name} is {of_query!r:.60}, and other queries map nuggets to numbers; "
                "give nugget -> number for each query"
            )
