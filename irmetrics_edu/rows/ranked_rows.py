"""The rows of rankings: the one table that every metric of a ranking reads."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

import numpy as np

from irmetrics_edu.conventions import (
    JUDGED,
    Ideal,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import (
    Array,
    all_true,
    is_exact,
    largest,
    like,
    picked,
    ranks_to,
    running_product_before,
    starts_of,
    total,
    trues,
    zeros,
)
from irmetrics_edu.rows.by_query import QUERY, ROW, ByQuery, on
from irmetrics_edu.working import Table

# The steps of scales that judges use, to one: halves, quarters, fifths, tenths, and thirds.
_STEPS = (20, 3)
_CLOSE = 1e-6  # to a whole number of steps


def _or_swapped(grade: float) -> str:
    """What a grade may be that is no step of a scale; nothing for one that is."""
    for step in _STEPS:
        if abs(grade * step - round(grade * step)) < _CLOSE:
            return ""
    return (
        "; a grade of so many digits may be a score: if the run and the judgments are swapped, "
        "give the run first in Python, and the judgments first in commands"
    )


@dataclass(eq=False)
class Rows(ByQuery):
    """A ranking aligned with its judgments: rows (query, rank, grade), and each query's pool.

    Rows are sorted by query and rank. A row of a document that was not judged has grade 0, and its
    `judged` is false. Such rows can be left out without any change to a score. The pool holds the
    grades of all judged documents, retrieved or not. Documents without a grade (`None` in the
    judgments) are rows with `pooled` true and `judged` false.
    """

    query: Array = field(metadata=on(ROW, to=QUERY))
    rank: Array = field(metadata=on(ROW))
    grade: Array = field(metadata=on(ROW))
    judged: Array = field(metadata=on(ROW))
    # How many documents each query retrieved, rows or not.
    retrieved: Array = field(metadata=on(QUERY))
    pool_query: Array = field(metadata=on("pool", to=QUERY))
    pool_grade: Array = field(metadata=on("pool"))
    document: Sequence[Hashable] | None = field(default=None, metadata=on(ROW))
    pool_document: Sequence[Hashable] | None = field(default=None, metadata=on("pool"))
    pooled: Array | None = field(default=None, metadata=on(ROW, absent=lambda rows: rows.judged))
    queries: Sequence[Any] | None = field(default=None, metadata=on(QUERY))
    # The first rank and the number of those that share it, if they do.
    span: Array | None = field(
        default=None,
        metadata=on(ROW, absent=lambda rows: np.stack([rows.rank, np.ones(len(rows.rank))])),
    )
    _best: "Rows | None" = field(default=None, init=False, repr=False)  # the ideal of the judged
    # Where there are many measures of these rows, what all rows of the run share, such as the best
    # order of its judgments. Then what is made of these rows is kept, too: cuts, other ideals.
    # Each takes as much memory as the rows themselves.
    keeps: dict[Any, Any] | None = field(default=None, init=False, repr=False)
    _made: dict[Any, "Rows"] = field(default_factory=dict, init=False, repr=False)

    @property
    def n(self) -> int:
        """The number of queries."""
        return len(self.retrieved)  # a call asks for it many times, so not by a field's name

    def product_before(self, factors: Array) -> Array:
        """The product of the factors of all earlier rows of the query."""
        return running_product_before(factors, self.starts)

    def gains(self, gain: Callable[[Array], Array]) -> Array:
        """What each row's grade is worth; a document that nobody judged gains nothing."""
        worth = gain(self.grade)
        if all_true(self.judged):
            return worth
        return np.where(self.judged, worth, zeros(worth, 1)[0])

    def relevance(self, rel: float = 1) -> Array:
        """1 for a relevant row, else 0: relevant is a grade of at least `rel`."""
        self._no_grade_in_between(self.grade, self.query, rel)
        if rel > 0:
            return self.count(self.grade >= rel)
        enough = self.grade >= rel
        return self.count(enough & self.judged)

    def relevant(self, rel: float = 1) -> Array:
        """R: how many documents of each query's pool are relevant."""
        self._no_grade_in_between(self.pool_grade, self.pool_query, rel)
        is_relevant = like(self.pool_grade, self.pool_grade >= rel)
        return total(is_relevant, self.pool_query, self.n)

    def _no_grade_in_between(
        self,
        grades: Array,
        query: Array,
        rel: float,
    ) -> None:
        if rel != 1 or not len(grades):
            return
        between = (grades > 0) & (grades < 1)
        if between.any():
            q = int(query[between][0])
            grade = grades[between][0]
            raise InputError(
                f"{self.at(q)}grade {grade} is neither 0 nor "
                "at least 1; give the lowest grade of a relevant document: rel=0.5, in a "
                f"measure's name P(rel=0.5)@10{_or_swapped(float(grade))}"
            )

    def depth(self, k: int | None) -> Array:
        """How many documents of each query stand within the cut."""
        n = self.retrieved if k is None else np.minimum(self.retrieved, k)
        return like(self.grade, n)

    def top(self, k: int | None) -> Self:
        """The rows down to rank k; pool and number retrieved stay."""
        if k is None:
            return self
        top = self.made(("top", k), lambda: self._cut(k))
        return cast(Self, top)

    def _cut(self, k: int) -> Self:
        first = self.rank
        if self.span is not None:
            first = self.span[0]
        return self._within(first <= k)

    def made(self, what: Hashable, make: Callable[[], "Rows"]) -> "Rows":
        """What is made of these rows: once, if there are many measures of them."""
        if self.keeps is None:
            return make()
        if what not in self._made:
            made = make()
            made.keeps = self.keeps
            self._made[what] = made
        return self._made[what]

    def where(self, keep: Array) -> Self:
        """The rows that are marked."""
        return type(self)(*self._fields({ROW: keep}).values())

    def at_rank(self, factor: Callable[[Array], Array], k: int | None = None) -> Array:
        """The factor for each row's rank; tied documents get the mean factor of their ranks.

        Ranks below k count 0 in the mean: with a cut at 1, two documents that share ranks 1 and 2
        get half of the factor each.
        """
        if self.span is None or not len(self.rank):
            return factor(self.rank)
        first, size = (column.astype(np.intp) for column in self.span)
        last = int((first + size).max()) - 1
        ranks = ranks_to(self.grade, last)
        factors = factor(ranks)
        if k is not None:
            factors = np.where(ranks <= k, factors, zeros(self.grade, 1)[0])
        so_far = np.concatenate([zeros(self.grade, 1), factors.cumsum()])
        sums = so_far[first + size - 1] - so_far[first - 1]
        mean: Array = sums / like(self.grade, size)
        return mean

    def with_pool_of_retrieved(self) -> "Rows":
        """The same rows with a pool of only the documents that were retrieved and judged."""
        kept = self.in_judgments
        query = self.query[kept]
        grade = self.grade[kept]
        document = picked(self.document, kept)
        return replace(
            self,
            pool_query=query,
            pool_grade=grade,
            pool_document=document,
        )

    @property
    def in_judgments(self) -> Array:
        """Which rows somebody judged: a convention may give the others a grade for the ranking."""
        if self.pooled is None:
            return self.judged
        return self.judged & self.pooled

    def ideal(self, how: Ideal = JUDGED, k: int | None = None) -> "Rows":
        """The ideal ranking: all judged documents, best grades first, or as `how` says."""
        if how is JUDGED:
            if self._best is None:
                self._best = self._best_of_pool()
            return self._best
        return self.made(("ideal", how, k), lambda: how(self, k))

    def _best_of_pool(self) -> "Rows":
        """The judged documents, best grades first: sorted once for all orders of one run."""
        pool = (
            self.pool_query,
            self.pool_grade,
            self.pool_document,
        )
        if self.keeps is None:
            return self._sorted(*pool)
        key = "best", *map(id, pool)
        if key not in self.keeps:
            made = self._sorted(*pool)
            made.keeps = self.keeps
            self.keeps[key] = made, pool  # while the pool is here, no other has its numbers
        best: Rows
        best, _ = self.keeps[key]
        return best

    @property
    def ideal_of_retrieved(self) -> "Rows":
        """The best order of the judged documents that the ranking holds.

        Documents that nobody judged gain nothing, so they are ranked above losses.
        """
        kept = self.in_judgments
        if not (self.grade < 0).any():
            documents = picked(self.document, kept)
            return self._sorted(self.query[kept], self.grade[kept], documents)
        in_rows = np.bincount(self.query, minlength=self.n)
        without_row = np.repeat(np.arange(self.n), self.retrieved - in_rows)
        nothing = zeros(self.grade, len(without_row))
        query = np.concatenate([self.query, without_row])
        of_judged = np.where(kept, self.grade, zeros(self.grade, 1)[0])
        grade = np.concatenate([of_judged, nothing])
        return self._sorted(query, grade, None if len(without_row) else self.document)

    def in_order_of(self, worth: Array) -> "Rows":
        """The same documents ranked by what they are worth, best first."""
        order = np.lexsort((-worth, self.query))
        return replace(self, grade=self.grade[order], document=picked(self.document, order))

    def all_of_grade_1(self, sizes: Any) -> "Rows":
        """Rankings of so many documents of grade 1, one for each query."""
        sizes = np.asarray(sizes, dtype=np.intp)
        query = np.repeat(np.arange(self.n), sizes)
        return self._sorted(query, like(self.grade, np.ones(len(query))), None)

    def _sorted(
        self,
        query: Array,
        grade: Array,
        document: Sequence[Hashable] | None,
    ) -> "Rows":
        if self.n == 1:
            if document is None:
                grade = -grade
                grade.sort()
                np.negative(grade, out=grade)
            else:
                order = (-grade).argsort(kind="stable")
                grade = grade[order]
                document = picked(document, order)
            ranks = ranks_to(grade, len(grade))
            sizes = np.array([len(grade)])
        else:
            order = _best_first(query, grade)
            query = query[order]
            grade = grade[order]
            document = picked(document, order)
            starts = starts_of(query, self.n)
            sizes = np.diff(starts)
            before = np.repeat(starts[:-1], sizes)
            ranks = like(grade, np.arange(1, len(query) + 1) - before)
        return Rows(
            query=query,
            rank=ranks,
            grade=grade,
            judged=trues(len(grade)),
            retrieved=sizes,
            pool_query=query,
            pool_grade=grade,
            document=document,
            queries=self.queries,
        )

    def table(self) -> Table:
        """The lines that columns over these rows stand for."""
        labels: dict[str, Any] = {"rank": self.rank}
        if self.document is not None:
            labels["document"] = self.document
        labels["grade"] = self.grade
        labels["judged"] = self.judged
        return Table(self.query, labels)


_SMALL = 1 << 20  # of grades from the least to the most
_SHORT = 1 << 14  # half of what a whole number of 16 bits holds


def _best_first(query: Array, grade: Array) -> Array:
    """The order by query, and within a query by falling grade; equal grades stay as they are."""
    if is_exact(grade):
        return np.lexsort((-grade, query))
    least = grade.min(initial=0)
    most = grade.max(initial=0)
    is_whole = (grade == np.rint(grade)).all()
    if most - least < _SMALL and is_whole:  # one key: half of the time
        scale = int(most - least + 1)
        one_key = query * scale - grade.astype(np.int64)
        queries = largest(query) + 1
        largest_grade = max(abs(least), abs(most))
        if max(scale * queries, largest_grade) < _SHORT:
            one_key = one_key.astype(np.int16)  # which numpy counts instead of comparing
        return one_key.argsort(kind="stable")
    return np.lexsort((-grade, query))
